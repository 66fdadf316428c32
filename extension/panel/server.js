import { AddressRefused, ProtocolMismatch, sendWithKey, storedSettings } from "../shared/server.js";

/** @import { Notice } from "../types/run" */

const LONGEST_MS = 10_000;

/** The server could not be reached or refused; `notice` is for the person, `code` is the server's reason. */
export class NotAnswered extends Error {
  /** @param {Notice} notice @param {string} [code] */
  constructor(notice, code = "") {
    super(notice.text);
    this.notice = notice;
    this.code = code;
  }
}

/** @param {unknown} error @param {string} [failed] what could not be done, used if the error has no message for people @returns {string} */
export function errorText(error, failed = "") {
  if (error instanceof NotAnswered) return error.notice.text;
  return `${failed && `${failed}: `}${error instanceof Error ? error.message : error}`;
}

/** @type {NonNullable<Notice["button"]>} */
const AGAIN = { label: "Try again", does: "retry" };
/** @type {NonNullable<Notice["button"]>} */
const SETTINGS = { label: "Open settings", does: "settings" };

/** @param {number} status @param {string} [detail] the server's message @returns {Notice} */
function refusalNotice(status, detail = "") {
  if (status === 401 || status === 403) return { kind: "auth", text: "The server does not accept this browser's key. Pair it again.", button: SETTINGS };
  if (status === 404) return { kind: "error", text: "This no longer exists on the server.", button: AGAIN };
  if (detail && status < 500) return { kind: "error", text: detail };
  return { kind: "error", text: `The server responded with status ${status}.`, button: AGAIN };
}

/** @param {Response} answer @returns {Promise<{detail?: unknown, code?: unknown}>} the problem's fields */
const problemOf = (answer) => answer.json().then((said) => said ?? {}, () => ({}));

/** @param {string} serverUrl */
const offlineError = (serverUrl) => new NotAnswered({ kind: "offline", text: `The server at ${serverUrl} is not responding.`, button: AGAIN });

/**
 * The server's response at a path, with its body unread. Only pages of the extension can call this: page
 * scripts have no access to the key.
 *
 * @param {string} path @param {{method?: string, body?: object, signal: AbortSignal}} request
 * @returns {Promise<Response>} raises `NotAnswered`, also when the server refuses
 */
export async function openServer(path, request) {
  const settings = await storedSettings();
  const { serverUrl, apiKey } = settings;
  if (!apiKey) throw new NotAnswered({ kind: "first-run", text: "Pair Tabwright with your server first.", button: SETTINGS });
  const answer = await sendWithKey(settings, path, request).catch((error) => {
    if (error instanceof ProtocolMismatch) throw new NotAnswered({ kind: "error", text: error.message });
    throw error instanceof AddressRefused ? new NotAnswered({ kind: "auth", text: error.message, button: SETTINGS }) : offlineError(serverUrl);
  });
  if (answer.ok) return answer;
  const { detail, code } = await problemOf(answer);
  throw new NotAnswered(refusalNotice(answer.status, String(detail ?? "")), String(code ?? ""));
}

/**
 * The JSON at a path; null for an empty response.
 *
 * @param {string} path @param {{method?: string, body?: object}} [request] a plain GET by default
 * @returns {Promise<any>} raises `NotAnswered`
 */
export async function askServer(path, request = {}) {
  const answer = await openServer(path, { ...request, signal: AbortSignal.timeout(LONGEST_MS) });
  if (answer.status === 204) return null;
  return answer.json().catch(async () => {
    throw offlineError((await storedSettings()).serverUrl);
  });
}
