import assert from "node:assert/strict";
import test from "node:test";
import { elementsOf, popupOpeners, requestBody, withoutSecrets } from "../../runner/run/request_body.js";
import { feedbackOf, nextItem, startChain, withIntent, withResult } from "../../runner/run/chain.js";
import { Lost, Problem, afterFailure, delayMs, interact } from "../../runner/server/client.js";
import { newRun } from "../../runner/run/loop.js";
import { createSseParser } from "../../shared/event_stream.js";
import { AFTER_ACTION, nextLookMs, unsettledReasons, WITHIN_CHAIN } from "../../runner/run/settle.js";

/** @param {string[]} pieces */
function parsed(pieces) {
  /** @type {string[]} */
  const events = [];
  const parser = createSseParser((data) => events.push(data));
  for (const piece of pieces) parser.push(piece);
  return events;
}

test("events are read whatever the pieces they arrive in", () => {
  const text = ': ping\r\n\r\ndata: {"a":1}\r\n\r\nevent: x\ndata: one\ndata: two\n\ndata:half';
  const whole = parsed([text]);
  assert.deepEqual(whole, ['{"a":1}', "one\ntwo"]);
  assert.deepEqual(parsed([...text]), whole);
  for (let cut = 1; cut < text.length; cut++) {
    assert.deepEqual(parsed([text.slice(0, cut), text.slice(cut)]), whole, `cut at ${cut}`);
  }
});

test("waits grow from half a second to thirty seconds", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 99].map(delayMs), [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
});

test("what may pass is tried again, after as long as the server asks; the rest ends the run", () => {
  assert.deepEqual(afterFailure(new Lost("gone"), 1), { again: true, delayMs: 1000, busy: false });
  assert.deepEqual(afterFailure(new Problem(409, "TASK_BUSY", "", 3000), 0), { again: true, delayMs: 3000, busy: true });
  assert.deepEqual(afterFailure(new Problem(503, "STORE_UNAVAILABLE", "", null), 0), { again: true, delayMs: 500, busy: false });
  for (const [status, code] of /** @type {[number, string][]} */ ([[409, "TASK_ENDED"], [401, "UNAUTHENTICATED"], [422, "X"]])) {
    assert.equal(afterFailure(new Problem(status, code, ""), 0).again, false, code);
  }
  assert.equal(afterFailure(new Problem(500, "INTERNAL", ""), 5).again, true);
  assert.equal(afterFailure(new Problem(500, "INTERNAL", ""), 6).again, false);
});

/** @param {string} name @param {boolean} [canFail] */
const item = (name, canFail = false) => ({ actionId: `id-${name}`, action: `${name}()`, actionDetails: { name, args: {} }, description: name, index: 0, canFail });
const SUCCESS = /** @type {const} */ ({ status: "success" });
const FAILURE = /** @type {const} */ ({ status: "failure", error: { code: "TIMEOUT", message: "late" } });

/** @param {import("../../types/wire").PlannedAction[]} items @param {import("../../types/wire").ActionResult[]} results */
function played(items, results) {
  let chain = startChain(items);
  for (const result of results) {
    assert.ok(nextItem(chain), "the chain is not over yet");
    chain = withResult(withIntent(chain), result);
  }
  return chain;
}

test("a chain that went through reports its last action and nothing partial", () => {
  const chain = played([item("a"), item("b")], [SUCCESS, SUCCESS]);
  assert.equal(nextItem(chain), null);
  assert.deepEqual(feedbackOf(chain), { lastActionId: "id-b", lastActionStatus: "success", lastExecutedActionIndex: 1 });
});

test("a chain stops at a failure and says how far it came", () => {
  const chain = played([item("a"), item("b"), item("c")], [SUCCESS, FAILURE]);
  assert.equal(nextItem(chain), null);
  assert.deepEqual(feedbackOf(chain), {
    lastActionId: "id-b",
    lastActionStatus: "failure",
    lastActionError: FAILURE.error,
    lastExecutedActionIndex: 0,
    chainPartialState: { executedActions: ["a()"], totalActionsInChain: 3 },
  });
});

test("a chain goes on past what may fail, but never past what is not known", () => {
  const past = played([item("a", true), item("b")], [FAILURE, SUCCESS]);
  assert.equal(feedbackOf(past).lastActionStatus, "success");
  const unsure = played([item("a", true), item("b")], [{ status: "unknown" }]);
  assert.equal(nextItem(unsure), null);
  assert.equal(feedbackOf(unsure).lastActionStatus, "unknown");
  assert.equal("lastExecutedActionIndex" in feedbackOf(unsure), false);
});

const PAGE = {
  url: "https://a.example/x", title: "X", tree: [{ i: "1", r: "btn", n: "More", s: ["haspopup"] }, { i: "2", r: "btn" }],
  viewport: { width: 1, height: 2 }, pageSummary: "s", scrollPosition: "0%", scrollableContainers: [], recentEvents: [],
  hasErrors: false, hasSuccess: false, errors_detected: [], success_messages: [], nextId: 3, extractMs: 4,
};

test("the first request names no task, a later one carries its task and what was done", () => {
  const run = newRun("r", 7, "Save", "s1");
  const first = JSON.parse(requestBody(run, PAGE, "q1"));
  assert.equal(first.query, "Save");
  assert.equal(first.sessionId, "s1");
  assert.equal("taskId" in first, false);
  assert.deepEqual(first.interactiveTree, PAGE.tree);
  assert.equal("nextId" in first || "tree" in first, false);
  run.taskId = "t1";
  run.feedback = { lastActionId: "a", lastActionStatus: "unknown" };
  const second = JSON.parse(requestBody(run, PAGE, "q2"));
  assert.deepEqual([second.taskId, second.lastActionStatus, second.requestId], ["t1", "unknown", "q2"]);
  assert.deepEqual([...popupOpeners(PAGE)], ["1"]);
});

test("a page that is still loading is said to be, beside what was witnessed, and only then", () => {
  const run = newRun("r", 7, "Save", "s1");
  /** @param {PageObservation} page */
  const told = (page) => JSON.parse(requestBody(run, page, "q"));
  assert.equal("clientObservations" in told(PAGE), false);
  assert.deepEqual(told({ ...PAGE, stillLoading: true }).clientObservations, { stillLoading: true });
  assert.equal("stillLoading" in told({ ...PAGE, stillLoading: true }), false, "it is no field of the request itself");
  const witnessed = { didNetworkOccur: true, didDomMutate: false, didUrlChange: false };
  run.feedback = { clientObservations: witnessed };
  assert.deepEqual(told({ ...PAGE, stillLoading: true }).clientObservations, { ...witnessed, stillLoading: true });
  assert.deepEqual(told(PAGE).clientObservations, witnessed);
});

test("the element of an action is named as a person would", () => {
  const body = JSON.stringify({ interactiveTree: [{ i: "4", r: "btn", n: "Save", g: "form: New" }, { i: "5", r: "zzz" }] });
  const on = (/** @type {string} */ id) => ({ ...item(id), actionDetails: { name: "click", args: { id } } });
  assert.deepEqual(elementsOf(body, [on("4"), on("5"), on("6")]), { "id-4": "button 'Save' in form: New", "id-5": "element ''" });
});

test("what goes into a password field is shown to nobody", () => {
  const body = JSON.stringify({ interactiveTree: [{ i: "4", r: "inp", t: "password" }, { i: "5", r: "inp", t: "text" }] });
  const typed = (/** @type {string} */ id) => ({
    ...item("a"), action: `setValue("${id}", "hunter2")`, description: "Typed 'hunter2'", actionDetails: { name: "setValue", args: { id, text: "hunter2" } },
  });
  const [secret, open] = withoutSecrets(body, [typed("4"), typed("5")]);
  assert.equal(/hunter2/.test(secret.action + secret.description), false);
  assert.match(open.action, /hunter2/);
});

test("what a page is still waiting for, until it has been quiet long enough", () => {
  const quiet = { domQuietMs: 300, networkQuietMs: 500, pending: null, readyState: "complete" };
  assert.deepEqual(unsettledReasons(quiet, 499, AFTER_ACTION), ["least"]);
  assert.deepEqual(unsettledReasons(quiet, 500, AFTER_ACTION), []);
  assert.deepEqual(unsettledReasons({ ...quiet, domQuietMs: 299 }, 600, AFTER_ACTION), ["dom"]);
  assert.deepEqual(unsettledReasons({ ...quiet, networkQuietMs: 499 }, 600, AFTER_ACTION), ["network"]);
  assert.deepEqual(unsettledReasons({ ...quiet, pending: 1 }, 600, AFTER_ACTION), ["network"]);
  assert.deepEqual(unsettledReasons({ ...quiet, networkQuietMs: 0, pending: 1 }, 0, WITHIN_CHAIN), []);
  assert.equal(nextLookMs({ ...quiet, domQuietMs: 260 }, 600, AFTER_ACTION), 40);
});

/** @param {string} text @param {ResponseInit} [init] */
const streamed = (text, init) => async () => new Response(text, { headers: { "Content-Type": "text/event-stream" }, ...init });

/** @param {typeof fetch | (() => Promise<Response>)} answer @param {number} [silenceMs] */
function ask(answer, silenceMs = 1000) {
  /** @type {string[]} */
  const said = [];
  const signal = new AbortController().signal;
  const settings = { serverUrl: "https://s/", apiKey: "k" };
  const event = interact({ settings, body: "{}", signal, silenceMs, fetch: /** @type {typeof fetch} */ (answer), onStatus: (status) => said.push(status.message) });
  return { said, event };
}

test("status events are told and the terminal event is the answer", async () => {
  const { said, event } = ask(streamed('data: {"type":"status","message":"Checking"}\n\ndata: {"type":"done","status":"completed"}\n\n'));
  assert.equal((await event).type, "done");
  assert.deepEqual(said, ["Checking"]);
});

test("an end without a terminal event, and silence, are a lost connection", async () => {
  await assert.rejects(ask(streamed('data: {"type":"status","message":"x"}\n\n')).event, Lost);
  const silent = /** @type {typeof fetch} */ ((_, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted")))));
  await assert.rejects(ask(silent, 20).event, Lost);
});

test("a problem keeps its code, its words and how long to wait", async () => {
  const body = JSON.stringify({ code: "TASK_BUSY", detail: "Being worked on" });
  const { event } = ask(streamed(body, { status: 409, headers: { "Retry-After": "2" } }));
  await assert.rejects(event, (error) => error instanceof Problem && error.code === "TASK_BUSY" && error.retryAfterMs === 2000 && error.message === "Being worked on");
});
