// Names against npm's dom-accessibility-api, over pages written after the cases of the W3C's accname and HTML-AAM tests.
// The element in question is the one with id=x.
import assert from "node:assert/strict";
import test from "node:test";
import { computeAccessibleName } from "dom-accessibility-api";
import { load } from "./load.js";

/** What a control is labelled by: markup around or in it. `$` is the control's place. */
const LABELS = [
  `<label for=x>Name</label>$`, `<label>Name $</label>`, `<label>$ Name</label>`, `<label><span>First</span> <b>name</b>$</label>`,
  `<label for=x>Phone</label><label for=x>(mobile)</label>$`, `<label for=x><img alt=Avatar src=a.png></label>$`,
  `<label for=x>Name<span hidden> secret</span></label>$`, `<label for=x>Name <span aria-hidden=true>*</span></label>$`,
  `<label for=x><div>Given</div><div>name</div></label>$`, `<label for=x aria-label="Full name">Name</label>$`, `<label for=x>A<br>B</label>$`,
  `<label for=x><svg><title>Globe</title></svg> Site</label>$`, `<label for=x hidden>Hidden name</label><label for=x>Seen</label>$`,
  `<label for=x>Name <a href=#>help</a></label>$`, `<label for=x title=Ignored>Name</label>$`, 
  `<fieldset><legend>Contact</legend><label>Mail $</label></fieldset>`, `<label for=x>Name <button type=button>?</button></label>$`,
  `<label for=x>Name <script>var a = 1</script><style>b{}</style></label>$`, `<label for=x>  Much \n\n white\u00a0space </label>$`,
];
const CONTROLS = [`<input id=x>`, `<select id=x><option>One<option>Two</select>`, `<textarea id=x>typed</textarea>`, `<input id=x type=checkbox>`, `<input id=x type=date title=Tip>`];

/** Content of a button, a link, a tab and a menu item. */
const CONTENTS = [
  `Save`, `<span>Add</span> <b>patient</b>`, `<span>Add</span><span>ress</span>`, `<div>Add</div><div>patient</div>`, `<img alt=Search src=s.png>`,
  `<img alt="" src=s.png>Go`, `<svg><title>Bin</title></svg> Delete`, `Save<span style="display:none"> now</span>`, `Save<span style="visibility:hidden"> now</span>`,
  `Save <span aria-hidden=true>×</span>`, `<span aria-label=Close>×</span>`, `a<br>b`, `One <em>two <strong>three</strong></em> four`,
  `<span role=img aria-label=Star>☆</span> Rate`, `<span hidden>no</span>yes`, `<template>no</template>yes`, `<span><span><span>Deep</span></span></span>`,
  `<span style="display:inline-block">Left</span><span style="display:inline-block">right</span>`, `<span id=r>Ref</span> <i aria-labelledby=r></i>`,
  `<ruby>text</ruby> 5 &lt; 6 &amp; 7`, `<table><tr><td>a<td>b</table>`, `<ul><li>one<li>two</ul>`,
];
/** @type {((content: string) => string)[]} */
const HOLDERS = [
  (content) => `<button id=x>${content}</button>`, (content) => `<a id=x href=#>${content}</a>`,
  (content) => `<div id=x role=tab>${content}</div>`, (content) => `<div id=x role=menuitem>${content}</div>`,
];

const SINGLE = [
  // aria-labelledby (2B)
  `<span id=a>Delete</span><span id=b>Jas</span><button id=x aria-labelledby="a b">x</button>`,
  `<button id=x aria-label=Delete aria-labelledby="x b"></button><span id=b>Documentation.pdf</span>`,
  `<span id=a>Room</span><button id=x aria-labelledby="a x">Suite</button>`,
  `<span id=a aria-labelledby=b>A</span><span id=b>B</span><input id=x aria-labelledby=a>`,
  `<span id=a>A</span><input id=x aria-labelledby="gone a">`, `<input id=x aria-labelledby=gone aria-label=Fallback>`,
  `<div id=a hidden>Hidden <b>text</b></div><input id=x aria-labelledby=a>`, `<div id=a style="display:none">Not shown</div><input id=x aria-labelledby=a>`,
  `<div id=a>Shown <span hidden>not</span></div><input id=x aria-labelledby=a>`, `<div id=a aria-label=Own>Text</div><input id=x aria-labelledby=a>`,
  `<img id=a alt=Picture><input id=x aria-labelledby=a>`, `<label for=x>Label</label><span id=a>Ref</span><input id=x aria-labelledby=a>`,
  `<h2 id=a>New <i>patient</i></h2><button id=x aria-labelledby=a></button>`, `<span id=a title=Tip></span><button id=x aria-labelledby=a></button>`,
  `<span id=a>1</span><span id=b>2</span><span id=c>3</span><input id=x type=checkbox aria-labelledby="c b a">`, 
  `<input type=submit id=a value=Send><button id=x aria-labelledby=a></button>`, `<svg id=a><title>Drawing</title></svg><a id=x href=# aria-labelledby=a></a>`,
  // aria-label (2C)
  `<input id=x aria-label="Search patients">`, `<button id=x aria-label="Close dialog">×</button>`, `<button id=x aria-label="">Text</button>`, `<button id=x aria-label="  ">Text</button>`,
  `<label for=x>Label</label><input id=x aria-label=Aria>`, `<a id=x href=# aria-label="Read more about us">More</a>`, `<div id=x role=switch aria-label="Dark mode"></div>`,
  `<div id=x role=slider aria-label=Volume aria-valuenow=3 tabindex=0></div>`, `<div id=x role=textbox contenteditable=true aria-label=Message>typed</div>`,
  // what HTML gives (2D)
  `<input id=x type=submit value="Send it">`, `<input id=x type=submit>`, `<input id=x type=reset>`, `<input id=x type=reset value=Clear>`, `<input id=x type=button value=Go>`, `<input id=x type=button>`,
  `<input id=x type=button title=Tip>`, `<input id=x type=image alt=Go>`, `<input id=x type=image title=Tip>`, `<input id=x type=submit value=Send title=Tip>`, `<img id=x alt=Logo>`, `<img id=x title="Only title">`,
  `<map><area id=x href=# alt=North></map>`, `<svg id=x><title>Chart</title><text>5</text></svg>`, `<fieldset id=x><legend>Address</legend><input></fieldset>`,
  `<fieldset id=x><legend>Bill <b>to</b></legend></fieldset>`, `<table id=x><caption>Patients</caption><tr><td>1</table>`, `<table id=x title=Tip><tr><td>1</table>`,
  `<table id=x aria-label=Own><caption>Patients</caption></table>`, `<select><optgroup id=x label=Fruit><option>Pear</select>`, `<a id=x href=# title=Home></a>`, `<fieldset id=x title=Tip></fieldset>`,
  // title and placeholder (2I)
  `<button id=x title=Refresh></button>`, `<button id=x title=Refresh>R</button>`, `<input id=x title=Amount>`, `<input id=x title=Amount placeholder="0.00">`, 
  `<div id=x role=button title=Tip tabindex=0></div>`, `<select id=x title=Tip><option>1</select>`, `<textarea id=x title=Tip></textarea>`,
  // roles named by their content, and not
  `<div id=x role=checkbox aria-checked=true>Agree <span>to all</span></div>`, `<div id=x role=radio>One</div>`, `<div id=x role=option>Two</div>`, `<div id=x role=treeitem>Docs</div>`, `<div id=x role=link>Go</div>`,
  `<div id=x role=textbox contenteditable=true>typed text</div>`, `<div id=x role=slider tabindex=0>5</div>`, `<div id=x role=combobox>Chosen</div>`, `<div id=x role=searchbox contenteditable=true>typed</div>`,
  `<div id=x role=menuitemcheckbox>Show grid</div>`, `<div id=x role=menuitemradio>Left</div>`, `<details><summary id=x>More <b>facts</b></summary>text</details>`, `<div id=x role=switch>Wi-Fi</div>`,
  // labels that hold other controls
  `<label for=x>Label <img src=i.png></label><input id=x>`, `<label for=x><h3>Head</h3><p>Text</p></label><input id=x type=radio>`,
  `<label for=x><span role=presentation>Shown</span></label><input id=x>`, `<label><input id=x type=radio> <span>Male</span></label>`, `<label>Outer <span>in <i>ner</i></span><input id=x></label>`,
];

const WIDE = new Set(["FIELDSET", "TABLE", "IMG", "svg", "OPTGROUP", "AREA"]);

/** @param {string} html @returns {[string, string]} ours, theirs */
function names(html) {
  const { page, one } = load(html);
  const el = one("#x");
  const role = page.roleOf(el) ?? (WIDE.has(el.tagName) ? "range" : "txt");
  const { name, from } = page.accessibleName(el, role);
  return [from === "placeholder" ? "" : name, computeAccessibleName(el).replace(/[\s\u00a0]+/g, " ").trim()];
}

/** @param {string[]} pages */
function assertAgree(pages) {
  const wrong = pages.map((html) => [html, ...names(html)]).filter(([, ours, theirs]) => ours !== theirs);
  assert.deepEqual(wrong, []);
}

for (const control of CONTROLS) {
  test(`labels of ${control}`, () => assertAgree(LABELS.map((label) => label.replace("$", control))));
}
for (const holder of HOLDERS) {
  test(`content of ${holder("…")}`, () => assertAgree(CONTENTS.map(holder)));
}
test("references, attributes, native names, titles and roles", () => assertAgree(SINGLE));
test("the corpus is broad", () => {
  const { size: length } = new Set([...SINGLE, ...CONTROLS.flatMap((control) => LABELS.map((label) => label.replace("$", control))), ...HOLDERS.flatMap((holder) => CONTENTS.map(holder))]);
  assert.ok(length >= 250, String(length));
});

/** Where we say something else: [page, what we say, why]. */
const OTHERWISE = [
  [`<label for=x>Wake me in <input value=5> minutes</label><input id=x type=checkbox>`, "Wake me in minutes", "the value of a field is its value: it changes, and an id is found again by its name"],
  [`<label for=x>Sort by <select><option selected>Date</select></label><input id=x type=checkbox>`, "Sort by", "as above"],
  [`<label for=x>Volume <span role=slider aria-valuenow=7></span></label><input id=x type=checkbox>`, "Volume", "as above"],
  [`<span id=l>Room</span><input id=v value=Suite><button id=x aria-labelledby="l v"></button>`, "Room", "as above"],
  [`<label for=x>Twice</label><label for=x>Twice</label><input id=x>`, "Twice", "a label given twice says nothing more"],
  [`<a id=x href=#>Inbox <span class=badge>12</span></a>`, "Inbox", "a counter changes; it is kept as the value"],
  [`<button id=x><i class=material-icons>save</i> Keep</button>`, "Keep", "the letters of an icon font are drawn as a picture"],
  [`<li id=x role=treeitem>Docs<ul role=group><li role=treeitem>a.txt</ul></li>`, "Docs", "a branch is not called by its leaves"],
  [`<figure id=x><figcaption>Sales</figcaption></figure>`, "Sales", "HTML-AAM says so; the oracle does not know figures"],
  [`<label for=x><span title="Pet's name"></span></label><input id=x>`, "Pet's name", "the oracle reads no tooltips in labels; step 2I does"],
  [`<button id=x><i title=Edit></i></button>`, "Edit", "step 2I also holds for the parts of a name"],
  [`<a id=x href=#><span title=Inner></span></a>`, "Inner", "as above"],
  [`<label for=x></label><input id=x title=Tip>`, "Tip", "an empty label is none: Chrome goes on to the title too"],
  [`<span id=a></span><button id=x aria-labelledby=a>Own</button>`, "Own", "an empty reference is none (2B: only where it gives text)"],
  [`<img id=x alt="" title=Title>`, "Title", "an image that is clicked is no decoration"],
  [`<label for=x>Pick <input type=button value=this> one</label><input id=x>`, "Pick this one", "the caption of a button is text, not a value"],
  [`<label for=x style="display:none">Seen by none</label><input id=x title=Tip>`, "Tip", "a label that is not shown gives no name, the title does"],
  [`<input id=x type=image>`, "Submit", "one word for every unnamed submit button"],
];
for (const [html, expected, why] of OTHERWISE) {
  test(`otherwise than the algorithm: ${expected} (${why})`, () => {
    const [ours, theirs] = names(html);
    assert.equal(ours, expected);
    assert.notEqual(ours, theirs, "no deviation any more: move it to the corpus");
  });
}

test("slots and shadow roots are read as they are rendered", () => {
  const { page, one, document } = load(`<x-button id=x>Save <b>all</b><i slot=icon>!</i></x-button><div id=plain></div>`);
  one("#x").attachShadow({ mode: "open" }).innerHTML = `<button><slot></slot> <span hidden><slot name=icon></slot></span></button>`;
  const inner = /** @type {Element} */ (one("#x").shadowRoot?.querySelector("button"));
  assert.equal(page.accessibleName(inner, "btn").name, "Save all");
  assert.equal(computeAccessibleName(inner), "Save all");
  const root = one("#plain").attachShadow({ mode: "open" });
  root.innerHTML = `<label for=in>Inside</label><input id=in><span id=r>Ref</span><button id=b aria-labelledby=r></button>`;
  assert.equal(page.accessibleName(/** @type {Element} */ (root.querySelector("input")), "inp").name, "Inside");
  assert.equal(page.accessibleName(/** @type {Element} */ (root.querySelector("button")), "btn").name, "Ref");
  assert.equal(document.querySelectorAll("button").length, 0);
});
