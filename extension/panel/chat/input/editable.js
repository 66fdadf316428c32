/** The editable box: its text and pills as pieces, and pieces as what is put into it. */

import { element } from "../../element.js";
import { mentionOf } from "./message_model.js";

/** @import { Mention, Piece } from "./message_model.js" */

const BLOCKS = /^(DIV|P|LI|BLOCKQUOTE|PRE|H[1-6])$/;

/** @param {Mention} mention @returns {HTMLElement} an atom of the text, which is removed whole */
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
 * What stands in a node, as pieces. The browser ends a text with a break that is not one, where the caret
 * would have no line otherwise: who reads it to the end trims it.
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
 * Puts pieces in the place of what is selected, as an edit that can be undone. As HTML made of our own
 * nodes: the browser breaks a text with lines into blocks otherwise, which takes it half a minute for the
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

/** @param {HTMLElement} box the caret goes behind all that is in it */
export function caretToEnd(box) {
  const range = document.createRange();
  range.selectNodeContents(box);
  range.collapse(false);
  select(range);
}
