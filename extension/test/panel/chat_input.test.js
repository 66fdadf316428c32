import assert from "node:assert/strict";
import test from "node:test";
import { cleanText, LONGEST, piecesOfTiptap, messageOf, tiptapOf } from "../../panel/chat/input/message_model.js";
import { matchesQuery, groupsFor, mentionAt } from "../../panel/chat/input/mentions.js";

/** @import { Mention } from "../../panel/chat/input/message_model.js" */

/** @param {Mention["category"]} category @param {string} id @param {string} label @returns {Mention} */
const mention = (category, id, label) => ({ category, id, label });
const HANDBOOK = mention("document", "d1", "Handbook 2026");

test("what is said goes as text, as TipTap's document, and as what it mentions", () => {
  const said = messageOf(["  ", mention("action", "audit", "Audit"), " and ", mention("action", "compare", "Compare"), " ", HANDBOOK, " with\n", mention("set", "hr", "HR"), ",\n\n", HANDBOOK, mention("web", "web", "Web"), " \n"]);
  assert.equal(said.message, "@Audit and @Compare @Handbook 2026 with\n@HR,\n\n@Handbook 2026@Web");
  assert.deepEqual([said.tagged_doc_ids, said.tagged_set_ids, said.action, said.enable_web_search], [["d1"], ["hr"], "compare", true]);
  assert.deepEqual(/** @type {any} */ (said.tiptap_json).content.slice(1), [
    { type: "paragraph", content: [{ type: "mention", attrs: { id: "hr", label: "HR", category: "set" } }, { type: "text", text: "," }] },
    { type: "paragraph" },
    { type: "paragraph", content: [{ type: "mention", attrs: { id: "d1", label: "Handbook 2026", category: "document" } }, { type: "mention", attrs: { id: "web", label: "Web", category: "web" } }] },
  ]);
});

test("nothing said is nothing, and words alone mention nothing", () => {
  assert.equal(messageOf([" \n", ""]).message, "");
  assert.deepEqual(messageOf(["What about ", "a@b.example?"]), {
    message: "What about a@b.example?", tiptap_json: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "What about a@b.example?" }] }] },
    tagged_doc_ids: [], tagged_set_ids: [], action: null, enable_web_search: false,
  });
});

test("a document of TipTap comes back as it was, and one of any other shape as what text it has", () => {
  const pieces = ["סכם את ", HANDBOOK, "\n\ntwo ", mention("action", "inquire", "Ask")];
  assert.deepEqual(messageOf(piecesOfTiptap(tiptapOf(pieces))), messageOf(pieces));
  for (const odd of [null, 7, "x", [], {}, { content: 3 }, { content: [null, { content: [4, { type: "text" }] }] }]) assert.equal(messageOf(piecesOfTiptap(odd)).message, "");
  const unknown = { type: "doc", content: [{ type: "paragraph", content: [{ type: "mention", attrs: { id: 3, label: "  A\n b ", category: "user" } }, { type: "hardBreak" }, { type: "text", text: "c" }] }] };
  assert.deepEqual(piecesOfTiptap(unknown), ["@A b", "\n", "c"]);
});

test("the longest text is taken apart without waiting", () => {
  const text = "A line of text that is pasted.\n".repeat(7_000).slice(0, LONGEST);
  const begun = performance.now();
  assert.equal(/** @type {any} */ (messageOf([text]).tiptap_json).content.length, text.trim().split("\n").length);
  assert.ok(performance.now() - begun < 500);
  assert.equal(cleanText("a\r\nb\rc\0\x07\ud800d\t"), "a\nb\nc\ufffdd\t");
});

test("an @ mentions where a word could begin", () => {
  assert.deepEqual(mentionAt("Sum @hand b"), { at: 4, query: "hand b" });
  assert.deepEqual(mentionAt("(@"), { at: 1, query: "" });
  assert.deepEqual(mentionAt("לפי@מד"), { at: 3, query: "מד" });
  for (const none of ["a@b.example", "Sum", "at @ noon", `@${"x".repeat(81)}`, "5@3"]) assert.equal(mentionAt(none), null, none);
});

test("what fits is found by the beginnings of its words, in any case and order", () => {
  assert.ok(matchesQuery("hand 20", "Employee Handbook 2026"));
  assert.ok(matchesQuery("2026 emp", "Employee Handbook 2026"));
  assert.ok(matchesQuery("", "Anything") && matchesQuery("resume", "Résumé"));
  assert.ok(!matchesQuery("book", "Handbook") && !matchesQuery("hand x", "Handbook"));
});

test("the menu has what fits, in groups; what the server found for just this stays, and what is closed says why", () => {
  const offered = {
    documents: [{ id: "d1", title: "Handbook", set: "default" }, { id: "d2", title: "Prices", set: "sales" }],
    sets: [{ id: "hr", label: "HR", documents: 1 }], actions: [{ id: "inquire", label: "Ask" }, { id: "audit", label: "Audit" }], web: { available: false, reason: "No search." },
  };
  const told = (/** @type {string} */ query, fresh = false) => groupsFor(offered, query, { fresh }).map(({ heading, offers }) => [heading, ...offers.map((one) => one.mention.label + (one.hint && ` (${one.hint})`) + (one.closed && `: ${one.closed}`))]);
  assert.deepEqual(told(""), [["Documents", "Handbook", "Prices (sales)"], ["Sets", "HR (1 document)"], ["Actions", "Ask", "Audit"], ["Web", "Web (Search the web too): No search."]]);
  assert.deepEqual(told("a"), [["Actions", "Ask", "Audit"]]);
  assert.deepEqual(told("handbok", true), [["Documents", "Handbook", "Prices (sales)"], ["Sets", "HR (1 document)"]]);
  assert.deepEqual([told("search").length, told("zzz"), groupsFor({}, "")], [1, [], []]);
});
