import { loopbackHint, ProtocolMismatch, send, sendWithKey } from "../shared/server.js";

const LONGEST_MS = 5_000;

/** @import { Settings } from "../types/wire" */

/**
 * Checks whether the server answers and accepts the key.
 *
 * @param {Settings} settings @param {typeof fetch} [ask]
 * @returns {Promise<{ok: boolean, text: string}>}
 */
export async function testConnection(settings, ask = fetch) {
  const { serverUrl, apiKey } = settings;
  /** @type {Response} */
  let health;
  try {
    health = await send(settings, "/healthz", { signal: AbortSignal.timeout(LONGEST_MS) }, ask);
  } catch (error) {
    if (error instanceof ProtocolMismatch) return { ok: false, text: error.message };
    return { ok: false, text: `No server responds at ${serverUrl}.${loopbackHint(serverUrl)} Start the server with “make serve”, or check the address.` };
  }
  if (!health.ok) return { ok: false, text: `${serverUrl} is not a Tabwright server (status ${health.status}).` };
  if (!apiKey) return { ok: false, text: "The server is running. Now enter an API key." };
  try {
    const sessions = await sendWithKey(settings, "/api/sessions", { signal: AbortSignal.timeout(LONGEST_MS) }, ask);
    if (sessions.ok) return { ok: true, text: "Connected. The server accepts the key." };
    if (sessions.status === 401) return { ok: false, text: "The server is running, but this API key is not valid." };
    if (sessions.status === 403) return { ok: false, text: "The API key is valid, but does not have the required scope." };
    return { ok: false, text: `The server is running, but it responded with status ${sessions.status}.` };
  } catch {
    return { ok: false, text: "The server is running, but rejected this extension. Check TABWRIGHT_ALLOWED_ORIGINS." };
  }
}
