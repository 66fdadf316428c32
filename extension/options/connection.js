const LONGEST_MS = 5_000;

/** @import { Settings } from "../types/wire" */

/** @param {string} typed @returns {string} the address as it is stored; raises `TypeError` when it is none */
export function normalAddress(typed) {
  const url = new URL(/^[a-z]+:\/\//i.test(typed.trim()) ? typed.trim() : `http://${typed.trim()}`);
  if (url.hostname.includes("%")) throw new TypeError("No host is called that"); // Chrome's writing of a space
  if (!/^https?:$/.test(url.protocol)) throw new TypeError("The address begins with http:// or https://");
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/**
 * Whether the server answers and takes the key, in words.
 *
 * @param {Settings} settings @param {typeof fetch} [ask]
 * @returns {Promise<{ok: boolean, text: string}>}
 */
export async function testConnection({ serverUrl, apiKey }, ask = fetch) {
  const get = (/** @type {string} */ path, headers = {}) =>
    ask(serverUrl + path, { headers, signal: AbortSignal.timeout(LONGEST_MS) });
  /** @type {Response} */
  let health;
  try {
    health = await get("/healthz");
  } catch {
    return { ok: false, text: `Nothing answers at ${serverUrl}. Start it with “make serve”, or check the address.` };
  }
  if (!health.ok) return { ok: false, text: `Something answers at ${serverUrl}, but it is no Tabwright server (status ${health.status}).` };
  if (!apiKey) return { ok: false, text: "The server is there. Now it needs an API key." };
  try {
    const sessions = await get("/api/sessions", { Authorization: `Bearer ${apiKey}` });
    if (sessions.ok) return { ok: true, text: "The server is there and takes the key." };
    if (sessions.status === 401) return { ok: false, text: "The server is there, but it does not know this key." };
    if (sessions.status === 403) return { ok: false, text: "The server knows this key, but the key may not do this." };
    return { ok: false, text: `The server is there, but it answered with status ${sessions.status}.` };
  } catch {
    return { ok: false, text: "The server is there, but it refused this extension. Check TABWRIGHT_ALLOWED_ORIGINS." };
  }
}
