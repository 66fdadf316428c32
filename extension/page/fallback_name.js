// Names for what has no accessible one, found the way a person finds them: the text beside it, its column, its icon.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "nameOf")) return;

  const MAX_NAME = 80; // characters (CONTRACT, V3 node)
  const MAX_LABEL = 60; // a longer neighbour is a paragraph, not a label
  const CONTROL = "input:not([type=hidden]),select,textarea,button,[contenteditable=''],[contenteditable=true],[role=combobox],[role=textbox],[role=checkbox],[role=switch],[role=radio],[role=slider]";
  const BOUNDARY = `${CONTROL},h1,h2,h3,h4,h5,h6,hr,table`;
  const FIELDS = new Set(["inp", "sel", "chk", "rad", "range", "file"]);
  // What icon fonts put before the name of the icon.
  const ICON_PREFIX = /^(?:fa[srlbd]?|bi|mdi|glyphicon|icon|icons|ti|ri|la|las|feather|ion|lucide|codicon|oi|anticon|pi|ui-icon|octicon)-(.+)$/;
  const NOT_A_NAME = /^(?:fa|fas|far|fal|fab|fw|lg|sm|xs|\dx|icon|icons|svg|btn|button|small|large|active|disabled|hide|show|hidden|visible|left|right|pull|float|col|row|d|m|p|ui|js|css|primary|secondary|default|outline|link|item|click|clickable|pointer|cursor|w|h|text|bg|border|rounded|flex|inline|block)$/;

  /** @param {Element} el @param {WireRole} role @returns {string} */
  page.nameOf = (el, role) => {
    const { name: given, from } = page.accessibleName(el, role);
    const isField = FIELDS.has(role);
    const name = isField ? withoutMarks(el, given) : withoutKeys(given.replace(/[\s:*]+$/, "") || given);
    const chosen = role === "sel" && el.localName !== "select" && from === "label" ? page.textOf(el) : "";
    // A picker is often labelled by its label and what it shows: the second part is its value.
    if (chosen && name.length > chosen.length && name.endsWith(chosen)) return page.clip(name.slice(0, -chosen.length).trim(), MAX_NAME);
    const titled = from === "content" && !/[\p{L}\p{N}]/u.test(name) ? page.collapse(el.getAttribute("title")) : "";
    if (titled) return page.clip(titled, MAX_NAME); // of a star or a cross, what it says when pointed at
    if (name && from !== "placeholder" && !(isField && from === "title")) return page.clip(name, MAX_NAME);
    const found = isField ? beside(el, role) || column(el) || name || below(el, role) : name;
    return page.clip(found || (isField ? ownName(el) : icon(el)), MAX_NAME);
  };

  /** Fields whose label said that they must be filled in. @type {WeakSet<Element>} */
  const required = new WeakSet();
  page.isMarkedRequired = (el) => required.has(el);

  /** "Name: *" and "Name (required)" are "Name" to whoever asks for it; the state says that it is required. @param {Element} el @param {string} text */
  function withoutMarks(el, text) {
    const name = text.replace(/^\*\s*/, "").replace(/\s*[([](?:required|optional|mandatory)[)\]](?=[\s:*]*$)/i, "").replace(/[\s:*]+$/, "");
    if (!name) return text;
    if (/\*|[([](?:required|mandatory)[)\]]/i.test(text.replace(name, ""))) required.add(el);
    else required.delete(el);
    return name;
  }

  /** "Save Ctrl+S" is "Save". @param {string} text */
  const withoutKeys = (text) => text.replace(/[\s(]+(?:(?:ctrl|cmd|command|alt|option|shift|meta)\s?\+\s?|[\u2303\u2318\u21e7\u2325]\s?)+(?:[\p{L}\p{N}]|F\d{1,2}|Enter|Tab|Del|Delete|Backspace|Space|[^\s\p{L}\p{N}])\)?$/iu, "") || text;

  /** The label that floats over a field, or stands after it. @param {Element} el @param {WireRole} role */
  function below(el, role) {
    if (role !== "inp" && role !== "sel") return "";
    const parent = page.parentOf(el);
    return parent && parent.querySelectorAll(CONTROL).length === 1 ? sibling(el, "nextSibling") : "";
  }

  /** A text that can be a label: short and with a letter in it. @param {string} text */
  const labelLike = (text) => {
    const label = text.replace(/\s*[([](?:required|optional|mandatory)[)\]](?=[\s:*]*$)/i, "").replace(/[\s:*]+$/, "");
    if (/[.!]$|[.!?] |[\u00d7\u2715\u2716\u22ee]/.test(label)) return ""; // a sentence, or things that can be closed
    return label.length <= MAX_LABEL && /[\p{L}\p{N}]/u.test(label) ? label : "";
  };

  /** @param {ChildNode | null} node @returns {string | null} null where it ends: beyond a control text belongs to that, beyond a heading to the part before */
  function labelIn(node) {
    if (!node) return "";
    if (node.nodeType === Node.TEXT_NODE) return page.collapse(node.nodeValue);
    if (!(node instanceof Element) || ["SCRIPT", "STYLE"].includes(node.tagName)) return "";
    if (node.matches(BOUNDARY) || node.querySelector(BOUNDARY)) return null;
    return page.isShown(node) ? page.textOf(node) : "";
  }

  /** The nearest text before or after in the same parent. @param {Node} start @param {"previousSibling" | "nextSibling"} direction */
  function sibling(start, direction) {
    for (let node = start[direction]; node; node = node[direction]) {
      const text = labelIn(node);
      if (text === null) return "";
      if (text) return labelLike(text);
    }
    return "";
  }

  /** Text beside a field: after a box to tick, before everything else. @param {Element} el @param {WireRole} role */
  function beside(el, role) {
    const ticks = role === "chk" || role === "rad";
    let up = /** @type {Element | null} */ (el);
    // What was picked stands beside the field of a picker, as a label would: only if there is no other.
    let picked = "";
    const value = role === "sel" && el.localName === "input" ? page.valueOf(el, role) : undefined;
    // Form grids put up to six wrappers between a field and its label; another field ends it sooner.
    for (let level = 0; up && level < 6; level += 1, up = page.parentOf(up)) {
      if (/^(td|th|tr|form|body|fieldset)$/.test(up.localName)) return picked;
      const found = ticks ? sibling(up, "nextSibling") || sibling(up, "previousSibling") : sibling(up, "previousSibling");
      if (found && found !== value) return found;
      picked ||= found;
      const parent = page.parentOf(up);
      if (parent && parent.querySelectorAll(CONTROL).length > 1 && !ticks) return picked;
    }
    return picked;
  }

  /** The text of the cell before, or the header of the column. @param {Element} el */
  function column(el) {
    const cell = /** @type {HTMLTableCellElement | null} */ (page.closest(el, "td,th"));
    const row = /** @type {HTMLTableRowElement | null} */ (cell?.closest("tr") ?? null);
    const table = row?.closest("table");
    if (!cell || !row || !table) return "";
    const head = table.tHead?.rows[0] ?? table.rows[0];
    const header = head !== row ? head?.cells[cell.cellIndex] : null;
    const headed = header && (header.localName === "th" || table.tHead) ? labelLike(page.textOf(header)) : "";
    const before = row.cells[cell.cellIndex - 1];
    return headed || (before && !before.querySelector(CONTROL) ? labelLike(page.textOf(before)) : "");
  }

  /** What its author called it, where that is a word; else its telling type. @param {Element} el */
  function ownName(el) {
    const { type } = /** @type {HTMLInputElement} */ (el);
    const called = page.words(el.getAttribute("name") || el.id || el.getAttribute("data-testid") || "");
    return called || (/^(password|email|tel|url|search|date|time|color|file)$/.test(type) ? type : "");
  }

  /** What an icon shows, by its title, its sprite, its file or its class. @param {Element} el @returns {string} */
  function icon(el) {
    const inner = [el, ...el.querySelectorAll("i,span,svg,img,use")].slice(0, 6);
    for (const part of inner) {
      const titled = part.getAttribute("title") || part.getAttribute("data-icon") || part.getAttribute("data-tooltip") || part.getAttribute("data-original-title");
      if (titled) return page.collapse(titled);
    }
    for (const part of inner) {
      const sprite = part.getAttribute("href")?.match(/#(?:icon-?)?([\w-]+)$/)?.[1];
      if (part.localName === "use" && sprite) return page.words(sprite);
      const file = part.localName === "img" ? part.getAttribute("src")?.match(/([\w-]+)\.\w{3,4}(?:\?|$)/)?.[1] : null;
      if (file) return page.words(file);
      const shown = (part.getAttribute("class") ?? "").split(/\s+/).map((token) => token.match(ICON_PREFIX)?.[1]).filter((t) => t && !NOT_A_NAME.test(t));
      if (shown[0]) return page.words(shown[0]);
    }
    return byOwnWords(el);
  }

  /** Its id or the first telling word of its class. @param {Element} el */
  function byOwnWords(el) {
    const tokens = [el.getAttribute("class") ?? "", el.id].join(" ").split(/\s+/).filter((token) => /^[a-z][a-z_-]{2,}$/i.test(token));
    const telling = tokens.map((token) => page.words(token).split(" ").filter((part) => part.length > 2 && !NOT_A_NAME.test(part)).join(" "));
    return telling.find(Boolean) ?? "";
  }
})();
