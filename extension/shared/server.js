
/** @import { Settings } from "../types/wire" */

/** @returns {Promise<Settings>} what is stored, with the default address where there is none */
export async function storedSettings() {
  return settingsOf(await chrome.storage.local.get("settings"));
}

/** @param {Settings} settings stores them. A session and a conversation belong to a server and a key: others begin afresh. */
export async function storeSettings(settings) {
  const before = await storedSettings();
  const changed = before.serverUrl !== settings.serverUrl || before.apiKey !== settings.apiKey;
  if (changed) await chrome.storage.local.remove(["sessionId", "chatThread", "opinions"]);
  await chrome.storage.local.set({ settings });
}

export const DEFAULT_SERVER = "http://127.0.0.1:8787";

/** An address that is none, or that is not to be used; the message says what to do. */
export class AddressRefused extends Error {}

/** @param {string} hostname as `URL` has it: 127.1, 0x7f000001 and the like are spelled out already */
const isLoopback = (hostname) => hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);

/** @param {URL} url */
const isInTheOpen = ({ protocol, hostname }) => protocol !== "https:" && !isLoopback(hostname);

/** @param {string} address @returns {string} without the slashes it ends in */
function withoutSlashes(address) {
  let end = address.length;
  while (address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}

/**
 * @param {string} typed the address of a server; without a scheme it means https://
 * @returns {string} as it is stored; raises `AddressRefused`
 */
export function normalizeAddress(typed) {
  const text = typed.trim();
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) throw new AddressRefused("That is no web address. It looks like https://tabwright.example.");
  const url = new URL(address);
  if (url.hostname.includes("%")) throw new AddressRefused("No host is called that."); // Chrome's writing of a space
  if (!/^https?:$/.test(url.protocol)) throw new AddressRefused("The address begins with https://, or http:// for this computer.");
  if (isInTheOpen(url)) throw new AddressRefused(`Plain http:// works for this computer alone, since others could read along. Use https://${url.host} instead.`);
  return withoutSlashes(url.origin + url.pathname);
}

/** @param {string} serverUrl as it is stored, perhaps by an older version @returns {string} why nothing is sent there; "" where it may be */
export function addressRefusal(serverUrl) {
  if (URL.canParse(serverUrl) && !isInTheOpen(new URL(serverUrl))) return "";
  return `Nothing is sent to ${serverUrl}: others could read along. Enter the server's https:// address in the settings, or pair again.`;
}

/** @param {string} serverUrl that nothing answers at @returns {string} what the person may have meant, to be said after that */
export function loopbackHint(serverUrl) {
  const { protocol, hostname, host } = new URL(serverUrl);
  const mayBePlain = protocol === "https:" && isLoopback(hostname);
  return mayBePlain ? ` A server on this computer is most often at http://${host}; without http:// an address means https://.` : "";
}

/** @param {Settings} settings @param {string} path @returns {string} where it is asked; raises `AddressRefused` */
export function endpoint({ serverUrl }, path) {
  const refused = addressRefusal(serverUrl);
  if (refused) throw new AddressRefused(refused);
  return withoutSlashes(serverUrl) + path;
}

/**
 * Asks the server. A redirect is an error: it could lead anywhere, over plain http:// too.
 *
 * @param {Settings} settings @param {string} path @param {RequestInit} [init] @param {typeof fetch} [ask]
 * @returns {Promise<Response>} raises `AddressRefused`, and what `fetch` raises
 */
export const send = async (settings, path, init = {}, ask = fetch) => ask(endpoint(settings, path), { redirect: "error", ...init });

/** @param {{settings?: Partial<Settings>}} stored @returns {Settings} what is stored, with the default address where there is none */
export const settingsOf = ({ settings }) => ({ serverUrl: settings?.serverUrl || DEFAULT_SERVER, apiKey: settings?.apiKey ?? "" });
