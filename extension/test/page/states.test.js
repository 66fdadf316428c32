import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./load.js";

test("a password is never read, only that there is one", () => {
  const { page, one } = load(`<input id=a type=password value=hunter2><input id=b type=password>`);
  assert.equal(page.valueOf(one("#a"), "inp"), "••••••");
  assert.equal(page.valueOf(one("#b"), "inp"), "");
});
test("a select shows its labels and says how many more there are", () => {
  const { page, one } = load(`<select id=a>${Array.from({ length: 23 }, (_, at) => `<option value=${at}>Label ${at}`).join("")}</select>`);
  assert.equal(page.valueOf(one("#a"), "sel"), "Label 0");
  const options = page.optionsOf(one("#a"), "sel");
  assert.equal(options.length, 21);
  assert.equal(options[20], "… 3 more");
});
test("states", () => {
  const { page, one } = load(`<fieldset disabled><input id=a required></fieldset><input id=b type=checkbox checked>
    <button id=c aria-expanded=false aria-haspopup=menu>M</button><div id=d role=checkbox aria-checked=mixed></div><details open><summary id=e>x</summary></details>
    <a id=f href=# aria-current=page>x</a><input id=g readonly aria-invalid=true>`);
  const states = (/** @type {string} */ selector, /** @type {WireRole} */ role) => plain(page.statesOf(one(selector), role));
  assert.deepEqual(states("#a", "inp"), ["disabled", "required"]);
  assert.deepEqual(states("#b", "chk"), ["checked"]);
  assert.deepEqual(states("#c", "btn"), ["collapsed", "haspopup"]);
  assert.deepEqual(states("#d", "chk"), ["mixed"]);
  assert.deepEqual(states("#e", "btn"), ["expanded"]);
  assert.deepEqual(states("#f", "link"), ["current"]);
  assert.deepEqual(states("#g", "inp"), ["readonly", "invalid"]);
});
test("hints tell formats and limits, and not the name again", () => {
  const { page, one } = load(`<input id=a type=number min=1 max=9 step=2><input id=b type=date><input id=c placeholder=Name>`);
  assert.equal(page.hintOf(one("#a"), "inp", "Dose"), "1..9 step 2");
  assert.equal(page.hintOf(one("#b"), "inp", "Born"), "yyyy-mm-dd");
  assert.equal(page.hintOf(one("#c"), "inp", "Name"), "");
});
test("roles", () => {
  const { page, document } = load(`<a href=#>l</a><a>n</a><input type=search><input type=image><input type=hidden><textarea></textarea><div contenteditable>r</div>
    <div contenteditable=false></div><div role=switch></div><div role=combobox></div><input role=combobox readonly><button aria-haspopup=listbox role=button></button><button role=tab></button>`);
  const roles = [...document.body.children].map((el) => page.roleOf(el));
  assert.deepEqual(roles, ["link", null, "inp", "btn", null, "inp", "inp", null, "chk", "sel", "sel", "sel", "tab"]);
});
test("three dots, three lines or an arrow down open a menu; a sentence that ends in dots does not", () => {
  const { page, one } = load(`<button id=a>⋮</button><a id=b href=#>Patients ▾</a><button id=c aria-expanded=false>▾</button><button id=d>Choose...</button>`);
  const states = (/** @type {string} */ selector, /** @type {WireRole} */ role) => plain(page.statesOf(one(selector), role));
  assert.deepEqual(states("#a", "btn"), ["haspopup"]);
  assert.deepEqual(states("#b", "link"), ["haspopup"]);
  assert.deepEqual(states("#c", "btn"), ["collapsed"]);
  assert.deepEqual(states("#d", "btn"), []);
});
test("the sign on a button that is called otherwise is its hint", () => {
  const { page, one } = load(`<button id=a aria-label="Increase guests">+</button><button id=b>Add</button>`);
  assert.equal(page.hintOf(one("#a"), "btn", "Increase guests"), "+");
  assert.equal(page.hintOf(one("#b"), "btn", "Add"), "");
});
test("a button that opens a list of choices is a list", () => {
  const { page, one } = load(`<button id=a aria-haspopup=listbox>Pick</button><button id=b aria-haspopup=menu>Do</button>`);
  assert.equal(page.roleOf(one("#a")), "sel");
  assert.equal(page.roleOf(one("#b")), "btn");
});
