import assert from "node:assert/strict";
import test from "node:test";
import { Problem } from "../../runner/server/client.js";
import { browser, HANGS, PAGE, until } from "./fake_browser.js";

/** @import { InterruptEvent, TaskEvent } from "../../types/wire" */

const NOW = () => Date.now();

/** @param {Partial<InterruptEvent>} [more] @returns {InterruptEvent} */
const question = (more = {}) => ({
  type: "interrupt", taskId: "t1", sessionId: "s1", hitlId: "h1", kind: "disambiguation", interruptType: "element_choice", message: "Which one?",
  expectedInput: "single_choice", options: [{ id: "1", label: "The first", elementId: "4" }, { id: "2", label: "The second", elementId: "5" }],
  askedAt: new Date(NOW()).toISOString(), expiresAt: new Date(NOW() + 300_000).toISOString(), ...more,
});

const DONE = { type: "done", status: "completed", taskId: "t1", sessionId: "s1", result: "ok" };

/** What waits for its time waits until it is told. @param {number} _ms @param {AbortSignal} signal @returns {Promise<void>} */
const asleep = (_ms, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true }));

/** A run in tab 1 that waits with a question. @param {Partial<InterruptEvent>} [more] */
async function asked(more) {
  const out = browser();
  const seen = { shown: /** @type {any[]} */ ([]), cleared: 0, notified: 0, tell: /** @type {(event: TaskEvent) => void} */ (() => {}), pick: /** @type {(ids: string[]) => void} */ (() => {}) };
  out.more = {
    sleep: asleep,
    events: ({ onOpen, onEvent, signal }) => (onOpen(), (seen.tell = onEvent), asleep(0, signal)),
    highlighter: {
      show: async (_, shown, picked) => ((seen.pick = picked), void seen.shown.push(shown.hitlId)),
      mark: async () => undefined,
      clear: async () => void seen.cleared++,
    },
    notify: async () => void seen.notified++,
  };
  out.start();
  out.answer = async () => question(more);
  void out.runs.start(1, "Press it");
  await until(() => out.runs.view(1).question !== null && seen.shown.length > 0);
  out.answer = async () => DONE;
  return { out, seen };
}

/** @param {ReturnType<typeof browser>} out @param {string} state */
const becomes = (out, state) => until(() => out.runs.view(1).state === state);

/** @param {ReturnType<typeof browser>} out */
const lines = (out) => out.runs.view(1).steps.map(({ text }) => text);

test("question and answer are a line each, and the page shows what is asked about until it is answered", async () => {
  const { out, seen } = await asked();
  assert.deepEqual([seen.shown, seen.notified], [["h1"], 1]);
  void out.runs.loop(1)?.answer("2", "The second");
  await becomes(out, "completed");
  assert.deepEqual(out.bodies.at(-1).hitlResponse, { hitlId: "h1", type: "element_choice", value: "2" });
  assert.deepEqual(lines(out), ["Asked: Which one?", "You answered: The second"]);
  assert.equal(seen.cleared, 1);
});

test("a click in the page answers, and of several only chooses", async () => {
  const one = await asked();
  one.seen.pick(["2"]);
  await becomes(one.out, "completed");
  assert.equal(one.out.bodies.at(-1).hitlResponse.value, "2");

  const several = await asked({ expectedInput: "multi_choice" });
  several.seen.pick(["2"]);
  assert.deepEqual([several.out.runs.view(1).state, several.out.runs.view(1).chosen], ["waiting", ["2"]]);
});

test("an answer given elsewhere goes on without one of its own", async () => {
  const { out, seen } = await asked();
  seen.tell({ type: "standing", hitlId: "h1", status: "awaiting_user" });
  seen.tell({ type: "answered", hitlId: "another" });
  assert.equal(out.runs.view(1).state, "waiting");
  seen.tell({ type: "answered", hitlId: "h1" });
  await becomes(out, "completed");
  assert.equal("hitlResponse" in out.bodies.at(-1), false);
  assert.equal(lines(out).at(-1), "Answered elsewhere");
});

test("what was settled while nobody listened is gone on with once, and what was cancelled never", async () => {
  const { out, seen } = await asked();
  out.answer = async () => question(); // it was not settled after all
  seen.tell({ type: "standing", hitlId: null, status: "executing" });
  await until(() => out.bodies.length === 2 && out.runs.view(1).question !== null);
  seen.tell({ type: "standing", hitlId: null, status: "executing" });
  await new Promise((go) => setTimeout(go));
  assert.equal(out.bodies.length, 2);
  seen.tell({ type: "standing", hitlId: null, status: "interrupted" });
  await becomes(out, "interrupted");
  assert.equal(out.bodies.length, 2);
});

test("a question whose time is over says so, and is asked again with the same task", async () => {
  const { out, seen } = await asked();
  seen.tell({ type: "expired", hitlId: "h1" });
  await becomes(out, "interrupted");
  assert.equal(out.runs.view(1).lapsed?.hitlId, "h1");
  assert.equal(lines(out).at(-1), "Nobody answered in time");
  assert.deepEqual(out.cancelled, []);
  out.answer = async () => question({ hitlId: "h2" });
  void out.runs.resume(1);
  await until(() => out.runs.view(1).question?.hitlId === "h2");
  assert.deepEqual([out.bodies.at(-1).taskId, out.runs.view(1).lapsed], ["t1", null]);
});

test("the clock of this computer ends a wait too", async () => {
  const out = browser();
  let now = NOW();
  out.more = { now: () => now, sleep: async (ms) => void (now += ms) };
  out.start();
  out.answer = async () => question();
  void out.runs.start(1, "Press it");
  await until(() => out.runs.view(1).lapsed !== null && out.runs.view(1).state === "interrupted");
});

test("an answer that the server refuses: too late, given before, not understood", async () => {
  for (const [code, status, state] of /** @type {const} */ ([["HITL_EXPIRED", 409, "interrupted"], ["HITL_NOT_PENDING", 400, "completed"], ["INVALID_REQUEST", 422, "waiting"]])) {
    const { out } = await asked();
    out.answer = async (body) => {
      if (body.hitlResponse) throw new Problem(status, code, "hitlResponse.value: choose one of 1: The first; 2: The second");
      return DONE;
    };
    void out.runs.loop(1)?.answer("the third", "the third");
    await until(() => out.bodies.length >= 2 && out.runs.view(1).state === state);
    const { question: again, hint, lapsed } = out.runs.view(1);
    assert.deepEqual([again?.hitlId, lapsed?.hitlId, Boolean(hint)], [status === 422 ? "h1" : undefined, code === "HITL_EXPIRED" ? "h1" : undefined, status === 422], code);
  }
});

test("a cancel ends the run at once, and a server that was away is told later", async () => {
  const { out, seen } = await asked();
  out.up = false;
  await out.runs.loop(1)?.answer(null, "");
  assert.deepEqual([out.runs.view(1).state, out.bodies.length, seen.cleared], ["interrupted", 1, 1]);
  assert.deepEqual([out.cancelled, out.storage.untold], [[], ["t1"]]);
  out.up = true;
  out.runs.wake();
  await until(() => out.cancelled.length === 1 && !("untold" in out.storage));
});

test("a cancel that was not told yet does not end the task that is gone on with", async () => {
  const { out } = await asked();
  out.up = false;
  await out.runs.loop(1)?.answer(null, "");
  await out.runs.resume(1);
  out.up = true;
  out.runs.wake();
  await new Promise((go) => setTimeout(go));
  assert.deepEqual([out.runs.view(1).state, out.cancelled], ["completed", []]);
});

test("after a restart of runner, extension or browser the question is there and can be answered at once", async () => {
  for (const [life, tabs] of /** @type {[string, Record<number, string>][]} */ ([["first", { 1: PAGE }], ["second", { 1: "http://a.example/other" }], ["second", { 77: PAGE }]])) {
    const { out } = await asked();
    Object.assign(out, { life, tabs });
    const tabId = Number(Object.keys(tabs)[0]);
    await out.start().restore();
    await out.runs.offer(tabId);
    assert.deepEqual([out.runs.view(tabId).state, out.runs.view(tabId).question?.hitlId], ["waiting", "h1"], `${tabId}`);
    await out.runs.loop(tabId)?.answer("1", "The first");
    assert.deepEqual([out.bodies.length, out.bodies[1].taskId, out.bodies[1].hitlResponse.value], [2, "t1", "1"]);
    assert.equal(Object.keys(out.storage).some((key) => key.startsWith("lost_") || (tabId === 77 && key === "run_1")), false);
  }
});

test("a window that is closed keeps its question, a tab that is closed ends it", async () => {
  const window = await asked();
  await window.out.runs.tabClosed(1, true);
  assert.deepEqual(window.out.cancelled, []);
  window.out.tabs = { 5: PAGE };
  await window.out.runs.offer(5);
  assert.equal(window.out.runs.view(5).question?.hitlId, "h1");
  const tab = await asked();
  await tab.out.runs.tabClosed(1);
  assert.deepEqual(tab.out.cancelled, ["t1"]);
});

test("a question that only the server knows is asked where its page is, or has lapsed meanwhile", async () => {
  for (const [left, state] of /** @type {const} */ ([[60_000, "waiting"], [-60_000, "interrupted"]])) {
    const out = browser();
    out.more = { sleep: asleep };
    out.start();
    out.storage.sessionId = "s1";
    const pendingInterrupt = question({ askedAt: new Date(NOW() + left - 300_000).toISOString(), expiresAt: new Date(NOW() + left).toISOString() });
    out.task = { taskId: "t1", query: "Press it", status: "awaiting_user", currentStepIndex: 1, createdAt: pendingInterrupt.askedAt, pendingInterrupt };
    await out.runs.offer(1);
    await becomes(out, state);
    assert.equal((out.runs.view(1).question ?? out.runs.view(1).lapsed)?.hitlId, "h1");
  }
});

test("the person takes over, acts, and hands back", async () => {
  const out = browser();
  const acts = [{ kind: /** @type {const} */ ("click"), role: "btn", name: "Save", url: PAGE, at: new Date(0).toISOString() }];
  const told = /** @type {string[]} */ ([]);
  out.more = {
    reportTakeover: async (_, taskId, how) => void told.push(`${how} ${taskId}`),
    takeover: { begin: async () => void told.push("begin"), end: async () => acts, acts: () => acts, loaded: async () => undefined },
  };
  out.start();
  out.answer = HANGS;
  void out.runs.start(1, "Add a patient");
  await until(() => out.bodies.length === 1);
  const loop = out.runs.loop(1);
  if (loop) loop.run.taskId = "t1";
  await loop?.pause();
  assert.deepEqual([out.runs.view(1).state, out.runs.view(1).held, told], ["waiting", true, ["begin", "pause t1"]]);
  await out.start().restore(); // the runner died meanwhile
  assert.equal(out.runs.view(1).held, true);
  out.answer = async () => DONE;
  await out.runs.loop(1)?.handBack();
  assert.deepEqual(out.bodies.at(-1).handBack, { actions: acts });
  assert.equal(told.at(-1), "resume t1");
  assert.deepEqual([lines(out).at(-1), out.runs.view(1).state], ["You clicked 'Save'", "completed"]);
});

test("what was taken over at another door is the person's here too, until it is handed back there", async () => {
  const out = browser();
  const seen = { tell: /** @type {(event: TaskEvent) => void} */ (() => {}) };
  const sleep = async (/** @type {number} */ ms, /** @type {AbortSignal} */ signal) => (ms < 1_000 ? undefined : asleep(ms, signal));
  out.more = { sleep, events: ({ onEvent, signal }) => ((seen.tell = onEvent), asleep(0, signal)) };
  out.start();
  out.answer = async (body) => {
    if (!body.handBack && out.bodies.length === 2) throw new Problem(409, "TASK_PAUSED", "");
    return out.bodies.length === 1 ? { type: "action", taskId: "t1", sessionId: "s1", actions: [] } : DONE;
  };
  void out.runs.start(1, "Add a patient");
  await until(() => out.runs.view(1).held === true);
  seen.tell({ type: "resumed" });
  await becomes(out, "completed");
});

test("Escape ends what was taken over too", async () => {
  const out = browser();
  out.answer = HANGS;
  void out.runs.start(1, "Add a patient");
  await until(() => out.bodies.length === 1);
  await out.runs.loop(1)?.pause();
  await out.runs.loop(1)?.stop();
  assert.deepEqual([out.runs.view(1).state, out.runs.view(1).held], ["interrupted", false]);
});
