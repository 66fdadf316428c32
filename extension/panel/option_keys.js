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

/**
 * Does what a key means for the options of a card.
 *
 * @param {KeyboardEvent} event @param {HTMLButtonElement[]} options that can be chosen
 * @param {{approval: boolean, write?: () => void}} card `write` moves the focus to the answer box, if a written answer is possible
 */
export function handleOptionKey(event, options, { approval, write }) {
  const at = options.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  const does = keyAction(event, { count: options.length, at, approval, words: write !== undefined });
  if (!does) return;
  if ("write" in does) return write?.(); // the key is then typed there
  event.preventDefault();
  if ("focus" in does) options[does.focus].focus();
  if ("press" in does) options[does.press].click();
}
