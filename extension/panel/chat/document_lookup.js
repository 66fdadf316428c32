import { asksSecret, partsOf } from "../../shared/question_text.js";

/** @import { InterruptEvent } from "../../types/wire" */

/**
 * Whether the documents may know the answer to a question of the agent: one in words, that asks for no secret.
 *
 * @param {InterruptEvent | null} question
 */
export const canBeLookedUp = (question) => question !== null && question.kind !== "approval" && question.expectedInput === "free_text" && !asksSecret(question);

/** @param {InterruptEvent} question @returns {string} in one line */
export function asked(question) {
  const { sentence, needs } = partsOf(question);
  return [sentence, needs.join(", ")].filter(Boolean).join(" ");
}

/** @param {InterruptEvent} question @returns {string} what the documents are asked: of "I need to know: …" what is needed */
export function lookUpWords(question) {
  const { sentence, needs } = partsOf(question);
  return needs.length > 0 && /:\s*$/.test(sentence) ? needs.join(", ") : asked(question);
}
