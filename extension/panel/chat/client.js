import { readEvents, watchSilence } from "../../shared/event_stream.js";
import { NotAnswered, openServer } from "../server.js";

/** @import { ChatEnd, ChatEvent, ChatNews, ChatQuestion, OutgoingMessage } from "../../types/chat" */

const SILENT_MS = 30_000; // the server sends something every 10 s, at least a keep-alive
const BUSY_MS = 1_000; // what else runs in the conversation is usually over by then
const NEVER = new AbortController().signal; // a turn continues when another conversation is shown
const AGAIN = /** @type {const} */ ({ label: "Retry", does: "retry" });

/** The answer was cut off; the server may still be working on it. */
export class CutOff extends NotAnswered {
  /** @param {string} text */
  constructor(text) {
    super({ kind: "error", text, button: AGAIN });
  }
}

/** @param {string} data @returns {ChatEvent | null} null for an unknown event */
function eventOf(data) {
  try {
    const event = JSON.parse(data);
    return typeof event?.type === "string" ? event : null;
  } catch {
    return null;
  }
}

/** @param {Response} answer @param {() => void} onBytes called for every piece @param {(news: ChatNews) => void} onNews @returns {Promise<ChatEnd | null>} null if the stream broke off */
async function read(answer, onBytes, onNews) {
  /** @type {ChatEnd | null} */
  let end = null;
  await readEvents(answer, (data) => {
    const event = eventOf(data);
    if (event?.type === "status" || event?.type === "claim" || event?.type === "restart") onNews(event);
    else if (event && ["response", "interrupt", "error"].includes(event.type)) end = event;
    return end !== null;
  }, onBytes).catch(() => undefined);
  return end;
}

/**
 * One turn: the request, its progress, and its result.
 *
 * @param {string} path @param {object} body @param {(news: ChatNews) => void} onNews
 * @returns {Promise<ChatEnd>} raises `NotAnswered`, and `CutOff` if the result did not arrive
 */
async function askOnce(path, body, onNews) {
  const watch = watchSilence(SILENT_MS, NEVER);
  const isSilent = () => watch.signal.aborted;
  try {
    const answer = await openServer(path, { method: "POST", body, signal: watch.signal });
    const end = await read(answer, watch.noteBytes, onNews);
    if (end) return end;
    throw new CutOff(isSilent() ? "The server has not responded for 30 seconds." : "The connection was lost before the answer arrived.");
  } catch (error) {
    throw isSilent() && !(error instanceof CutOff) ? new CutOff("The server has not responded for 30 seconds.") : error;
  } finally {
    watch.end();
  }
}

/**
 * Like `askOnce`, with one more try if another turn of the conversation is still running.
 *
 * @type {typeof askOnce}
 */
export async function askTurn(path, body, onNews) {
  try {
    return await askOnce(path, body, onNews);
  } catch (error) {
    if (!(error instanceof NotAnswered) || error.code !== "TASK_BUSY") throw error;
    await new Promise((done) => setTimeout(done, BUSY_MS));
    return askOnce(path, body, onNews);
  }
}

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
