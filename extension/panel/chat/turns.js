/** The requests of a conversation. */

/** @import { ChatQuestion, OutgoingMessage } from "../../types/chat" */
/** One request: `taken` is called if it succeeded, `failed` if not; `again` marks one that is resumed. @typedef {{path: string, body: object, taken?: () => void, failed?: () => void, again?: boolean}} Turn */

/** @param {string | null} thread @param {OutgoingMessage} message @returns {Turn} */
export const messageTurn = (thread, message) => ({ path: "/api/chat", body: { ...message, thread_id: thread, request_id: crypto.randomUUID() } });

/** Asks a question again. @param {string | null} thread @param {string} replaces the id of the question @param {OutgoingMessage} [message] in its place @returns {Turn} */
export const replacementTurn = (thread, replaces, message) => ({ path: "/api/chat", body: { ...message, replaces, thread_id: thread, request_id: crypto.randomUUID() } });

/** Answers the agent's question. @param {string | null} thread @param {ChatQuestion} question @param {string} type @param {object} resume @returns {Turn} */
export const resumeTurn = (thread, question, type, resume) => ({
  path: "/api/chat/resume",
  body: { thread_id: thread, hitl_id: question.hitl_id, request_id: crypto.randomUUID(), resume_value: { type, ...resume } },
});
