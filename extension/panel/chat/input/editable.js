/** The editable box: reads its text and pills as pieces, and inserts pieces. */

import { element } from "../../element.js";
import { mentionOf } from "./message_model.js";

/** @import { Mention, Piece } from "./message_model.js" */

const BLOCKS = /^(DIV|P|LI|BLOCKQUOTE|PRE|H[1-6])$/;

/** @param {Mention} mention @returns {HTMLElement} a pill, which is deleted as a whole */
export function pill({ category, id, label }) {
  return element("span", { class: "mention", contenteditable: "false", "data-category": category, "data-id": id, "data-label": label, title: label }, `@${label}`);
}

/** @param {Node} node @returns {Mention | null} */
function mentionIn(node) {
  if (!(node instanceof HTMLElement) || !node.dataset.category) return null;
  const { category, id, label } = node.dataset;
  return mentionOf({ category, id, label });
}

/**
 * The content of a node as pieces. Browsers end a text with an extra line break where the caret
 * would have no line otherwise: the caller trims it.
 *
 * @param {Node} box an element or a fragment
 * @returns {Piece[]}
 */
export function piecesIn(box) {
  /** @type {Piece[]} */
  const pieces = [];
  for (const node of box.childNodes) {
    const mention = mentionIn(node);
    if (mention) pieces.push(mention);
    else if (node.nodeType === Node.TEXT_NODE) pieces.push((node.nodeValue ?? "").replaceAll("\u00a0", " "));
    else if (node.nodeName === "BR") pieces.push("\n");
    else if (BLOCKS.test(node.nodeName)) pieces.push(...(pieces.length > 0 ? ["\n"] : []), ...piecesIn(node));
    else pieces.push(...piecesIn(node));
  }
  return pieces;
}

/** @param {Piece[]} pieces @returns {DocumentFragment} */
export function fragmentOf(pieces) {
  const made = document.createDocumentFragment();
  made.append(...pieces.map((piece) => (typeof piece === "string" ? piece : pill(piece))));
  return made;
}

/**
 * Replaces the selection with pieces, as an edit that can be undone. It inserts HTML, since
 * the browser would split plain text with lines into blocks, which takes half a minute for the
 * longest message.
 *
 * @param {Piece[]} pieces
 */
export function insert(pieces) {
  const holder = element("div");
  holder.append(fragmentOf(pieces));
  document.execCommand("insertHTML", false, holder.innerHTML);
}

/** @param {Range} range */
export function select(range) {
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** @param {HTMLElement} box moves the caret to its end */
export function caretToEnd(box) {
  const range = document.createRange();
  range.selectNodeContents(box);
  range.collapse(false);
  select(range);
}
