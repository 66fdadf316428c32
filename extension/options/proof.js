// Whether a server made a pairing code. The server's side is app/store/people/pairings.py.

const ROUNDS = 600_000;
const SALT = "tabwright pairing code";
const NONCE_BYTES = 32;

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array} data */
const hex = (data) => Array.from(data, (one) => one.toString(16).padStart(2, "0")).join("");

/** @returns {string} what no server can have a proof for yet */
export const newNonce = () => hex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));

/**
 * What only who knows the code can say to this nonce at this origin. It tells who does not know the code nothing to try it with.
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
