// The items of a container that handles the clicks of all of them: a toolbar, a popup of choices.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "itemsOf")) return;

  const LISTS = /^(ul|ol|table|tbody|thead|dl|menu)$/;
  const MAX_ITEM = 40; // characters; a longer text is a line, not something to choose
  const MAX_WRAPPERS = 3;
  const MIN_GAP = 6; // CSS pixels between two items; a word space has 4 to 5
  const ONE_CONTROL = /(^|[\s_-])(btn|button|chip|badge|tag|input|field)($|[\s_-])/;
  // Attributes that distinguish parts of one thing as well as items.
  const NOT_KEYS = /^data-(?:v-|test|cy|qa|reactid|label|title|th$|col|field|name)/;

  /**
   * A list with a hand cursor stands for its lines: those are what is clicked.
   * @param {Element} el
   */
  page.isListOfLines = (el) => {
    const lines = [...el.children];
    if (lines.length < 2) return false;
    const alike = lines.every((line) => line.localName === lines[0].localName && line.className === lines[0].className);
    const blocks = lines.filter((line) => line.getBoundingClientRect().height >= 8 && page.textOf(line, { max: 20 }));
    return blocks.length > 1 && (LISTS.test(el.localName) || (alike && lines.length >= 3 && blocks.length === lines.length));
  };

  /**
   * The parts of a clickable container that are clicked separately; empty if it is one thing.
   * @param {Element} container @returns {Element[]}
   */
  page.itemsOf = (container) => {
    if (container.matches("tr,[role=row]")) return []; // its cells are parts of one line
    const el = innermost(container);
    if (ONE_CONTROL.test(container.getAttribute("class") ?? "") || hasOwnText(el)) return [];
    const items = [...el.children].filter(isBox);
    if (items.length < 2 || items.some((item) => item.localName !== items[0].localName || page.roleOf(item))) return [];
    if (page.isListOfLines(el) && LISTS.test(el.localName)) return items;
    const texts = items.map((item) => page.textOf(item, { max: MAX_ITEM + 1 }));
    if (texts.some((text) => text.length > MAX_ITEM || !/[\p{L}\p{N}]/u.test(text)) || new Set(texts).size < texts.length) return [];
    return reactAlone(items) || (sameFont(items) && (haveKeys(items) || isBar(container, items))) ? items : [];
  };

  /** Its content without boxes around a single child. @param {Element} container */
  function innermost(container) {
    let el = container;
    for (let depth = 0; depth < MAX_WRAPPERS && el.childElementCount === 1 && !hasOwnText(el); depth += 1) el = el.children[0];
    return el;
  }

  /** @param {Element} el */
  const hasOwnText = (el) => [...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.nodeValue ?? ""));

  /** @param {Element} el */
  function isBox(el) {
    const { width, height } = el.getBoundingClientRect();
    return width >= 8 && height >= 8 && page.isShown(el);
  }

  /** Whether each reacts to hovering. @param {Element[]} items */
  function reactAlone(items) {
    const { reacting } = page.hoverSelectors();
    return reacting !== "" && items.every((item) => item.matches(reacting));
  }

  /** @param {Element[]} items */
  const sameFont = (items) => new Set(items.map((item) => (({ fontSize, fontWeight, color }) => `${fontSize} ${fontWeight} ${color}`)(getComputedStyle(item)))).size === 1;

  /** Whether each has a value that a shared listener could tell it by. @param {Element[]} items */
  function haveKeys(items) {
    const names = [...items[0].attributes].map(({ name }) => name).filter((name) => (name.startsWith("data-") || name === "value") && !NOT_KEYS.test(name));
    return names.some((name) => new Set(items.map((item) => item.getAttribute(name))).size === items.length && items.every((item) => item.hasAttribute(name)));
  }

  /** Whether they are spaced out in one line, each with its own class or id, in a container without a twin. @param {Element} container @param {Element[]} items */
  function isBar(container, items) {
    const marks = items.map((item) => item.id || item.getAttribute("class") || "");
    if (marks.some((mark) => mark === "") || new Set(marks).size < marks.length) return false;
    const alike = [...container.parentElement?.children ?? []].some((other) => other !== container && other.localName === container.localName && other.getAttribute("class") === container.getAttribute("class"));
    if (alike) return false;
    const rects = items.map((item) => item.getBoundingClientRect());
    return rects.every((rect, at) => at === 0 || (rect.left - rects[at - 1].right >= MIN_GAP && Math.abs(rect.top - rects[at - 1].top) < rect.height / 2));
  }
})();
