import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./load.js";

const { page } = load();

for (const text of ["1990-03-12", "03/12/1990", "3/12/1990", "12 March 1990", "12th of March 1990", "March 12, 1990", "Mar 12 1990", "12.03.1990", "1990/3/12"]) {
  test(`the date "${text}"`, () => assert.equal(page.parseDate(text), "1990-03-12"));
}
test("a first number that is no month is the day", () => assert.equal(page.parseDate("25/12/2016"), "2016-12-25"));
for (const text of ["02/30/1990", "tomorrow", "12", "13/13/1990", ""]) {
  test(`no date: "${text}"`, () => assert.equal(page.parseDate(text), null));
}
for (const [text, time] of [["3:30 pm", "15:30"], ["15:30", "15:30"], ["12 AM", "00:00"], ["9 a.m.", "09:00"], ["25:00", null], ["noonish", null]]) {
  test(`the time "${text}"`, () => assert.equal(page.parseTime(/** @type {string} */ (text)), time));
}
test("numbers lose what only people write", () => {
  assert.equal(page.toInputValue("number", "1,200"), "1200");
  assert.equal(page.toInputValue("number", "$ 5.50"), "5.50");
});
test("text fields get the text as it is", () => assert.equal(page.toInputValue("text", " 12 March 1990"), " 12 March 1990"));
test("a date and a time together", () => assert.equal(page.toInputValue("datetime-local", "12 March 1990 3:30 pm"), "1990-03-12T15:30"));

for (const [text, week] of [["2026-W12", "2026-W12"], ["week 14 of 2026", "2026-W14"], ["KW 5/2026", "2026-W05"], ["1 January 2027", "2026-W53"], ["2026-03-16", "2026-W12"], ["week 60 of 2026", null], ["soon", null]]) {
  test(`the week "${text}"`, () => assert.equal(page.toInputValue("week", /** @type {string} */ (text)), week));
}

test("chords", () => {
  const held = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
  assert.deepEqual(plain(page.parseChord("Control+A")), { ...held, key: "a", ctrlKey: true });
  assert.deepEqual(plain(page.parseChord("shift + tab")), { ...held, key: "Tab", shiftKey: true });
  assert.deepEqual(plain(page.parseChord("esc")), { ...held, key: "Escape" });
  assert.deepEqual(plain(page.parseChord("+")), { ...held, key: "+" });
  assert.equal(page.parseChord("Hello"), null);
  assert.equal(page.parseChord("A+B"), null);
});
