import assert from "node:assert/strict";
import test from "node:test";

const ROOT = "chrome-extension://own/";
/** @type {((message: any, sender: any, reply: (answer: any) => void) => boolean)[]} */
const listeners = [];
let sender = { id: "own", url: `${ROOT}panel/index.html` };
let answers = true; // false: the worker stops before it answers

/** Like Chrome: the first listener that returns true answers. @param {any} message @returns {Promise<any>} */
const sendMessage = (message) =>
  new Promise((resolve, reject) => {
    const taken = answers && listeners.some((listener) => listener(structuredClone(message), sender, (answer) => resolve(structuredClone(answer))));
    if (!taken) reject(new Error("Could not establish connection. Receiving end does not exist."));
  });

Object.assign(globalThis, {
  chrome: { runtime: { id: "own", getURL: (/** @type {string} */ path) => ROOT + path, onMessage: { addListener: (/** @type {any} */ listener) => listeners.push(listener) }, sendMessage } },
});
const { askWorker, handleMessages, handlePort, isPageScript, Refusal, reportToRunner } = await import("../../shared/messages.js");

let revived = 0;
let calls = 0;
/** @type {any} */
const HANDLERS = {
  "tab.get": async (/** @type {{tabId: number}} */ { tabId }) => {
    calls += 1;
    if (tabId === 1) throw new Refusal("NO_PERMISSION", "Not allowed on a.example", "https://a.example");
    if (tabId === 2) throw new TypeError("broken");
    return { url: `https://a.example/${tabId}` };
  },
};
handleMessages("worker", HANDLERS);
handleMessages("worker", /** @type {any} */ ({ "runner.gone": () => void revived++ }), isPageScript);

test("a request gets its result, or the receiver's error with code, message and site", async () => {
  assert.equal((await askWorker("tab.get", { tabId: 7 })).url, "https://a.example/7");
  await assert.rejects(askWorker("tab.get", { tabId: 1 }), { constructor: Refusal, code: "NO_PERMISSION", message: "Not allowed on a.example", origin: "https://a.example" });
  await assert.rejects(askWorker("tab.get", { tabId: 2 }), { constructor: Refusal, code: "FAILED", message: "broken" });
});

test("a page script reaches only its own handler", async () => {
  sender = /** @type {any} */ ({ id: "own", url: "https://a.example/", tab: { id: 7 } });
  await assert.rejects(askWorker("tab.get", { tabId: 7 }, { once: true }), /Receiving end/);
  await sendMessage({ to: "worker", name: "runner.gone" });
  assert.equal(revived, 1);
  sender = { id: "another", url: `${ROOT}panel/index.html` };
  await assert.rejects(askWorker("tab.get", { tabId: 7 }, { once: true }), /Receiving end/);
  sender = { id: "own", url: `${ROOT}panel/index.html` };
  await assert.rejects(sendMessage({ to: "worker", name: "constructor" }), /Receiving end/);
});

test("a request is repeated if the worker stops, unless it must be sent once", async () => {
  answers = false;
  calls = 0;
  setTimeout(() => (answers = true), 50);
  assert.equal((await askWorker("tab.get", { tabId: 7 })).url, "https://a.example/7");
  assert.equal(calls, 1);
  answers = false;
  await assert.rejects(askWorker("tab.get", { tabId: 7 }, { once: true }), /Receiving end/);
  await reportToRunner("permissions.added"); // nobody listens: no error
  answers = true;
});

test("messages through a port go to the handler of their kind; others are ignored", () => {
  const heard = /** @type {any[]} */ ([]);
  let deliver = /** @type {(message: any) => void} */ (() => {});
  handlePort(/** @type {any} */ ({ onMessage: { addListener: (/** @type {any} */ listener) => (deliver = listener) } }), { view: ({ view }) => heard.push(view) });
  for (const message of [{ kind: "view", view: 1 }, { kind: "toString" }, { kind: "other" }, null, "view"]) deliver(message);
  assert.deepEqual(heard, [1]);
});
