import assert from "node:assert/strict";
import test from "node:test";
import { planLines } from "../../panel/run/plan.js";
import { byTask, storedStep } from "../../panel/rooms/session.js";
import { noticeFor } from "../../panel/run/situation.js";
import { patternOf, siteName } from "../../panel/rooms/sites.js";
import { ago, timeOffset, tokens } from "../../panel/format.js";
import { emptyView, reduceView } from "../../runner/run/view.js";

const HOME = "http://127.0.0.1:8787";

test("a site is called by its host, and an address becomes its pattern", () => {
  const names = ["https://a.example/*", "http://a.example:8080/*", "*://*.b.example/*", "https://*/*", "<all_urls>", "*://*/*"].map(siteName);
  assert.deepEqual(names, ["a.example", "a.example:8080 (http)", "b.example and its subdomains", "Every https site", "Every site", "Every site"]);
  assert.deepEqual(["a.example/x?y", "http://a.example:8080/", " ", "chrome://version"].map(patternOf), ["https://a.example/*", "http://a.example:8080/*", null, null]);
});

/** @param {number} count @param {number} current */
const plan = (count, current) =>
  Array.from({ length: count }, (_, n) => ({ id: `${n}`, description: `step ${n}`, status: /** @type {const} */ (n < current ? "completed" : n === current ? "current" : "pending") }));

test("a long plan shows seven lines at most, the current one among them", () => {
  assert.equal(planLines(plan(7, 3)).length, 7);
  for (let current = 0; current < 20; current++) {
    const lines = planLines(plan(20, current));
    assert.ok(lines.length <= 7, `${lines.length} lines at ${current}`);
    assert.equal(lines.filter(({ status }) => status === "current").length, 1);
    const counted = lines.filter(({ status }) => status === "more").reduce((sum, { text }) => sum + parseInt(text), 0);
    assert.equal(counted + lines.filter(({ status }) => status !== "more").length, 20);
  }
  assert.equal(planLines(plan(20, 20)).length <= 7, true);
});

test("of a goal in many parts five lines are left, the current one among them", () => {
  for (let current = 0; current < 12; current++) {
    const lines = planLines(plan(12, current), 5);
    assert.ok(lines.length <= 5, `${lines.length} lines at ${current}`);
    assert.equal(lines.filter(({ status }) => status === "current").length, 1);
  }
});

test("what is stored of a task is shown as it was live", () => {
  const action = { actionId: "a", thought: "t", action: 'click("1")', description: "Open it", status: "success", createdAt: "2026-01-01T00:00:00Z" };
  const marks = [{}, { verification: { actionSucceeded: true } }, { verification: { actionSucceeded: false } }, { status: "failure" }, { status: "pending" }];
  assert.deepEqual(marks.map((more) => storedStep({ ...action, ...more }).mark), ["done", "verified", "failed", "failed", "unknown"]);
});

test("messages are told task by task", () => {
  const message = (/** @type {string} */ id, /** @type {string | null} */ taskId) => ({ id, taskId, role: "user", content: id, createdAt: "" });
  const groups = byTask([message("a", "t1"), message("b", "t1"), message("c", null), message("d", "t2")]);
  assert.deepEqual(groups.map(({ taskId, messages }) => [taskId, messages.map(({ id }) => id).join("")]), [["t1", "ab"], [null, "c"], ["t2", "d"]]);
});

test("times and counts are short", () => {
  assert.deepEqual([0, 59_000, 240_000, 3 * 3600_000, 30 * 3600_000, 12 * 86_400_000].map(ago), ["just now", "just now", "4 min ago", "3 h ago", "yesterday", "12 days ago"]);
  assert.deepEqual([400, 59_400, 59_600, 340_000, 7_440_000].map(timeOffset), ["0.4 s", "59 s", "1:00", "5:40", "2:04:00"]);
  assert.deepEqual([0, 1, 9_999, 12_340].map(tokens), ["0 tokens", "1 token", "9,999 tokens", "12.3k tokens"]);
});

test("a notice that was seen to gives way to what is next", () => {
  const refused = reduceView(emptyView(1), { type: "notice", notice: { kind: "auth", text: "The key is refused" } });
  const situation = { hasKey: true, serverUrl: HOME, refused: "", mismatch: "", serverUp: true, url: "https://a.example/", permitted: true };
  assert.equal(noticeFor(refused, situation)?.kind, "auth");
  assert.equal(noticeFor(refused, situation, "The key is refused"), null);
  const keyless = reduceView(emptyView(1), { type: "notice", notice: { kind: "first-run", text: "Pair" } });
  assert.equal(noticeFor(keyless, situation), null);
  assert.equal(noticeFor(keyless, { ...situation, hasKey: false })?.kind, "first-run");
});
