/** Where a quote stands in a text, whatever marks, spaces and signs stand between its letters in either. */

/** A text's letters and digits, folded, and for each where it stands in the text. @typedef {{letters: string, at: number[]}} Spelt */
/** From the first character to behind the last one. @typedef {{start: number, end: number}} Span */

const GAPS = /…|\[\.{3}\]|\.{3}/; // what was left out of a quote
const SHORTEST = 2; // letters: fewer are found anywhere

/** @param {string} text @returns {Spelt} without case, accents and vowel points */
export function spelt(text) {
  let letters = "";
  /** @type {number[]} */
  const at = [];
  let index = 0;
  for (const sign of text) {
    for (const one of sign.normalize("NFKD").toLowerCase()) {
      if (!/[\p{L}\p{N}]/u.test(one)) continue;
      letters += one;
      for (let unit = 0; unit < one.length; unit += 1) at.push(index);
    }
    index += sign.length;
  }
  return { letters, at };
}

/** @param {string} text @param {number} index @returns {number} behind the character there */
const behind = (text, index) => index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);

/**
 * Each piece of a quote in its place, in the order of the quote.
 *
 * @param {string} text @param {string} quote @returns {Span[]} none where any piece of it is missing
 */
export function spansOf(text, quote) {
  const { letters, at } = spelt(text);
  const pieces = quote.split(GAPS).map((piece) => spelt(piece).letters).filter((piece) => piece.length >= SHORTEST);
  /** @type {Span[]} */
  const spans = [];
  let from = 0;
  for (const piece of pieces) {
    const found = letters.indexOf(piece, from);
    if (found < 0) return [];
    from = found + piece.length;
    spans.push({ start: at[found], end: behind(text, at[from - 1]) });
  }
  return spans;
}
