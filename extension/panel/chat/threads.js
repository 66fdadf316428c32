import { askServer, NotAnswered } from "../server.js";

/** @import { ChatHistory } from "../../types/chat" */

const KEY = "chatThread"; // of the conversation that is open, in every window
const TURN = "chatTurn"; // the request that was begun last
const POLL_MS = 1_500;

/** @returns {Promise<string | null>} */
export async function storedThread() {
  const kept = /** @type {{chatThread?: string}} */ (await chrome.storage.local.get(KEY));
  return kept.chatThread ?? null;
}

/** @param {string | null} threadId */
export const storeThread = (threadId) => (threadId ? chrome.storage.local.set({ [KEY]: threadId }) : chrome.storage.local.remove(KEY));

/** @param {{path: string, body: object}} turn that runs from now on: asked for again, it is listened to from its beginning */
export const storeTurn = ({ path, body }) => chrome.storage.session.set({ [TURN]: JSON.stringify({ path, body }) }); // the store sorts keys, and a body is the same to the letter

/** @param {string} threadId @returns {Promise<{path: string, body: object} | null>} the one that this browser began last, where it is of this conversation */
export async function storedTurn(threadId) {
  const kept = /** @type {{chatTurn?: string}} */ (await chrome.storage.session.get(TURN));
  const turn = /** @type {{path: string, body: {thread_id?: string}} | null} */ (JSON.parse(kept.chatTurn ?? "null"));
  return turn?.body.thread_id === threadId ? turn : null;
}

/** @param {string} threadId @returns {Promise<ChatHistory>} without lines where the server knows none */
export async function fetchHistory(threadId) {
  try {
    return await askServer(`/api/chat/history/${encodeURIComponent(threadId)}`);
  } catch (error) {
    if (!(error instanceof NotAnswered) || error.code !== "NOT_FOUND") throw error;
    return { thread_id: threadId, title: "", messages: [], pending_interrupt: null, running: false };
  }
}

/**
 * The conversation once nothing of it is under way any more.
 *
 * @param {string} threadId @param {() => boolean} wanted asked before each look @returns {Promise<ChatHistory | null>} null when no longer wanted
 */
export async function waitForHistory(threadId, wanted) {
  while (wanted()) {
    const history = await fetchHistory(threadId);
    if (!history.running) return history;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  return null;
}
