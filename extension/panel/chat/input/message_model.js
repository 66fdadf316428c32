/** The person's message as pieces of text and mentions, and as the server expects it. */

/** @import { OutgoingMessage } from "../../../types/chat" */

/** @typedef {"document" | "set" | "action" | "web"} Category */
/** Something mentioned with `@`. `id` is a document's id, a set's name, an action's name or "web". @typedef {{category: Category, id: string, label: string}} Mention */
/** @typedef {string | Mention} Piece */
/** @typedef {{type: "mention", attrs: {id: string, label: string, category: Category}}} MentionNode */
/** The message as a TipTap document. @typedef {{type: "doc", content: {type: "paragraph", content?: ({type: "text", text: string} | MentionNode)[]}[]}} TipTap */

/** The longest message the server accepts. */
export const LONGEST = 200_000; // characters
const LONGEST_LABEL = 500; // characters: titles are shorter
/** @type {readonly string[]} */
const CATEGORIES = ["document", "set", "action", "web"];

/** @param {unknown} text a label, which has one line */
export const labelOf = (text) => String(text ?? "").replace(/\s+/g, " ").trim().slice(0, LONGEST_LABEL);

/** @param {{category?: unknown, id?: unknown, label?: unknown}} of anything @returns {Mention | null} null if it is no mention */
export function mentionOf({ category, id, label }) {
  if (typeof id !== "string" || !id || !CATEGORIES.includes(String(category))) return null;
  return { category: /** @type {Category} */ (category), id, label: labelOf(label) || id };
}

/** @param {string} text from outside, with uniform line breaks and without invalid characters */
export const cleanText = (text) => text.replace(/\r\n?/g, "\n").replace(/[\0-\x08\v\f\x0e-\x1f\x7f]/g, "").replace(/[\ud800-\udfff]/gu, "\ufffd");

/** @param {Piece} piece its text */
const wordsOf = (piece) => (typeof piece === "string" ? piece : `@${piece.label}`);

/** @param {Piece[]} pieces their text, with a mention as "@Label" */
export const textOf = (pieces) => pieces.map(wordsOf).join("");

/** @param {Piece[]} pieces @returns {Piece[]} without empty ones, with neighbouring texts joined and the whole trimmed */
export function tidyPieces(pieces) {
  /** @type {Piece[]} */
  const made = [];
  for (const piece of pieces) {
    const before = made.at(-1);
    if (typeof piece === "string" && typeof before === "string") made[made.length - 1] = before + piece;
    else if (piece !== "") made.push(piece);
  }
  if (typeof made[0] === "string") made[0] = made[0].trimStart();
  const last = made.at(-1);
  if (typeof last === "string") made[made.length - 1] = last.trimEnd();
  return made.filter((piece) => piece !== "");
}

/** @param {Piece[]} pieces @returns {Piece[][]} split into lines */
function linesOf(pieces) {
  /** @type {Piece[][]} */
  const lines = [[]];
  for (const piece of pieces) {
    const [first, ...rest] = typeof piece === "string" ? piece.split("\n") : [piece];
    if (first !== "") /** @type {Piece[]} */ (lines.at(-1)).push(first);
    for (const line of rest) lines.push(line === "" ? [] : [line]);
  }
  return lines;
}

/** @param {Mention} mention @returns {MentionNode} */
const mentionNode = ({ id, label, category }) => ({ type: "mention", attrs: { id, label, category } });

/** @param {Piece[]} pieces @returns {TipTap} the TipTap document, one paragraph per line */
export function tiptapOf(pieces) {
  const nodes = (/** @type {Piece[]} */ line) => line.map((piece) => (typeof piece === "string" ? { type: /** @type {const} */ ("text"), text: piece } : mentionNode(piece)));
  const paragraph = (/** @type {Piece[]} */ line) => ({ type: /** @type {const} */ ("paragraph"), ...(line.length > 0 ? { content: nodes(line) } : {}) });
  return { type: "doc", content: linesOf(pieces).map(paragraph) };
}

/** @param {Piece[]} pieces @returns {OutgoingMessage} the message for the server; of several actions the last one counts */
export function messageOf(pieces) {
  const tidied = tidyPieces(pieces);
  const mentions = tidied.filter((piece) => typeof piece !== "string");
  const ids = (/** @type {Category} */ category) => [...new Set(mentions.filter((one) => one.category === category).map(({ id }) => id))];
  return {
    message: textOf(tidied),
    tiptap_json: tiptapOf(tidied),
    tagged_doc_ids: ids("document"),
    tagged_set_ids: ids("set"),
    action: /** @type {OutgoingMessage["action"]} */ (mentions.findLast(({ category }) => category === "action")?.id ?? null),
    enable_web_search: mentions.some(({ category }) => category === "web"),
  };
}

/** @param {any} node of a TipTap document @returns {Piece[]} */
function piecesOfNode(node) {
  if (node?.type === "text") return [String(node.text ?? "")];
  if (node?.type === "hardBreak") return ["\n"];
  if (node?.type === "mention") {
    const mention = mentionOf(node.attrs ?? {});
    return mention ? [mention] : [`@${labelOf(node.attrs?.label)}`];
  }
  return Array.isArray(node?.content) ? node.content.flatMap(piecesOfNode) : [];
}

/** @param {any} document a TipTap document that was sent earlier @returns {Piece[]} */
export function piecesOfTiptap(document) {
  const paragraphs = Array.isArray(document?.content) ? document.content : [];
  return paragraphs.flatMap((/** @type {any} */ one, /** @type {number} */ index) => [...(index > 0 ? ["\n"] : []), ...piecesOfNode(one)]);
}
