// Names for controls without an accessible one: from the text beside them, their column, their icon.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "nameOf")) return;

  const MAX_NAME = 80; // characters (CONTRACT, V3 node)
  const MAX_LEVELS = 6; // ancestors between a field and its label; another field ends the search earlier
  const MAX_PARTS = 4; // fields that share a label: a date in three parts, a phone number, a city with its code
  const MAX_BETWEEN = 12; // characters between fields that share a label: signs, units
  const CONTROL = "input:not([type=hidden]),select,textarea,button,[contenteditable=''],[contenteditable=true],[role=combobox],[role=textbox],[role=checkbox],[role=switch],[role=radio],[role=slider]";
  const HANDLES = "[role=slider],input[type=range]";
  const TICKS = "input[type=checkbox],input[type=radio],[role=checkbox],[role=switch],[role=radio]";
  const TYPED = "input:not([type=hidden]):not([type=checkbox]):not([type=radio]),select,textarea";
  const BOUNDARY = `${CONTROL},h1,h2,h3,h4,h5,h6,hr,table`;
  const FIELDS = new Set(["inp", "sel", "chk", "rad", "range", "file"]);

  // Keyboard shortcuts, with or without brackets: up to four modifiers and a key.
  const KEYS = /[\s(](?:(?:ctrl|cmd|command|alt|option|shift|meta|strg|umschalt)\s?\+\s?|[\u2303\u2318\u21e7\u2325]\s?){1,4}(?:[\p{L}\p{N}]|F\d{1,2}|Enter|Tab|Del|Delete|Backspace|Space|[^\s\p{L}\p{N}])\)?$/iu;
  // Generated ids that end in a number.
  const COUNTED = [/\d{3}|[0-9a-f]{8}/, /(?:^| )r? ?\d{1,2} r?(?: |$)/, /^(?:ember|react|mui|radix|input|field|ext|gwt|select2?)[\s\d]/];

  page.nameOf = (el, role) => page.clip(withPosition(el, role, withoutRepetition(wholeName(el, role))), MAX_NAME);

  /** "star 3" of five controls that are all called "star". @param {Element} el @param {WireRole} role @param {string} name */
  function withPosition(el, role, name) {
    const at = role === "rad" && name ? el.getAttribute("aria-posinset") : null;
    const other = at && [...page.closest(el, "[role=radiogroup],ul,fieldset,form")?.querySelectorAll("[aria-posinset]") ?? []].find((one) => one !== el);
    return other && withoutRepetition(wholeName(other, role)) === name ? `${name} ${at}` : name;
  }

  /** The name of what is now in the middle: of a carousel, the slide that is shown. @param {Element} el */
  function nameInMiddle(el) {
    const { left, top, width, height } = el.getBoundingClientRect();
    const hit = page.hitAt(left + width / 2, top + height / 2);
    return hit && hit !== el && page.composedContains(el, hit) ? page.labelLike(page.textOf(hit, { max: MAX_NAME })) : "";
  }

  /** "Save Save", once for small and once for large screens, becomes "Save". @param {string} name */
  function withoutRepetition(name) {
    const middle = (name.length - 1) / 2;
    return name[middle] === " " && name.slice(0, middle).toLowerCase() === name.slice(middle + 1).toLowerCase() ? name.slice(0, middle) : name;
  }

  /** @param {Element} el @param {WireRole} role */
  function wholeName(el, role) {
    if (role === "img" && page.isPannable(el, el.getBoundingClientRect(), getComputedStyle(el))) return page.givenLabel(el) || ownName(el) || page.itemLabel(el) || nameInMiddle(el) || page.iconName(el);
    const { name: given, from } = page.dropAreas().has(el) ? { name: page.givenLabel(el) || page.itemLabel(el), from: "label" } : page.accessibleName(el, role);
    const isField = FIELDS.has(role);
    const replaced = role === "inp" && isEditor(el) ? page.standInName(el) : "";
    if (replaced) return page.withoutMarks(el, replaced);
    const name = isField ? page.withoutMarks(el, given) : withoutKeys(page.withoutEnd(given, ":*") || given);
    const chosen = role === "sel" && el.localName !== "select" && from === "label" ? page.textOf(el) : "";
    // A picker is often labelled by its label and its value: the second part is the value.
    if (chosen && name.length > chosen.length && name.endsWith(chosen)) return name.slice(0, -chosen.length).trim();
    if (from === "content" && !/[\p{L}\p{N}]/u.test(name)) return page.collapse(el.getAttribute("title")) || (isSignOnly(name) || PICTOGRAPH.test(name) ? name : page.iconName(el) || name);
    if (from === "content" && name === page.countOf(el)) return page.iconName(el) || name; // a bell with a number
    if (from === "content" && /^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(name) && page.isLigature(el)) return page.words(name);
    if (name && from !== "placeholder" && !(isField && from === "title" && role !== "range")) return name;
    return isField ? fieldName(el, role, name) : name || emptyCell(el) || besideSwitch(el) || (page.isShape(el, el.getBoundingClientRect()) ? "" : page.iconName(el)) || page.drawnName(el, el.getBoundingClientRect());
  }

  /** "B 2": the column and row of an empty cell. @param {Element} el */
  function emptyCell(el) {
    const cell = el.matches("td,[role=gridcell]") ? page.cellOf(el) : null;
    const first = cell && page.closest(el, "tr,[role=row]")?.firstElementChild;
    return cell ? page.collapse(`${cell.header} ${first && first !== el ? page.labelLike(page.textOf(first)) : ""}`) : "";
  }

  /** The text beside a switch drawn of a track and its knob. @param {Element} el */
  const besideSwitch = (el) => (page.isSwitch(el) ? labelBeside(el, "inp", page.cellOf(el)?.cell ?? null) : "");

  /** @param {Element} el */
  const isEditor = (el) => el.localName !== "input" && (el.localName !== "textarea" || page.editorOf(el) !== null);

  const PICTOGRAPH = /\p{Extended_Pictographic}/u; // icon fonts use private code points instead

  /** Whether a text consists of signs that people name a button by; other symbols are pictures. @param {string} text */
  const isSignOnly = (text) => /^[+\-−–×✕<>«»‹›?!=/*#%&.…⋮⋯☰≡\s]+$/u.test(text);

  /** @param {Element} el @param {WireRole} role @param {string} hint its title or placeholder @returns {string} */
  function fieldName(el, role, hint) {
    const editor = page.editorOf(el);
    if (editor) return fieldName(editor.frame, role, hint);
    const cell = page.cellOf(el);
    const near = labelBeside(el, role, cell?.cell ?? null) || (cell && isInFoot(cell.cell) && previousCellText(cell.cell)) || cell?.header || (cell ? previousCellText(cell.cell) : "") || descriptionTerm(el);
    // A number before a slider is the value of the slider above it.
    const isReading = role === "range" && /^[\d\s.,:%°€$£+-]+$/.test(near);
    return (role === "range" && rangeEndName(el)) || (isReading ? "" : near) || hint || labelBelow(el, role) || selectAll(el, role) || ownName(el);
  }

  /** The number of controls in a box, cached for neighbouring fields. @param {Element} box @returns {number} */
  const controlsIn = (box) => page.memoize("controls", box, () => box.querySelectorAll(CONTROL).length);

  /** @param {Element} box @returns {Element[]} */
  const handlesIn = (box) => page.memoize("handles", box, () => [...box.querySelectorAll(HANDLES)]);

  /** The text before an element that holds only a track. @param {Element} track */
  function labelOver(track) {
    const count = controlsIn(track);
    for (let up = /** @type {Element | null} */ (track); up && controlsIn(up) === count; up = page.parentOf(up)) {
      const label = sibling(up, "previousSibling");
      if (label) return label;
    }
    return "";
  }

  /** "Rent lower" and "Rent upper" for two handles in one track, by the label before it; else "". @param {Element} el */
  function rangeEndName(el) {
    let track = page.parentOf(el);
    let handles = page.handlesBeside(el);
    for (let level = 0; track && level < MAX_LEVELS && handles.length < 2; level += 1) {
      handles = handlesIn(track);
      if (handles.length < 2) track = page.parentOf(track);
    }
    const [one, other] = handles.map((handle) => handle.getBoundingClientRect());
    if (!track || handles.length !== 2 || !handles.includes(el) || (Math.abs(one.y - other.y) > 1 && Math.abs(one.x - other.x) > 1)) return "";
    const places = handles.map(page.placeInTrack);
    const [low, high] = places.includes(null) ? handles.map((handle) => Number.parseFloat(page.valueOf(handle, "range") ?? "")) : places.map(Number);
    const isLower = (handles[0] === el) === (low <= high || Number.isNaN(low - high));
    return page.collapse(`${labelOver(track)} ${isLower ? "lower" : "upper"}`);
  }

  /** "Save Ctrl+S" becomes "Save". @param {string} text */
  const withoutKeys = (text) => (KEYS.test(text) && page.withoutEnd(text.replace(KEYS, ""), "(")) || text;

  /** The floating label of a field, or the one after it. @param {Element} el @param {WireRole} role */
  function labelBelow(el, role) {
    if (role !== "inp" && role !== "sel") return "";
    const parent = page.parentOf(el);
    return parent && controlsIn(parent) === 1 ? sibling(el, "nextSibling") : "";
  }

  /** @param {ChildNode | null} node @returns {string | null} null if the search ends: text beyond a control belongs to that control, and beyond a heading to the section before */
  function labelIn(node) {
    if (!node) return "";
    if (node.nodeType === Node.TEXT_NODE) return page.collapse(node.nodeValue);
    if (node.nodeType !== Node.ELEMENT_NODE) return "";
    const el = /** @type {Element} */ (node);
    if (["SCRIPT", "STYLE"].includes(el.tagName) || page.isDecoration(el)) return "";
    if (el.matches(BOUNDARY) || el.querySelector(BOUNDARY)) return null;
    if (!page.isShown(el)) return "";
    const text = page.textOf(el);
    return page.labelLike(text) || page.firstLine(el) || text;
  }

  /** The nearest text before or after within the same parent. @param {Node} start @param {"previousSibling" | "nextSibling"} direction */
  function sibling(start, direction) {
    let chip = "";
    for (let node = start[direction]; node; node = node[direction]) {
      const text = labelIn(node);
      if (text === null) return chip;
      if (!/[\p{L}\p{N}]/u.test(text)) continue;
      if (!isChip(node)) return page.labelLike(text) || chip;
      chip ||= page.labelLike(text);
    }
    return chip;
  }

  /** @param {Element} box @param {Element} tick */
  const hasOtherTick = (box, tick) => [...box.querySelectorAll(TICKS)].some((other) => !other.contains(tick) && !tick.contains(other) && page.isShown(other));

  /** Whether a text has its own background, like a value added to a field: a label, if any, comes before it. @param {Node} node */
  const isChip = (node) => node instanceof Element && [node, node.lastElementChild].some((el) => el !== null && page.isPainted(el));

  /** The text beside a field: after a checkbox or radio, before all others. @param {Element} el @param {WireRole} role @param {Element | null} cell where to stop */
  function labelBeside(el, role, cell) {
    const ticks = role === "chk" || role === "rad";
    // A picker's choice is displayed where a label would be: used only if there is no other text.
    let picked = "";
    const value = role === "sel" && el.localName === "input" ? page.valueOf(el, role) : undefined;
    let up = /** @type {Element | null} */ (el);
    for (let level = 0; up && level < MAX_LEVELS; level += 1, up = page.parentOf(up)) {
      if (up === cell || up.matches("td,th,dd,tr,form,body,fieldset,[role=row]")) return picked;
      const found = ticks ? sibling(up, "nextSibling") || sibling(up, "previousSibling") : sibling(up, "previousSibling");
      const parent = page.parentOf(up);
      const controls = parent ? controlsIn(parent) : 0;
      if (found && found !== value) return controls > 1 && !ticks ? partOf(el, /** @type {Element} */ (parent), found) : found;
      picked ||= found;
      if (parent && controls > 1) {
        if (!ticks) return picked || compound(el, parent);
        if (page.isRepeated(parent) || hasOtherTick(parent, el)) return picked; // text beside a repeated box is about all of them
      }
    }
    return picked;
  }

  /** The name of a field that shares its label with its neighbours: "Founded" above DD, MM and YYYY. @param {Element} el @param {Element} box */
  function compound(el, box) {
    if (box.matches("tr,form,body,fieldset,[role=row]") || !el.matches(TYPED)) return "";
    const fields = [...box.querySelectorAll(TYPED)].filter(page.isShown);
    const own = firstLabel(fields[0], box);
    const label = own || sibling(box, "previousSibling");
    if (!label || fields.length > MAX_PARTS || page.textOf(box).length > label.length * (own ? 1 : 0) + MAX_BETWEEN) return "";
    const name = partOf(el, box, label);
    const hint = page.collapse(el.getAttribute("placeholder"));
    return name === label && /\p{L}/u.test(hint) && fields[0] !== el ? `${label} ${hint}` : name;
  }

  /** The text before the first field of a box, if it is in the box and not the label of that field alone. @param {Element} field @param {Element} box */
  function firstLabel(field, box) {
    const start = [...box.children].find((child) => child.contains(field));
    const label = start && box.querySelector("label")?.control ? "" : start ? sibling(start, "previousSibling") : "";
    return label;
  }

  /** "ZIP / City" over two fields is "ZIP" for the first. @param {Element} el @param {Element} box @param {string} label */
  function partOf(el, box, label) {
    const fields = [...box.querySelectorAll(TYPED)];
    const parts = label.split(/[/|]/).map((part) => part.trim());
    return parts.length > 1 && parts.length === fields.length ? parts[fields.indexOf(el)] || label : label;
  }

  /** The row's name, for a table with named lines instead of columns. @param {Element} cell */
  const isInFoot = (cell) => cell.parentElement?.parentElement?.localName === "tfoot";

  /** The text of the previous cell. @param {Element} cell */
  function previousCellText(cell) {
    const other = cell.previousElementSibling;
    return other && !other.querySelector(CONTROL) ? page.labelLike(page.textOf(other)) : "";
  }

  /** The term of a description list. @param {Element} el */
  function descriptionTerm(el) {
    let term = page.closest(el, "dd");
    while (term && term.localName !== "dt") term = term.previousElementSibling;
    return term ? page.labelLike(page.textOf(term)) : "";
  }

  /** The box above, in a column of boxes. @param {Element} el @param {WireRole} role */
  function selectAll(el, role) {
    if (role !== "chk") return "";
    const row = page.closest(el, "thead tr,[role=columnheader]");
    return row ? "Select all" : "";
  }

  /** Its id, name or class if that is a word; else its type. @param {Element} el */
  function ownName(el) {
    const { type } = /** @type {HTMLInputElement} */ (el);
    const tip = page.collapse(el.getAttribute("data-tooltip") ?? el.getAttribute("data-original-title") ?? el.getAttribute("data-label"));
    const called = tip || page.words(el.getAttribute("name") || el.id || el.getAttribute("data-testid") || "");
    const isCode = COUNTED.some((sign) => sign.test(called));
    return (isCode ? "" : called) || (/^(password|email|tel|url|search|date|time|color|file)$/.test(type) ? type : "");
  }
})();
