import { storedSettings } from "../options/settings.js";

/** @import { Notice } from "../types/run" */

const LONGEST_MS = 10_000;

/** The server could not be asked, or would not say; `notice` tells the person. */
export class NotAnswered extends Error {
  /** @param {Notice} notice */
  constructor(notice) {
    super(notice.text);
    this.notice = notice;
  }
}

/** @type {NonNullable<Notice["button"]>} */
const AGAIN = { label: "Try again", does: "retry" };
/** @type {NonNullable<Notice["button"]>} */
const SETTINGS = { label: "Open settings", does: "settings" };

/** @param {number} status @returns {Notice} */
function refused(status) {
  if (status === 401 || status === 403) return { kind: "auth", text: "The server does not accept this browser's key. Pair it again.", button: SETTINGS };
  if (status === 404) return { kind: "error", text: "The server no longer has this.", button: AGAIN };
  return { kind: "error", text: `The server answered with status ${status}.`, button: AGAIN };
}

/**
 * What the server says at a path, as JSON. Only pages of the extension can call this: the key is
 * closed to page scripts.
 *
 * @param {string} path @returns {Promise<any>} raises `NotAnswered`
 */
export async function askServer(path) {
  const { serverUrl, apiKey } = await storedSettings();
  if (!apiKey) throw new NotAnswered({ kind: "first-run", text: "Pair Tabwright with your server first.", button: SETTINGS });
  const away = new NotAnswered({ kind: "offline", text: `The server at ${serverUrl} does not answer.`, button: AGAIN });
  const headers = { Authorization: `Bearer ${apiKey}` };
  const answer = await fetch(serverUrl + path, { headers, signal: AbortSignal.timeout(LONGEST_MS) }).catch(() => {
    throw away;
  });
  if (!answer.ok) throw new NotAnswered(refused(answer.status));
  return answer.json().catch(() => {
    throw away;
  });
}
