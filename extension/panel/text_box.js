/**
 * Writes a text into a box in the place of what stands there, with the focus: what the person had written
 * comes back with Undo.
 *
 * @param {HTMLTextAreaElement} box @param {string} text
 */
export function rewrite(box, text) {
  box.focus();
  box.select();
  if (!document.execCommand("insertText", false, text)) box.value = text;
}
