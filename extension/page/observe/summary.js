// The page's text: title, headings and the text around the screen in reading order, tables as rows, lists as lines; and the
// position of each text among the controls.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "summarize")) return;

  const BETWEEN = " | "; // between the cells of a row

  /** @param {string} text */
  const folded = (text) => page.withoutEnd(page.collapse(text), ":*.").toLowerCase();

  /** @param {string} text */
  const squeezed = (text) => folded(text).replaceAll(" ", "");

  /** The names of the containers of a group. @param {string} group */
  const labels = (group) => group.split(" > ").map((place) => folded(place.slice(place.indexOf(":") + 1)));

  /** Whether a row's name, which consists of some of its cells, includes this one. @param {string} row @param {string} cell */
  const hasCell = (row, cell) => `, ${row}, `.includes(`, ${cell}, `) || row.split(", ").some((part) => part.endsWith("…") && cell.startsWith(part.slice(0, -1)));

  /**
   * @param {string} text @param {Text[]} nodes the beginnings of its cells, without those already mentioned
   * @param {Element} block the line it belongs to @param {{el: Element, node: V3Node}[]} beside the controls
   * before and after it @param {V3Node | undefined} around the control around it
   */
  const textBeyondControls = (text, nodes, block, beside, around) => {
    const words = folded(text);
    if (around && [`${around.n ?? ""} ${around.v ?? ""}`, ...labels(around.g ?? "")].some((one) => squeezed(one).includes(squeezed(words)))) return "";
    if (beside.some(({ node: { n = "", h = "", g = "" } }) => [folded(n), folded(h), ...labels(g)].includes(words))) return "";
    const row = beside.filter(({ el }) => page.composedContains(block, el)).map(({ node }) => labels(node.g ?? "").at(-1) ?? "");
    const cells = text.split(BETWEEN);
    const left = [...cells.keys()].filter((at) => !row.some((one) => hasCell(one, folded(cells[at]))));
    if (cells.length === nodes.length) nodes.splice(0, nodes.length, ...left.map((at) => nodes[at]));
    return left.map((at) => cells[at]).join(BETWEEN);
  };

  const MAX_SUMMARY = 4_000; // characters (CONTRACT, pageSummary)
  const MAX_READ = 12_000; // characters after which reading stops; the nearest of them are kept
  const MARGIN = 0.5; // of a screen above and below the visible part
  const MAX_TEXTS = 20_000; // text nodes visited; a longer page is summarized by its beginning
  const MANY = 20; // children; with more, each is measured before it is read
  const FARTHEST = 1e6; // distance assigned to what every page repeats
  const ENDED = 10; // consecutive lines below the screen after which a list is not read further
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "SELECT", "TEXTAREA", "DATALIST", "TITLE", "HEAD", "IFRAME"]);
  const FRAME = "nav,[role=navigation],footer,[role=contentinfo]";
  const ROW = "tr,[role=row]";
  const CELL = "td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]";

  /**
   * A text without controls in it. `away`: CSS pixels from the screen. `frame`: part of the navigation or footer, which every page
   * repeats. `first` and `cell`: its first and last table cell. `at`: the number of controls before it. `within`: the
   * index of the control around it; -1 for none. `node`: its first text node.
   * @typedef {{node: Text, nodes: Text[], block: Element, first: Element | null, cell: Element | null, text: string, heading: boolean, item: boolean, away: number, frame: boolean, at: number, within: number}} Piece
   */
  /**
   * `controls`: their indices in the tree, `messages`: those of messages, which are at its end; `passed`: the controls met so far; `within`: the one being read.
   * @typedef {{pieces: Piece[], texts: number, length: number, away: (el: Element) => number, controls: Map<Element, number>, messages: Set<number>, passed: number[], within: number}} Reading
   */

  /** @param seen the controls of the tree @param tree the same, in the same order */
  page.summarize = (seen, tree) => {
    const controls = new Map(seen.map(({ candidate }, at) => [candidate.el, at]));
    const messages = new Set(seen.flatMap(({ text }, at) => (text ? [at] : [])));
    /** @type {Reading} */
    const reading = { pieces: [], texts: 0, length: 0, away: distances(), controls, messages, passed: [], within: -1 };
    if (document.body) readElement(document.body, reading);
    return { pageSummary: page.joinSummary(page.collapse(document.title), linesOf(reading.pieces)), texts: placeTexts(reading, seen, tree) };
  };

  /** The pieces of each block as one line. @param {Piece[]} pieces */
  function linesOf(pieces) {
    /** @type {Piece[]} */
    const lines = [];
    for (const piece of pieces) {
      const last = lines.at(-1);
      if (last?.block !== piece.block) lines.push({ ...piece });
      else {
        last.text += (piece.first && piece.first !== last.cell ? " | " : " ") + piece.text;
        last.cell = piece.cell;
      }
    }
    return lines;
  }

  /** The texts that no control contains, each with the id of the control after it, "" at the end. @param {Reading} reading @param {Seen[]} seen @param {V3Node[]} tree */
  function placeTexts({ pieces, passed }, seen, tree) {
    const left = pieces.map((piece) => {
      const [before, next] = [passed[piece.at - 1], passed[piece.at]];
      const beside = [before, next].filter((at) => at !== undefined).map((at) => ({ el: seen[at].candidate.el, node: tree[at] }));
      const isRow = piece.item || piece.block.matches(ROW);
      const rows = [next, before].filter((at) => isRow && at !== undefined && page.composedContains(piece.block, seen[at].candidate.el));
      return { ...piece, text: textBeyondControls(piece.text, piece.nodes, piece.block, beside, tree[piece.within]), b: tree[rows[0] ?? next]?.i ?? "", r: rows.length > 0 };
    }).filter(({ text }) => text);
    const chosen = nearest(left, MAX_SUMMARY);
    const isCovered = page.coversOn();
    return left.filter((piece, at) => chosen.has(at) && !isCovered(piece.node)).map((piece) => /** @type {PlacedText} */ ({ b: piece.b, t: lineText(piece), w: Math.min(rankOf(piece), FARTHEST), ...placeOf(piece), ...(piece.r ? { r: true } : {}) }));
  }

  /** Where to click on it: the middle of its first line, and of each cell's. @param {Piece} piece @returns {{xy?: [number, number], cs?: [number, number][]}} */
  function placeOf({ nodes }) {
    const places = nodes.map(middleOf);
    const [xy] = places;
    if (!xy) return {};
    return places.length > 1 && places.every((place) => place) ? { xy, cs: /** @type {[number, number][]} */ (places) } : { xy };
  }

  /** @param {Text} node @returns {[number, number] | null} */
  function middleOf(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const line = range.getClientRects()[0];
    return line ? [Math.round(line.left + line.width / 2), Math.round(line.top + line.height / 2)] : null;
  }

  /** The distance of an element from the screen, Infinity if too far to be read; each is measured once. */
  function distances() {
    /** @type {Map<Element, number>} */
    const known = new Map();
    const { left, top, right, bottom } = page.visiblePane();
    const margin = innerHeight * MARGIN;
    return (/** @type {Element} */ el) => {
      const before = known.get(el);
      if (before !== undefined) return before;
      const rect = el.getBoundingClientRect();
      const away = Math.max(top - rect.bottom, rect.top - bottom, 0);
      const seen = away < margin && rect.right > left && rect.left < right && rect.width > 1 && rect.height > 1;
      known.set(el, seen ? away : Infinity);
      return seen ? away : Infinity;
    };
  }

  /** @param {Element} el @param {Reading} reading */
  function readElement(el, reading) {
    const isLong = el.childElementCount > MANY;
    let below = 0;
    for (const child of page.childrenOf(el)) {
      if (reading.texts > MAX_TEXTS || reading.length > MAX_READ) return;
      if (child.nodeType === Node.TEXT_NODE) addText(/** @type {Text} */ (child), el, reading);
      else if (child.nodeType === Node.ELEMENT_NODE) {
        const inner = /** @type {Element} */ (child);
        const control = reading.controls.get(inner);
        if (control !== undefined && !reading.messages.has(control)) reading.passed.push(control);
        if (SKIPPED.has(inner.tagName) || page.isOverlay(inner) || inner.getAttribute("aria-hidden") === "true") continue;
        // A line of a long list that is completely out of view has no text near the screen.
        if ((isLong || inner.tagName === "TR") && reading.away(inner) === Infinity && isBox(inner)) {
          below = isBelow(inner) ? below + 1 : 0;
          if (isLong && below >= ENDED) return;
          continue;
        }
        const around = reading.within;
        reading.within = control ?? around;
        readElement(inner, reading);
        reading.within = around;
      }
    }
  }

  /** @param {Element} el */
  const isBelow = (el) => el.getBoundingClientRect().top > page.visiblePane().bottom;

  /** Whether it has a box of its own: an element without one may contain some that have. @param {Element} el */
  const isBox = (el) => (/** @type {HTMLElement} */ (el).offsetHeight > 0 || getComputedStyle(el).display === "none");

  /** @param {Text} node @param {Element} el @param {Reading} reading */
  function addText(node, el, reading) {
    reading.texts += 1;
    const text = page.collapse(node.nodeValue);
    if (!text) return;
    const away = reading.away(el);
    if (away === Infinity || !page.isShown(el)) return;
    reading.length += text.length + 1;
    const block = blockOf(el);
    const cell = block.matches(ROW) ? el.closest(CELL) : null;
    const last = reading.pieces.at(-1);
    if (last?.block === block && last.within === reading.within && last.at === reading.passed.length) {
      const isNext = cell && cell !== last.cell;
      last.text += (isNext ? " | " : " ") + text;
      if (isNext) last.nodes.push(node);
      last.cell = cell;
      return;
    }
    const heading = /^h[1-6]$/.test(block.localName) || block.getAttribute("role") === "heading";
    const item = block.localName === "li" || block.getAttribute("role") === "listitem";
    reading.pieces.push({ node, nodes: [node], block, first: cell, cell, text, heading, item, away, frame: el.closest(FRAME) !== null, at: reading.passed.length, within: reading.within });
  }

  /** The line an element's text belongs to: its table row, else its nearest block. @param {Element} el */
  function blockOf(el) {
    return page.memoize("block", el, () => {
      const row = el.closest(ROW);
      if (row) return row;
      let up = el;
      while (getComputedStyle(up).display.startsWith("inline")) {
        const parent = page.parentOf(up);
        if (!parent) break;
        up = parent;
      }
      const item = up.closest("li,[role=listitem]");
      return item && (item.textContent ?? "").length <= 120 && !item.querySelector("ul,ol,table") ? item : up;
    });
  }

  /** @param {{text: string, heading: boolean, item?: boolean}} line */
  const lineText = ({ text, heading, item = false }) => `${heading ? "# " : item ? "- " : ""}${text}`;

  /** @param {{away?: number, frame?: boolean}} line its rank: lines on the screen are kept first */
  const rankOf = ({ away = 0, frame = false }) => (frame ? FARTHEST : 0) + Math.round(away);

  /** The indices of the nearest lines that fit. @param {readonly {text: string, away?: number, frame?: boolean}[]} lines @param {number} room in characters */
  function nearest(lines, room) {
    const chosen = new Set();
    for (const { text, at } of lines.map((line, at) => ({ text: line.text, at, rank: rankOf(line) })).sort((one, other) => one.rank - other.rank || one.at - other.at)) {
      if (room <= 0) break;
      chosen.add(at);
      room -= text.length + 1;
    }
    return chosen;
  }

  /** One text of at most 4,000 characters: if it is too long, what every page repeats is left out first, then what is farthest from the screen. */
  page.joinSummary = (title, lines) => {
    const texts = lines.map((line) => ({ ...line, text: lineText(line) }));
    const once = texts.filter(({ text }, at) => text !== texts[at - 1]?.text);
    const chosen = nearest(once, MAX_SUMMARY - title.length);
    return page.clip([title, ...once.filter((_, at) => chosen.has(at)).map(({ text }) => text)].filter(Boolean).join("\n"), MAX_SUMMARY);
  };
})();
