import { AddressRefused, ProtocolMismatch, send } from "../../shared/server.js";
import { createSseParser, watchSilence } from "../../shared/event_stream.js";

/** @import { ActiveTask, Settings, StatusEvent, TerminalEvent } from "../../types/wire" */
/** @import { Clock } from "../../shared/event_stream.js" */

const LONGEST_MS = 30_000;

/**
 * Makes requests to the server that do not belong to a run.
 *
 * @param {() => Promise<Settings>} settings
 * @returns {(path: string, what?: {method?: string, body?: object}) => Promise<any>} raises `Problem`, or `Error` when there is no answer
 */
export const createServerClient = (settings) => async (path, { method = "GET", body } = {}) => {
  const given = await settings();
  const { serverUrl, apiKey } = given;
  if (!apiKey) throw new Error("Pair Tabwright with your server first.");
  const headers = { Authorization: `Bearer ${apiKey}`, ...(body ? { "Content-Type": "application/json" } : {}) };
  const sent = { method, headers, signal: AbortSignal.timeout(LONGEST_MS), ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await send(given, path, sent).catch((error) => {
    throw error instanceof AddressRefused || error instanceof ProtocolMismatch ? error : new Error(`The server at ${serverUrl} is not responding.`);
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
  const parser = createSseParser((data) => onEvent(JSON.parse(data)));
  try {
    const response = await sendToServer(settings, path, { signal: guard.signal, headers: { Accept: "text/event-stream", Authorization: `Bearer ${settings.apiKey}` } }, how.fetch);
    guard.noteBytes();
    if (!response.ok) throw await problemOf(response);
    if (!response.headers.get("Content-Type")?.includes("text/event-stream")) throw new Problem(404, "NOT_FOUND", "");
    if (!response.body) throw new Lost("The answer had no body");
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      guard.noteBytes();
      parser.push(piece.value);
    }
  } catch (error) {
    if (signal.aborted || error instanceof Problem || error instanceof Lost) throw error;
    throw new Lost(error instanceof Error ? error.message : String(error));
  } finally {
    guard.end();
  }
}

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
 * @param {Parameters<typeof send>} call @returns {Promise<Response>} raises `Problem`, and what `fetch` raises
 */
export const sendToServer = (...call) =>
  send(...call).catch((error) => {
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
 * @param {Response} response @param {() => void} heard
 * @param {(event: StatusEvent) => void} onStatus
 * @returns {Promise<TerminalEvent>}
 */
async function readStream(response, heard, onStatus) {
  if (!response.body) throw new Lost("The answer had no body");
  /** @type {TerminalEvent | null} */
  let terminal = null;
  const parser = createSseParser((data) => {
    const event = JSON.parse(data);
    if (event.type === "status") onStatus(event);
    else terminal = event;
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (value) {
      heard();
      parser.push(value);
    }
    if (terminal) return terminal;
    if (done) throw new Lost("The answer ended before its last event");
  }
}

/**
 * Posts one interact request and reads the answer up to its final event.
 *
 * @param {{settings: Settings, body: string, signal: AbortSignal, silenceMs?: number, clock?: Clock,
 *   onStatus: (event: StatusEvent) => void, fetch?: typeof fetch}} call
 * @returns {Promise<TerminalEvent>} raises `Problem`, `Lost`, or the abort of `signal`
 */
export async function interact(call) {
  const { settings, body, signal, onStatus, silenceMs = SILENCE_MS } = call;
  const guard = watchSilence(silenceMs, signal, call.clock);
  try {
    const headers = { "Content-Type": "application/json", Accept: "text/event-stream", Authorization: `Bearer ${settings.apiKey}` };
    const response = await sendToServer(settings, "/api/agent/interact", { method: "POST", body, signal: guard.signal, headers }, call.fetch);
    guard.noteBytes();
    if (!response.ok) throw await problemOf(response);
    const streamed = response.headers.get("Content-Type")?.includes("text/event-stream");
    if (!streamed) return await response.json();
    return await readStream(response, guard.noteBytes, onStatus);
  } catch (error) {
    if (signal.aborted || error instanceof Problem || error instanceof Lost) throw error;
    throw new Lost(error instanceof Error ? error.message : String(error));
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
  const answer = await send(settings, path, {
    method: "POST",
    headers: { Authorization: `Bearer ${settings.apiKey}` },
    signal: AbortSignal.timeout(CANCEL_MS),
  }).catch(() => null);
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
    const response = await send(settings, path, {
      headers: { Authorization: `Bearer ${settings.apiKey}` },
      signal: AbortSignal.timeout(ASK_MS),
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
