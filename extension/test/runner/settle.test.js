import assert from "node:assert/strict";
import test from "node:test";
import { CELLS, differenceHash, greyOf, HASH, looksDifferent } from "../../runner/run/page_forms.js";
import { newRun } from "../../runner/run/loop.js";
import { AFTER_ACTION, AFTER_OPENING, BEFORE_LOOKING, didNetworkOccur, combineQuiet, settleDocument, Stopwatch, unsettledReasons, WITHIN_CHAIN } from "../../runner/run/settle.js";

/** @import { Context } from "../../types/run" */

const PAGE = { domQuietMs: 9000, networkQuietMs: 9000, pending: null, readyState: "complete" };
const NETWORK = { since: 0, pending: 0, quietMs: 9000, anyQuietMs: 9000, started: 0, background: 0, navigating: false };

test("the worker's count decides, the page's eyes where it cannot see", () => {
  assert.deepEqual(combineQuiet(PAGE, null, 100), PAGE);
  assert.equal(combineQuiet(PAGE, { ...NETWORK, pending: 2 }, 100).pending, 2);
  assert.equal(combineQuiet(PAGE, { ...NETWORK, navigating: true }, 100).pending, 1);
  const polled = combineQuiet({ ...PAGE, networkQuietMs: 40 }, { ...NETWORK, quietMs: 800, anyQuietMs: 10 }, 100);
  assert.equal(polled.networkQuietMs, 800, "the worker knows of the poll that the page saw end");
  const unseen = combineQuiet({ ...PAGE, networkQuietMs: 40 }, { ...NETWORK, quietMs: 800, anyQuietMs: 800 }, 100);
  assert.equal(unseen.networkQuietMs, 40, "a request to a host that the extension may not read");
  const late = combineQuiet({ ...PAGE, networkQuietMs: 40 }, { ...NETWORK, since: 200, quietMs: 800, anyQuietMs: 10 }, 100);
  assert.equal(late.networkQuietMs, 40, "a worker that was not there when the act began");
});

test("a poll is no evidence of an effect", () => {
  assert.equal(didNetworkOccur(true, null), true);
  assert.equal(didNetworkOccur(true, { ...NETWORK, background: 1 }), false);
  assert.equal(didNetworkOccur(true, { ...NETWORK, background: 1, started: 1 }), true);
  assert.equal(didNetworkOccur(false, { ...NETWORK, started: 1 }), true, "one that has not ended yet");
  assert.equal(didNetworkOccur(true, NETWORK), true, "one that the worker cannot see");
});

test("what a page is waited for is told apart", () => {
  assert.deepEqual(unsettledReasons({ ...PAGE, pending: 1, domQuietMs: 100 }, 400, AFTER_ACTION), ["least", "dom", "network"]);
  assert.deepEqual(unsettledReasons(PAGE, 500, AFTER_ACTION), []);
  assert.deepEqual(unsettledReasons(PAGE, 999, AFTER_OPENING), ["least"]);
  assert.deepEqual(unsettledReasons({ ...PAGE, domQuietMs: 499 }, 1000, AFTER_OPENING), ["dom"]);
});

/** A page and a worker by the clock. @param {(at: number) => object} page @param {(at: number) => object | Promise<never>} worker */
function world(page, worker) {
  let clock = 1_000_000;
  const start = clock;
  /** @type {string[]} */
  const asked = [];
  const ctx = /** @type {Context} */ (/** @type {unknown} */ ({
    run: { ...newRun("r", 1, "goal", null), actedAt: start },
    signal: new AbortController().signal,
    world: {
      now: () => clock,
      sleep: async (/** @type {number} */ ms) => void (clock += ms),
      ask: async (/** @type {string} */ name) => (asked.push(name), worker(clock - start)),
    },
  }));
  const end = { documentId: "d", url: "", alive: true, request: async () => ({ ...PAGE, ...page(clock - start) }) };
  return { ctx, end, asked, clock: () => clock - start };
}

test("a still page takes the least, a slow save as long as it takes, and the time is told by cause", async () => {
  for (const [endsAt, least, most] of [[0, 500, 520], [2000, 2500, 2620]]) {
    const { ctx, end } = world(() => ({}), (at) => ({ ...NETWORK, since: 0, pending: at < endsAt ? 1 : 0, quietMs: Math.max(0, at - endsAt) + (endsAt ? 0 : 9000) }));
    const watch = new Stopwatch(ctx.world.now());
    await settleDocument(ctx, end, AFTER_ACTION, watch);
    const { ms, network, dom, timedOut } = watch.report(ctx.world.now());
    assert.ok(ms >= least && ms <= most, `${ms}`);
    assert.ok(endsAt ? network > 2000 : network === 0, `${network}`);
    assert.deepEqual([dom, timedOut], [0, false]);
  }
});

test("a page that is never still is left after five seconds, and the worker learns why", async () => {
  const { ctx, end, asked } = world(() => ({ domQuietMs: 10 }), () => ({ ...NETWORK, pending: 1 }));
  const watch = new Stopwatch(ctx.world.now());
  await settleDocument(ctx, end, AFTER_ACTION, watch);
  const told = watch.report(ctx.world.now());
  assert.ok(told.timedOut && told.ms >= 5000 && told.ms <= 5100, JSON.stringify(told));
  assert.equal(asked.at(-1), "network.timedOut");
});

test("placeholders are waited for longer than other changes, but not between the actions of a chain", async () => {
  for (const [limits, least, most] of /** @type {const} */ ([[BEFORE_LOOKING, 4000, 4200], [AFTER_ACTION, 4000, 4200], [WITHIN_CHAIN, 0, 50]])) {
    const { ctx, end } = world((at) => ({ loading: at < 4000 }), () => NETWORK);
    const watch = new Stopwatch(ctx.world.now());
    await settleDocument(ctx, end, limits, watch);
    const { ms, timedOut } = watch.report(ctx.world.now());
    assert.ok(ms >= least && ms <= most && !timedOut, `${ms}`);
  }
});

test("a document that is not whole is waited for before it is looked at, but not for ever", async () => {
  for (const [wholeAt, most] of [[4000, 4200], [60_000, 5200]]) {
    const { ctx, end } = world((at) => ({ readyState: at < wholeAt ? "loading" : "complete" }), () => NETWORK);
    const watch = new Stopwatch(ctx.world.now());
    await settleDocument(ctx, end, BEFORE_LOOKING, watch);
    const { ms, timedOut } = watch.report(ctx.world.now());
    assert.ok(ms >= Math.min(wholeAt, 5000) && ms <= most, `${ms}`);
    assert.equal(timedOut, wholeAt > 5000);
  }
});

test("a page does not count as settled because a busy computer's worker was late to say that it is being left", async () => {
  const { ctx, end, clock } = world(() => ({}), (at) => ({ ...NETWORK, pending: at < 3000 ? 1 : 0 }));
  const { ask } = ctx.world;
  ctx.world.ask = async (name, params, how) => {
    if (clock() < 3000 && (how?.ms ?? 0) < 1000) throw new Error("late");
    return ask(name, params, how);
  };
  const watch = new Stopwatch(ctx.world.now());
  await settleDocument(ctx, end, AFTER_ACTION, watch);
  const { ms } = watch.report(ctx.world.now());
  assert.ok(ms >= 3000 && ms <= 3200, `${ms}`);
});

test("without a worker the page's own eyes do", async () => {
  const { ctx, end } = world(() => ({}), () => Promise.reject(new Error("gone")));
  const watch = new Stopwatch(ctx.world.now());
  await settleDocument(ctx, end, AFTER_ACTION, watch);
  assert.ok(watch.report(ctx.world.now()).ms <= 520);
});

test("a picture's hash has 64 bits and keeps through small changes of brightness", () => {
  const grey = Array.from({ length: HASH.width * HASH.height }, (_, at) => (at * 37) % 251);
  assert.match(differenceHash(grey), /^[0-9a-f]{16}$/);
  assert.equal(differenceHash(grey.map((value) => value + 3)), differenceHash(grey));
  assert.notEqual(differenceHash([...grey].reverse()), differenceHash(grey));
  assert.equal(differenceHash(new Uint8Array(72)), "0".repeat(16));
});

test("a picture is another one when a person would see it, not for a blinking caret", () => {
  const cells = new Uint8Array(CELLS.width * CELLS.height).fill(250);
  const caret = cells.with(700, 237);
  const word = cells.with(700, 190);
  assert.deepEqual([looksDifferent(null, cells), looksDifferent(cells, cells), looksDifferent(cells, caret), looksDifferent(cells, word)], [true, false, false, true]);
  assert.deepEqual([...greyOf(new Uint8ClampedArray([255, 255, 255, 255, 0, 0, 0, 255, 255, 0, 0, 255]))], [255, 0, 76]);
});
