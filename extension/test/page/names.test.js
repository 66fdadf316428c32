import assert from "node:assert/strict";
import test from "node:test";
import { computeAccessibleName } from "dom-accessibility-api";
import { load } from "./load.js";

/** @param {string} html @param {WireRole} role @param {string} [selector] */
function nameOf(html, role, selector = "#x") {
  const { page, one } = load(html);
  return page.nameOf(one(selector), role);
}

/** @type {[string, WireRole][]} */
const NAMED = [
  [`<button id=x>Save</button>`, "btn"],
  [`<button id=x aria-label="Close dialog">×</button>`, "btn"],
  [`<span id=a>Delete</span><span id=b>Jas</span><button id=x aria-labelledby="a b">x</button>`, "btn"],
  [`<button id=x><img alt="Search" src=s.png></button>`, "btn"],
  [`<button id=x><span>Add</span> <b>patient</b></button>`, "btn"],
  [`<button id=x>Save<span style="display:none"> now</span></button>`, "btn"],
  [`<button id=x title="Refresh"></button>`, "btn"],
  [`<input id=x type=submit value="Send it">`, "btn"],
  [`<input id=x type=submit>`, "btn"],
  [`<input id=x type=reset>`, "btn"],
  [`<input id=x type=image alt="Go">`, "btn"],
  [`<a id=x href="#">Read <em>more</em></a>`, "link"],
  [`<label for=x>Name</label><input id=x>`, "inp"],
  [`<label>Date of birth <input id=x type=date></label>`, "inp"],
  [`<label for=x>Phone</label><label for=x>(mobile)</label><input id=x>`, "inp"],
  [`<input id=x aria-label="Search patients">`, "inp"],
  [`<label for=x>Sex</label><select id=x><option>F<option>M</select>`, "sel"],
  [`<label><input id=x type=checkbox> I agree</label>`, "chk"],
  [`<div id=x role=tab>Details</div>`, "tab"],
  [`<div id=x role=switch aria-label="Dark mode"></div>`, "chk"],
  [`<div id=x role=menuitem><svg><title>Bin</title></svg> Delete</div>`, "menu"],
];

for (const [html, role] of NAMED) {
  test(`the accessible name of ${html}`, () => {
    const { page, one } = load(html);
    assert.equal(page.accessibleName(one("#x"), role).name, computeAccessibleName(one("#x")).replace(/\s+/g, " ").trim());
  });
}

test("a field without a label is named by the text before it", () => {
  assert.equal(nameOf(`<div><div>First name:</div><div><input id=x></div></div>`, "inp"), "First name");
  assert.equal(nameOf(`<p>City <input id=x placeholder="e.g. Oslo"></p>`, "inp"), "City");
});
test("a placeholder names a field that has nothing else", () => {
  assert.equal(nameOf(`<input id=x placeholder="you@example.com">`, "inp"), "you@example.com");
});
test("text that belongs to another field does not name it", () => {
  assert.equal(nameOf(`<p>City <input></p><p><input id=x name=postalCode></p>`, "inp"), "postal code");
});
test("a heading or a sentence is no label", () => {
  assert.equal(nameOf(`<div><h2>New patient</h2><input id=x placeholder=Name></div>`, "inp"), "Name");
  assert.equal(nameOf(`<div><p>Please fill in all of it.</p><input id=x placeholder=Name></div>`, "inp"), "Name");
});
test("a box to tick is named by the text after it", () => {
  assert.equal(nameOf(`<p>Before <input type=checkbox><span>One</span><br><input id=x type=checkbox><span>Two</span></p>`, "chk"), "Two");
});
test("a field in a table is named by its column", () => {
  const html = `<table><thead><tr><th>Drug<th>Dose</thead><tbody><tr><td>Aspirin<td><input id=x></table>`;
  assert.equal(nameOf(html, "inp"), "Dose");
});
test("an icon is named by what it shows", () => {
  assert.equal(nameOf(`<button id=x class="btn btn-sm"><i class="fas fa-trash-alt fa-fw"></i></button>`, "btn"), "trash alt");
  assert.equal(nameOf(`<button id=x><svg><use href="#icon-star"/></svg></button>`, "btn"), "star");
  assert.equal(nameOf(`<span id=x class="like"></span>`, "el"), "like");
});
test("the colon and the asterisk of a label are no part of its name", () => {
  assert.equal(nameOf(`<label for=x>Name: *</label><input id=x>`, "inp"), "Name");
});
test("a name has at most 80 characters", () => {
  assert.equal(nameOf(`<button id=x>${"long ".repeat(40)}</button>`, "btn").length, 80);
});
test("an item of a tree is named by its own line", () => {
  assert.equal(nameOf(`<li id=x role=treeitem>Docs<ul role=group><li role=treeitem>a.txt</ul></li>`, "tree"), "Docs");
});
test("a mark for fields that must be filled in is a state, not a name", () => {
  for (const label of ["Name (required)", "Name [Required]: ", "* Name", "Name *"]) {
    const { page, one } = load(`<label for=x>${label}</label><input id=x>`);
    assert.equal(page.nameOf(one("#x"), "inp"), "Name");
    assert.deepEqual([...page.statesOf(one("#x"), "inp")], ["required"]);
  }
  const { page, one } = load(`<label for=x>Name (optional)</label><input id=x>`);
  assert.equal(page.nameOf(one("#x"), "inp"), "Name");
  assert.deepEqual([...page.statesOf(one("#x"), "inp")], []);
});
test("a label after its field, floating or not", () => {
  assert.equal(nameOf(`<div><input id=x placeholder=" "><span>Surname</span></div>`, "inp"), "Surname");
  assert.equal(nameOf(`<div><input id=x placeholder="Surname"><span>kg</span></div>`, "inp"), "Surname");
});
test("a label in the table cell before", () => {
  assert.equal(nameOf(`<table><tr><td>Weight:<td><input id=x></table>`, "inp"), "Weight");
});
test("keyboard hints, counters and letters of icon fonts are no part of a name", () => {
  assert.equal(nameOf(`<button id=x>Save <kbd>Ctrl+Shift+S</kbd></button>`, "btn"), "Save");
  assert.equal(nameOf(`<button id=x>Search <kbd>\u2318K</kbd></button>`, "btn"), "Search");
  assert.equal(nameOf(`<a id=x href=#>Inbox <span class="badge">12</span></a>`, "link"), "Inbox");
  assert.equal(nameOf(`<button id=x><span class="material-icons">save</span> Keep</button>`, "btn"), "Keep");
  assert.equal(nameOf(`<button id=x><span class="material-icons">save</span></button>`, "btn"), "save");
  assert.equal(nameOf(`<button id=x><i>\ue8b6</i> Find</button>`, "btn"), "Find");
  assert.equal(nameOf(`<button id=x>Vitamin C</button>`, "btn"), "Vitamin C");
});
test("a line of a list is named without the controls in it", () => {
  const html = `<div id=x class=row><input type=checkbox aria-label="Select it"><button aria-label=Star>☆</button><span>Ann Lee</span> <span>Report</span></div>`;
  assert.equal(nameOf(html, "row"), "Ann Lee Report");
});
test("a star is called what it says when pointed at", () => {
  assert.equal(nameOf(`<span id=x title="4 stars">☆</span>`, "el"), "4 stars");
  assert.equal(nameOf(`<span id=x title="More">Next</span>`, "el"), "Next");
});
test("a picker labelled by its label and its value is called by its label", () => {
  assert.equal(nameOf(`<span id=l>Room type</span><button id=x aria-haspopup=listbox aria-labelledby="l x">Suite</button>`, "sel"), "Room type");
});
