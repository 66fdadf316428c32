// The page in words: title, headings and the text around the screen in reading order, tables as rows.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "summarize")) return;

  const MAX_SUMMARY = 4_000; // characters (CONTRACT, pageSummary)
  const MARGIN = 0.5; // of a screen above and below what is in view
  const MAX_TEXTS = 20_000; // text nodes looked at; a page with more is summed up by its beginning
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "SELECT", "TEXTAREA", "DATALIST", "TITLE", "HEAD", "IFRAME"]);

  /** @typedef {{block: Element, text: string, heading: boolean}} Line */

  /** @returns {string} */
  page.summarize = () => {
    /** @type {Line[]} */
    const lines = [];
    const counter = { texts: 0, length: 0 };
    if (document.body) read(document.body, lines, counter, isNear());
    return page.joinSummary(page.collapse(document.title), lines);
  };

  /** Whether text of this element is near the screen; each element is measured once. */
  function isNear() {
    /** @type {Map<Element, boolean>} */
    const known = new Map();
    const margin = innerHeight * MARGIN;
    return (/** @type {Element} */ el) => {
      const before = known.get(el);
      if (before !== undefined) return before;
      const rect = el.getBoundingClientRect();
      const near = rect.bottom > -margin && rect.top < innerHeight + margin && rect.right > 0 && rect.left < innerWidth && rect.width > 1 && rect.height > 1;
      known.set(el, near);
      return near;
    };
  }

  /** @param {Element} el @param {Line[]} lines @param {{texts: number, length: number}} counter @param {(el: Element) => boolean} near */
  function read(el, lines, counter, near) {
    for (const child of page.childrenOf(el)) {
      if (counter.texts > MAX_TEXTS || counter.length > MAX_SUMMARY) return;
      if (child.nodeType === Node.TEXT_NODE) take(/** @type {Text} */ (child), el, lines, counter, near);
      else if (child.nodeType === Node.ELEMENT_NODE) {
        const inner = /** @type {Element} */ (child);
        if (SKIPPED.has(inner.tagName) || inner === page.overlay) continue;
        // A box that is all below or above holds no text near the screen unless it lets it spill over.
        if (inner.tagName === "TR" && !near(inner)) continue;
        read(inner, lines, counter, near);
      }
    }
  }

  /** @param {Text} node @param {Element} el @param {Line[]} lines @param {{texts: number, length: number}} counter @param {(el: Element) => boolean} near */
  function take(node, el, lines, counter, near) {
    counter.texts += 1;
    const text = page.collapse(node.nodeValue);
    if (!text || !near(el) || !page.isShown(el)) return;
    const block = blockOf(el);
    const last = lines.at(-1);
    counter.length += text.length + 1;
    if (last?.block === block) last.text += (block.localName === "tr" && el.closest("td,th") ? " | " : " ") + text;
    else lines.push({ block, text, heading: /^h[1-6]$/.test(block.localName) || block.getAttribute("role") === "heading" });
  }

  /** The line an element's text belongs to: its table row, else its nearest block. @param {Element} el */
  function blockOf(el) {
    const row = el.closest("tr");
    if (row) return row;
    let up = el;
    while (getComputedStyle(up).display.startsWith("inline")) {
      const parent = page.parentOf(up);
      if (!parent) break;
      up = parent;
    }
    return up;
  }

  /** @param {string} title @param {readonly {text: string, heading: boolean}[]} lines @returns {string} */
  page.joinSummary = (title, lines) => {
    const texts = lines.map(({ text, heading }) => (heading ? `# ${text}` : text));
    const whole = [title, ...texts.filter((text, at) => text !== texts[at - 1])].filter(Boolean).join("\n");
    return page.clip(whole, MAX_SUMMARY);
  };
})();
