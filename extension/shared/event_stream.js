/**
 * Reads server-sent events from text that arrives in any pieces.
 *
 * @param {(data: string) => void} onData called with each event's data, lines joined by "\n"
 * @returns {{push: (text: string) => void}}
 */
export function createSseParser(onData) {
  let rest = "";
  /** @type {string[]} */
  let data = [];

  /** @param {string} line */
  function take(line) {
    if (line === "") {
      if (data.length > 0) onData(data.join("\n"));
      data = [];
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }

  return {
    push(text) {
      rest += text;
      // A "\r" at the very end may be half of "\r\n": it is left for the next piece.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = /** @type {string} */ (lines.pop());
      for (const line of lines) take(line);
    },
  };
}

/** Time, as the runner sees it; tests hand in their own.
 * @typedef {{now: () => number, every: (ms: number, call: () => void) => (() => void)}} Clock
 */

const TICK_MS = 5_000;
const ASLEEP_MS = 60_000; // a tick that comes so late: the computer slept

/** @type {Clock} */
export const CLOCK = {
  now: Date.now,
  every(ms, call) {
    const timer = setInterval(call, ms);
    return () => clearInterval(timer);
  },
};

/**
 * Aborts when no byte came for `ms` on the wall clock, or when `outer` does. While a computer
 * sleeps no timer runs but the wall clock does: the first tick after it sees how long it was, and
 * the connection, dead by then without an error, is given up at once.
 *
 * @param {number} ms @param {AbortSignal} outer @param {Clock} [clock]
 */
export function watchSilence(ms, outer, clock = CLOCK) {
  const inner = new AbortController();
  const stop = () => inner.abort();
  let silentMs = 0;
  let last = clock.now();
  const still = clock.every(Math.min(TICK_MS, ms / 4), () => {
    const now = clock.now();
    silentMs += Math.max(0, now - last); // a clock that is set back counts for nothing
    last = now;
    if (silentMs >= ms) stop();
  });
  outer.addEventListener("abort", stop);
  if (outer.aborted) stop();
  return {
    signal: inner.signal,
    heard() {
      silentMs = 0;
      last = clock.now();
    },
    end() {
      still();
      outer.removeEventListener("abort", stop);
      inner.abort();
    },
  };
}

/**
 * Calls when the computer woke up: what waits for its time has waited long enough.
 *
 * @param {() => void} woke @param {Clock} [clock] @returns {() => void} ends it
 */
export function onWaking(woke, clock = CLOCK) {
  let last = clock.now();
  return clock.every(TICK_MS, () => {
    const now = clock.now();
    if (now - last > TICK_MS + ASLEEP_MS) woke();
    last = now;
  });
}
