// Texts that name a control: which texts beside a field can be its label, and the table column it is in (HTML tables, ARIA grids,
// tables made of boxes).
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "labelLike")) return;

  const MAX_LABEL = 60; // a longer text is a paragraph
  // In the languages of app/authorization/risk/words.py.
  const REQUIRED = "required(?: field)?|mandatory|pflichtfeld|pflicht|erforderlich|obligatoire|requis|obligatorio|requerido|obrigat[oó]rio|שדה חובה|חובה";
  const OPTIONAL = "optional|freiwillig|wahlweise|facultatif|facultative|optionnel|opcional|אופציונלי|רשות|לא חובה";
  const MARK = new RegExp(`[([](?:${REQUIRED}|${OPTIONAL})[)\\]]$`, "i");
  const SIGNS = ":*：";
  const MUST = new RegExp(`\\*|[([](?:${REQUIRED})[)\\]]`, "i");

  /** Fields whose label marks them as required. @type {WeakSet<Element>} */
  const required = new WeakSet();
  page.isMarkedRequired = (el) => required.has(el);

  /** @param {string} text */
  function bare(text) {
    const label = page.withoutEnd(text.replace(/^\*\s*/, ""), SIGNS);
    const unmarked = label.replace(MARK, "");
    return unmarked === label ? label : page.withoutEnd(page.withoutEnd(unmarked, ",–-"), SIGNS);
  }

  /** "Name: *" and "Name (required)" become "Name"; the state says that it is required. */
  page.withoutMarks = (el, text) => {
    const name = bare(text);
    if (!name) return text;
    if (MUST.test(text.replace(name, ""))) required.add(el);
    else required.delete(el);
    return name;
  };

  /** A text as a label, without its marks, if it is short and has a letter; "" otherwise. */
  page.labelLike = (text) => {
    const label = bare(text);
    if (/[.!。]$|[.!?] |[\u00d7\u2715\u2716\u22ee]/.test(label)) return ""; // a sentence, or something that can be closed
    return label.length <= MAX_LABEL && /[\p{L}\p{N}]/u.test(label) ? label : "";
  };

  /** Whether it has words outside of its child elements. @param {Element} el */
  const hasOwnWords = (el) => [...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.nodeValue ?? ""));

  /** The first line of an element with several, if it can be a label. */
  page.firstLine = (el) => {
    for (let box = /** @type {Element | null} */ (el); box; box = box.firstElementChild) {
      if (hasOwnWords(box)) return ""; // one sentence, whatever is in it
      if (box.childElementCount > 1 && box.firstElementChild && page.isShown(box.firstElementChild)) {
        const text = page.labelLike(page.textOf(box.firstElementChild, { max: MAX_LABEL }));
        if (text) return text;
      }
    }
    return "";
  };

  const CELL = "td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]";
  const FIELD = "input:not([type=hidden]),select,textarea,[role=combobox],[role=checkbox],[role=switch]";
  const MAX_HEAD_ROWS = 3;
  const MAX_HEADER = 60; // characters, as of any label
  const MAX_DEPTH = 6; // boxes between a control and its row, in a table made of boxes

  /** The cell around an element and its column header, "" if it has none; null outside of tables. */
  page.cellOf = (el) => {
    const cell = page.closest(el, CELL);
    if (!cell) return boxCell(el);
    const row = page.closest(page.parentOf(cell), "tr,[role=row]");
    const table = row && page.closest(row, "table,[role=grid],[role=table],[role=treegrid]");
    if (!row || !table) return { cell, header: "" };
    if (cell.matches("th,[role=columnheader]") && isHead(row)) return { cell, header: "" };
    const headers = page.memoize("headers", table, () => (table.localName === "table" ? tableHeaders(/** @type {HTMLTableElement} */ (table)) : gridHeaders(table)));
    return { cell, header: headers.rows.includes(row) ? "" : (headers.texts[columnAt(cell, row)] ?? "") };
  };

  /** @param {Element} row */
  const isHead = (row) => row.parentElement?.localName === "thead" || row.querySelector("td,[role=cell],[role=gridcell]") === null;

  /** @param {Element} cell */
  const headerText = (cell) => page.labelLike(page.textOf(cell, { max: MAX_HEADER, skip: (inner) => inner.matches(`${FIELD},button,[role=button]`) && !/[\p{L}]/u.test(inner.textContent ?? "") }));

  /** The column index of a cell, with the column spans of those before it. @param {Element} cell @param {Element} row */
  function columnAt(cell, row) {
    const index = Number(cell.getAttribute("aria-colindex"));
    if (index) return index - 1;
    let at = 0;
    for (const other of cellsOf(row)) {
      if (other === cell) return at;
      at += /** @type {HTMLTableCellElement} */ (other).colSpan ?? 1;
    }
    return -1;
  }

  /** @param {Element} row */
  const cellsOf = (row) => (row.localName === "tr" ? [...row.children] : [...row.querySelectorAll(CELL)]);

  /** The header rows, else the first rows that are all header cells, or all text above rows with fields. @param {HTMLTableElement} table */
  function headRows(table) {
    if (table.tHead?.rows.length) return [...table.tHead.rows].slice(0, MAX_HEAD_ROWS).filter((row) => row.cells.length > 1);
    const top = [...table.rows].slice(0, MAX_HEAD_ROWS + 1);
    const end = top.findIndex((row) => row.querySelector("td") !== null && !isTextAboveFields(row, top));
    return top.slice(0, Math.max(end, 0)).filter((row) => row.cells.length > 1); // a single cell over the whole width is a title
  }

  /** @param {HTMLTableRowElement} row @param {HTMLTableRowElement[]} top */
  const isTextAboveFields = (row, top) => row.cells.length > 1 && !row.querySelector(`${FIELD},a[href],button`) && !row.cells[0].textContent?.trim() && (top.at(-1)?.querySelector(`${FIELD},td[tabindex]`) ?? null) !== null;

  /** @param {HTMLTableElement} table @returns {{rows: Element[], texts: string[]}} */
  function tableHeaders(table) {
    const rows = headRows(table);
    /** @type {string[][]} */
    const columns = [];
    /** @type {number[]} rows for which a cell from above still spans each column */
    const taken = [];
    for (const row of rows) {
      let at = 0;
      for (const cell of row.cells) {
        while (taken[at] > 0) taken[at++] -= 1;
        const text = headerText(cell);
        for (const end = at + cell.colSpan; at < end; at += 1) {
          (columns[at] ??= []).push(text);
          taken[at] = cell.rowSpan - 1;
        }
      }
    }
    return { rows, texts: Array.from(columns, (texts) => page.clip(page.collapse((texts ?? []).join(" ")), MAX_HEADER)) };
  }

  /** @param {Element} grid @returns {{rows: Element[], texts: string[]}} */
  function gridHeaders(grid) {
    const heads = [...grid.querySelectorAll("[role=columnheader],thead th")];
    const row = heads[0] && page.closest(page.parentOf(heads[0]), "tr,[role=row]");
    /** @type {string[]} */
    const texts = [];
    heads.forEach((head, at) => {
      texts[(Number(head.getAttribute("aria-colindex")) || at + 1) - 1] = headerText(head);
    });
    return { rows: row ? [row] : [], texts };
  }

  /** The same for rows made of boxes, the first of which looks like a header. @param {Element} el @returns {{cell: Element, header: string} | null} */
  function boxCell(el) {
    let cell = el;
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      const row = cell.parentElement;
      const body = row?.parentElement;
      if (!row || !body || row.matches("form,body,fieldset,ul,ol,table")) return null;
      const head = row.firstElementChild !== row.lastElementChild ? headOf(row, body) : null;
      if (head) return { cell, header: row === head ? "" : headerText(head.children[[...row.children].indexOf(cell)]) };
      cell = row;
    }
    return null;
  }

  /** @param {Element} row @param {Element} body @returns {Element | null} */
  function headOf(row, body) {
    const head = body.firstElementChild ?? row;
    const rows = head === row ? null : head;
    const before = rows ?? body.previousElementSibling;
    if (!before?.firstElementChild || before.childElementCount !== row.childElementCount || before.querySelector(FIELD)) return null;
    return page.memoize("head", before, () => /(^|[\s_-])(t?head(er|ing|ers)?|titles|columns)($|[\s_-])/i.test(before.getAttribute("class") ?? "") || isBolder(before, row)) ? before : null;
  }

  /** Whether every column of the first row is bolder than those below. @param {Element} head @param {Element} row */
  function isBolder(head, row) {
    const weights = [head, row].map((line) => [...line.children].map((cell) => Number(getComputedStyle(cell).fontWeight) || 400));
    return weights[0].every((weight, at) => weight >= 600 && weights[1][at] < weight);
  }
})();
