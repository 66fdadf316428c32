import assert from "node:assert/strict";
import test from "node:test";
import { elementParts } from "../../panel/run/question_options.js";
import { keyAction } from "../../panel/option_keys.js";
import { personActText, answerLine, askedStep, deadlineOf, actionText, questionParts, yesLabel } from "../../shared/question_text.js";

/** @import { InterruptEvent } from "../../types/wire" */

const AT = Date.parse("2026-01-01T12:00:00Z");

/** @param {Partial<InterruptEvent>} more @returns {InterruptEvent} */
const question = (more) => ({ type: "interrupt", hitlId: "h", kind: "clarification", interruptType: "text_input", message: "Which?", expectedInput: "free_text", ...more });

const DELETE = question({
  kind: "approval", expectedInput: "yes_no", message: "Delete Jas?",
  approval: { action: 'click("4")', description: "Click 'Delete'", elementId: "4", element: null, site: "a.example", effects: [], undo: "" },
});

test("a question just asked waits as long as it was given, whatever this computer's clock says", () => {
  const given = { askedAt: "2026-01-01T12:00:00Z", expiresAt: "2026-01-01T12:05:00Z" };
  assert.equal(deadlineOf(given, AT + 1_000), AT + 300_000);
  for (const wrong of [-86_400_000, -301_000, 301_000, 86_400_000]) assert.equal(deadlineOf(given, AT + wrong), AT + wrong + 300_000, `${wrong}`);
  assert.equal(deadlineOf({ expiresAt: given.expiresAt }, AT), AT + 300_000);
  assert.equal(deadlineOf({}, AT), null);
});

test("digits choose, arrows move, a held key answers nothing, and no digit approves", () => {
  const of = { count: 3, at: -1, approval: false, words: true };
  assert.deepEqual(["1", "3", "4"].map((key) => keyAction({ key }, of)), [{ press: 0 }, { press: 2 }, { write: true }]);
  assert.deepEqual(["ArrowDown", "ArrowUp", "Home", "End"].map((key) => keyAction({ key }, of)), [{ focus: 0 }, { focus: 2 }, { focus: 0 }, { focus: 2 }]);
  assert.deepEqual(["ArrowRight", "ArrowLeft"].map((key) => keyAction({ key }, { ...of, at: 2 })), [{ focus: 0 }, { focus: 1 }]);
  for (const key of ["Enter", " ", "1"]) assert.deepEqual(keyAction({ key, repeat: true }, of), { swallow: true }, key);
  assert.equal(keyAction({ key: "Enter" }, of), null);
  assert.equal(keyAction({ key: "1" }, { ...of, approval: true, words: false }), null);
  assert.equal(keyAction({ key: "1", ctrlKey: true }, of), null);
  assert.deepEqual([keyAction({ key: "ß" }, of), keyAction({ key: "Tab" }, of), keyAction({ key: "ArrowDown" }, { ...of, count: 0 })], [{ write: true }, null, null]);
});

test("a yes is called by what it lets happen", () => {
  assert.equal(yesLabel(DELETE), "Yes, press 'Delete'");
  assert.equal(yesLabel(question({ kind: "approval", message: "Go on?" })), "Yes, do this");
  const long = { ...DELETE, approval: { .../** @type {NonNullable<InterruptEvent["approval"]>} */ (DELETE.approval), description: `Type ${"a".repeat(90)}` } };
  assert.equal(yesLabel(long), "Yes, do this");
  assert.equal(actionText({ ...DELETE, approval: null }), "delete Jas?");
});

test("question and answer are a line each", () => {
  const needs = question({ message: "To go on I need to know:\n- Phone\n- City", fields: ["Phone", "City", "Street"] });
  assert.deepEqual(questionParts(needs), { sentence: "To go on I need to know:", needs: ["Phone", "City", "Street"] });
  assert.equal(askedStep(needs, 1).text, "Asked: To go on I need to know: Phone; City; Street");
  assert.equal(answerLine(needs, "555", "555\n 12"), "You answered: 555 12");
  assert.deepEqual(["yes", "no", null].map((value) => answerLine(DELETE, value, "")), ["You allowed: delete Jas", "You refused: delete Jas", "You cancelled the question"]);
});

test("a secret that was asked for is not shown in the timeline", () => {
  for (const message of ["What is the password?", "Which PIN?", "Wie lautet das Kennwort?"]) {
    assert.equal(answerLine(question({ message }), "hunter2", "hunter2"), "You answered: ••••••", message);
  }
});

test("what the person did is told as they would", () => {
  const act = { role: "btn", name: "Save", url: "https://a.example/x?secret=1", at: "" };
  const kinds = /** @type {const} */ (["click", "type", "choose", "submit", "navigate"]);
  assert.deepEqual(kinds.map((kind) => personActText({ ...act, kind })), ["You clicked 'Save'", "You typed into 'Save'", "You made a choice in 'Save'", "You submitted 'Save'", "You went to a.example/x"]);
  assert.deepEqual(kinds.map((kind) => personActText({ ...act, kind, name: "", role: "link", url: "" })), ["You clicked a link", "You typed into a link", "You made a choice in a link", "You submitted a form", "You went to another page"]);
});

test("an element in words is drawn as what it is", () => {
  assert.deepEqual(elementParts('btn "Delete "all"" in row: Jas'), { role: "btn", name: 'Delete "all"', place: "row: Jas" });
  assert.deepEqual(elementParts('link "Pay" in now" in form: A'), { role: "link", name: 'Pay" in now', place: "form: A" });
  assert.deepEqual(elementParts("something else"), { role: "", name: "something else", place: "" });
});
