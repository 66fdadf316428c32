/** Texts that make a search which starts anew at each place, or goes back, read the same again and again. */
const PUMPED = ["so, ", "<!---->", "aa.", " ", "a", "A", "aB", "(", "[", "[](", "](", "((a,", "@a", "א ", "0", "0 ", "\n", "\n\n- ", "\t\n", "-", "_", "#", "/", "*", "**a", "`", "+", "!", ".", ",", ":", "\"", "{", "|a", "…", "e\u0301", "\ue000", "😀", "a:b > ", "no error ", "1x1 "];
const ENDS = ["", "%", "\u0000", "x!"];

/** What each is made of: a part that is repeated, and an end that nothing matches, or none. */
export const TEXTS = PUMPED.flatMap((part) => ENDS.map((end) => ({ part, end })));

/** @param {{ part: string, end: string }} made @param {number} length @returns {string} of so many characters */
export const pumped = ({ part, end }, length) => part.repeat(Math.ceil(length / part.length)).slice(0, length - end.length) + end;
