// Weak signs that something takes clicks, for what neither markup nor cursor tells of: listeners cannot be seen from here.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "hasWeakSign")) return;

  // Signs that stand for something to do when they are alone in a box: close, more, menu, settings, edit, bin.
  const GLYPH = /^(?:[\u00d7\u2715\u2716\u2717\u22ee\u22ef\u2630\u2261\u2699\u270e\u270f\u2795\u2796\u25b6\u25c0\u2039\u203a\u276e\u276f]\ufe0f?|\u{1f5d1}\ufe0f?|\u{1f50d}|\u{1f50e})$/u;
  const MAX_GLYPH = 56; // CSS pixels: the largest round button
  const MAX_TEXT = 40; // characters of a chip, a chosen word, a line of a menu
  const MAX_SHARE = 0.15; // of the screen; what reacts and is larger is a part of the page
  const INNER = "a[href],button,input,select,textarea,summary,[role],[tabindex],[onclick]";
  // What leads somewhere or takes text in a line is what is used of it, not the line.
  const LEADING = "a[href],select,textarea,input:not([type=checkbox]):not([type=radio]):not([type=hidden]):not([type=button])";
  const NOT_THESE = new Set(["html", "body", "table", "thead", "tbody", "tr", "td", "th", "form", "fieldset", "p", "label", "img", "video", "path", "g", "use", "rect", "circle", "pre", "code", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"]);
  const ICONS = new Set(["svg", "i", "img", "span", "div"]);
  const CHOSEN = /(^|[\s_-])(active|selected|current|chosen)($|\s)/;
  const PARTED = new Set(["li", "div", "span", "dd"]);

  /** Text of an element without others in it that is a sign and nothing else. @param {Element} el @param {DOMRect} rect */
  function isGlyph(el, rect) {
    if (el.firstElementChild || rect.width > MAX_GLYPH || rect.height > MAX_GLYPH) return false;
    const text = el.textContent ?? "";
    return text.length < 6 && GLYPH.test(text.trim()) && isAlone(el);
  }

  /** Between two texts a sign is a part of them ("3 × 4"). @param {Element} el */
  const isAlone = (el) => !el.previousSibling?.textContent?.trim() || !el.nextSibling?.textContent?.trim();

  /** A small picture that says what it is for when pointed at. @param {Element} el @param {DOMRect} rect */
  const isTitledIcon = (el, rect) =>
    ICONS.has(el.localName) && rect.width >= 8 && rect.width <= MAX_GLYPH && rect.height <= MAX_GLYPH && el.hasAttribute("title") && !el.textContent?.trim();

  const [LEAST_SCALE, MOST_SCALE] = [3, 30]; // signs

  /** One of a row of signs made alike: the stars of a rating in a form, colours to choose from, the squares of a board. @param {Element} el @param {DOMRect} rect */
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

  /** Text that cannot be marked, in something whose text can: as on a button. @param {Element} el @param {CSSStyleDeclaration} style */
  function isUnselectable(el, style) {
    if (style.userSelect !== "none" || !isShort(el) || el.querySelector(INNER)) return false;
    const parent = page.parentOf(el);
    return parent !== null && getComputedStyle(parent).userSelect !== "none";
  }

  /** One of several lines made alike, with words of its own beside what can be pressed in it. @param {Element} el */
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

  /**
   * Whether something that says nothing of itself may be clicked.
   * @param {Element} el @param {DOMRect} rect @param {CSSStyleDeclaration} style @param {string} reacting selectors of what changes under the mouse
   */
  page.hasWeakSign = (el, rect, style, reacting) => {
    if (NOT_THESE.has(el.localName) || rect.width < 3 || rect.height < 6) return false;
    return isGlyph(el, rect) || isTitledIcon(el, rect) || isOfScale(el, rect) || reacts(el, rect, reacting) || isUnselectable(el, style) || isMovable(el, style) || isExplained(el, style);
  };

  /** A box of its own with a few words, held by fingers or put somewhere among others like it. @param {Element} el @param {CSSStyleDeclaration} style */
  const isMovable = (el, style) => (page.handlesTouch(style) || style.position === "absolute") && isShort(el) && el.querySelector(INNER) === null && (page.handlesTouch(style) ? page.isTangible(el, el.getBoundingClientRect()) : page.isPositioned(el, style));

  /** Words underlined with dots, or under a question mark, tell more when the mouse rests on them. @param {Element} el @param {CSSStyleDeclaration} style */
  const isExplained = (el, style) => (style.cursor === "help" || (style.display === "inline" && (style.borderBottomStyle === "dotted" || style.textDecorationStyle === "dotted"))) && isShort(el) && el.querySelector(INNER) === null;

  const MAX_NAMELESS = 120; // CSS pixels: a swatch, a tile, a drawn sign
  const PICTURES = "svg,img,canvas,circle,rect,path,polygon,ellipse,line,polyline,g,use";

  const UNPAINTED = /^(?:|transparent|rgba\(.*, 0\))$/;
  const PSEUDOS = ["::before", "::after"];

  /** What a style sheet puts before or after its content: the text, `""` in quotes for a mere box; "" for nothing. @param {Element} el */
  const pseudoContents = (el) => (typeof CSS === "undefined" ? [] : PSEUDOS.map((pseudo) => getComputedStyle(el, pseudo).content).filter((content) => !/^(?:|none|normal)$/.test(content)));

  /** The sign that its style sheet draws, "" for a glyph of an icon font, which has a code point of nobody's. @param {Element} el */
  page.drawnSign = (el) => (pseudoContents(el).map((content) => content.match(/^"(.*)"$/)?.[1].trim() ?? "").find((text) => text && !/\p{Co}/u.test(text)) ?? "");

  /** Whether it has a colour of its own behind it. @param {Element} el */
  page.isPainted = (el) => !UNPAINTED.test(getComputedStyle(el).backgroundColor);

  /** Whether a picture or a sign makes it what it is, and not its colour. @param {Element} el */
  page.isPictured = (el) => {
    const { backgroundImage, maskImage, content } = getComputedStyle(el);
    return [backgroundImage, maskImage].some((image) => (image ?? "none") !== "none") || /^url/.test(content ?? "") || pseudoContents(el).length > 0;
  };

  /** Whether something without a name is at least to be seen: a swatch, a picture, a shape. @param {Element} el @param {DOMRect} rect */
  page.isTangible = (el, rect) => {
    if (el.matches(PICTURES)) return true;
    if (rect.width > MAX_NAMELESS || rect.height > MAX_NAMELESS || el.querySelector(INNER)) return false;
    return page.isPainted(el) || getComputedStyle(el).borderTopWidth !== "0px" || el.querySelector(PICTURES) !== null || page.isPictured(el);
  };

  /**
   * The parts of a container one of which is marked as the chosen one: tabs, pages, things of a list drawn by hand.
   * @param {Element} container @returns {Element[]}
   */
  page.choicesIn = (container) => {
    const parts = [...container.children];
    const chosen = parts.filter((part) => CHOSEN.test(part.getAttribute("class") ?? ""));
    if (chosen.length !== 1 || !PARTED.has(parts[0].localName)) return [];
    const alike = parts.every((part) => part.localName === parts[0].localName && isShort(part) && !part.querySelector(INNER) && !part.matches(INNER));
    const [first] = (parts.find((part) => part !== chosen[0])?.getAttribute("class") ?? "").split(/\s+/);
    const named = first === "" || chosen[0].classList.contains(first);
    return alike && named && parts.every((part) => part.getBoundingClientRect().height >= 8) ? parts : [];
  };
})();
