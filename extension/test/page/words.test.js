import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./load.js";

const { page } = load();

test("an option is matched exactly, then without case, then by its only beginning or part", () => {
  const labels = ["Male", "Female", "female (other)", "Unknown sex"];
  assert.equal(page.matchLabel(labels, "Male"), 0);
  assert.equal(page.matchLabel(labels, "FEMALE"), 1);
  assert.equal(page.matchLabel(labels, "unk"), 3);
  assert.equal(page.matchLabel(labels, "other"), 2);
  assert.equal(page.matchLabel(labels, "fem"), -1);
  assert.equal(page.matchLabel(labels, "robot"), -1);
});

test("changes are told with values first and never more than twelve", () => {
  /** @param {string} i @param {Partial<V3Node>} more @returns {V3Node} */
  const node = (i, more) => ({ i, r: "btn", n: `b${i}`, ...more });
  const before = [node("1", { r: "inp", n: "Name", v: "" }), node("2", { s: ["collapsed"] }), node("3", {})];
  const now = [node("1", { r: "inp", n: "Name", v: "Jas" }), node("2", { s: ["expanded", "focused"] }), node("4", { g: "menu: Patient" })];
  assert.deepEqual(plain(page.describeChanges(before, now)), [
    'changed: inp "Name" from "" to "Jas"', 'now: btn "b2" expanded (was collapsed)', 'added: btn "b4" in menu: Patient', 'removed: btn "b3"',
  ]);
  const many = page.describeChanges([], Array.from({ length: 30 }, (_, at) => node(String(at), {})));
  assert.equal(many.length, 12);
  assert.equal(many[11], "and 19 more");
  assert.deepEqual(plain(page.describeChanges(null, now)), []);
});

test("groups read from the outside in, the innermost kept when there are too many", () => {
  assert.equal(page.groupText([{ kind: "dialog", label: "New patient" }, { kind: "fieldset", label: "Contact" }]), "dialog: New patient > fieldset: Contact");
  assert.equal(page.groupText([{ kind: "section", label: "Page" }, { kind: "dialog", label: "Sure?" }, { kind: "form", label: "" }]), "dialog: Sure? > form");
  const deep = Array.from({ length: 9 }, (_, at) => ({ kind: "section", label: `A long heading number ${at}` }));
  const text = page.groupText(deep);
  assert.ok(text.length <= 120 && text.endsWith("number 8"), text);
});

test("messages are told apart by their markup, then by their words", () => {
  assert.equal(page.messageKind("alert alert-danger", "alert", "Saved"), "error");
  assert.equal(page.messageKind("toast toast-success", "status", "All right"), "success");
  assert.equal(page.messageKind("MuiAlert-filledError", "alert", "x"), "error");
  assert.equal(page.messageKind("errorlist", "", "Amount: a whole number"), "error");
  assert.equal(page.messageKind("", "status", "Patient saved"), "success");
  assert.equal(page.messageKind("", "", "The name is required"), "error");
  assert.equal(page.messageKind("", "alert", "The Wi-Fi has changed"), "error");
  assert.equal(page.messageKind("", "status", "3 results"), "info");
});

test("only messages that were not there before count", () => {
  const el = /** @type {Element} */ (/** @type {unknown} */ (null));
  /** @type {Message[]} */
  const messages = [{ el, text: "Old", live: true, kind: "error", state: "alert" }, { el, text: "New", live: true, kind: "error", state: "alert" }];
  assert.deepEqual(plain(page.newMessages(messages, new Set(["Old"]))), { errors: ["New"], successes: [] });
});

test("text is cut without breaking a character", () => {
  assert.equal(page.clip("abcdef", 4), "abc…");
  assert.equal(page.clip("ab😀def", 4), "ab…");
  assert.equal(page.collapse(" a\u00a0 b\n"), "a b");
  assert.equal(page.words("user_firstName-2"), "user first name 2");
});

test("the summary marks headings and ends at 4,000 characters", () => {
  assert.equal(page.joinSummary("T", [{ text: "Head", heading: true }, { text: "a", heading: false }, { text: "a", heading: false }]), "T\n# Head\na");
  assert.equal(page.joinSummary("T", [{ text: "x".repeat(9_000), heading: false }]).length, 4_000);
});
