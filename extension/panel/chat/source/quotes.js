/** Finds a quote in a text, ignoring formatting, spaces and punctuation between letters. */

/** A text's letters and digits, folded, and the position of each. @typedef {{letters: string, at: number[]}} Spelt */
/** From the first character to after the last one. @typedef {{start: number, end: number}} Span */

const GAPS = /…|\[\.{3}\]|\.{3}/; // omissions in a quote
const SHORTEST = 2; // letters: fewer are found anywhere
const BREAKS = /<br\s*\/?>/gi; // in table cells

/** @param {string} text Markdown without its formatting */
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

/** @param {string} text @param {number} index @returns {number} the index after the character there */
const behind = (text, index) => index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);

const ENDS = /[\p{N}\p{Lu}\p{Ll}]$/u; // letters with case: scripts without spaces between words have none
const GOES_ON = /^[\p{N}\p{Lu}\p{Ll}]/u;
const NEAR = 4; // code units on each side

/** @param {string} text @param {number} index whether a word or number continues there: "5 days" is not part of "25 days" */
function cuts(text, index) {
  const [before, after] = [text.slice(Math.max(0, index - NEAR), index), text.slice(index, index + NEAR)];
  if (ENDS.test(before) && GOES_ON.test(after)) return true;
  return (/\p{N}$/u.test(before) && /^[.,]\p{N}/u.test(after)) || (/\p{N}[.,]$/u.test(before) && /^\p{N}/u.test(after));
}

/**
 * The spans of a quote's pieces, in the order of the quote.
 *
 * @param {string} text @param {string} quote @returns {Span[]} empty if any piece is missing
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
 * A quote as the server cut it, with or without formatting, or row by row where a table's head stands in between.
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
