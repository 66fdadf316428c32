// What a page's own style sheets say of its controls: which turn the cursor into a hand, react to the mouse, or show only under it.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "hoverSelectors")) return;

  /** Whether a style rule shows this hidden element when the mouse is over what is around it. @param {Element} el */
  page.isRevealed = (el) => {
    const { revealed } = page.hoverSelectors();
    return revealed !== "" && el.matches(revealed);
  };

  const CONTROL = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=link],[role=menuitem]";

  /** Whether it is a menu of lines without controls that shows while the mouse is over what is around it. @param {Element} el */
  page.isHoverMenu = (el) => {
    const [first] = el.children;
    return el.childElementCount > 1 && page.isRevealed(el) && [...el.children].every((line) => line.localName === first.localName) && el.querySelector(CONTROL) === null;
  };

  /** Whether such a menu hangs on it. @param {Element} el */
  page.opensHoverMenu = (el) => page.hoverSelectors().revealed !== "" && [...el.children].some(page.isHoverMenu);

  /** @param {CSSStyleDeclaration} style */
  const isHidden = ({ display, visibility, opacity }) => display === "none" || visibility === "hidden" || opacity === "0";

  /**
   * What the mouse must be over for this hidden control to show: the nearest thing around it that is shown.
   * @param {Element} el @returns {Element | null} null when it is not hidden, or not in that way
   */
  page.revealerOf = (el) => {
    let found = false;
    for (let up = /** @type {Element | null} */ (el); up && up !== document.body; up = page.parentOf(up)) {
      const hidden = isHidden(getComputedStyle(up));
      if (found && !hidden && page.isShown(up)) return up;
      if (hidden && !found) {
        found = page.isRevealed(up);
        // Visibility is handed down: the rule may be about something further out.
        if (!found && getComputedStyle(up).visibility !== "hidden") return null;
      }
    }
    return null;
  };

  // Rules read in one look (4 microseconds each); what is left of longer sheets is read while the page is idle.
  const MAX_RULES = 4_000;
  // Cursors that say that something is to be taken hold of or pressed.
  const HANDS = /^(?:pointer|grab|grabbing|move|all-scroll|zoom-in|zoom-out|copy|.+-resize)$/;
  const OVER = /:hover\s*$/;
  const OF_MOUSE = /\((?:any-)?(?:hover|pointer): ?(?:hover|fine)\)/g; // what a mouse meets, whatever the computer has: ours acts as one
  const PSEUDO = /::?(?:before|after)\b/;

  page.isHandCursor = (cursor) => HANDS.test(cursor);

  /** @returns {HoverRules} */
  const none = () => ({ always: [], hovered: [], reacting: [], revealed: [], layers: [] });

  /** Whether a declaration makes something visible. @param {CSSStyleDeclaration} style */
  const shows = ({ opacity, visibility, display }) =>
    (opacity !== "" && Number.parseFloat(opacity) > 0) || visibility === "visible" || visibility === "inherit" || (display !== "" && display !== "none");

  /** @param {string} selectors @returns {string[]} those between commas that stand in no brackets */
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

  /** What one rule says, added to `found`. @param {string} selectorText @param {CSSStyleDeclaration} style @param {HoverRules} found */
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
   * The selectors of rules with the hand: `always`, and those only `hovered` without their `:hover`; `reacting` are those of
   * rules that change anything under the mouse, `revealed` of what shows while the mouse is over something around or
   * before it, `layers` of what stays in place when the page scrolls.
   * @param {Iterable<CSSRule>} rules @param {HoverRules} [found] @returns {HoverRules}
   */
  page.collectHoverRules = (rules, found = none()) => {
    for (const rule of rules) {
      const { selectorText, style } = /** @type {CSSStyleRule} */ (rule);
      if (selectorText && style) readRule(selectorText, style, found);
      else if (isOn(rule)) page.collectHoverRules(/** @type {CSSGroupingRule} */ (rule).cssRules, found);
    }
    return found;
  };

  /** Whether a group of rules (`@layer`, `@supports`, `@media`) holds now. @param {CSSRule} rule */
  function isOn(rule) {
    if (!("cssRules" in rule) || "appendRule" in rule) return false; // no group, or keyframes
    return !(rule instanceof CSSMediaRule) || matchMedia(rule.conditionText.replace(OF_MOUSE, "(min-width: 0px)")).matches;
  }

  /** What has been read of each sheet: the first `read` of its rules. @type {WeakMap<CSSStyleSheet, {read: number, found: HoverRules}>} */
  const known = new WeakMap();
  /** @type {{sheets: readonly CSSStyleSheet[], key: string, joined: HoverSelectors} | null} */
  let last = null;
  let isAwaited = false;

  /** Sheets of this document and the shadow roots met, each once. @returns {CSSStyleSheet[]} */
  const sheetsNow = () => [...new Set(page.roots().flatMap((root) => [...root.styleSheets, ...root.adoptedStyleSheets ?? []]))];

  /** Reads on in a sheet; false when it is of another origin. @param {CSSStyleSheet} sheet @param {number} room rules @returns {number} how many were read */
  function readOn(sheet, room) {
    try {
      const { cssRules } = sheet;
      let record = known.get(sheet);
      if (!record || record.read > cssRules.length) known.set(sheet, (record = { read: 0, found: none() }));
      const end = Math.min(cssRules.length, record.read + room);
      const fresh = [];
      for (let at = record.read; at < end; at += 1) fresh.push(cssRules[at]);
      page.collectHoverRules(fresh, record.found);
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

  /** One selector for each kind, "" if there is none, as of the last reading. @returns {HoverSelectors} */
  page.hoverSelectors = () => last?.joined ?? page.updateHoverSelectors();

  /** Reads what is new in the style sheets; those of other origins cannot be read. @returns {HoverSelectors} */
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

  /** Those that can be asked for, as one; a wrong one among them would make it all wrong. @param {string[]} selectors */
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
