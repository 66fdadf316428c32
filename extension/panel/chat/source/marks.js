import { element } from "../../element.js";
import { quoteIn } from "./quotes.js";

/** @import { Span } from "./quotes.js" */

/** @param {Node} root @returns {Text[]} */
function textsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  return texts;
}

/** @param {Text} text @param {number} begin where it begins in the whole @param {Span[]} spans of the whole */
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
 * Marks a quote in what is shown, across the elements that it stands in.
 *
 * @param {Node} root @param {string} quote as the server cut it, or with its Markdown @returns {boolean} whether it is there
 */
export function markQuote(root, quote) {
  let whole = "";
  /** @type {[Text, number][]} */
  const texts = [];
  for (const text of textsIn(root)) {
    if (text.previousSibling?.nodeName === "BR") whole += "\n"; // between blocks there are such signs already
    texts.push([text, whole.length]);
    whole += text.data;
  }
  const spans = quoteIn(whole, quote);
  for (const [text, begin] of texts) markIn(text, begin, spans);
  return spans.length > 0;
}
