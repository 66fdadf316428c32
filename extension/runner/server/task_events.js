import { sendWithKey } from "../../shared/server.js";
import { Problem, delayMs, followEvents } from "./client.js";

/** @import { Settings, TaskEvent } from "../../types/wire" */
/** @import { World } from "../../types/run" */
/** @import { Clock } from "../../shared/event_stream.js" */

const HOLD_MS = 5_000;
const UNKNOWN_MS = 30_000; // a server without this stream may be replaced by one that has it
const AWAY_TRIES = 2; // a server that restarts is not gone yet

/**
 * Reads a task's events until the server ends the stream.
 *
 * @param {{settings: Settings, taskId: string, signal: AbortSignal, onOpen: () => void, onEvent: (event: TaskEvent) => void,
 *   silenceMs?: number, clock?: Clock, fetch?: typeof fetch}} call
 * @returns {Promise<void>} raises `Problem`, `Lost`, or the abort of `signal`
 */
export const followTaskEvents = ({ taskId, ...call }) => followEvents({ ...call, path: `/api/task/${encodeURIComponent(taskId)}/events` });

/**
 * Reads a task's events until `signal` aborts, reconnecting as often as needed. A server without
 * this stream is asked again at times.
 *
 * @param {Pick<World, "events" | "journal" | "sleep">} world @param {string} taskId @param {AbortSignal} signal
 * @param {{heard: (event: TaskEvent) => void, away: (away: boolean) => void}} tell
 */
export async function followTask(world, taskId, signal, { heard, away }) {
  if (!world.events) return;
  for (let tries = 0; !signal.aborted; tries++) {
    let pause = delayMs(tries);
    const onOpen = () => {
      tries = 0;
      away(false);
    };
    try {
      const settings = await world.journal.settings();
      await world.events({ settings, taskId, signal, onOpen, onEvent: (event) => signal.aborted || heard(event) });
    } catch (error) {
      if (signal.aborted) return;
      const told = error instanceof Problem;
      if (told && error.status < 500) pause = Math.max(UNKNOWN_MS, error.retryAfterMs ?? 0);
      if (told || tries + 1 >= AWAY_TRIES) away(!told);
    }
    await world.sleep(pause, signal).catch(() => undefined);
  }
}

/**
 * Tells the server that the person took a task over or handed it back.
 *
 * @param {Settings} settings @param {string} taskId @param {"pause" | "resume"} how
 * @returns {Promise<void>} resolves also when the server is not reached: the next request tells it too
 */
export async function reportTakeover(settings, taskId, how) {
  const request = { method: "POST", signal: AbortSignal.timeout(HOLD_MS) };
  await sendWithKey(settings, `/api/task/${encodeURIComponent(taskId)}/${how}`, request).catch(() => undefined);
}
