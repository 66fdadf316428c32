/**
 * Reads server-sent events from text that arrives in arbitrary pieces.
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
      // A "\r" at the very end may be half of "\r\n": it waits for the next piece.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = /** @type {string} */ (lines.pop());
      for (const line of lines) take(line);
    },
  };
}

/**
 * Reads the events of a response until `onData` returns true, or to the end.
 *
 * @param {Response} response @param {(data: string) => unknown} onData called with each event's data @param {() => void} [onBytes] called for every piece
 * @returns {Promise<boolean>} whether `onData` ended it; raises what the connection raises
 */
export async function readEvents(response, onData, onBytes = () => undefined) {
  let isOver = false;
  const parser = createSseParser((data) => {
    isOver ||= onData(data) === true;
  });
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    onBytes();
    if (value) parser.push(value);
    if (isOver) void reader.cancel().catch(() => undefined);
    if (isOver || done) return isOver;
  }
}

/** The runner's clock; tests pass their own.
 * @typedef {{now: () => number, every: (ms: number, call: () => void) => (() => void)}} Clock
 */

const TICK_MS = 5_000;
const ASLEEP_MS = 60_000; // a tick this late means that the computer slept

/** @type {Clock} */
export const CLOCK = {
  now: Date.now,
  every(ms, call) {
    const timer = setInterval(call, ms);
    return () => clearInterval(timer);
  },
};

/**
 * Aborts when no byte came for `ms` of wall-clock time, or when `outer` does. Timers stop while a computer
 * sleeps but the wall clock does not: the first tick afterwards notices, and the connection, by then
 * dead without an error, is given up at once.
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
    silentMs += Math.max(0, now - last); // a clock that was set back counts as no time
    last = now;
    if (silentMs >= ms) stop();
  });
  outer.addEventListener("abort", stop);
  if (outer.aborted) stop();
  return {
    signal: inner.signal,
    noteBytes() {
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
 * Calls `woke` when the computer wakes up: anything waiting for a time has waited long enough.
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
