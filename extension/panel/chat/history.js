import { answerItem, stoppedItem } from "./answer/answer.js";
import { noteItem, personItem } from "./items.js";
import { mentionsIn, pieces } from "./answer/wording.js";

/** @import { ChatAnswer, ChatHistory, ChatLine, Handoff, MentionLabel, OpenSource, OutgoingMessage } from "../../types/chat" */

const LEFT = /** @type {Record<string, string>} */ ({ cancelled: "You left the question unanswered", expired: "Nobody answered in time" });

/** @param {string} label */
export const answeredLine = (label) => `You answered: ${label.replace(/\s+/g, " ").trim()}`;
export const LEFT_LINE = LEFT.cancelled;

/** @param {ChatLine} line @returns {MentionLabel[]} */
function mentionsOf({ metadata }) {
  const mentions = /** @type {MentionLabel[] | undefined} */ (metadata?.mentions);
  return mentions?.length ? mentions : mentionsIn(metadata?.tiptap_json);
}

/** @param {ChatLine} line what the person asked */
export const storedMessageItem = (line) => personItem(line.content, mentionsOf(line));

/** @param {ChatLine} line @param {{open: OpenSource, handing: Handoff}} given @returns {HTMLElement | null} null for a line that is not shown */
function itemOf(line, given) {
  const { role, kind, content, metadata } = line;
  if (kind in LEFT) return noteItem(LEFT[kind], kind);
  if (kind === "question") return noteItem(content, kind);
  if (kind === "answer") return noteItem(answeredLine(content), kind);
  if (kind === "stopped") return stoppedItem(content);
  if (role === "user") return storedMessageItem(line);
  if (role === "assistant") return metadata?.cancelled ? null : answerItem(/** @type {ChatAnswer} */ ({ ...metadata, response: content, rating: line.rating }), given);
  return noteItem(content);
}

/**
 * The saved conversation line by line; the question that is still open gets its card instead.
 *
 * @param {ChatHistory} history @param {{open: OpenSource, handing: Handoff}} given @returns {HTMLElement[]}
 */
export function historyItems({ messages, pending_interrupt: pending }, given) {
  const isPending = (/** @type {ChatLine} */ { kind, metadata }) => pending !== null && kind === "question" && metadata?.hitl_id === pending.hitl_id;
  return messages.filter((line) => !isPending(line)).map((line) => itemOf(line, given)).filter((item) => item !== null);
}

/** @param {MentionLabel[]} mentions @param {MentionLabel["kind"]} kind */
const idsOf = (mentions, kind) => mentions.filter((one) => one.kind === kind).map(({ id }) => id);

/** @param {ChatHistory} history @returns {OutgoingMessage | null} the last message, if it has no answer and none is being written */
export function unansweredMessage({ messages, pending_interrupt: pending, running }) {
  const last = messages.at(-1);
  if (!last || pending || running || last.role !== "user" || last.kind !== "message") return null;
  return saidOf(last);
}

/** @param {ChatHistory} history @returns {ChatLine | undefined} the person's last message */
export const lastMessage = ({ messages }) => messages.findLast(({ role, kind }) => role === "user" && kind === "message");

/** @param {ChatLine} line of the person @returns {object} a TipTap document for the input box, with its mentions */
export function tiptapOf(line) {
  const content = pieces(line.content, mentionsOf(line)).map((one) => (typeof one === "string" ? { type: "text", text: one } : { type: "mention", attrs: { id: one.id, label: one.label, category: one.kind } }));
  return { type: "doc", content: [{ type: "paragraph", content }] };
}

/** @param {ChatLine} line of the person @returns {OutgoingMessage} as it was sent */
function saidOf(line) {
  const mentions = mentionsOf(line);
  const action = /** @type {OutgoingMessage["action"]} */ (idsOf(mentions, "action").at(-1) ?? null);
  const tagged = { tagged_doc_ids: idsOf(mentions, "document"), tagged_set_ids: idsOf(mentions, "set") };
  return { message: line.content, ...tagged, action, enable_web_search: idsOf(mentions, "web").length > 0 };
}

/** What identifies a request in a history. @typedef {{request_id?: string, hitl_id?: string}} Request */

/** @param {ChatHistory} history @param {Request} body @returns {number} the index of the line that belongs to it */
const placeOf = ({ messages }, { request_id, hitl_id }) =>
  messages.findIndex(({ metadata, kind }) => (hitl_id ? kind !== "question" && metadata?.hitl_id === hitl_id : metadata?.request_id === request_id));

/** @param {ChatHistory} history @param {Request} body @returns {boolean} whether the server is working on this request */
export const isRunning = (history, body) => history.running && placeOf(history, body) >= 0 && !hasEndedSince(history, body);

/**
 * Whether the conversation moved on after that request: an answer or another question.
 *
 * @param {ChatHistory} history @param {Request} body
 */
export function hasEndedSince(history, body) {
  const { messages, pending_interrupt: pending } = history;
  const begun = placeOf(history, body);
  if (begun < 0) return false;
  return pending !== null || messages.slice(begun + 1).some(({ role }) => role === "assistant");
}
