import assert from "node:assert/strict";
import test from "node:test";
import { createPacer } from "../../panel/run/pace.js";
import { noticeFor } from "../../panel/run/situation.js";
import { cost, countdown, duration, footer, siteOf, stepText } from "../../panel/format.js";
import { testConnection } from "../../options/connection_check.js";
import { emptyView, verificationText, reduceView } from "../../runner/run/view.js";
import { correctionText } from "../../shared/step_lines.js";

test("times, costs and sites are said shortly", () => {
  assert.deepEqual([400, 9949, 12_400, 185_000].map(duration), ["0.4 s", "9.9 s", "12 s", "3 min 5 s"]);
  assert.deepEqual([247_000, 59_400, -5].map(countdown), ["4:07", "1:00", "0:00"]);
  assert.deepEqual([0, 0.0004, 1.239].map(cost), ["$0.00", "$0.0004", "$1.24"]);
  assert.deepEqual([0.00003, 0.0001].map(cost), ["<$0.0001", "$0.0001"]);
  assert.deepEqual(["https://a.example:8/x", "chrome://version", ""].map(siteOf), ["a.example:8", "Not a web page", ""]);
});

test("a step is told in the past once it is done, and not before", () => {
  assert.equal(stepText("Open the 'Patient' menu", "pending"), "Open the 'Patient' menu");
  assert.equal(stepText("Open the 'Patient' menu", "verified"), "Opened the 'Patient' menu");
  assert.equal(stepText("Enter 'Jas' as name", "failed"), "Enter 'Jas' as name");
  assert.equal(stepText("Saved: 'Patient created'", "verified"), "Saved: 'Patient created'");
});

test("a thinking line stays readable and never lags behind", () => {
  /** @type {(string | null)[]} */
  const shown = [];
  let now = 0;
  /** @type {(() => void)[]} */
  const timers = [];
  const pace = createPacer((text) => shown.push(text), { now: () => now, later: (run) => timers.push(run) });
  pace.say("one");
  now = 50;
  pace.say("two");
  now = 100;
  pace.say("three");
  assert.deepEqual(shown, ["one"]);
  now = 300;
  timers.shift()?.();
  assert.deepEqual(shown, ["one", "three"]);
  pace.say(null);
  pace.say("four");
  assert.deepEqual(shown, ["one", "three", null, "four"]);
});

const CLEAR = { hasKey: true, serverUrl: "https://s", refused: "", mismatch: "", serverUp: true, url: "https://a.example/", permitted: true };

test("the panel says the most basic thing in the way, and how to clear it", () => {
  const view = emptyView(1);
  const does = (/** @type {object} */ changes) => noticeFor(view, { ...CLEAR, ...changes })?.button?.does;
  assert.equal(noticeFor(view, CLEAR), null);
  assert.equal(does({ hasKey: false, serverUp: false }), "settings");
  assert.equal(does({ serverUp: false }), "retry");
  assert.equal(does({ permitted: false }), "grant");
  assert.deepEqual(noticeFor(view, { ...CLEAR, refused: "Nothing is sent there", serverUp: null })?.text, "Nothing is sent there");
  assert.deepEqual(noticeFor(view, { ...CLEAR, mismatch: "Update the server." })?.text, "Update the server.");
  assert.equal(does({ refused: "Nothing is sent there", serverUp: null }), "settings");
  assert.equal(noticeFor(view, { ...CLEAR, url: "chrome://version" })?.kind, "page");
  assert.equal(noticeFor({ ...view, state: "running" }, { ...CLEAR, serverUp: false }), null);
});

/** @param {string} id */
const action = (id) => ({ actionId: id, action: `click("${id}")`, actionDetails: { name: "click", args: { id } }, description: `Clicked ${id}`, index: 0, canFail: false });
const event = (/** @type {string} */ id, extra = {}) => /** @type {any} */ ({ type: "action", actions: [action(id)], ...extra });

test("a step is pending, done, then verified or retried; a stopped one is not shown as done", () => {
  let view = reduceView(emptyView(1), { type: "started", goal: "g", url: "u", at: 0 });
  view = reduceView(view, { type: "answer", elements: { a: "button \'Save\'" }, event: event("a"), at: 10 });
  assert.deepEqual([view.steps[0].mark, view.steps[0].element], ["pending", "button 'Save'"]);
  view = reduceView(view, { type: "acted", actionId: "a", result: { status: "success" }, at: 40 });
  assert.deepEqual([view.steps[0].mark, view.steps[0].ms], ["done", 30]);
  view = reduceView(view, { type: "answer", elements: { a: "button \'Save\'" }, event: event("b", { verification: { actionSucceeded: true } }), at: 50 });
  assert.equal(view.steps[0].mark, "verified");
  view = reduceView(view, { type: "acted", actionId: "b", result: { status: "failure", error: { code: "X", message: "no" } }, at: 60 });
  view = reduceView(view, { type: "answer", elements: { a: "button \'Save\'" }, event: event("c", { verification: { actionSucceeded: false }, correction: { strategy: "other", attempt: 1 } }), at: 70 });
  assert.deepEqual(view.steps.map((step) => step.mark), ["verified", "retried", "pending"]);
  view = reduceView(view, { type: "ended", state: "interrupted", result: "", at: 80 });
  assert.equal(view.steps.length, 2);
});

test("what is done otherwise after a failure is said in plain words", () => {
  const way = (/** @type {object} */ correction) => correctionText(/** @type {any} */ ({ attempt: 1, source: "strategy", ...correction }));
  assert.equal(way({ strategy: "keyboard" }), "Use the keyboard instead of the mouse");
  assert.equal(way({ strategy: "wait and retry", attempt: 2 }), "Wait, then try again (try 2)");
  assert.equal(way({ strategy: "dismiss overlay", source: "skill" }), "Close what is in front of it first, which helped here before");
  assert.equal(way({ strategy: "use the search", source: "model" }), "Use the search");
});

test("a plan that was changed is told in one quiet line, one that goes on is not", () => {
  let view = reduceView(emptyView(1), { type: "started", goal: "g", url: "u", at: 0 });
  const turned = { triggered: true, similarity: 0.4, decision: "modify", reason: "A dialog came up: it is closed first" };
  view = reduceView(view, { type: "answer", elements: {}, event: event("a", { rePlanning: turned }), at: 1 });
  assert.deepEqual(view.steps.map(({ text, why, mark }) => [text, why, mark]), [
    ["Changed the plan: a dialog came up", "It is closed first", "done"],
    ["Clicked a", undefined, "pending"],
  ]);
  view = reduceView(view, { type: "answer", elements: {}, event: event("b", { rePlanning: { ...turned, decision: "continue" }, verification: { actionSucceeded: true } }), at: 2 });
  assert.deepEqual(view.steps.map(({ mark }) => mark), ["done", "verified", "pending"]);
});

test("a finding of the model says so", () => {
  assert.equal(verificationText({ actionSucceeded: true, confidence: 0.9, verificationTier: 3, reason: "It is in the list" }), "It is in the list (by the model, 90 % sure)");
  assert.equal(verificationText({ actionSucceeded: true, confidence: 0.9, verificationTier: 1, reason: "It opened" }), "It opened (90 % sure)");
});

test("what is spent adds up, and a run without a model says so", () => {
  let view = reduceView(emptyView(1), { type: "started", goal: "g", url: "u", at: 0 });
  assert.deepEqual(footer(view, 1000), ["1.0 s", "0 tokens", "$0.00", "no model"]);
  const usage = { inputTokens: 100, outputTokens: 20, costUsd: 0.02, modelCalls: 1, model: "m-1" };
  view = reduceView(view, { type: "answer", elements: { a: "button \'Save\'" }, event: event("a", { usage }), at: 1 });
  view = reduceView(view, { type: "answer", elements: { a: "button \'Save\'" }, event: event("b", { usage }), at: 2 });
  assert.deepEqual([view.tokens, view.costUsd, footer(view, 2)[3]], [240, 0.04, "m-1"]);
});

test("a cost that is not known is not called free", () => {
  let view = reduceView(emptyView(1), { type: "started", goal: "g", url: "u", at: 0 });
  const usage = { inputTokens: 100, outputTokens: 20, costUsd: 0, costKnown: false, modelCalls: 1, model: "own-1" };
  view = reduceView(view, { type: "answer", elements: {}, event: event("a", { usage }), at: 1 });
  assert.deepEqual(footer(view, 1).slice(1), ["120 tokens", "cost not known", "own-1"]);
  const priced = { inputTokens: 0, outputTokens: 0, costUsd: 0.02, costKnown: true, modelCalls: 1, model: null };
  view = reduceView(view, { type: "question", event: /** @type {any} */ ({ type: "interrupt", usage: priced }) });
  assert.deepEqual(footer(view, 1).slice(1), ["120 tokens", "over $0.02", "model"]);
});

test("that the model is away is shown until it answers again, and when the run has ended", () => {
  const away = "The model did not answer (timeout); going on by rules.";
  let view = reduceView(emptyView(1), { type: "started", goal: "g", url: "u", at: 0 });
  view = reduceView(view, { type: "answer", elements: {}, event: event("a", { notice: away }), at: 1 });
  assert.deepEqual(noticeFor(view, null), { kind: "model", text: away });
  view = reduceView(view, { type: "acted", actionId: "a", result: { status: "success" }, at: 2 });
  assert.equal(view.notice?.text, away);
  view = reduceView(view, { type: "answer", elements: {}, event: event("b"), at: 3 });
  assert.equal(view.notice?.text, away);
  const answers = event("c", { usage: { modelCalls: 1 } });
  assert.equal(reduceView(view, { type: "answer", elements: {}, event: answers, at: 3 }).notice, null);
  const asked = { type: "interrupt", hitlId: "h", message: "Which?", notice: away };
  assert.equal(reduceView(view, { type: "question", event: /** @type {any} */ (asked) }).notice?.text, away);
  assert.equal(reduceView(view, { type: "ended", state: "completed", result: "Done", at: 4 }).notice?.text, away);
});

/** @param {Record<string, number>} answers status by path; none means nobody answers */
const server = (answers) =>
  /** @type {typeof fetch} */ (async (url) => {
    const status = answers[new URL(String(url)).pathname];
    if (!status) throw new TypeError("Failed to fetch");
    return new Response("{}", { status });
  });

test("a connection test says what is wrong", async () => {
  const said = async (/** @type {Record<string, number>} */ answers, apiKey = "k") => (await testConnection({ serverUrl: "https://s", apiKey }, server(answers))).text;
  assert.match(await said({}), /No server responds/);
  assert.match(await said({ "/healthz": 404 }), /not a Tabwright server/);
  assert.match(await said({ "/healthz": 200 }, ""), /Now enter an API key/);
  assert.match(await said({ "/healthz": 200, "/api/sessions": 401 }), /this API key is not valid/);
  assert.match(await said({ "/healthz": 200, "/api/sessions": 200 }), /accepts the key/);
});
