import { normalAddress } from "./connection.js";

/** @import { Settings } from "../types/wire" */

const CODE = /^[2-9A-HJ-NP-Z]{8}$/; // as the server makes them: no 0 O, 1 I
const LONGEST_MS = 8_000;

/** Why pairing did not work, as a sentence that says what to do. */
export class NotPaired extends Error {}

/**
 * What a person pasted: "ABCD-EFGH", or "host:port/ABCD-EFGH" for a server elsewhere.
 *
 * @param {string} typed @param {string} serverUrl where a code alone belongs
 * @returns {{serverUrl: string, code: string}} raises `NotPaired`
 */
export function readCode(typed, serverUrl) {
  const text = typed.trim();
  const cut = text.lastIndexOf("/");
  const code = text.slice(cut + 1).replace(/[\s-]/g, "").toUpperCase();
  if (!CODE.test(code)) throw new NotPaired("That is no pairing code. It looks like ABCD-EFGH, or host:port/ABCD-EFGH.");
  if (cut < 0) return { serverUrl, code };
  try {
    return { serverUrl: normalAddress(text.slice(0, cut)), code };
  } catch {
    throw new NotPaired("What stands before the code is no web address.");
  }
}

/** @param {Response} answer @param {string} serverUrl */
function refusal({ status, headers }, serverUrl) {
  if (status === 404) return `The server at ${serverUrl} does not take this code: it is mistyped, used or over two minutes old. Make a new one.`;
  if (status === 403) return `The server at ${serverUrl} pairs over TLS alone, or with a browser on its own machine. Reach it by https://, or paste a key instead.`;
  if (status === 429) {
    const minutes = Math.ceil(Number(headers.get("retry-after") ?? 60) / 60);
    return `Too many wrong codes. Try again in ${minutes} min.`;
  }
  return `The server at ${serverUrl} answered with status ${status}.`;
}

/**
 * Turns a code into settings.
 *
 * @param {string} typed @param {string} known the server's address as it is stored @param {typeof fetch} [ask]
 * @returns {Promise<Settings>} raises `NotPaired`
 */
export async function pair(typed, known, ask = fetch) {
  const { serverUrl, code } = readCode(typed, known);
  /** @type {Response} */
  let answer;
  try {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ code });
    answer = await ask(`${serverUrl}/api/pairing/claim`, { method: "POST", headers, body, signal: AbortSignal.timeout(LONGEST_MS) });
  } catch {
    throw new NotPaired(`Nothing answers at ${serverUrl}. Start the server, or paste the code with its address: host:port/ABCD-EFGH.`);
  }
  if (!answer.ok) throw new NotPaired(refusal(answer, serverUrl));
  const { apiKey } = await answer.json().catch(() => ({}));
  if (typeof apiKey !== "string" || !apiKey) throw new NotPaired(`What answers at ${serverUrl} is no Tabwright server.`);
  return { serverUrl, apiKey };
}
