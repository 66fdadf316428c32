/** What a key does in a question's options. @typedef {{focus: number} | {press: number} | {write: true} | {swallow: true}} KeyAction */

const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });

/**
 * What a key does while a question's card has the focus. Digits choose but never approve; a held key
 * answers nothing; letters continue in the answer box.
 *
 * @param {{key: string, repeat?: boolean, ctrlKey?: boolean, altKey?: boolean, metaKey?: boolean}} event
 * @param {{count: number, at: number, approval: boolean, words: boolean}} card the number of options, the focused one or -1,
 *   and whether a written answer is possible
 * @returns {KeyAction | null} null for a key the card does not handle
 */
export function keyAction({ key, repeat, ctrlKey, altKey, metaKey }, { count, at, approval, words }) {
  if (ctrlKey || altKey || metaKey) return null;
  if (repeat && (key === "Enter" || key === " ")) return { swallow: true };
  if (key in STEPS && count > 0) return { focus: at < 0 ? (STEPS[key] > 0 ? 0 : count - 1) : (at + STEPS[key] + count) % count };
  if (key === "Home" && count > 0) return { focus: 0 };
  if (key === "End" && count > 0) return { focus: count - 1 };
  if (/^[1-9]$/.test(key) && Number(key) <= count && !approval) return repeat ? { swallow: true } : { press: Number(key) - 1 };
  return words && key.length === 1 && key !== " " ? { write: true } : null;
}
