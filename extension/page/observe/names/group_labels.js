// The label of a container: a heading in it, the key cells of a row, the first words of an item, the question above choices.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "rowLabel")) return;

  const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading]";
  const TITLES = `${HEADINGS},.card-header,.card-title,.modal-title,.panel-heading,.panel-title`;
  const CELLS = "td,th,[role=cell],[role=gridcell],[role=rowheader]";
  const CLICKED = "button,input,select,textarea,[role=button],[role=switch],[role=checkbox],[role=combobox],[onclick],[tabindex]";
  const FIELD = "input:not([type=hidden]),select,textarea,[contenteditable=true],[contenteditable='']";
  const MAX_CELL = 30; // characters of one key cell
  const MAX_PIECE = 40; // of one piece of an item
  const MAX_HEADING = 30; // a longer one contains more than a title
  const LETTER = /\p{L}/u;
  const MAX_CHILDREN = 200; // of one container searched for headings

  /** Parts left out of a label: controls and signs. @param {Element} el */
  const isNoWord = (el) => el.matches(CLICKED) || page.isSign(el) || page.isDecoration(el);

  /** @param {Element} heading */
  const headingText = (heading) => {
    const text = page.textOf(heading, { max: 60, skip: isNoWord }) || page.textOf(heading, { max: 60 });
    return text.length > MAX_HEADING ? firstWords(heading) || text : text;
  };

  /** @param {Element} cell */
  const isClicked = (cell) => !cell.textContent?.trim() || cell.matches("[onclick],[tabindex]") || cell.querySelector("a,button,[onclick],[tabindex]") !== null;

  /** The text of the cells that identify a row; empty for header rows and rows of controls, as in a calendar. */
  page.rowLabel = (row) => {
    if (row.parentElement?.localName === "thead") return "";
    const cells = [...row.querySelectorAll(CELLS)];
    const header = cells.find((cell) => cell.matches("th[scope=row],[role=rowheader]") || (cell.localName === "th" && cell === cells[0]));
    const named = header && page.textOf(header, { max: 60, skip: isNoWord });
    if (named) return page.clip(named, MAX_CELL);
    if (cells.length > 2 && cells.every(isClicked) && !isGridOfWords(cells)) return "";
    const texts = cells.filter((cell, at) => !cell.querySelector(FIELD) && (at === 0 || !isActions(cell))).map((cell) => page.textOf(cell, { max: 60, skip: isNoWord }));
    const first = texts.findIndex((text) => LETTER.test(text));
    const keys = first < 0 ? texts.filter(Boolean).slice(0, 1) : texts.slice(first).filter(Boolean); // amounts alone identify nothing
    return keys.slice(0, 2).map((text) => page.clip(text, MAX_CELL)).join(", ");
  };

  /** In a data grid all cells are clickable; its rows are identified by the cells with labels, if any. @param {Element[]} cells */
  const isGridOfWords = (cells) => cells.every((cell) => cell.matches("[role=gridcell]:not([aria-label],[aria-labelledby])")) && LETTER.test(page.textOf(cells[0], { max: 60, skip: isNoWord }));

  /** Whether a cell holds the row's actions: several links, or a link after buttons. @param {Element} cell */
  const isActions = (cell) => cell.querySelectorAll("a[href],button,[role=button]").length > 1;

  /** The text of the full-width row above this one. */
  page.bandOf = (row) => {
    const table = row.localName === "tr" ? row.closest("table") : null;
    if (!table || !page.memoize("bands", table, () => table.querySelector("tr > :only-child[colspan]"))) return "";
    for (let before = row.previousElementSibling; before; before = before.previousElementSibling) {
      const cell = before.childElementCount === 1 ? before.children[0] : null;
      if (cell?.hasAttribute("colspan") && !cell.querySelector(FIELD)) return page.textOf(cell, { max: 60, skip: isNoWord });
    }
    return "";
  };

  /** A heading in it, else its first words. */
  page.itemLabel = (el) => {
    if (el.localName === "dd") return termOf(el);
    const heading = el.querySelector(TITLES);
    if (heading && page.isShown(heading)) return headingText(heading);
    return firstWords(el);
  };

  /** @param {Element} el */
  function termOf(el) {
    let term = /** @type {Element | null} */ (el);
    while (term && term.localName !== "dt") term = term.previousElementSibling;
    return term ? page.textOf(term, { max: 60 }) : "";
  }

  /** The first one or two texts of an item, before its controls. @param {Element} el */
  function firstWords(el) {
    /** @type {string[]} */
    const pieces = [];
    let ended = false;
    /** @type {Element | null} */
    let line = null;
    /** @param {string} text @param {Element | null} around */
    const take = (text, around) => {
      // A number alone is a count, and text on another line is about something else.
      if (!text || (pieces.length > 0 && /^\d+$/.test(text))) return;
      if (pieces.length > 0 && around !== line) return void (ended = true);
      line = around;
      pieces.push(page.clip(text, MAX_PIECE));
      ended = pieces.length === 2 || pieces.join(" ").length >= MAX_PIECE;
    };
    /** @param {Element} part */
    const read = (part) => {
      for (const child of page.childrenOf(part)) {
        if (ended) return;
        if (child.nodeType === Node.TEXT_NODE) take(page.collapse(child.nodeValue), part);
        else if (child.nodeType === Node.ELEMENT_NODE) readPart(/** @type {Element} */ (child));
      }
    };
    /** @param {Element} child */
    const readPart = (child) => {
      if (page.isDecoration(child) || child.matches("script,style,svg,label") || !page.isShown(child)) return;
      const clicked = isNoWord(child) || child.matches("ul,ol,[role=group]") || (pieces.length > 0 && (child.localName === "a" || page.isRepeated(child)));
      if (clicked) ended = pieces.length > 0 && !page.isSign(child);
      else if (child.firstElementChild || child.localName === "slot") read(child);
      else take(page.textOf(child, { max: 60 }), child.parentElement);
    };
    read(el);
    return pieces.some((piece) => LETTER.test(piece)) ? pieces.join(" ") : "";
  }

  /** Its ARIA or HTML label. */
  page.givenLabel = (el) => page.accessibleName(el, "range").name;

  /** Its own heading, not that of a part of it. */
  page.headingLabel = (el) => {
    const heading = el.querySelector(TITLES);
    if (!heading || !page.isShown(heading)) return "";
    if (isOfCard(heading, el)) return "";
    const owner = page.closest(page.parentOf(heading), "dialog,[role=dialog],form,fieldset,section,article,aside,li,tr");
    return owner === el || owner === null || page.composedContains(owner, el) ? headingText(heading) : "";
  };

  /** Whether a heading belongs to one of many similar parts of a container. @param {Element} heading @param {Element} el */
  function isOfCard(heading, el) {
    for (let up = page.parentOf(heading); up && up !== el; up = page.parentOf(up)) if (page.isRepeated(up)) return true;
    return false;
  }

  /** The text in the title bar of a dialog without a heading. */
  page.dialogTitle = (el) => {
    const bar = el.querySelector("[class*=title],[class*=header]");
    return bar ? page.textOf(bar, { max: 60, skip: (inner) => inner.matches("button,[role=button]") }) : "";
  };

  const PART = /^(?:h[2-6]|header|div|span)$/;
  const NO_PARTS = /^(?:tr|tbody|thead|table|ul|ol|dl|select|p|label|button|a|span|li|td|th|dd|svg)$/;

  /** The heading before an element among its siblings, or at its beginning. */
  page.headingOver = (el) => {
    const parent = el.parentElement;
    if (!parent || NO_PARTS.test(parent.localName)) return "";
    const heads = page.memoize("headings", parent, () => headingsIn(parent));
    const before = heads.findLast(({ part }) => part === el || (part.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
    return before?.text ?? "";
  };

  /** Headings among the children, alone or in a small box. @param {Element} parent */
  function headingsIn(parent) {
    const found = [];
    for (const part of [...parent.children].slice(0, MAX_CHILDREN)) {
      const heading = PART.test(part.localName) || part.hasAttribute("role") ? headingOf(part) : null;
      if (heading && page.isShown(heading)) found.push({ part, text: headingText(heading) });
    }
    return found;
  }

  /** @param {Element} part */
  function headingOf(part) {
    if (/^h[2-6]$/.test(part.localName) || part.getAttribute("role") === "heading") return part;
    const first = part.firstElementChild;
    const heading = first && /^h[2-6]$/.test(first.localName) ? first : null;
    return heading && (part.textContent ?? "").length < (heading.textContent ?? "").length + 60 && !part.querySelector(`${FIELD},table,ul,p`) ? heading : null;
  }

  /** The question above checkboxes or radios without a fieldset. */
  page.questionOver = (tick) => {
    let box = tick.parentElement;
    for (let level = 0; box && level < 4; level += 1, box = box.parentElement) {
      if (box.matches("form,body,fieldset,tr,td,table,[role=radiogroup],[role=group],[role=row]")) return "";
      const found = page.memoize("question", box, () => questionOf(/** @type {Element} */ (box)));
      if (found !== null) return found;
    }
    return "";
  };

  /** Null if it does not hold the choices of a single question. @param {Element} box @returns {string | null} */
  function questionOf(box) {
    const controls = [...box.querySelectorAll(`${FIELD},button`)];
    const types = new Set(controls.map((control) => `${/** @type {HTMLInputElement} */ (control).type} ${control.getAttribute("type") === "radio" ? control.getAttribute("name") : ""}`));
    if (controls.length < 2) return null;
    if (types.size > 1 || !controls[0].matches("[type=radio],[type=checkbox]")) return "";
    let first = /** @type {Element | null} */ ([...box.children].find((child) => child.contains(controls[0])) ?? null);
    const inside = textBefore(first, box);
    if (inside) return inside;
    first = box;
    return textBefore(first, null) || null;
  }

  /** @param {Element | null} el @param {Element | null} box */
  function textBefore(el, box) {
    const before = el?.previousElementSibling;
    const text = before && !before.matches(FIELD) && !before.querySelector(`${FIELD},button,table`) ? page.textOf(before, { max: 80 }) : "";
    const own = box && !text ? page.collapse([...box.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && LETTER.test(node.nodeValue ?? ""))?.nodeValue) : "";
    const question = page.withoutEnd(text || (before ? "" : own), ":*");
    return question.length <= 60 && LETTER.test(question) && !/\.$/.test(question) ? question : ""; // a number is a value
  }
})();
