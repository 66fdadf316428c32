import { askServer, NotAnswered } from "../server.js";

/** @import { ChatHistory } from "../../types/chat" */

const KEY = "chatThread"; // in storage: the open conversation, shared by all windows
const TURN = "chatTurn"; // in storage: the request begun last
const POLL_MS = 1_500;

/** @returns {Promise<string | null>} */
export async function storedThread() {
  const stored = /** @type {{chatThread?: string}} */ (await chrome.storage.local.get(KEY));
  return stored.chatThread ?? null;
}

/** @param {string | null} threadId */
export const storeThread = (threadId) => (threadId ? chrome.storage.local.set({ [KEY]: threadId }) : chrome.storage.local.remove(KEY));

/** @param {{path: string, body: object}} turn that begins now: sent again later, the server replays it from the start */
export const storeTurn = ({ path, body }) => chrome.storage.session.set({ [TURN]: JSON.stringify({ path, body }) }); // as text: the store sorts keys, and the body must stay identical

/** @param {string} threadId @returns {Promise<{path: string, body: object} | null>} this browser's last turn, if it belongs to this conversation */
export async function storedTurn(threadId) {
  const stored = /** @type {{chatTurn?: string}} */ (await chrome.storage.session.get(TURN));
  const turn = /** @type {{path: string, body: {thread_id?: string}} | null} */ (JSON.parse(stored.chatTurn ?? "null"));
  return turn?.body.thread_id === threadId ? turn : null;
}

/** @param {string} threadId @returns {Promise<ChatHistory>} empty if the server does not know it */
export async function fetchHistory(threadId) {
  try {
    return await askServer(`/api/chat/history/${encodeURIComponent(threadId)}`);
  } catch (error) {
    if (!(error instanceof NotAnswered) || error.code !== "NOT_FOUND") throw error;
    return { thread_id: threadId, title: "", messages: [], pending_interrupt: null, running: false };
  }
}

/**
 * Waits until nothing runs in the conversation any more.
 *
 * @param {string} threadId @param {() => boolean} wanted checked before each poll @returns {Promise<ChatHistory | null>} null when no longer wanted
 */
export async function waitForHistory(threadId, wanted) {
  while (wanted()) {
    const history = await fetchHistory(threadId);
    if (!history.running) return history;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  return null;
}
