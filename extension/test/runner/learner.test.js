import assert from "node:assert/strict";
import test from "node:test";
import { createLearner } from "../../runner/learner.js";
import { until } from "./fake_browser.js";

/** @import { Learning } from "../../types/learning" */

const WARD = "http://a.example/ward";
const CAPTURED = { html: "<p>Visiting hours</p>", url: WARD, phase: "initial", title: "Ward" };
const QUIET = { readyState: "complete", domQuietMs: 9e5 };

/** One tab whose page is learned, on a server that says when a job is over and what came of it. */
function ward() {
  const out = { shown: /** @type {Learning[]} */ ([]), documentId: "d1", asked: false, over: (/** @type {object} */ _job) => {}, learning: /** @type {any} */ (null), hello };
  /** @type {Record<string, (tabId: number, message: any) => void>} */
  const heard = {};
  const answers = /** @type {Record<string, any>} */ ({ quiet: QUIET, capture: CAPTURED, learn: true });
  const page = () => ({ documentId: out.documentId, url: WARD, alive: true, request: async (/** @type {string} */ kind) => answers[kind] });
  out.learning = createLearner({
    pages: /** @type {any} */ ({ page: async () => page(), known: () => page(), listen: (/** @type {string} */ kind, /** @type {any} */ listener) => (heard[kind] = listener) }),
    ask: async (name) => (name === "storage.get" ? {} : { url: WARD }),
    server: async (path) => {
      if (path.endsWith("/ingest")) return { jobId: "j" };
      out.asked = true;
      return new Promise((over) => (out.over = over));
    },
    publish: (shown) => void out.shown.push(shown),
    sleep: async () => undefined,
  });
  /** The page is another from now on. */
  function hello() {
    out.documentId = "d2";
    heard.hello(1, { frameId: 0, page: page() });
  }
  return out;
}

const job = (/** @type {object} */ more) => ({ jobId: "j", status: "completed", progress: { unchanged: 1, chunks: 2 }, errors: [], documents: ["d"], ...more });

/** @param {ReturnType<typeof ward>} out */
async function underWay(out) {
  const learned = /** @type {Promise<void>} */ (out.learning.learn(1));
  await until(() => out.asked);
  assert.equal(out.shown.at(-1)?.said, "Learning “Ward”…");
  return { learned };
}

test("what came of a page is said while it is the page that is shown", async () => {
  const out = ward();
  const { learned } = await underWay(out);
  out.over(job({}));
  await learned;
  assert.deepEqual([out.learning.view(1).said, out.learning.view(1).on], ["“Ward” contains nothing new.", true]);
});

test("beside the next page nothing is said of it, unless it failed", async () => {
  for (const [more, said] of /** @type {[object, string][]} */ ([[{}, ""], [{ status: "failed", reason: "it was empty" }, "“Ward” could not be learned: it was empty"]])) {
    const out = ward();
    const { learned } = await underWay(out);
    out.hello();
    assert.equal(out.shown.at(-1)?.said, "");
    out.over(job(more));
    await learned;
    assert.deepEqual([out.learning.view(1).said, out.learning.view(1).on], [said, false]);
  }
});
