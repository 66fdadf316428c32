import { element } from "../../element.js";
import { quoteIn } from "./quotes.js";
import { markCitations } from "../answer/citations.js";
import { renderMarkdown } from "../answer/markdown.js";

/** @import { Span } from "./quotes.js" */
/** @import { Part, createDocumentReader } from "./document_reader.js" */

/** @param {Node} root @returns {Text[]} */
function textsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  return texts;
}

/** @param {Text} text @param {number} begin its position in the whole @param {Span[]} spans of the whole */
function markIn(text, begin, spans) {
  const end = begin + text.length;
  for (const span of spans.toReversed()) {
    const from = Math.max(span.start, begin);
    const to = Math.min(span.end, end);
    if (from >= to || !text.data.slice(from - begin, to - begin).trim()) continue;
    const range = document.createRange();
    range.setStart(text, from - begin);
    range.setEnd(text, to - begin);
    range.surroundContents(element("mark"));
  }
}

/**
 * Marks a quote in the rendered text, across element boundaries.
 *
 * @param {Node} root @param {string} quote as the server cut it, or with its Markdown @returns {boolean} whether it was found
 */
function markQuote(root, quote) {
  let whole = "";
  /** @type {[Text, number][]} */
  const texts = [];
  for (const text of textsIn(root)) {
    if (text.previousSibling?.nodeName === "BR") whole += "\n"; // blocks are separated already
    texts.push([text, whole.length]);
    whole += text.data;
  }
  const spans = quoteIn(whole, quote);
  for (const [text, begin] of texts) markIn(text, begin, spans);
  return spans.length > 0;
}

/** Shows an error in a box, with a way to try again. @typedef {(box: HTMLElement, error: unknown, again: () => void) => void} Fail */

const AROUND = 1; // parts shown before and after the cited one at first
const FURTHER = 4; // more of them per press

/** @param {Part} part @returns {HTMLElement} its rendered text */
function article({ text, chunkId, page }) {
  const made = renderMarkdown(text);
  markCitations(made, [], () => element("span")); // numbers in brackets belong to the document
  for (const heading of made.querySelectorAll("h4, h5, h6")) heading.replaceWith(element("h3", {}, ...heading.childNodes)); // the heading depth means nothing in an excerpt
  for (const block of made.querySelectorAll("p, li, td, th, h3, h4, h5, h6, blockquote")) block.setAttribute("dir", "auto");
  return element("article", { class: "prose part", dir: "auto", "data-id": chunkId, ...(page ? { "data-page": String(page) } : {}) }, made);
}

/** @param {string} text @param {string} testId */
const moreButton = (text, testId) => element("button", { type: "button", class: "quiet", "data-testid": testId }, text);

/**
 * A part in its context: marked, with its neighbours, and more of them on request.
 *
 * @param {HTMLElement} body @param {ReturnType<createDocumentReader>} read @param {{at: number, quote: string, fail: Fail}} cited `quote`: "" for none
 */
export async function showParts(body, read, { at, quote, fail }) {
  const before = moreButton("Show what comes before", "source-before");
  const after = moreButton("Show what comes after", "source-after");
  const list = element("div", { class: "parts" });
  let [low, high] = [at, at + 1];

  function buttons() {
    before.hidden = low === 0;
    after.hidden = read.isWhole() && high >= read.parts.length;
  }

  /** @param {number} count */
  function up(count) {
    const from = Math.max(0, low - count);
    list.prepend(...read.parts.slice(from, low).map(article));
    low = from;
    buttons();
  }

  /** @param {number} count */
  async function down(count) {
    await read.upTo(high + count);
    const made = read.parts.slice(high, high + count).map(article);
    list.append(...made);
    high += made.length;
    buttons();
  }

  const cited = article(read.parts[at]);
  cited.dataset.cited = "";
  cited.dataset.testid = "source-cited";
  list.append(cited);
  const marked = quote === "" || markQuote(cited, quote);
  body.append(before, list, after);
  up(AROUND);
  const failed = element("div");
  const show = () => (list.querySelector("mark") ?? cited).scrollIntoView({ block: "center" });
  show();
  await down(AROUND).catch(buttons);
  if (!marked && markQuote(list, quote)) show(); // for instance across a page break

  before.addEventListener("click", () => {
    const height = body.scrollHeight;
    up(FURTHER);
    if (height > body.clientHeight) body.scrollTop += body.scrollHeight - height; // the text being read stays in place
    if (before.hidden) body.focus({ preventScroll: true });
  });
  after.addEventListener("click", async () => {
    try {
      await down(FURTHER);
      failed.remove();
    } catch (error) {
      fail(failed, error, () => after.click());
      after.after(failed);
    }
    if (after.hidden) body.focus({ preventScroll: true });
  });
}
