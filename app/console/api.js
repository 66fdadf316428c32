/** Requests to the server, and what went wrong with one. */

import { key, signOut } from "./session.js";

/** @typedef {Record<string, string | number | null | undefined>} Asked what is empty is not sent */

const KEPT_MS = 60_000; // of a file that was handed on
const ENDED = "Your API key is no longer valid: it was revoked or has expired. Sign in with another one.";

/** What the server said, or that it said nothing. */
export class Problem extends Error {
  /** @param {number} status 0: no answer @param {string} code @param {string} detail @param {number | null} [wait] seconds */
  constructor(status, code, detail, wait = null) {
    super(detail);
    this.status = status;
    this.code = code;
    this.wait = wait;
  }
}

/** @param {string} path @param {Asked} query */
function address(path, query) {
  const made = new URL(`../api/${path}`, document.baseURI);
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== "") made.searchParams.set(name, String(value));
  made.hash = "";
  return made;
}

/** @param {unknown} error @returns {boolean} whether the reader went elsewhere meanwhile */
export const isAborted = (error) => error instanceof DOMException && error.name === "AbortError";

/** @param {Response} reply @returns {Promise<Problem>} */
async function problemOf(reply) {
  const problem = await reply.json().catch(() => ({}));
  const detail = problem.detail || problem.title || `The server responded with status ${reply.status}`;
  const wait = Number(reply.headers.get("retry-after")) || null;
  return new Problem(reply.status, problem.code ?? "", detail, wait);
}

/**
 * @param {string} method @param {string} path under `/api/`
 * @param {{query?: Asked, body?: unknown, accept?: string, signal?: AbortSignal, as?: string}} [more] `as`: another key
 * @returns {Promise<Response>}
 */
async function request(method, path, { query = {}, body, accept = "application/json", signal, as } = {}) {
  const used = as ?? key();
  /** @type {Record<string, string>} */
  const headers = { authorization: `Bearer ${used}`, accept };
  if (body !== undefined) headers["content-type"] = "application/json";
  const sent = body === undefined ? undefined : JSON.stringify(body);
  let reply;
  try {
    reply = await fetch(address(path, query), { method, headers, body: sent, signal, cache: "no-store" });
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Problem(0, "OFFLINE", "The server is not responding.");
  }
  if (reply.ok) return reply;
  const problem = await problemOf(reply);
  if (reply.status === 401 && as === undefined && used === key()) signOut(ENDED);
  throw problem;
}

/** @param {string} path @param {Asked} [query] @param {AbortSignal} [signal] @returns {Promise<any>} */
export const get = async (path, query, signal) => (await request("GET", path, { query, signal })).json();

/** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} null for no content */
export async function send(method, path, body) {
  const reply = await request(method, path, { body });
  return reply.status === 204 ? null : reply.json();
}

/** Who holds this key. @param {string} as @returns {Promise<import("./types/api").Me>} */
export const whoIs = async (as) => (await request("GET", "me", { as })).json();

/** Hands a file to the browser. @param {string} path @param {Asked} query @param {string} accept @param {string} name */
export async function download(path, query, accept, name) {
  const file = await (await request("GET", path, { query, accept })).blob();
  const made = URL.createObjectURL(file);
  saved(made, name);
  setTimeout(() => URL.revokeObjectURL(made), KEPT_MS);
}

/** Opens a page in a tab of its own, to be read and printed; saves it where the browser opens none.
 * @param {string} path @param {Asked} query @param {string} name */
export async function open(path, query, name) {
  const made = URL.createObjectURL(await (await request("GET", path, { query, accept: "text/html" })).blob());
  if (!window.open(made, "_blank")) saved(made, name);
  setTimeout(() => URL.revokeObjectURL(made), KEPT_MS); // a page that is shown stays
}

/** @param {string} made the file's address @param {string} name */
function saved(made, name) {
  const link = document.createElement("a");
  link.href = made;
  link.download = name;
  link.click();
}
