import { ask, Lost, Problem, problemOf } from "./client.js";
import { watchSilence } from "../../shared/silence.js";
import { createSseParser } from "../../shared/sse.js";

/** @import { Settings } from "../../types/wire" */
/** @import { Clock } from "../../shared/silence.js" */

const SILENCE_MS = 30_000; // CONTRACT: 30 s without a byte is a lost connection

/**
 * Hears the events at a path until the server ends the stream.
 *
 * @param {{settings: Settings, path: string, signal: AbortSignal, onOpen: () => void, onEvent: (event: any) => void,
 *   silenceMs?: number, clock?: Clock, fetch?: typeof fetch}} call
 * @returns {Promise<void>} raises `Problem`, `Lost`, or the abort of `signal`
 */
export async function followEvents({ settings, path, signal, onOpen, onEvent, ...how }) {
  const guard = watchSilence(how.silenceMs ?? SILENCE_MS, signal, how.clock);
  const parser = createSseParser((data) => onEvent(JSON.parse(data)));
  try {
    const response = await ask(settings, path, { signal: guard.signal, headers: { Accept: "text/event-stream", Authorization: `Bearer ${settings.apiKey}` } }, how.fetch);
    guard.heard();
    if (!response.ok) throw await problemOf(response);
    if (!response.headers.get("Content-Type")?.includes("text/event-stream")) throw new Problem(404, "NOT_FOUND", "");
    if (!response.body) throw new Lost("The answer had no body");
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      guard.heard();
      parser.push(piece.value);
    }
  } catch (error) {
    if (signal.aborted || error instanceof Problem || error instanceof Lost) throw error;
    throw new Lost(error instanceof Error ? error.message : String(error));
  } finally {
    guard.end();
  }
}
