import { cost, tokens } from "../../format.js";

/** @import { ChatAnswer, Level, MentionLabel } from "../../../types/chat" */

/** How well an answer is supported, in words. @type {Record<Level, string>} */
const SUPPORT = { high: "Well supported", medium: "Partly supported", low: "Weakly supported" };


/** @param {ChatAnswer} answer */
export const supportOf = ({ retrieval_confidence: level }) => SUPPORT[level] ?? SUPPORT.low;

/** @param {ChatAnswer} answer */
export const doubtOf = ({ inference_confidence: level }) => (level === "low" ? "This may not answer what you asked" : "");

/** @param {ChatAnswer} answer its cost; an unknown cost is not shown as free */
export function spentOf({ tokens_used: used, cost_usd: usd, cost_known: known }) {
  if (!used && !usd) return "no model";
  const paid = known !== false ? cost(usd) : usd > 0 ? `over ${cost(usd)}` : "cost not known";
  return `${tokens(used)} · ${paid}`;
}

const MOST_NODES = 5_000; // of a message; beyond that nothing is a mention
const KINDS = ["document", "set", "action", "web"];

/** @param {unknown} tiptap a message's document, of any shape @returns {MentionLabel[]} */
export function mentionsIn(tiptap) {
  /** @type {MentionLabel[]} */
  const found = [];
  /** @type {unknown[]} */
  const waiting = [tiptap];
  for (let count = 0; waiting.length > 0 && count < MOST_NODES; count++) {
    const node = /** @type {any} */ (waiting.pop());
    if (!node || typeof node !== "object") continue;
    const { id, label, category } = node.attrs ?? {};
    if (node.type === "mention" && typeof label === "string" && KINDS.includes(category)) found.push({ kind: category, id: String(id), label });
    if (Array.isArray(node.content)) waiting.push(...node.content);
  }
  return found;
}

/**
 * A person's message with its mentions, in the order of the text.
 *
 * @param {string} text @param {MentionLabel[]} mentions @returns {(string | MentionLabel)[]}
 */
export function pieces(text, mentions) {
  const byLabel = new Map(mentions.filter(({ label }) => label).map((one) => [one.label, one]));
  if (byLabel.size === 0) return [text];
  const labels = [...byLabel.keys()].sort((a, b) => b.length - a.length);
  /** @type {(string | MentionLabel)[]} */
  const found = [];
  let begin = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", Math.max(begin, at + 1))) {
    const label = labels.find((one) => text.startsWith(one, at + 1));
    if (label === undefined) continue;
    found.push(text.slice(begin, at), byLabel.get(label) ?? label);
    begin = at + 1 + label.length;
  }
  return [...found, text.slice(begin)].filter((part) => part !== "");
}
