import assert from "node:assert/strict";
import test from "node:test";
import { CannotContinue } from "../../runner/run/look.js";
import { newRun } from "../../runner/run/loop.js";
import { bestFor, offerNotice } from "../../runner/offers.js";
import { startChain, withIntent } from "../../runner/run/chain.js";
import { browser, HANGS, PAGE, until } from "./fake_browser.js";

/** @import { Run } from "../../types/run" */

/** @param {ReturnType<typeof browser>} out a run in tab 1 that waits for its second answer */
async function underWay(out) {
  out.answer = HANGS;
  void out.runs.start(1, "Add a patient");
  await until(() => out.bodies.length === 1);
}

test("a tab that is closed leaves its run to be taken up where the page is shown again", async () => {
  const out = browser();
  await underWay(out);
  const run = /** @type {Run} */ (out.runs.loop(1)?.run);
  run.taskId = "t1";
  run.chain = withIntent(startChain([{ actionId: "a1", action: "click()", actionDetails: { name: "click", args: {} }, description: "", index: 0, canFail: false }]));
  delete out.tabs[1];
  await out.runs.tabClosed(1);
  assert.deepEqual(out.cancelled, ["t1"]);
  assert.equal(Object.keys(out.storage).some((key) => /^(run|body|task)_1$/.test(key)), false);

  out.tabs[2] = `${PAGE}?page=2`;
  await out.runs.offer(2);
  assert.equal(out.runs.view(2).state, "interrupted");
  assert.match(out.runs.view(2).notice?.text ?? "", /The tab was closed while “Add a patient” was running/);
  out.answer = async () => ({ type: "done", status: "completed", taskId: "t1" });
  await out.runs.resume(2);
  const last = out.bodies.at(-1);
  assert.deepEqual([last.taskId, last.lastActionId, last.lastActionStatus], ["t1", "a1", "unknown"]);
  assert.equal(out.runs.view(2).state, "completed");
  await out.runs.offer(3);
  assert.equal(Object.keys(out.storage).some((key) => key.startsWith("lost_")), false);
});

test("what was dismissed is not offered again, by the journal or by the server", async () => {
  const out = browser();
  await underWay(out);
  /** @type {Run} */ (out.runs.loop(1)?.run).taskId = "t1";
  await out.runs.tabClosed(1);
  out.storage.sessionId = "s1";
  out.task = { taskId: "t1", query: "Add a patient", status: "interrupted", currentStepIndex: 2 };
  out.tabs[2] = PAGE;
  await out.runs.offer(2);
  await out.runs.dismiss(2);
  assert.equal(out.runs.view(2).state, "idle");
  await out.runs.offer(2);
  assert.equal(out.runs.view(2).state, "idle");
});

test("a task that only the server knows is offered, and what was handed out in it is in doubt", async () => {
  const out = browser();
  out.storage.sessionId = "s1";
  out.task = { taskId: "t9", query: "Save it", status: "executing", currentStepIndex: 1, pendingActionId: "a7" };
  await out.runs.offer(1);
  assert.match(out.runs.view(1).notice?.text ?? "", /“Save it” was running/);
  await out.runs.resume(1);
  const [body] = out.bodies;
  assert.deepEqual([body.taskId, body.sessionId, body.lastActionId, body.lastActionStatus], ["t9", "s1", "a7", "unknown"]);
});

test("after a reload a run goes on by itself on the same page, and asks on another or in doubt", async () => {
  for (const [change, goesOn] of /** @type {[(out: ReturnType<typeof browser>) => void, boolean][]} */ ([
    [() => undefined, true],
    [(out) => void (out.tabs[1] = "http://a.example/other"), false],
    [(out) => void (out.storage.run_1.chain = { items: [{ actionId: "a" }], cursor: 0, intent: "a", results: [] }), false],
  ])) {
    const out = browser();
    await underWay(out);
    change(out);
    out.life = "second";
    await out.start().restore();
    if (goesOn) await until(() => out.bodies.length === 2);
    assert.equal(out.runs.view(1).state, goesOn ? "running" : "interrupted");
    if (goesOn) assert.equal(out.bodies[0].requestId, out.bodies[1].requestId);
    else assert.equal(out.runs.view(1).notice?.also?.does, "dismiss");
  }
});

test("after the browser was restarted runs are offered, none goes on by itself", async () => {
  const out = browser();
  await underWay(out);
  out.life = "second";
  out.tabs = { 77: PAGE };
  await out.start().restore();
  await out.runs.offer(77);
  assert.match(out.runs.view(77).notice?.text ?? "", /^The browser was closed while/);
  assert.equal(out.bodies.length, 1);
});

test("one task a tab: a second is refused in words and changes nothing", async () => {
  const out = browser();
  await underWay(out);
  await out.runs.start(1, "Another thing");
  assert.match(out.views.at(-1)?.notice?.text ?? "", /already running in this tab/);
  assert.equal(out.runs.view(1).goal, "Add a patient");
  out.tabs[2] = PAGE;
  /** @type {Run} */ (out.runs.loop(1)?.run).at = 2;
  await out.runs.start(2, "Here too");
  assert.equal(out.runs.loop(2), undefined);
});

test("a tab that gets another number keeps its run, and the answer it waits for", async () => {
  const out = browser();
  await underWay(out);
  out.tabs = { 9: PAGE };
  await out.runs.tabReplaced(1, 9);
  assert.equal(out.runs.view(9).goal, "Add a patient");
  assert.equal("run_1" in out.storage || "body_1" in out.storage, false);
  assert.ok(out.storage.run_9 && out.storage.body_9);
});

test("the run of the same page comes first, then that of the same site, and no other", () => {
  const at = (/** @type {string} */ url, /** @type {number} */ savedAt) => {
    const run = { ...newRun(url, 1, "goal", null), savedAt };
    return { ...run, view: { ...run.view, url } };
  };
  const lost = [at("https://a.example/x", 1), at("https://a.example/y", 2), at("https://b.example/x", 3)];
  assert.equal(bestFor(lost, "https://a.example/x?q=1#top")?.id, "https://a.example/x");
  assert.equal(bestFor(lost, "https://a.example/z")?.id, "https://a.example/y");
  assert.equal(bestFor(lost, "https://c.example/x"), null);
  assert.equal(bestFor(lost, "chrome://newtab/"), null);
  assert.ok(offerNotice("x".repeat(300), "tab").text.length < 140);
});

test("a run that finds its tab gone before it is told of it is kept all the same", async () => {
  const out = browser();
  await underWay(out);
  const loop = out.runs.loop(1);
  delete out.tabs[1];
  await loop?.fail(new CannotContinue("The tab was closed"));
  await out.runs.tabClosed(1);
  out.tabs[2] = PAGE;
  await out.runs.offer(2);
  assert.match(out.runs.view(2).notice?.text ?? "", /The tab was closed/);
});

/** A run that was stopped before the server said anything, and its requests, which nobody answers. */
async function stoppedUnheard() {
  const out = browser();
  /** @type {Parameters<import("../../types/run").World["interact"]>[0][]} */
  const calls = [];
  out.more = { interact: (call) => (calls.push(call), new Promise(() => {})) };
  out.start();
  void out.runs.start(1, "Add a patient");
  await until(() => calls.length === 1);
  await out.runs.loop(1)?.stop();
  return { out, calls };
}

test("a task that was stopped before the server had named it is stopped there as soon as it has a name", async () => {
  const { out, calls } = await stoppedUnheard();
  assert.deepEqual([out.runs.view(1).state, out.cancelled, calls[0].signal.aborted], ["interrupted", [], false]);
  calls[0].onStatus({ type: "status", node: "observe", message: "Reading the page", taskId: "t1" });
  await until(() => out.cancelled.length === 1);
  assert.deepEqual([out.cancelled, calls[0].signal.aborted], [["t1"], true]);
  assert.equal(out.runs.view(1).state, "interrupted");

  void out.runs.resume(1);
  await until(() => calls.length === 2);
  assert.deepEqual([calls[1].taskId, JSON.parse(calls[1].body).taskId], ["t1", "t1"]);
  await out.runs.loop(1)?.stop();
  assert.deepEqual([out.cancelled, calls[1].signal.aborted], [["t1", "t1"], true]);
});

test("a task that is named after the person has gone on leaves the new one its own name", async () => {
  const { out, calls } = await stoppedUnheard();
  void out.runs.resume(1);
  await until(() => calls.length === 2);
  calls[0].onStatus({ type: "status", node: "observe", message: "", taskId: "t1" });
  calls[1].onStatus({ type: "status", node: "observe", message: "", taskId: "t2" });
  await until(() => out.cancelled.length === 1);
  assert.deepEqual([out.cancelled, out.runs.loop(1)?.run.taskId], [["t1"], "t2"]);
});
