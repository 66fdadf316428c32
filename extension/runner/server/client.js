import { AddressRefused, ProtocolMismatch, sendWithKey } from "../../shared/server.js";
import { readEvents, watchSilence } from "../../shared/event_stream.js";

/** @import { ActiveTask, Settings, StatusEvent, TerminalEvent } from "../../types/wire" */
/** @import { Clock } from "../../shared/event_stream.js" */

const LONGEST_MS = 30_000;

/**
 * Makes requests to the server that do not belong to a run.
 *
 * @param {() => Promise<Settings>} settings
 * @returns {(path: string, request?: {method?: string, body?: object}) => Promise<any>} raises `Problem`, or `Error` when there is no answer
 */
export const createServerClient = (settings) => async (path, request = {}) => {
  const given = await settings();
  if (!given.apiKey) throw new Error("Pair Tabwright with your server first.");
  const answer = await sendWithKey(given, path, { ...request, signal: AbortSignal.timeout(LONGEST_MS) }).catch((error) => {
    throw error instanceof AddressRefused || error instanceof ProtocolMismatch ? error : new Error(`The server at ${given.serverUrl} is not responding.`);
  });
  if (!answer.ok) throw await problemOf(answer);
  return answer.status === 204 ? null : answer.json();
};

const SILENCE_MS = 30_000; // CONTRACT: 30 s without a byte is a lost connection

/**
 * Reads the events at a path until the server ends the stream.
 *
 * @param {{settings: Settings, path: string, signal: AbortSignal, onOpen: () => void, onEvent: (event: any) => void,
 *   silenceMs?: number, clock?: Clock, fetch?: typeof fetch}} call
 * @returns {Promise<void>} raises `Problem`, `Lost`, or the abort of `signal`
 */
export async function followEvents({ settings, path, signal, onOpen, onEvent, ...how }) {
  const guard = watchSilence(how.silenceMs ?? SILENCE_MS, signal, how.clock);
  try {
    const response = await sendToServer(settings, path, { signal: guard.signal, accept: "text/event-stream" }, how.fetch);
    guard.noteBytes();
    if (!response.ok) throw await problemOf(response);
    if (!isStream(response)) throw new Problem(404, "NOT_FOUND", "");
    if (!response.body) throw new Lost("The answer had no body");
    onOpen();
    await readEvents(response, (data) => void onEvent(JSON.parse(data)), guard.noteBytes);
  } catch (error) {
    throw lostOr(error, signal);
  } finally {
    guard.end();
  }
}

/** @param {Response} response */
const isStream = (response) => response.headers.get("Content-Type")?.includes("text/event-stream") === true;

/** @param {unknown} error of a request @param {AbortSignal} signal of its caller @returns {unknown} `Lost` for what the connection raises */
const lostOr = (error, signal) =>
  signal.aborted || error instanceof Problem || error instanceof Lost ? error : new Lost(error instanceof Error ? error.message : String(error));

/** Problem codes that the extension itself raises: an address that it sends nothing to, a server with another protocol version. */
export const REFUSED = "ADDRESS_REFUSED";
export const MISMATCH = "PROTOCOL_MISMATCH";
const CANCEL_MS = 5_000;
const ASK_MS = 3_000;

/** The server answered with an error. */
export class Problem extends Error {
  /**
   * @param {number} status HTTP status
   * @param {string} code the problem's stable code
   * @param {string} detail the message for people
   * @param {number | null} retryAfterMs
   * @param {import("../../types/wire").HandOver | null} [handOver] the step the person may do instead
   */
  constructor(status, code, detail, retryAfterMs = null, handOver = null) {
    super(detail || `The server responded with status ${status}`);
    this.detail = detail;
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.handOver = handOver;
  }
}

/** The connection ended before the answer was complete. */
export class Lost extends Error {}

/**
 * Sends a request; an address that nothing may be sent to becomes a `Problem`, since no retry helps.
 *
 * @param {Parameters<typeof sendWithKey>} call @returns {Promise<Response>} raises `Problem`, and what `fetch` raises
 */
export const sendToServer = (...call) =>
  sendWithKey(...call).catch((error) => {
    if (error instanceof ProtocolMismatch) throw new Problem(426, MISMATCH, error.message);
    throw error instanceof AddressRefused ? new Problem(0, REFUSED, error.message) : error;
  });

/** @param {Response} response */
export async function problemOf(response) {
  const seconds = Number(response.headers.get("Retry-After"));
  const body = await response.json().catch(() => ({}));
  const detail = body.detail || body.title || "";
  const text = typeof detail === "string" ? detail : JSON.stringify(detail);
  const after = seconds > 0 ? seconds * 1000 : null;
  return new Problem(response.status, body.code ?? `HTTP_${response.status}`, text, after, body.handOver);
}

/**
 * Posts one interact request and reads the answer up to its final event.
 *
 * @param {{settings: Settings, body: string, signal: AbortSignal, silenceMs?: number, clock?: Clock,
 *   onStatus: (event: StatusEvent) => void, fetch?: typeof fetch}} call
 * @returns {Promise<TerminalEvent>} raises `Problem`, `Lost`, or the abort of `signal`
 */
export async function interact({ settings, body, signal, onStatus, silenceMs = SILENCE_MS, ...how }) {
  const guard = watchSilence(silenceMs, signal, how.clock);
  try {
    const response = await sendToServer(settings, "/api/agent/interact", { method: "POST", body, accept: "text/event-stream", signal: guard.signal }, how.fetch);
    guard.noteBytes();
    if (!response.ok) throw await problemOf(response);
    if (!isStream(response)) return await response.json();
    if (!response.body) throw new Lost("The answer had no body");
    /** @type {TerminalEvent | null} */
    let terminal = null;
    await readEvents(response, (data) => {
      const event = JSON.parse(data);
      if (event.type === "status") onStatus(event);
      else terminal = event;
      return terminal !== null;
    }, guard.noteBytes);
    if (!terminal) throw new Lost("The answer ended before its last event");
    return terminal;
  } catch (error) {
    throw lostOr(error, signal);
  } finally {
    guard.end();
  }
}

/**
 * Tells the server that the person stopped a task. A failure is no error: an abandoned task becomes
 * `interrupted` by itself.
 *
 * @param {Settings} settings @param {string} taskId @returns {Promise<boolean>} whether it was told
 */
export async function cancel(settings, taskId) {
  const path = `/api/task/${encodeURIComponent(taskId)}/cancel`;
  const answer = await sendWithKey(settings, path, { method: "POST", signal: AbortSignal.timeout(CANCEL_MS) }).catch(() => null);
  return answer !== null && answer.status < 500;
}

/**
 * The newest unfinished or interrupted task of a session on the site of this address.
 *
 * @param {Settings} settings @param {string} sessionId @param {string} url
 * @returns {Promise<ActiveTask | null>} null also when the server cannot be reached
 */
export async function activeTask(settings, sessionId, url) {
  const query = new URLSearchParams({ url, interrupted: "true" });
  const path = `/api/session/${encodeURIComponent(sessionId)}/task/active?${query}`;
  try {
    const response = await sendWithKey(settings, path, { signal: AbortSignal.timeout(ASK_MS) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

const FIRST_MS = 500;
const MOST_MS = 30_000;
const SERVER_FAULTS = 6; // retries after a 500: it may pass while a server restarts, but not forever

/** @param {number} tries failed attempts so far, from 0 */
export function delayMs(tries) {
  return Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(tries, 10));
}

/**
 * What to do after a request failed.
 *
 * @param {unknown} error a `Problem`, or anything else for a lost connection
 * @param {number} tries failed attempts so far, from 0
 * @returns {{again: false, problem: Problem} | {again: true, delayMs: number, busy: boolean}}
 */
export function afterFailure(error, tries) {
  if (!(error instanceof Problem)) return { again: true, delayMs: delayMs(tries), busy: false };
  const waits = error.status === 429 || error.status === 503 || error.code === "TASK_BUSY";
  if (waits) {
    const asked = error.retryAfterMs ?? delayMs(tries);
    return { again: true, delayMs: Math.max(asked, FIRST_MS), busy: error.status !== 503 };
  }
  if (error.status >= 500 && tries < SERVER_FAULTS) {
    return { again: true, delayMs: delayMs(tries), busy: false };
  }
  return { again: false, problem: error };
}
