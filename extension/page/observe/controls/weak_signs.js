// Weak signs that an element is clickable, where neither markup nor cursor tells: listeners cannot be seen from here. And the
// parts of a container that handles the clicks of all of them.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "hasWeakSign")) return;

  // Signs that mean an action when alone in a box: close, more, menu, settings, edit, delete.
  const GLYPH = /^(?:[\u00d7\u2715\u2716\u2717\u22ee\u22ef\u2630\u2261\u2699\u270e\u270f\u2795\u2796\u25b6\u25c0\u2039\u203a\u276e\u276f]\ufe0f?|\u{1f5d1}\ufe0f?|\u{1f50d}|\u{1f50e})$/u;
  const MAX_GLYPH = 56; // CSS pixels: the largest round button
  const MAX_TEXT = 40; // characters of a chip, a selected word, a menu line
  const MAX_SHARE = 0.15; // of the screen; a larger element that reacts to hovering is part of the page
  const INNER = "a[href],button,input,select,textarea,summary,[role],[tabindex],[onclick]";
  // Links and fields in a line are what is used of it, not the line.
  const LEADING = "a[href],select,textarea,input:not([type=checkbox]):not([type=radio]):not([type=hidden]):not([type=button])";
  const NOT_THESE = new Set(["html", "body", "table", "thead", "tbody", "tr", "td", "th", "form", "fieldset", "p", "label", "img", "video", "path", "g", "use", "rect", "circle", "pre", "code", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"]);
  const ICONS = new Set(["svg", "i", "img", "span", "div"]);
  const CHOSEN = /(^|[\s_-])(active|selected|current|chosen)($|\s)/;
  const PARTED = new Set(["li", "div", "span", "dd"]);

  /** The own text of an element if it is just a sign. @param {Element} el @param {DOMRect} rect */
  function isGlyph(el, rect) {
    if (el.firstElementChild || rect.width > MAX_GLYPH || rect.height > MAX_GLYPH) return false;
    const text = el.textContent ?? "";
    return text.length < 6 && GLYPH.test(text.trim()) && isAlone(el);
  }

  /** Whether a sign is between two texts and belongs to them ("3 × 4"). @param {Element} el */
  const isAlone = (el) => !el.previousSibling?.textContent?.trim() || !el.nextSibling?.textContent?.trim();

  /** A small picture with a tooltip. @param {Element} el @param {DOMRect} rect */
  const isTitledIcon = (el, rect) =>
    ICONS.has(el.localName) && rect.width >= 8 && rect.width <= MAX_GLYPH && rect.height <= MAX_GLYPH && el.hasAttribute("title") && !el.textContent?.trim();

  const [LEAST_SCALE, MOST_SCALE] = [3, 30]; // signs

  /** One of a row of similar signs: rating stars in a form, colours to choose, the squares of a board. @param {Element} el @param {DOMRect} rect */
  function isOfScale(el, rect) {
    if (!ICONS.has(el.localName) || el.firstElementChild || el.textContent || rect.width > MAX_NAMELESS || rect.height > MAX_NAMELESS) return false;
    const row = el.parentElement?.children ?? [];
    if (row.length < LEAST_SCALE || row.length > MOST_SCALE || rect.width < 8 || rect.height < 8 || el.closest(INNER)) return false;
    const alike = [...row].filter((other) => other.localName === el.localName && other.clientWidth === el.clientWidth && other.clientHeight === el.clientHeight);
    if (alike.length < LEAST_SCALE) return false;
    const { backgroundColor, borderTopWidth } = getComputedStyle(el);
    if ((borderTopWidth || "0px") !== "0px") return true;
    if (page.isPictured(el)) return el.closest("form") !== null;
    return page.isPainted(el) && alike.some((other) => getComputedStyle(other).backgroundColor !== backgroundColor);
  }

  /** @param {Element} el */
  const isShort = (el) => {
    const text = el.textContent?.trim() ?? "";
    return text.length > 0 && text.length <= MAX_TEXT;
  };

  /** Text that cannot be selected within text that can, as on a button. @param {Element} el @param {CSSStyleDeclaration} style */
  function isUnselectable(el, style) {
    if (style.userSelect !== "none" || !isShort(el) || el.querySelector(INNER)) return false;
    const parent = page.parentOf(el);
    return parent !== null && getComputedStyle(parent).userSelect !== "none";
  }

  /** One of several similar lines with text of its own besides its controls. @param {Element} el */
  function isLine(el) {
    const alike = [el.previousElementSibling, el.nextElementSibling].some((other) => other?.localName === el.localName && other.getAttribute("class") === el.getAttribute("class"));
    return alike && page.textOf(el, { max: 20, skip: (inner) => inner.matches(INNER) }).length > 2;
  }

  /** @param {Element} el @param {DOMRect} rect @param {string} reacting */
  function reacts(el, rect, reacting) {
    if (reacting === "" || !el.matches(reacting) || rect.width * rect.height > MAX_SHARE * innerWidth * innerHeight) return false;
    if (el.querySelector(LEADING) !== null || (el.querySelector(INNER) !== null && !isLine(el))) return false;
    return Boolean(el.textContent?.trim()) || el.querySelector("svg,img,i") !== null;
  }

  /** Whether an element without any markup for it may be clickable. @param reacting selectors of what reacts to hovering */
  page.hasWeakSign = (el, rect, style, reacting) => {
    if (NOT_THESE.has(el.localName) || rect.width < 3 || rect.height < 6) return false;
    return isGlyph(el, rect) || isTitledIcon(el, rect) || isOfScale(el, rect) || reacts(el, rect, reacting) || isUnselectable(el, style) || isMovable(el, style) || isExplained(el, style);
  };

  /** A box with a few words that handles touch or is positioned among similar ones. @param {Element} el @param {CSSStyleDeclaration} style */
  const isMovable = (el, style) => (page.handlesTouch(style) || style.position === "absolute") && isShort(el) && el.querySelector(INNER) === null && (page.handlesTouch(style) ? page.isTangible(el, el.getBoundingClientRect()) : page.isPositioned(el, style));

  /** Text with a dotted underline or a help cursor, which shows more on hover. @param {Element} el @param {CSSStyleDeclaration} style */
  const isExplained = (el, style) => (style.cursor === "help" || (style.display === "inline" && (style.borderBottomStyle === "dotted" || style.textDecorationStyle === "dotted"))) && isShort(el) && el.querySelector(INNER) === null;

  const MAX_NAMELESS = 120; // CSS pixels: a swatch, a tile, a drawn sign
  const PICTURES = "svg,img,canvas,circle,rect,path,polygon,ellipse,line,polyline,g,use";

  const UNPAINTED = /^(?:|transparent|rgba\(.*, 0\))$/;
  const PSEUDOS = ["::before", "::after"];

  /** What a style sheet adds before or after its content: the text, `""` in quotes for an empty box; "" for nothing. @param {Element} el */
  const pseudoContents = (el) => (typeof CSS === "undefined" ? [] : PSEUDOS.map((pseudo) => getComputedStyle(el, pseudo).content).filter((content) => !/^(?:|none|normal)$/.test(content)));

  /** The sign drawn by its style sheet, "" for a glyph of an icon font, which is in a private code area. */
  page.drawnSign = (el) => (pseudoContents(el).map((content) => content.match(/^"(.*)"$/)?.[1].trim() ?? "").find((text) => text && !/\p{Co}/u.test(text)) ?? "");

  /** Whether it has its own background colour. */
  page.isPainted = (el) => !UNPAINTED.test(getComputedStyle(el).backgroundColor);

  /** Whether a picture or a sign identifies it rather than its colour. */
  page.isPictured = (el) => {
    const { backgroundImage, maskImage, content } = getComputedStyle(el);
    return [backgroundImage, maskImage].some((image) => (image ?? "none") !== "none") || /^url/.test(content ?? "") || pseudoContents(el).length > 0;
  };

  /** Whether an element without a name is at least visible: a swatch, a picture, a shape. */
  page.isTangible = (el, rect) => {
    if (el.matches(PICTURES)) return true;
    if (rect.width > MAX_NAMELESS || rect.height > MAX_NAMELESS || el.querySelector(INNER)) return false;
    return page.isPainted(el) || getComputedStyle(el).borderTopWidth !== "0px" || el.querySelector(PICTURES) !== null || page.isPictured(el);
  };

  /** The parts of a container of which one is marked as selected: tabs, pages, items of a custom list. */
  page.choicesIn = (container) => {
    const parts = [...container.children];
    const chosen = parts.filter((part) => CHOSEN.test(part.getAttribute("class") ?? ""));
    if (chosen.length !== 1 || !PARTED.has(parts[0].localName)) return [];
    const alike = parts.every((part) => part.localName === parts[0].localName && isShort(part) && !part.querySelector(INNER) && !part.matches(INNER));
    const [first] = (parts.find((part) => part !== chosen[0])?.getAttribute("class") ?? "").split(/\s+/);
    const named = first === "" || chosen[0].classList.contains(first);
    return alike && named && parts.every((part) => part.getBoundingClientRect().height >= 8) ? parts : [];
  };

  const LISTS = /^(ul|ol|table|tbody|thead|dl|menu)$/;
  const MAX_ITEM = 40; // characters; a longer text is a line, not something to choose
  const MAX_WRAPPERS = 3;
  const MIN_GAP = 6; // CSS pixels between two items; a word space has 4 to 5
  const ONE_CONTROL = /(^|[\s_-])(btn|button|chip|badge|tag|input|field)($|[\s_-])/;
  // Attributes that distinguish parts of one thing as well as items.
  const NOT_KEYS = /^data-(?:v-|test|cy|qa|reactid|label|title|th$|col|field|name)/;

  /** A list with a hand cursor stands for its lines: those are what is clicked. */
  page.isListOfLines = (el) => {
    const lines = [...el.children];
    if (lines.length < 2) return false;
    const alike = lines.every((line) => line.localName === lines[0].localName && line.className === lines[0].className);
    const blocks = lines.filter((line) => line.getBoundingClientRect().height >= 8 && page.textOf(line, { max: 20 }));
    return blocks.length > 1 && (LISTS.test(el.localName) || (alike && lines.length >= 3 && blocks.length === lines.length));
  };

  /** The parts of a clickable container that are clicked separately; empty if it is one thing. */
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
