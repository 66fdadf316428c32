/** Looking again, while it is looked at. */

import { isAborted, Problem } from "./api.js";

const SLOWEST_MS = 60_000;

/** @param {number} ms @param {AbortSignal} signal resolves early, and is over, when it is aborted */
const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve(null)), { once: true });
  });

/** @param {AbortSignal} signal */
const seen = (signal) =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve(null);
    document.addEventListener("visibilitychange", resolve, { once: true, signal });
    signal.addEventListener("abort", resolve, { once: true });
  });

/**
 * Calls `look` every `ms` until it says that nothing more will change, or the reader leaves.
 *
 * @param {number} ms @param {AbortSignal} signal @param {() => Promise<boolean | void>} look false: that was the last
 * @param {(problem: Problem | null) => void} [report] what went wrong, null once it is right again
 */
export async function repeat(ms, signal, look, report = () => {}) {
  let wait = ms;
  while (!signal.aborted) {
    await pause(wait, signal);
    await seen(signal);
    if (signal.aborted) return;
    try {
      if ((await look()) === false) return;
      wait = ms;
      report(null);
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      wait = Math.min(SLOWEST_MS, error.wait ? 1000 * error.wait : 2 * wait);
      report(error);
    }
  }
}
