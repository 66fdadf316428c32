// What style sheets tell about controls: which have a hand cursor, react to hovering, or show only on hover.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "hoverSelectors")) return;

  /** Whether a rule shows this hidden element when something around it is hovered. */
  page.isRevealed = (el) => {
    const { revealed } = page.hoverSelectors();
    return revealed !== "" && el.matches(revealed);
  };

  const CONTROL = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=link],[role=menuitem]";

  /** Whether it is a menu of lines without controls that shows on hover. */
  page.isHoverMenu = (el) => {
    const [first] = el.children;
    return el.childElementCount > 1 && page.isRevealed(el) && [...el.children].every((line) => line.localName === first.localName) && el.querySelector(CONTROL) === null;
  };

  /** Whether it opens such a menu. */
  page.opensHoverMenu = (el) => page.hoverSelectors().revealed !== "" && [...el.children].some(page.isHoverMenu);

  /** @param {CSSStyleDeclaration} style */
  const isHidden = ({ display, visibility, opacity }) => display === "none" || visibility === "hidden" || opacity === "0";

  /** The element to hover so that a hidden control shows: its nearest visible ancestor. @returns null if it is not hidden, or not that way */
  page.revealerOf = (el) => {
    let found = false;
    for (let up = /** @type {Element | null} */ (el); up && up !== document.body; up = page.parentOf(up)) {
      const hidden = isHidden(getComputedStyle(up));
      if (found && !hidden && page.isShown(up)) return up;
      if (hidden && !found) {
        found = page.isRevealed(up);
        // Visibility is inherited: the rule may apply to an ancestor.
        if (!found && getComputedStyle(up).visibility !== "hidden") return null;
      }
    }
    return null;
  };

  // Rules read per look (4 microseconds each); longer sheets are read on while the page is idle.
  const MAX_RULES = 4_000;
  // Cursors for dragging or pressing.
  const HANDS = /^(?:pointer|grab|grabbing|move|all-scroll|zoom-in|zoom-out|copy|.+-resize)$/;
  const OVER = /:hover\s*$/;
  const OF_MOUSE = /\((?:any-)?(?:hover|pointer): ?(?:hover|fine)\)/g; // media queries about a mouse are always true: the agent has one
  const PSEUDO = /::?(?:before|after)\b/;

  page.isHandCursor = (cursor) => HANDS.test(cursor);

  /** @returns {HoverRules} */
  const none = () => ({ always: [], hovered: [], reacting: [], revealed: [], layers: [] });

  /** Whether a declaration makes an element visible. @param {CSSStyleDeclaration} style */
  const shows = ({ opacity, visibility, display }) =>
    (opacity !== "" && Number.parseFloat(opacity) > 0) || visibility === "visible" || visibility === "inherit" || (display !== "" && display !== "none");

  /** @returns split at commas outside of brackets */
  page.splitSelectors = (selectors) => {
    const found = [];
    let begin = 0;
    let depth = 0;
    for (let at = 0; at < selectors.length; at += 1) {
      if (selectors[at] === "(") depth += 1;
      else if (selectors[at] === ")") depth -= 1;
      else if (selectors[at] === "," && depth === 0) {
        found.push(selectors.slice(begin, at));
        begin = at + 1;
      }
    }
    return [...found, selectors.slice(begin)];
  };

  /** Adds what one rule tells to `found`. @param {string} selectorText @param {CSSStyleDeclaration} style @param {HoverRules} found */
  function readRule(selectorText, style, found) {
    const hand = page.isHandCursor(style.cursor);
    const layer = style.position === "fixed" || style.position === "sticky";
    const over = selectorText.includes(":hover");
    if (!hand && !layer && !over) return;
    for (const part of page.splitSelectors(selectorText)) {
      if (PSEUDO.test(part)) continue;
      if (layer && !over) found.layers.push(part);
      if (OVER.test(part)) {
        (hand ? found.hovered : found.reacting).push(part.replace(OVER, ""));
        if (hand) found.reacting.push(part.replace(OVER, ""));
      } else if (over && /:hover\b/.test(part)) {
        if (shows(style)) found.revealed.push(part.replace(/:hover\b/g, ""));
      } else if (hand && !part.includes(":")) found.always.push(part);
    }
  }

  /**
   * Selectors of rules with a hand cursor: `always`, and `hovered` without their `:hover`; `reacting`: of rules that change
   * anything on hover; `revealed`: of elements that show while something around or before them is hovered;
   * `layers`: of elements that stay in place when the page scrolls.
   * @param {Iterable<CSSRule>} rules @param {HoverRules} [found] @returns {HoverRules}
   */
  const collectHoverRules = (rules, found = none()) => {
    for (const rule of rules) {
      const { selectorText, style } = /** @type {CSSStyleRule} */ (rule);
      if (selectorText && style) readRule(selectorText, style, found);
      else if (isOn(rule)) collectHoverRules(/** @type {CSSGroupingRule} */ (rule).cssRules, found);
    }
    return found;
  };

  /** Whether a group rule (`@layer`, `@supports`, `@media`) applies now. @param {CSSRule} rule */
  function isOn(rule) {
    if (!("cssRules" in rule) || "appendRule" in rule) return false; // no group, or keyframes
    return !(rule instanceof CSSMediaRule) || matchMedia(rule.conditionText.replace(OF_MOUSE, "(min-width: 0px)")).matches;
  }

  /** What was read of each sheet: the first `read` rules. @type {WeakMap<CSSStyleSheet, {read: number, found: HoverRules}>} */
  const known = new WeakMap();
  /** @type {{sheets: readonly CSSStyleSheet[], key: string, joined: HoverSelectors} | null} */
  let last = null;
  let isAwaited = false;

  /** The sheets of this document and its known shadow roots, each once. @returns {CSSStyleSheet[]} */
  const sheetsNow = () => [...new Set(page.roots().flatMap((root) => [...root.styleSheets, ...root.adoptedStyleSheets ?? []]))];

  /** Reads on in a sheet; one of another origin cannot be read. @param {CSSStyleSheet} sheet @param {number} room rules @returns {number} how many were read */
  function readOn(sheet, room) {
    try {
      const { cssRules } = sheet;
      let record = known.get(sheet);
      if (!record || record.read > cssRules.length) known.set(sheet, (record = { read: 0, found: none() }));
      const end = Math.min(cssRules.length, record.read + room);
      const fresh = [];
      for (let at = record.read; at < end; at += 1) fresh.push(cssRules[at]);
      collectHoverRules(fresh, record.found);
      const count = end - record.read;
      record.read = end;
      if (end < cssRules.length) later();
      return count;
    } catch {
      return 0; // another origin's
    }
  }

  function later() {
    if (isAwaited) return;
    isAwaited = true;
    requestIdleCallback(() => {
      isAwaited = false;
      let room = MAX_RULES / 4; // about 5 ms
      for (const sheet of sheetsNow()) room -= room > 0 ? readOn(sheet, room) : 0;
    });
  }

  /** One selector per kind, "" for none, as last read. */
  page.hoverSelectors = () => last?.joined ?? page.updateHoverSelectors();

  /** Reads new rules of the style sheets; those of other origins cannot be read. */
  page.updateHoverSelectors = () => {
    const sheets = sheetsNow();
    let room = MAX_RULES;
    for (const sheet of sheets) room -= room > 0 ? readOn(sheet, room) : 0;
    const key = sheets.map((sheet) => known.get(sheet)?.read ?? 0).join();
    if (last && key === last.key && sheets.every((sheet, at) => sheet === last?.sheets[at])) return last.joined;
    const all = sheets.flatMap((sheet) => known.get(sheet)?.found ?? []);
    const join = (/** @type {keyof HoverRules} */ kind) => joined([...new Set(all.flatMap((found) => found[kind]))]);
    last = { sheets, key, joined: { always: join("always"), hovered: join("hovered"), reacting: join("reacting"), revealed: join("revealed"), layers: join("layers") } };
    return last.joined;
  };

  /** The valid selectors joined; one invalid selector would make the whole list invalid. @param {string[]} selectors */
  function joined(selectors) {
    const whole = selectors.filter((selector) => selector.trim() !== "");
    const all = whole.join(",");
    return isValid(all) ? all : whole.filter(isValid).join(",");
  }

  /** @param {string} selector */
  function isValid(selector) {
    if (selector === "") return false;
    try {
      document.createDocumentFragment().querySelector(selector);
      return true;
    } catch {
      return false;
    }
  }
})();
