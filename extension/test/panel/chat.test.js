import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { JSDOM } from "jsdom";

/** @import { Citation } from "../../types/chat" */

const { window } = new JSDOM("<!doctype html><body></body>");
const { document } = window;
Object.assign(globalThis, { window, document, Text: window.Text, HTMLElement: window.HTMLElement, Node: window.Node });
const { renderMarkdown } = await import("../../panel/chat/answer/markdown.js");
const { markCitations } = await import("../../panel/chat/answer/citations.js");
const { createStatusLine: createReasoning } = await import("../../panel/chat/transcript.js");
const { mentionsIn, pieces, spentOf } = await import("../../panel/chat/answer/wording.js");
const { hasEndedSince: endsAnew, historyItems: recalledItems, unansweredMessage: unanswered } = await import("../../panel/chat/history.js");
const { examplesOf } = await import("../../panel/chat/chat.js");
const { tabAfter } = await import("../../panel/chat/tabs.js");

/** @param {string} text */
function shown(text) {
  const box = document.createElement("div");
  box.append(renderMarkdown(text));
  return box;
}

test("what is shipped is what the lock names", () => {
  for (const [ours, theirs] of [["marked.esm.js", "marked/lib/marked.esm.js"], ["LICENSE-marked.md", "marked/LICENSE"], ["purify.es.mjs", "dompurify/dist/purify.es.mjs"], ["LICENSE-dompurify", "dompurify/LICENSE"]]) {
    const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url));
    assert.deepEqual(read(`../../vendor/${ours}`), read(`../../node_modules/${theirs}`), ours);
  }
});

test("markup and pictures in a text are words, and links lead to the web alone", () => {
  const hostile = ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "![p](https://a.example/p.png)", "[a](javascript:alert(1))", "[b](data:text/html,x)", "[c](//a.example)", "<https://a.example/\" onclick=\"x>", "<svg><a xlink:href='javascript:x'>y</a></svg>", "[d](https://a.example \"t\")", "<javascript:alert(1)>"];
  const box = shown(hostile.join("\n\n"));
  assert.equal(box.querySelectorAll("img, script, svg, [onclick], [onerror], [style]").length, 0);
  for (const link of box.querySelectorAll("a")) {
    assert.match(link.getAttribute("href") ?? "", /^https?:\/\//);
    assert.deepEqual([link.target, link.rel], ["_blank", "noopener noreferrer"]);
  }
  assert.ok(box.textContent?.includes("<img src=x onerror=alert(1)>"));
  assert.ok(box.textContent?.includes("<script>alert(1)</script>"));
});

test("tables, lists and code are what they are", () => {
  const box = shown("# Head\n\n| a | b |\n|---|--:|\n| 1 | `x` |\n\n1. one\n2. two\n\n```\n<b>\n```");
  assert.equal(box.querySelector("h3")?.textContent, "Head");
  assert.equal(box.querySelector(".wide > table td code")?.textContent, "x");
  assert.equal(box.querySelectorAll("ol > li").length, 2);
  assert.deepEqual([...shown("### A\n\n##### B\n\n# C").querySelectorAll("h3, h4, h5, h6")].map(({ tagName }) => tagName), ["H3", "H4", "H3"]);
  assert.equal(box.querySelector("pre")?.textContent?.trim(), "<b>");
});

/** @param {number} marker @returns {Citation} */
const citation = (marker) => ({ marker, kind: "document", title: "A", label: "A, page 1", quote: "", document_id: "d", chunk_id: "c", url: null, page: 1, page_end: null, heading_path: [], start: 0, end: 1 });

/** @param {string} text @param {number[]} markers */
function cited(text, ...markers) {
  const box = shown(text);
  markCitations(box, markers.map(citation), ({ marker }) => Object.assign(document.createElement("button"), { textContent: `${marker}` }));
  return box;
}

test("a marker is a button where there is a source, and no text says where it leads", () => {
  const box = cited("Thirty days [1][2]. Code `[1]` and \\[1\\], [7] and [1](https://evil.example).\n\n[1]: https://evil.example/", 1, 2);
  assert.deepEqual([...box.querySelectorAll("button")].map(({ textContent }) => textContent), ["1", "2", "1", "1"]);
  assert.match(box.textContent ?? "", /Code \[1\] and \[1\], \[7\] and/);
  assert.equal(box.querySelector("button")?.closest("a"), null);
  assert.equal(box.querySelector(".together")?.textContent, "days\u00a012.");
});

test("every status is seen, each for its time, and then the line is gone", async () => {
  /** @type {string[]} */
  const log = [];
  const reasoning = createReasoning((status) => log.push(status?.message ?? "-"), async (ms) => log.push(`${ms}`));
  const say = (/** @type {string} */ message) => reasoning.say({ type: "status", node: "", message, thread_id: "" });
  for (const message of ["a", "b"]) say(message);
  await reasoning.end();
  assert.deepEqual(log, ["a", "300", "b", "300", "-"]);
  say("c");
  reasoning.drop();
  await reasoning.end();
  assert.deepEqual(log.slice(5), ["-", "-"]);
});

test("what was mentioned stands in the text as a thing", () => {
  const node = (/** @type {string} */ id, /** @type {string} */ label) => ({ type: "mention", attrs: { id, label, category: "document" } });
  const mentions = mentionsIn({ type: "doc", content: [{ type: "paragraph", content: [node("1", "Price list"), { type: "text", text: " " }, node("2", "Price list (old)")] }] });
  assert.deepEqual(pieces("Compare @Price list (old) with @Price list.", mentions).map((one) => (typeof one === "string" ? one : one.id)), ["Compare ", "2", " with ", "1", "."]);
  for (const odd of [null, 7, "x", [], { content: {} }, { content: [null, { type: "mention" }, { type: "mention", attrs: { label: 1, category: "document" } }] }]) assert.deepEqual(mentionsIn(odd), []);
});

test("what is not known is not called free", () => {
  const spent = (/** @type {object} */ of) => spentOf(/** @type {any} */ ({ tokens_used: 1_240, cost_usd: 0.0012, cost_known: true, ...of }));
  assert.deepEqual([spent({}), spent({ cost_usd: 0, cost_known: false }), spent({ tokens_used: 0, cost_usd: 0 })], ["1,240 tokens · $0.0012", "1,240 tokens · cost not known", "no model"]);
});

/** @param {string} role @param {string} kind @param {object} [metadata] @returns {any} */
const line = (role, kind, metadata = {}) => ({ id: kind, role, kind, content: kind, metadata, created_at: "" });
/** @param {any[]} messages @param {object} [more] @returns {any} */
const history = (messages, more = {}) => ({ thread_id: "t", title: "", messages, pending_interrupt: null, running: false, ...more });

test("the question that waits has its card and no line; what was cancelled is not shown", () => {
  const given = { open: () => undefined, handing: /** @type {any} */ ({ under: () => [] }) };
  const lines = [line("user", "message"), line("system", "question", { hitl_id: "h" }), line("assistant", "message", { cancelled: true })];
  assert.equal(recalledItems(history(lines), given).length, 2);
  assert.equal(recalledItems(history(lines, { pending_interrupt: { hitl_id: "h" } }), given).length, 1);
});

test("a message that nothing answered can be asked again, and an answer that came after a cut is found", () => {
  const said = line("user", "message", { request_id: "r", mentions: [{ kind: "document", id: "d", label: "A" }, { kind: "action", id: "audit", label: "Audit" }] });
  assert.deepEqual(unanswered(history([said])), { message: "message", tagged_doc_ids: ["d"], tagged_set_ids: [], action: "audit", enable_web_search: false });
  assert.equal(unanswered(history([said], { running: true })), null);
  assert.equal(unanswered(history([said, line("assistant", "message")])), null);
  assert.equal(endsAnew(history([line("assistant", "message"), said]), { request_id: "r" }), false);
  assert.equal(endsAnew(history([said, line("assistant", "message")]), { request_id: "r" }), true);
  assert.equal(endsAnew(history([said, line("assistant", "message")]), { request_id: "other" }), false);
  assert.equal(endsAnew(history([line("user", "answer", { hitl_id: "h" }), line("assistant", "message")]), { hitl_id: "h" }), true);
});

test("examples are of the documents that there are, and arrows go round the tabs", () => {
  assert.deepEqual(examplesOf([]), []);
  assert.deepEqual(examplesOf([{ id: "1", title: "A" }, { id: "2", title: "B" }]), ["Summarize A", "Compare A with B"]);
  assert.match(examplesOf([{ id: "1", title: "A" }, { id: "2", title: "A" }])[1], /^What does A/);
  assert.deepEqual(["ArrowRight", "ArrowLeft", "Home", "End", "a"].map((key) => tabAfter(key, 1)), [0, 0, 0, 1, null]);
});
