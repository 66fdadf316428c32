import assert from "node:assert/strict";
import test from "node:test";
import { executeAction } from "../../runner/run/actions.js";
import { feedbackOf, nextItem, startChain, withIntent, withMore, withResult } from "../../runner/run/chain.js";
import { Refusal } from "../../shared/messages.js";
import { CannotContinue, observePage } from "../../runner/run/look.js";
import { createSideEffects, collectSideEffects, switchToTab, runTabs } from "../../runner/run/side_effects.js";

/** @import { Context } from "../../types/run" */

const DIALOG = /** @type {const} */ ({ type: "confirm", message: "Sure?", accepted: false, foreseen: false });

/** A run in tab 1, in a window whose tabs have these addresses. @param {Record<number, string>} tabs */
function context(tabs = { 1: "http://a.example/" }) {
  const asked = /** @type {string[]} */ ([]);
  let next = 10;
  const world = {
    sideEffects: createSideEffects(),
    now: () => performance.now(),
    sleep: async () => undefined,
    ask: async (/** @type {string} */ name, /** @type {any} */ { tabId, url }) => {
      asked.push(`${name} ${tabId}${url ? ` ${url}` : ""}`);
      if (name === "tab.open") tabs[next] = url;
      if (name === "tab.open") return next++;
      if (!(tabId in tabs)) throw new Refusal("TAB_GONE", "gone");
      return { index: tabId, title: "T", url: tabs[tabId] };
    },
  };
  const run = { tabId: 1, at: 1, documentId: "d" };
  return { ctx: /** @type {Context} */ (/** @type {unknown} */ ({ run, world, signal: new AbortController().signal })), asked, tabs };
}

test("of a tab that nobody listens to nothing is kept", () => {
  const outside = createSideEffects();
  outside.record(1, { type: "dialog", dialog: DIALOG });
  outside.listen(1);
  assert.deepEqual(outside.take(1), []);
  outside.record(1, { type: "dialog", dialog: DIALOG });
  assert.equal(outside.take(1).length, 1);
  assert.deepEqual(outside.take(1), []);
});

test("a page cannot fill the memory", () => {
  const outside = createSideEffects();
  outside.listen(1);
  for (let n = 0; n < 1_000; n++) outside.record(1, { type: "dialog", dialog: DIALOG });
  assert.ok(outside.take(1).length <= 50);
});

test("what the page would open is opened, once, and the run goes on there", async () => {
  const { ctx, asked } = context();
  ctx.world.sideEffects?.listen(1);
  ctx.world.sideEffects?.record(1, { type: "open", url: "http://b.example/" });
  const { dialogs } = await collectSideEffects(ctx);
  assert.deepEqual(dialogs, []);
  assert.equal(ctx.run.at, 10);
  assert.equal(ctx.run.documentId, null);
  assert.deepEqual(ctx.run.tabs, [1]);
  assert.deepEqual(asked.filter((line) => line.startsWith("tab.open")), ["tab.open 1 http://b.example/"]);
  await collectSideEffects(ctx);
  assert.equal(asked.filter((line) => line.startsWith("tab.open")).length, 1);
});

test("a page that opens tab after tab gets three", async () => {
  const { ctx, asked } = context();
  ctx.world.sideEffects?.listen(1);
  for (let n = 0; n < 9; n++) ctx.world.sideEffects?.record(1, { type: "open", url: `http://b.example/${n}` });
  await collectSideEffects(ctx);
  assert.equal(asked.filter((line) => line.startsWith("tab.open")).length, 3);
});

test("what the browser opened itself is not opened again", async () => {
  const { ctx, asked, tabs } = context();
  tabs[7] = "http://b.example/";
  ctx.world.sideEffects?.listen(1);
  ctx.world.sideEffects?.record(1, { type: "open", url: "http://b.example/", tried: true });
  ctx.world.sideEffects?.record(1, { type: "tab", created: 7 });
  await collectSideEffects(ctx);
  assert.equal(ctx.run.at, 7);
  assert.equal(asked.some((line) => line.startsWith("tab.open")), false);
});

test("a tab that is gone again is not followed", async () => {
  const { ctx } = context();
  ctx.world.sideEffects?.listen(1);
  ctx.world.sideEffects?.record(1, { type: "tab", created: 99 });
  await collectSideEffects(ctx);
  assert.equal(ctx.run.at, 1);
});

test("of the person's tabs only those of the run are told", async () => {
  const { ctx, tabs } = context({ 1: "http://a.example/", 2: "http://bank.example/" });
  assert.deepEqual(await runTabs(ctx), {});
  tabs[7] = "http://b.example/";
  switchToTab(ctx, 7);
  const { tabs: told = [] } = await runTabs(ctx);
  assert.deepEqual(told.map(({ url, active }) => [url, active]), [["http://a.example/", false], ["http://b.example/", true]]);
});

/** @param {string} actionId @param {boolean} [canFail] */
const item = (actionId, canFail = false) => ({ actionId, action: `${actionId}()`, actionDetails: { name: "click", args: {} }, description: "", index: 0, canFail });

test("what is learned after a chain's last action counts: its dialogs, a navigation that failed", () => {
  let chain = withResult(withIntent(startChain([item("a"), item("b")])), { status: "success" });
  chain = withResult(withIntent(chain), { status: "success", dialogs: [DIALOG] });
  chain = withMore(chain, { dialogs: [DIALOG], status: "failure", error: { code: "NAVIGATION_BLOCKED", message: "no" } });
  const told = feedbackOf(chain);
  assert.equal(told.lastActionStatus, "failure");
  assert.equal(told.lastExecutedActionIndex, 0);
  assert.equal(told.dialogs?.length, 2);
  assert.deepEqual(told.chainPartialState, { executedActions: ["a()"], totalActionsInChain: 2 });
});

test("a chain stops at the first failure that may not be, and says what was done", () => {
  const failed = /** @type {const} */ ({ status: "failure", error: { code: "NOT_INTERACTABLE", message: "covered" } });
  let chain = startChain([item("a"), item("b", true), item("c"), item("d")]);
  for (const result of [{ status: /** @type {const} */ ("success") }, failed, failed]) chain = withResult(withIntent(chain), result);
  assert.equal(nextItem(chain), null);
  const told = feedbackOf(chain);
  assert.deepEqual([told.lastActionId, told.lastActionError?.code, told.lastExecutedActionIndex], ["c", "NOT_INTERACTABLE", 0]);
  assert.deepEqual(told.chainPartialState, { executedActions: ["a()"], totalActionsInChain: 4 });
});

/** @param {string} name @param {object} args @returns {any} */
const planned = (name, args) => ({ actionId: "a", action: name, actionDetails: { name, args }, description: "", index: 0, canFail: false });

test("the run goes to none of the person's other tabs", async () => {
  const { ctx, asked } = context({ 1: "http://a.example/", 2: "http://mine.example/" });
  const result = await executeAction(ctx, planned("switchTab", { index: 2 }));
  assert.equal(result.error?.code, "NOT_ALLOWED");
  assert.equal(ctx.run.at, 1);
  assert.ok(!asked.some((line) => line.startsWith("tab.switch")));
});

/** A run whose page answers an act so. @param {() => Promise<object>} act */
function acting(act) {
  const { ctx } = context();
  const asked = /** @type {string[]} */ ([]);
  const stop = new AbortController();
  const request = async (/** @type {string} */ kind) => (asked.push(kind), kind === "act" ? act() : {});
  Object.assign(ctx, { signal: stop.signal });
  Object.assign(ctx.world, { pages: { page: async () => ({ documentId: "d", url: "", alive: true, request }) } });
  return { ctx, stop, asked };
}

test("what is worth knowing of an action that was done is reported", async () => {
  const note = "Nothing answered the click";
  const { ctx } = acting(async () => ({ status: "success", note, unanswered: true }));
  const item = planned("click", { id: "1" });
  const chain = withResult(withIntent(startChain([item])), await executeAction(ctx, item));
  assert.deepEqual(feedbackOf(chain).lastActionNote, { code: "NOTHING_ANSWERED", message: note });
});

test("stopping halts the act that is under way in the page", async () => {
  const { ctx, stop, asked } = acting(async () => (stop.abort(), { status: "failure", error: { code: "STOPPED", message: "" } }));
  await executeAction(ctx, planned("click", { id: "1" }));
  assert.deepEqual(asked.slice(-2), ["act", "halt"]);
});

/** A look of a run that went on in tab 2, of which Chrome says that it is gone. @param {number} own the run's own tab */
async function lookWithout2(own) {
  const { ctx } = context();
  const page = async (/** @type {number} */ at) => {
    if (at === 2) throw new Refusal("TAB_GONE", "gone");
    return { documentId: "back", request: async () => ({ frames: [], url: "http://a.example/", extractMs: 1 }) };
  };
  Object.assign(ctx.run, { tabId: own, at: 2, tabs: [own], view: {} });
  Object.assign(ctx, { show: () => undefined });
  Object.assign(ctx.world, { pages: { page } });
  return { seen: await observePage(ctx, false), run: ctx.run };
}

test("a tab that closed itself leads back before Chrome tells of it", async () => {
  const { seen, run } = await lookWithout2(1);
  assert.equal(seen.url, "http://a.example/");
  assert.deepEqual([run.at, run.documentId], [1, "back"]);
});

test("a run whose own tab is gone cannot go on", async () => {
  await assert.rejects(() => lookWithout2(2), CannotContinue);
});

test("a tab that the browser closed again brings its download, also one that is told after that", async () => {
  const { ctx, tabs } = context();
  const { sideEffects: outside } = ctx.world;
  outside?.listen(1);
  outside?.record(1, { type: "tab", created: 7 });
  const download = { name: "report.csv", url: "http://a.example/report", attached: true };
  ctx.world.sleep = async () => { if (outside?.soFar(1).length === 0) outside.record(1, { type: "download", from: 7, download }); };
  const { downloads } = await collectSideEffects(ctx);
  assert.deepEqual(downloads.map(({ name }) => name), ["report.csv"]);
  assert.equal(ctx.run.at, 1);
  assert.deepEqual(Object.keys(tabs), ["1"]);
});
