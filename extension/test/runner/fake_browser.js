import assert from "node:assert/strict";
import { createJournal } from "../../runner/journal.js";
import { createRuns } from "../../runner/runs.js";

/** @import { World, View } from "../../types/run" */

export const PAGE = "http://a.example/patients";
const QUIET = { domQuietMs: 9e5, networkQuietMs: 9e5, pending: null, readyState: "complete", url: PAGE };

/** A browser whose tabs, storage and server are plain values; the runs in it are the real ones. */
export function browser() {
  const out = {
    tabs: /** @type {Record<number, string>} */ ({ 1: PAGE }),
    storage: /** @type {Record<string, any>} */ ({ settings: { serverUrl: "https://s", apiKey: "k" } }),
    life: "first",
    bodies: /** @type {any[]} */ ([]),
    views: /** @type {View[]} */ ([]),
    answer: /** @type {(body: any) => Promise<any>} */ (async () => ({ type: "done", status: "completed", taskId: "t1", sessionId: "s1", result: "ok" })),
    task: /** @type {any} */ (null),
    cancelled: /** @type {string[]} */ ([]),
    up: true,
    more: /** @type {Partial<World>} */ ({}),
    runs: /** @type {ReturnType<typeof createRuns>} */ (/** @type {unknown} */ (null)),
    start,
  };
  /** @type {Record<string, (params: any) => any>} */
  const worker = {
    life: () => out.life,
    "tab.keep": () => undefined,
    "tab.get": ({ tabId }) => {
      if (!(tabId in out.tabs)) throw new Error("gone");
      return { url: out.tabs[tabId], title: "", status: "complete" };
    },
    "storage.get": ({ keys }) => structuredClone(keys === null ? out.storage : Object.fromEntries(keys.filter((/** @type {string} */ k) => k in out.storage).map((/** @type {string} */ k) => [k, out.storage[k]]))),
    "storage.set": ({ items }) => void Object.assign(out.storage, structuredClone(items)),
    "storage.remove": ({ keys }) => keys.forEach((/** @type {string} */ k) => delete out.storage[k]),
  };
  const page = {
    documentId: "d", url: PAGE, alive: true,
    request: async (/** @type {string} */ kind) => (kind === "quiet" ? QUIET : { url: PAGE, title: "A", tree: [], nextId: 5, viewport: {} }),
  };
  /** A new runner in this browser. */
  function start() {
    let ids = 0;
    const ask = async (/** @type {string} */ name, params = {}) => worker[name](params);
    out.runs = createRuns({
      pages: { page: async () => page },
      ask,
      journal: createJournal(ask),
      interact: ({ body }) => (out.bodies.push(JSON.parse(body)), out.answer(JSON.parse(body))),
      cancel: async (_, taskId) => out.up && out.cancelled.push(taskId) > 0,
      task: async () => out.task,
      publish: (view) => void out.views.push(structuredClone(view)),
      now: Date.now,
      sleep: async () => undefined,
      uuid: () => `${out.life}-${++ids}-${Math.random()}`,
      ...out.more,
    });
    return out.runs;
  }
  start();
  return out;
}

/** @param {() => boolean} check */
export async function until(check) {
  for (let turn = 0; turn < 200 && !check(); turn++) await new Promise((go) => setImmediate(go));
  assert.ok(check(), check.toString());
}

export const HANGS = () => new Promise(() => {});
