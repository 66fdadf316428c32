/** Where the server is, and the one function that sends anything to it. */

/** @import { Settings } from "../types/wire" */

export const DEFAULT_SERVER = "http://127.0.0.1:8787";

/** The version of the HTTP contract that this extension speaks, sent with every request. */
export const PROTOCOL = 1;
export const PROTOCOL_HEADER = "X-Tabwright-Protocol";
const PROBE_MS = 3_000;

/** An invalid or insecure server address; the message says what to do. */
export class AddressRefused extends Error {}

/** The server and the extension speak different versions of the contract; the message says which one to update. */
export class ProtocolMismatch extends Error {}

/** @param {{settings?: Partial<Settings>}} stored @returns {Settings} with the default address if none is stored */
export const settingsOf = ({ settings }) => ({ serverUrl: settings?.serverUrl || DEFAULT_SERVER, apiKey: settings?.apiKey ?? "" });

/** @returns {Promise<Settings>} */
export async function storedSettings() {
  return settingsOf(await chrome.storage.local.get("settings"));
}

/** Stores the settings. A session and a conversation belong to one server and key, so a change of either drops them. @param {Settings} settings */
export async function storeSettings(settings) {
  const before = await storedSettings();
  const changed = before.serverUrl !== settings.serverUrl || before.apiKey !== settings.apiKey;
  if (changed) await chrome.storage.local.remove(["sessionId", "chatThread", "opinions"]);
  await chrome.storage.local.set({ settings });
}

/** @param {string} hostname as `URL` normalizes it: 127.1 and 0x7f000001 are 127.0.0.1 */
const isLoopback = (hostname) => hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);

/** @param {URL} url */
const isInsecure = ({ protocol, hostname }) => protocol !== "https:" && !isLoopback(hostname);

/** @param {string} address @returns {string} */
function withoutTrailingSlashes(address) {
  let end = address.length;
  while (address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}

/**
 * @param {string} typed a server address; without a scheme it means https://
 * @returns {string} the address to store; raises `AddressRefused`
 */
export function normalizeAddress(typed) {
  const text = typed.trim();
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) throw new AddressRefused("That is not a web address. Enter one like https://tabwright.example.");
  const url = new URL(address);
  if (url.hostname.includes("%")) throw new AddressRefused("That is not a valid host name."); // Chrome encodes a space this way
  if (!/^https?:$/.test(url.protocol)) throw new AddressRefused("The address must start with https://, or http:// for a server on this computer.");
  if (isInsecure(url)) throw new AddressRefused(`Plain http:// is only allowed for this computer, because others could read the traffic. Use https://${url.host} instead.`);
  return withoutTrailingSlashes(url.origin + url.pathname);
}

/** @param {string} serverUrl as stored, perhaps by an older version @returns {string} why nothing may be sent there; "" if it may */
export function addressRefusal(serverUrl) {
  if (URL.canParse(serverUrl) && !isInsecure(new URL(serverUrl))) return "";
  return `Nothing is sent to ${serverUrl}, because others could read the traffic. Enter the server's https:// address in the settings, or pair again.`;
}

/** @param {string} serverUrl that does not answer @returns {string} a sentence to append if the person probably meant http:// */
export function loopbackHint(serverUrl) {
  const { protocol, hostname, host } = new URL(serverUrl);
  const mayBePlain = protocol === "https:" && isLoopback(hostname);
  return mayBePlain ? ` A server on this computer is usually at http://${host}; an address without http:// means https://.` : "";
}

/** @param {Settings} settings @param {string} path @returns {string} raises `AddressRefused` */
export function endpoint({ serverUrl }, path) {
  const refused = addressRefusal(serverUrl);
  if (refused) throw new AddressRefused(refused);
  return withoutTrailingSlashes(serverUrl) + path;
}

/** Servers from before the protocol header: their CORS rules refuse a request that has it. @type {Set<string>} */
const withoutProtocol = new Set();

/** @param {Settings} settings @param {typeof fetch} ask @returns {Promise<boolean>} whether it answers, and without a protocol version */
async function isOlderServer(settings, ask) {
  try {
    const answer = await ask(endpoint(settings, "/healthz"), { redirect: "error", signal: AbortSignal.timeout(PROBE_MS) });
    return answer.ok && !answer.headers?.get(PROTOCOL_HEADER);
  } catch {
    return false;
  }
}

/** @param {Settings} settings @returns {Promise<Record<string, string>>} the headers of a request that does not go through `send` */
export async function protocolHeaders(settings) {
  if (await isOlderServer(settings, fetch)) return {};
  return { [PROTOCOL_HEADER]: String(PROTOCOL) };
}

/**
 * Which side to update. A newer server that still speaks this version answers as usual, else with 426.
 *
 * @param {number} status @param {string | null | undefined} version of the server, as it says @returns {string} "" if they understand each other
 */
export function mismatchText(status, version) {
  if (Number(version ?? PROTOCOL) < PROTOCOL) return "This server is too old for the extension. Update the server.";
  return status === 426 ? "This extension is too old for the server. Update the extension." : "";
}

/** @param {Response} answer @returns {Response} raises `ProtocolMismatch` */
function checkProtocol(answer) {
  const text = mismatchText(answer.status, answer.headers?.get(PROTOCOL_HEADER));
  if (text) throw new ProtocolMismatch(text);
  return answer;
}

/**
 * Sends a request to the server. A redirect is an error: it could lead anywhere, over plain http:// too.
 *
 * @param {Settings} settings @param {string} path @param {RequestInit} [init] @param {typeof fetch} [ask]
 * @returns {Promise<Response>} raises `AddressRefused`, `ProtocolMismatch`, and what `fetch` raises
 */
export async function send(settings, path, init = {}, ask = fetch) {
  const address = endpoint(settings, path);
  const plain = () => ask(address, { redirect: "error", ...init });
  if (withoutProtocol.has(settings.serverUrl)) return checkProtocol(await plain());
  try {
    return checkProtocol(await ask(address, { redirect: "error", ...init, headers: { [PROTOCOL_HEADER]: String(PROTOCOL), ...init.headers } }));
  } catch (error) {
    if (!(error instanceof TypeError) || !(await isOlderServer(settings, ask))) throw error;
    withoutProtocol.add(settings.serverUrl);
    return checkProtocol(await plain());
  }
}

/**
 * Sends a request with the key, and with a body as JSON if there is one.
 *
 * @param {Settings} settings @param {string} path @param {{method?: string, body?: object | string, accept?: string, signal?: AbortSignal}} [request] @param {typeof fetch} [ask]
 * @returns {Promise<Response>} raises as `send`
 */
export function sendWithKey(settings, path, { method, body, accept, signal } = {}, ask) {
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${settings.apiKey}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (accept) headers.Accept = accept;
  return send(settings, path, { method, headers, signal, body: typeof body === "object" ? JSON.stringify(body) : body }, ask);
}
