import { createSseParser, watchSilence } from "../../shared/event_stream.js";
import { NotAnswered, openServer } from "../server.js";

/** @import { ChatEnd, ChatEvent, ChatNews } from "../../types/chat" */

const SILENT_MS = 30_000; // the server says something every 10 s, if only that it is there
const BUSY_MS = 1_000; // what goes on there is most often over by then
const NEVER = new AbortController().signal; // a turn goes on when another conversation is shown
const AGAIN = /** @type {const} */ ({ label: "Retry", does: "retry" });

/** The turn's answer did not come to its end; it may still be on its way on the server. */
export class CutOff extends NotAnswered {
  /** @param {string} text */
  constructor(text) {
    super({ kind: "error", text, button: AGAIN });
  }
}

/** @param {string} data @returns {ChatEvent | null} null for what is no event of ours */
function eventOf(data) {
  try {
    const event = JSON.parse(data);
    return typeof event?.type === "string" ? event : null;
  } catch {
    return null;
  }
}

/** @param {Response} answer @param {() => void} heard @param {(news: ChatNews) => void} onNews @returns {Promise<ChatEnd | null>} null if it broke off */
async function read(answer, heard, onNews) {
  /** @type {ChatEnd | null} */
  let end = null;
  const parser = createSseParser((data) => {
    const event = eventOf(data);
    if (event?.type === "status" || event?.type === "claim" || event?.type === "restart") onNews(event);
    else if (event && ["response", "interrupt", "error"].includes(event.type)) end ??= event;
  });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    heard();
    if (value) parser.push(decoder.decode(value, { stream: true }));
    if (end || done) break;
  }
  void reader.cancel().catch(() => undefined);
  return end;
}

/**
 * One turn: what was asked, what it does meanwhile, and how it ended.
 *
 * @param {string} path @param {object} body @param {(news: ChatNews) => void} onNews
 * @returns {Promise<ChatEnd>} raises `NotAnswered`, and `CutOff` where the end did not come
 */
async function askOnce(path, body, onNews) {
  const watch = watchSilence(SILENT_MS, NEVER);
  const silent = () => watch.signal.aborted;
  try {
    const answer = await openServer(path, { method: "POST", body, signal: watch.signal });
    const end = await read(answer, watch.heard, onNews);
    if (end) return end;
    throw new CutOff(silent() ? "The server has not responded for 30 seconds." : "The connection was lost before the answer arrived.");
  } catch (error) {
    throw silent() && !(error instanceof CutOff) ? new CutOff("The server has not responded for 30 seconds.") : error;
  } finally {
    watch.end();
  }
}

/**
 * As `askOnce`; while something else of the conversation is still on its way, it is tried once more by itself.
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
