// What a page's own style sheets say is to be clicked: rules that turn the cursor into a hand.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "handSelectors")) return;

  const MAX_RULES = 3_000; // a style sheet longer than that is a framework's, whose controls have roles anyway

  /**
   * The selectors of rules with the hand: `always`, and those only `hovered` without their `:hover`;
   * `reacting` are those of rules that change anything else under the mouse.
   * @param {Iterable<CSSRule>} rules @returns {{always: string[], hovered: string[], reacting: string[]}}
   */
  page.readHands = (rules) => {
    /** @type {{always: string[], hovered: string[], reacting: string[]}} */
    const found = { always: [], hovered: [], reacting: [] };
    for (const rule of rules) {
      const { selectorText, style } = /** @type {CSSStyleRule} */ (rule);
      if (!selectorText) continue;
      const hand = style?.cursor === "pointer";
      if (!hand && !selectorText.includes(":hover")) continue;
      for (const part of selectorText.split(/,(?![^(]*\))/)) {
        if (/:hover\s*$/.test(part)) found.reacting.push(part.replace(/:hover\s*$/, ""));
        if (!hand) continue;
        if (/:hover\s*$/.test(part)) found.hovered.push(part.replace(/:hover\s*$/, ""));
        else if (!part.includes(":")) found.always.push(part);
      }
    }
    return found;
  };

  let cached = { key: "", always: "", hovered: "", reacting: "" };

  /** One selector for each kind, "" where there is none; sheets of other origins cannot be read. */
  page.handSelectors = () => {
    const sheets = [...document.styleSheets].flatMap((sheet) => {
      try {
        return [sheet.cssRules];
      } catch {
        return []; // another origin's
      }
    });
    const key = sheets.map((rules) => rules.length).join();
    if (key !== cached.key) {
      const found = sheets.filter((rules) => rules.length <= MAX_RULES).map((rules) => page.readHands(rules));
      cached = { key, always: joined(found.flatMap(({ always }) => always)), hovered: joined(found.flatMap(({ hovered }) => hovered)), reacting: joined(found.flatMap(({ reacting }) => reacting)) };
    }
    return cached;
  };

  /** @param {string[]} parts */
  const joined = (parts) => parts.filter(isValid).join(",");

  /** @param {string} selector */
  function isValid(selector) {
    try {
      document.createDocumentFragment().querySelector(selector);
      return selector.trim() !== "";
    } catch {
      return false;
    }
  }
})();
