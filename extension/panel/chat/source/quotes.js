/** Where a quote stands in a text, whatever marks, spaces and signs stand between its letters in either. */

/** A text's letters and digits, folded, and for each where it stands in the text. @typedef {{letters: string, at: number[]}} Spelt */
/** From the first character to behind the last one. @typedef {{start: number, end: number}} Span */

const GAPS = /…|\[\.{3}\]|\.{3}/; // what was left out of a quote
const SHORTEST = 2; // letters: fewer are found anywhere
const BREAKS = /<br\s*\/?>/gi; // in the cells of a table

/** @param {string} text Markdown as one reads it: its marks are for machines */
export const plainText = (text) => text.replace(BREAKS, " ").replace(/^#{1,6}\s+/gm, "").replace(/\*\*|__|`/g, "").replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1").replace(/\\([*_`#|[\]])/g, "$1").replace(/\n{2,}/g, "\n").trim();

/** @param {string} text @returns {Spelt} without case, accents and vowel points */
export function foldLetters(text) {
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

const ENDS = /[\p{N}\p{Lu}\p{Ll}]$/u; // letters that have cases: scripts without blanks between words have none
const GOES_ON = /^[\p{N}\p{Lu}\p{Ll}]/u;
const NEAR = 4; // units on each side: two signs

/** @param {string} text @param {number} index whether a word or a number goes on there: "5 days" does not stand in "25 days" */
function cuts(text, index) {
  const [before, after] = [text.slice(Math.max(0, index - NEAR), index), text.slice(index, index + NEAR)];
  if (ENDS.test(before) && GOES_ON.test(after)) return true;
  return (/\p{N}$/u.test(before) && /^[.,]\p{N}/u.test(after)) || (/\p{N}[.,]$/u.test(before) && /^\p{N}/u.test(after));
}

/**
 * Each piece of a quote in its place, in the order of the quote.
 *
 * @param {string} text @param {string} quote @returns {Span[]} none if any piece of it is missing
 */
export function spansOf(text, quote) {
  const { letters, at } = foldLetters(text);
  const pieces = quote.split(GAPS).map((piece) => foldLetters(piece).letters).filter((piece) => piece.length >= SHORTEST);
  /** @type {Span[]} */
  const spans = [];
  let from = 0;
  for (const piece of pieces) {
    let [start, end] = [0, 0];
    do {
      const found = letters.indexOf(piece, from);
      if (found < 0) return [];
      [start, end] = [at[found], behind(text, at[found + piece.length - 1])];
      from = found + 1;
    } while (cuts(text, start) || cuts(text, end));
    from += piece.length - 1;
    spans.push({ start, end });
  }
  return spans;
}

/**
 * A quote as the server cut it, with its marks or without, or row by row where the head of a table stands between.
 *
 * @param {string} text @param {string} quote @returns {Span[]}
 */
export function quoteIn(text, quote) {
  for (const one of [quote, plainText(quote), plainText(quote).replace(/\|\s*\|/g, "| … |")]) {
    const spans = spansOf(text, one);
    if (spans.length > 0) return spans;
  }
  return [];
}
