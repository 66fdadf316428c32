// The page in words: title, headings and the text around the screen in reading order, tables as rows, lists as lines.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "summarize")) return;

  const MAX_SUMMARY = 4_000; // characters (CONTRACT, pageSummary)
  const MAX_READ = 12_000; // characters after which no more is read; the nearest of them are kept
  const MARGIN = 0.5; // of a screen above and below what is in view
  const MAX_TEXTS = 20_000; // text nodes looked at; a page with more is summed up by its beginning
  const MANY = 20; // children, from which on each is measured before it is read
  const ENDED = 10; // lines one after the other below the screen, after which a list is read no further
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "SELECT", "TEXTAREA", "DATALIST", "TITLE", "HEAD", "IFRAME"]);
  const FRAME = "nav,[role=navigation],footer,[role=contentinfo]";
  const ROW = "tr,[role=row]";
  const CELL = "td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]";

  /**
   * `away`: CSS pixels from the screen. `frame`: of the navigation or the foot, which every page repeats.
   * @typedef {{block: Element, cell: Element | null, text: string, heading: boolean, item: boolean, away: number, frame: boolean}} Line
   */
  /** @typedef {{lines: Line[], texts: number, length: number, away: (el: Element) => number}} Reading */

  /** @returns {string} */
  page.summarize = () => {
    /** @type {Reading} */
    const reading = { lines: [], texts: 0, length: 0, away: distances() };
    if (document.body) read(document.body, reading);
    return page.joinSummary(page.collapse(document.title), reading.lines);
  };

  /** How far an element is from the screen, Infinity if too far to be read; each is measured once. */
  function distances() {
    /** @type {Map<Element, number>} */
    const known = new Map();
    const { left, top, right, bottom } = page.screen();
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
  function read(el, reading) {
    const isLong = el.childElementCount > MANY;
    let below = 0;
    for (const child of page.childrenOf(el)) {
      if (reading.texts > MAX_TEXTS || reading.length > MAX_READ) return;
      if (child.nodeType === Node.TEXT_NODE) take(/** @type {Text} */ (child), el, reading);
      else if (child.nodeType === Node.ELEMENT_NODE) {
        const inner = /** @type {Element} */ (child);
        if (SKIPPED.has(inner.tagName) || page.isOverlay(inner) || inner.getAttribute("aria-hidden") === "true") continue;
        // A line of a long list that is all below or above holds no text near the screen.
        if ((isLong || inner.tagName === "TR") && reading.away(inner) === Infinity && isBox(inner)) {
          below = isBelow(inner) ? below + 1 : 0;
          if (isLong && below >= ENDED) return;
          continue;
        }
        read(inner, reading);
      }
    }
  }

  /** @param {Element} el */
  const isBelow = (el) => el.getBoundingClientRect().top > page.screen().bottom;

  /** Whether it has a box of its own: what has none may hold others that have. @param {Element} el */
  const isBox = (el) => (/** @type {HTMLElement} */ (el).offsetHeight > 0 || getComputedStyle(el).display === "none");

  /** @param {Text} node @param {Element} el @param {Reading} reading */
  function take(node, el, reading) {
    reading.texts += 1;
    const text = page.collapse(node.nodeValue);
    if (!text) return;
    const away = reading.away(el);
    if (away === Infinity || !page.isShown(el)) return;
    reading.length += text.length + 1;
    const block = blockOf(el);
    const last = reading.lines.at(-1);
    const cell = block.matches(ROW) ? el.closest(CELL) : null;
    if (last?.block !== block) {
      const heading = /^h[1-6]$/.test(block.localName) || block.getAttribute("role") === "heading";
      const item = block.localName === "li" || block.getAttribute("role") === "listitem";
      reading.lines.push({ block, cell, text, heading, item, away, frame: el.closest(FRAME) !== null });
      return;
    }
    last.text += (cell && cell !== last.cell ? " | " : " ") + text;
    last.cell = cell;
  }

  /** The line an element's text belongs to: its table row, else its nearest block. @param {Element} el */
  function blockOf(el) {
    return page.once("block", el, () => {
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

  /**
   * One text of at most 4,000 characters: where all is too long, what is farthest from the screen is left out, before that what
   * every page repeats.
   * @param {string} title @param {readonly {text: string, heading: boolean, item?: boolean, away?: number, frame?: boolean}[]} lines @returns {string}
   */
  page.joinSummary = (title, lines) => {
    const texts = lines.map(({ text, heading, item = false, away = 0, frame = false }, at) => ({ text: `${heading ? "# " : item ? "- " : ""}${text}`, at, rank: (frame ? 1e6 : 0) + away }));
    const once = texts.filter(({ text }, at) => text !== texts[at - 1]?.text);
    let room = MAX_SUMMARY - title.length;
    const kept = new Set();
    for (const { text, at } of [...once].sort((one, other) => one.rank - other.rank || one.at - other.at)) {
      if (room <= 0) break;
      kept.add(at);
      room -= text.length + 1;
    }
    return page.clip([title, ...once.filter(({ at }) => kept.has(at)).map(({ text }) => text)].filter(Boolean).join("\n"), MAX_SUMMARY);
  };
})();
