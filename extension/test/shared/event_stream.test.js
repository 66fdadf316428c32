import assert from "node:assert/strict";
import test from "node:test";
import { interact, Lost } from "../../runner/server/client.js";
import { onWaking, watchSilence } from "../../shared/event_stream.js";

/** A clock that goes by hand: `pass` lets timers run, `sleep` is a computer asleep, whose timers do not. */
function clockByHand() {
  let now = 1_000_000;
  /** @type {Set<{ms: number, left: number, call: () => void}>} */
  const timers = new Set();
  return {
    clock: {
      now: () => now,
      every(/** @type {number} */ ms, /** @type {() => void} */ call) {
        const timer = { ms, left: ms, call };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    sleep: (/** @type {number} */ ms) => void (now += ms),
    pass(/** @type {number} */ ms) {
      for (let passed = 0; passed < ms; passed += 100) {
        now += 100;
        for (const timer of [...timers]) {
          timer.left -= 100;
          if (timer.left > 0) continue;
          timer.left = timer.ms;
          timer.call();
        }
      }
    },
    timers,
  };
}

const NEVER = new AbortController().signal;

test("thirty seconds without a byte are silence, and every byte begins them anew", () => {
  const { clock, pass, timers } = clockByHand();
  const guard = watchSilence(30_000, NEVER, clock);
  pass(28_000);
  guard.noteBytes();
  pass(28_000);
  assert.equal(guard.signal.aborted, false);
  pass(7_000);
  assert.equal(guard.signal.aborted, true);
  guard.end();
  assert.equal(timers.size, 0);
});

test("after a sleep the dead stream is given up at the first tick, not half a minute later", () => {
  const { clock, pass, sleep } = clockByHand();
  const guard = watchSilence(30_000, NEVER, clock);
  pass(1_000);
  sleep(3_600_000);
  pass(5_000);
  assert.equal(guard.signal.aborted, true);
});

test("a clock that is set back neither ends a stream nor keeps a dead one", () => {
  const { clock, pass, sleep } = clockByHand();
  const guard = watchSilence(30_000, NEVER, clock);
  pass(10_000);
  sleep(-3_600_000);
  pass(15_000);
  assert.equal(guard.signal.aborted, false);
  pass(15_000);
  assert.equal(guard.signal.aborted, true);
});

test("a request that was under way while the computer slept is lost, so that it is repeated", async () => {
  const { clock, pass, sleep } = clockByHand();
  const hanging = /** @type {typeof fetch} */ (
    (_, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))))
  );
  const answer = interact({ settings: { serverUrl: "https://s", apiKey: "k" }, body: "{}", signal: NEVER, clock, fetch: hanging, onStatus: () => undefined });
  sleep(600_000);
  pass(5_000);
  await assert.rejects(answer, Lost);
});

test("waking up is told once, and a busy moment is no sleep", () => {
  const { clock, pass, sleep } = clockByHand();
  let woken = 0;
  const end = onWaking(() => woken++, clock);
  pass(60_000);
  sleep(30_000);
  pass(10_000);
  assert.equal(woken, 0);
  sleep(120_000);
  pass(10_000);
  assert.equal(woken, 1);
  end();
});
