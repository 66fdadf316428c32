import { AddressRefused, addressRefusal, loopbackHint, normalizeAddress, ProtocolMismatch, send, storeSettings, storedSettings } from "../shared/server.js";
import { element } from "./element.js";

/** @import { Settings } from "../types/wire" */

// Checks that a server made a pairing code. The server's side is app/store/people/pairings.py.

const ROUNDS = 600_000;
const SALT = "tabwright pairing code";
const NONCE_BYTES = 32;

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array} data */
const hex = (data) => Array.from(data, (one) => one.toString(16).padStart(2, "0")).join("");

/** @returns {string} a new random value, so that the server cannot replay an old proof */
const newNonce = () => hex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));

/**
 * The proof that a server knows the code, for this nonce and origin. It gives nothing away to a server that does not.
 *
 * @param {string} code eight letters @param {string} nonce @param {string} origin
 * @returns {Promise<string>}
 */
export async function proofOf(code, nonce, origin) {
  const known = await crypto.subtle.importKey("raw", bytes(code), "PBKDF2", false, ["deriveKey"]);
  const slow = { name: "PBKDF2", hash: "SHA-256", salt: bytes(SALT), iterations: ROUNDS };
  const key = await crypto.subtle.deriveKey(slow, known, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(`tabwright pairing\n${nonce}\n${origin}`))));
}

const CODE = /^[2-9A-HJ-NP-Z]{8}$/; // as the server makes them: no 0 O, 1 I
const LONGEST_MS = 8_000;

/** Pairing failed; the message says what to do. */
export class NotPaired extends Error {}

/**
 * A pasted code: "ABCD-EFGH", or "https://host/ABCD-EFGH" for a server elsewhere.
 *
 * @param {string} typed @param {string} serverUrl used for a code without an address
 * @returns {{serverUrl: string, code: string}} raises `NotPaired`
 */
export function readCode(typed, serverUrl) {
  const text = typed.trim();
  const cut = text.lastIndexOf("/");
  const code = text.slice(cut + 1).replace(/[\s-]/g, "").toUpperCase();
  if (!CODE.test(code)) throw new NotPaired("That is not a pairing code. It looks like ABCD-EFGH, or https://host/ABCD-EFGH.");
  const refused = cut < 0 ? addressRefusal(serverUrl) : "";
  if (refused) throw new NotPaired(`${refused} A code can be pasted with its address: https://host/ABCD-EFGH.`);
  if (cut < 0) return { serverUrl, code };
  try {
    return { serverUrl: normalizeAddress(text.slice(0, cut)), code };
  } catch (error) {
    throw error instanceof AddressRefused ? new NotPaired(`The address before the code cannot be used. ${error.message}`) : error;
  }
}

/** @param {Response} answer @param {string} serverUrl */
function refusal({ status, headers }, serverUrl) {
  if (status === 404) return `The server at ${serverUrl} does not accept this code: it is mistyped, already used, or more than two minutes old. Create a new one.`;
  if (status === 403) return `The server at ${serverUrl} only pairs over TLS, or with a browser on the same machine. Use https://, or paste a key instead.`;
  if (status === 429) {
    const minutes = Math.ceil(Number(headers.get("retry-after") ?? 60) / 60);
    return `Too many attempts. Try again in ${minutes} min.`;
  }
  return `The server at ${serverUrl} responded with status ${status}.`;
}

/** @param {Response} answer @returns {Promise<Record<string, unknown>>} its JSON, empty if it has none */
const readJson = async (answer) => (await answer.json().catch(() => null)) ?? {};

/** @param {string} serverUrl */
const stranger = (serverUrl) => new NotPaired(`${serverUrl} is not a Tabwright server, or too old for this extension: then update the server. The code was not sent to it.`);

/**
 * Checks that the server made the code, before sending the code to it.
 *
 * @param {{serverUrl: string, code: string}} given @param {(path: string, init?: RequestInit) => Promise<Response>} ask
 * @returns {Promise<void>} raises `NotPaired`
 */
async function refuseStrangers({ serverUrl, code }, ask) {
  const nonce = newNonce();
  const answer = await ask(`/api/pairing/proofs?nonce=${nonce}`);
  if (answer.status === 403 || answer.status === 429) throw new NotPaired(refusal(answer, serverUrl));
  const { proofs } = answer.ok ? await readJson(answer) : { proofs: null };
  if (!Array.isArray(proofs)) throw stranger(serverUrl);
  if (proofs.includes(await proofOf(code, nonce, new URL(serverUrl).origin))) return;
  throw new NotPaired(
    `The server at ${serverUrl} did not create this code, or the code is mistyped, already used, or more than two minutes old. The code was not sent. Create a new one with: tabwright pair --server ${serverUrl}`,
  );
}

/**
 * Turns a code into settings.
 *
 * @param {string} typed @param {string} known the server's address as it is stored @param {typeof fetch} [ask]
 * @returns {Promise<Settings>} raises `NotPaired`
 */
export async function pair(typed, known, ask = fetch) {
  const given = readCode(typed, known);
  const { serverUrl, code } = given;
  /** @param {string} path @param {RequestInit} [init] */
  const asked = (path, init) =>
    send({ serverUrl, apiKey: "" }, path, { cache: "no-store", signal: AbortSignal.timeout(LONGEST_MS), ...init }, ask).catch((error) => {
      if (error instanceof ProtocolMismatch) throw new NotPaired(error.message);
      throw new NotPaired(`No server responds at ${serverUrl}.${loopbackHint(serverUrl)} Start the server, or paste the code with its address: https://host/ABCD-EFGH.`);
    });
  await refuseStrangers(given, asked);
  const answer = await asked("/api/pairing/claim", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
  if (!answer.ok) throw new NotPaired(refusal(answer, serverUrl));
  const { apiKey } = await readJson(answer);
  if (typeof apiKey !== "string" || !apiKey) throw stranger(serverUrl);
  return { serverUrl, apiKey };
}

/** @param {() => void} [onPaired] @returns {HTMLFormElement} the field for a pairing code */
export function pairingForm(onPaired = () => {}) {
  const input = element("input", {
    type: "text", id: "pair-code", "data-testid": "pair-code", placeholder: "ABCD-EFGH", required: "",
    autocomplete: "off", autocapitalize: "characters", spellcheck: "false", "aria-describedby": "pair-help pair-said",
  });
  const button = element("button", { type: "submit", class: "primary", "data-testid": "pair-submit" }, "Pair");
  const problem = element("p", { id: "pair-said", class: "said", role: "alert", "data-testid": "pair-said" });
  const help = element("p", { id: "pair-help", class: "hint" }, "Run ", element("code", {}, "tabwright pair"), " where the server runs, and paste the last line it prints.");
  const form = element("form", { class: "pair", novalidate: "" }, element("label", { for: "pair-code" }, "Pairing code"), element("div", { class: "row" }, input, button), problem, help);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    button.disabled = true;
    try {
      await storeSettings(await pair(input.value, (await storedSettings()).serverUrl));
      input.value = "";
      onPaired();
    } catch (error) {
      problem.textContent = error instanceof NotPaired ? error.message : String(error);
      input.focus();
    } finally {
      button.disabled = false;
    }
  });
  return form;
}
