import assert from "node:assert/strict";
import test from "node:test";
import { completedShare, sizeText, successText, progressTexts } from "../../panel/knowledge/jobs.js";
import { plainText } from "../../panel/chat/source/quotes.js";
import { waitForJob, learnOutcome } from "../../runner/learner.js";
import { emptyView, reduceView } from "../../runner/run/view.js";

/** @import { Job } from "../../types/learning" */

/** @param {Partial<Job>} [more] @param {Partial<Job["progress"]>} [progress] @returns {Job} */
const job = (more = {}, progress = {}) => ({
  jobId: "j", kind: "file", source: "a.pdf", status: "running", errors: [], documents: [], createdAt: "2026-11-22T10:00:00Z",
  ...more, progress: { documents: 0, unchanged: 0, failed: 0, chunks: 0, bytes: 0, ...progress },
});

test("how far a job is, in a bar and in words", () => {
  const crawl = job({}, { documents: 12, documentsTotal: 40, chunks: 96, bytes: 412_000, failed: 1, remainingSeconds: 8.5 });
  assert.equal(completedShare(crawl), 13 / 40);
  assert.deepEqual(progressTexts(crawl), ["Reading", "12 of 40 documents", "96 passages", "412 kB", "1 failed", "9 s left"]);
  assert.equal(completedShare(job()), null);
  assert.equal(completedShare(job({}, { bytes: 1, bytesTotal: 4 })), 0.25);
  assert.deepEqual(progressTexts(job({ status: "queued" })), ["Waiting"]);
  assert.deepEqual([sizeText(1), sizeText(940), sizeText(1_200_000)], ["1 byte", "940 bytes", "1.2 MB"]);
});

test("what came of a file is said", () => {
  assert.equal(successText(job({ documents: ["d"] }, { documents: 1, chunks: 12 })), "Added a.pdf: 12 passages.");
  assert.equal(successText(job({ documents: ["d"] }, { documents: 1, unchanged: 1 })), "a.pdf is already there, unchanged.");
});

test("what came of learning is said, with what it took the place of", async () => {
  const parts = { d1: [{ chunkId: "n1" }], d0: [{ chunkId: "o1", supersededBy: "n1" }, { chunkId: "o2", supersededBy: "other" }] };
  const server = async (/** @type {string} */ path) => {
    const id = /** @type {"d0" | "d1"} */ (/documents\/(d\d)/.exec(path)?.[1]);
    if (id) return { id, url: "http://a/", source: "http://a/", parts: parts[id] };
    return { documents: [{ id: "d0", url: "http://a/" }, { id: "d1", url: "http://a/" }, { id: "d2", url: "http://a/b" }] };
  };
  const done = job({ status: "completed", documents: ["d1"] }, { documents: 1, chunks: 4 });
  assert.equal((await learnOutcome(server, done, "Patient menu", false)).said, "Learned “Patient menu”: 4 passages, 1 replaced.");
  const refused = job({ status: "failed", errors: [{ source: "x", code: "DOCUMENT_EMPTY", reason: "There is no text in it.", advice: "Look whether it is the right file." }] });
  assert.deepEqual(await learnOutcome(server, refused, "Menu", false), { said: "“Menu” could not be learned: There is no text in it.", failed: true });
});

test("a job is waited for until it has ended", async () => {
  const states = [job({ status: "queued" }), job(), job({ status: "completed" })];
  const found = await waitForJob(async () => states.shift(), "j", async () => undefined);
  assert.equal(found.status, "completed");
});

test("passages are read without the marks of Markdown", () => {
  assert.equal(plainText("## Returns\n\nWithin **30 days**, see [the form](https://a.example) and `code`."), "Returns\nWithin 30 days, see the form and code.");
});

test("that the documents were read is one quiet line, said once", () => {
  let view = emptyView(1);
  const docs = (/** @type {string[]} */ titles) => (view = reduceView(view, { type: "docs", titles, at: view.steps.length }));
  docs(["Handbook", "Handbook", "Prices"]);
  docs(["Handbook", "Prices"]);
  assert.deepEqual(view.steps.map(({ text }) => text), ["Read in your documents: Handbook, Prices"]);
  docs(["A", "B", "C", "D", "E"]);
  assert.equal(view.steps.at(-1)?.text, "Read in your documents: A, B, C and 2 more");
});
