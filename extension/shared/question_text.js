import { oneLine } from "./text.js";

/** @import { InterruptEvent } from "../types/wire" */
/** @import { PersonAct } from "../types/highlight" */
/** @import { Step } from "../types/run" */

/**
 * Whether documents might answer the agent's question: it asks for words, and not for a secret.
 *
 * @param {InterruptEvent | null} question
 */
export const canBeLookedUp = (question) => question !== null && question.kind !== "approval" && question.expectedInput === "free_text" && !asksSecret(question);

/** @param {InterruptEvent} question @returns {string} on one line */
export function questionLine(question) {
  const { sentence, needs } = questionParts(question);
  return [sentence, needs.join(", ")].filter(Boolean).join(" ");
}

/** @param {InterruptEvent} question @returns {string} the search query: for "I need to know: …" the part after the colon */
export function lookUpWords(question) {
  const { sentence, needs } = questionParts(question);
  return needs.length > 0 && /:\s*$/.test(sentence) ? needs.join(", ") : questionLine(question);
}

const LONGEST_DEED = 60; // characters on a button, two lines at most

/**
 * When the question expires, by this computer's clock even if the server's differs: a new
 * question waits at most as long as the server granted, and has not expired yet.
 *
 * @param {Pick<InterruptEvent, "askedAt" | "expiresAt">} question @param {number} now epoch ms
 * @returns {number | null} epoch ms; null for a question that never expires
 */
export function deadlineOf({ askedAt, expiresAt }, now) {
  const end = Date.parse(expiresAt ?? "");
  if (Number.isNaN(end)) return null;
  const given = end - Date.parse(askedAt ?? "");
  if (!(given > 0)) return end;
  const left = end - now;
  return now + (left > 0 && left <= given ? left : given);
}

/**
 * What "yes" allows, as the end of a sentence: "press 'Delete'".
 *
 * @param {InterruptEvent} question @param {number} [most] characters
 */
export function actionText({ approval, message }, most = 200) {
  const first = oneLine(approval?.description || approval?.action || message.split("\n")[0], most);
  const pressed = first.replace(/^Click\b/, "press");
  return asClause(pressed);
}

/** @param {string} text as the end of a sentence */
const asClause = (text) => (/^[A-Z][a-z]+ /.test(text) ? text[0].toLowerCase() + text.slice(1) : text);

/** @param {InterruptEvent} question the label of its yes button: "Yes, press 'Delete'" */
export function yesLabel(question) {
  const deed = actionText(question);
  return question.approval && deed.length <= LONGEST_DEED ? `Yes, ${deed}` : "Yes, do this";
}

/**
 * Splits a question into its sentence and the requested fields, one per line.
 *
 * @param {Pick<InterruptEvent, "message" | "fields">} question
 * @returns {{sentence: string, needs: string[]}}
 */
export function questionParts({ message = "", fields = [] }) {
  const [sentence = "", ...rest] = message.split("\n");
  const lines = rest.map((line) => line.replace(/^- /, "").trim()).filter(Boolean);
  const sentenceWords = sentence.toLowerCase();
  const isSaid = (/** @type {string} */ field) => sentenceWords.includes(field.replace("…", "").toLowerCase());
  return { sentence, needs: [...lines, ...fields.filter((field) => !lines.includes(field) && !isSaid(field))] };
}

/** Fields with these names hold secrets: the answer is not displayed. */
const SECRET = /passw|passcode|passphrase|\bpin\b|\bcv[cv]\b|secret|one-time code|kennwort|contraseña|mot de passe|senha|סיסמ/i;
const MASK = "••••••";

/** @param {Pick<InterruptEvent, "message" | "fields">} question */
export const asksSecret = ({ message, fields }) => SECRET.test(JSON.stringify([message, fields]));

/**
 * The timeline's line for an answer.
 *
 * @param {InterruptEvent} question @param {string | string[] | null} value @param {string} text the answer in words
 */
export function answerLine(question, value, text) {
  if (value === null) return "You cancelled the question";
  if (question.kind === "approval") return `You ${value === "yes" ? "allowed" : "refused"}: ${asClause(oneLine(questionParts(question).sentence.replace(/[?؟]$/, ""), 200))}`;
  const hidden = question.expectedInput === "free_text" && asksSecret(question);
  return `You answered: ${hidden ? MASK : oneLine(text, 400)}`;
}

export const NOBODY_ANSWERED = "Nobody answered in time";
export const ANSWERED_ELSEWHERE = "Answered elsewhere";
export const CANCELLED = "You cancelled this; nothing more was done.";
export const CANCELLED_ELSEWHERE = "The question was cancelled elsewhere; nothing more was done.";

/** @param {InterruptEvent} question @param {string} detail the server's message @returns {string} why the last answer was refused */
export function retryHint(question, detail) {
  if (question.options?.length && question.expectedInput !== "free_text") return "That matches none of these, or more than one. Rephrase it, or choose.";
  return detail.replace(/^hitlResponse\S*\s*/, "") || "The server did not understand this. Please rephrase it.";
}

/** @param {string} id @param {Step["mark"]} mark @param {string} text @param {number} at @returns {Step} a line without an action */
export function dialogStep(id, mark, text, at) {
  return { id, text, mark, action: "", element: "", thought: "", verdict: "", error: "", tokens: 0, ms: null, at };
}

/** @param {InterruptEvent} question @param {number} at @returns {Step} */
export function askedStep(question, at) {
  const { sentence, needs } = questionParts(question);
  return dialogStep(question.hitlId, "talk", `Asked: ${[sentence, needs.join("; ")].filter(Boolean).join(" ")}`, at);
}

/** The contract's roles in everyday words. @type {Record<string, string>} */
const THINGS = { btn: "a button", link: "a link", inp: "a field", chk: "a checkbox", rad: "a choice", sel: "a list", opt: "an option", tab: "a tab", menu: "a menu item", row: "a row", img: "an image" };

/** @param {PersonAct} act done while the person had taken over: "You clicked 'Save'" */
export function personActText({ kind, role, name, url }) {
  const thing = name ? `'${oneLine(name, 80)}'` : (THINGS[role] ?? "something");
  if (kind === "click") return `You clicked ${thing}`;
  if (kind === "type") return `You typed into ${thing}`;
  if (kind === "choose") return `You made a choice in ${thing}`;
  if (kind === "submit") return name ? `You submitted ${thing}` : "You submitted a form";
  const { host = "", pathname = "" } = URL.canParse(url) ? new URL(url) : {};
  return `You went to ${oneLine(host + pathname, 120) || "another page"}`;
}
