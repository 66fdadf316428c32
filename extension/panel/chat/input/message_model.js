/** What the person said, as pieces of text and mentions, and as the server takes it. */

/** @import { Said } from "../../../types/chat" */

/** @typedef {"document" | "set" | "action" | "web"} Category */
/** Something that was tagged with `@`. `id` is a document's, a set's name, an action's name or "web". @typedef {{category: Category, id: string, label: string}} Mention */
/** @typedef {string | Mention} Piece */
/** @typedef {{type: "mention", attrs: {id: string, label: string, category: Category}}} MentionNode */
/** The document as TipTap keeps one. @typedef {{type: "doc", content: {type: "paragraph", content?: ({type: "text", text: string} | MentionNode)[]}[]}} TipTap */

/** The server takes no longer message. */
export const LONGEST = 200_000; // characters
const LONGEST_LABEL = 500; // characters: titles are shorter
/** @type {readonly string[]} */
const CATEGORIES = ["document", "set", "action", "web"];

/** @param {unknown} text a label stands in one line */
export const labelOf = (text) => String(text ?? "").replace(/\s+/g, " ").trim().slice(0, LONGEST_LABEL);

/** @param {{category?: unknown, id?: unknown, label?: unknown}} of anything @returns {Mention | null} null for what mentions nothing */
export function mentionOf({ category, id, label }) {
  if (typeof id !== "string" || !id || !CATEGORIES.includes(String(category))) return null;
  return { category: /** @type {Category} */ (category), id, label: labelOf(label) || id };
}

/** @param {string} text from elsewhere, with line breaks of one kind and without what is no character */
export const cleanText = (text) => text.replace(/\r\n?/g, "\n").replace(/[\0-\x08\v\f\x0e-\x1f\x7f]/g, "").replace(/[\ud800-\udfff]/gu, "\ufffd");

/** @param {Piece} piece as it stands in the text */
const wordsOf = (piece) => (typeof piece === "string" ? piece : `@${piece.label}`);

/** @param {Piece[]} pieces the text, with a mention as "@Label" */
export const textOf = (pieces) => pieces.map(wordsOf).join("");

/** @param {Piece[]} pieces @returns {Piece[]} without empty ones, neighbouring texts as one, no space around it all */
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

/** @param {Piece[]} pieces @returns {Piece[][]} the lines, each in its pieces */
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

/** @param {Piece[]} pieces @returns {TipTap} the document that TipTap would make of it: a line is a paragraph */
export function tiptapOf(pieces) {
  const nodes = (/** @type {Piece[]} */ line) => line.map((piece) => (typeof piece === "string" ? { type: /** @type {const} */ ("text"), text: piece } : mentionNode(piece)));
  const paragraph = (/** @type {Piece[]} */ line) => ({ type: /** @type {const} */ ("paragraph"), ...(line.length > 0 ? { content: nodes(line) } : {}) });
  return { type: "doc", content: linesOf(pieces).map(paragraph) };
}

/** @param {Piece[]} pieces @returns {Said} what the server is told; of several actions the last one */
export function saidOf(pieces) {
  const kept = tidyPieces(pieces);
  const mentions = kept.filter((piece) => typeof piece !== "string");
  const ids = (/** @type {Category} */ category) => [...new Set(mentions.filter((one) => one.category === category).map(({ id }) => id))];
  return {
    message: textOf(kept),
    tiptap_json: tiptapOf(kept),
    tagged_doc_ids: ids("document"),
    tagged_set_ids: ids("set"),
    action: /** @type {Said["action"]} */ (mentions.findLast(({ category }) => category === "action")?.id ?? null),
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

/** @param {any} document a TipTap document, as it was sent once @returns {Piece[]} */
export function piecesOfTiptap(document) {
  const paragraphs = Array.isArray(document?.content) ? document.content : [];
  return paragraphs.flatMap((/** @type {any} */ one, /** @type {number} */ index) => [...(index > 0 ? ["\n"] : []), ...piecesOfNode(one)]);
}
