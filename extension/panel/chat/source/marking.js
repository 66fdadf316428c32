import { element } from "../../element.js";
import { plainText } from "../../knowledge_search.js";
import { spansOf } from "./finding.js";

/** @import { Span } from "./finding.js" */

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
    if (from >= to) continue;
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
  const texts = textsIn(root);
  const whole = texts.map(({ data }) => data).join("");
  const [spans = []] = [quote, plainText(quote)].map((one) => spansOf(whole, one)).filter(({ length }) => length > 0);
  let begin = 0;
  for (const text of texts) {
    const { length } = text;
    markIn(text, begin, spans);
    begin += length;
  }
  return spans.length > 0;
}
