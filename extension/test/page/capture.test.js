import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "./load.js";

/** @param {string} html @param {(loaded: ReturnType<typeof load>) => void} [meanwhile] what happens before it is captured */
function captured(html, meanwhile) {
  const loaded = load(`<!doctype html><html lang=de><body>${html}</body></html>`);
  meanwhile?.(loaded);
  return loaded.page.capture().html;
}

test("what somebody typed or chose is never captured", () => {
  const html = captured(
    `<label>Name <input id=a title="Muster"></label><input type=password value=hunter2-secret><textarea id=b>old words</textarea><div contenteditable>my draft <b>bold</b></div>
     <div role=combobox>Chosen town<ul role=listbox><li role=option>Bern</ul></div><div role=textbox>typed in a box</div><input type=checkbox checked><select><option selected>One<option>Two</select>`,
    ({ one }) => {
      /** @type {HTMLInputElement} */ (one("#a")).value = "Muster";
      /** @type {HTMLTextAreaElement} */ (/** @type {unknown} */ (one("#b"))).value = "a new note";
    },
  );
  for (const own of ["Muster", "hunter2", "old words", "a new note", "my draft", "bold", "Chosen town", "typed in a box", "checked", "selected"]) assert.ok(!html.includes(own), own);
  for (const kept of ["Name", "Bern", "One", "Two", `type="password"`]) assert.ok(html.includes(kept), kept);
});

test("a password that the page repeats elsewhere is left out there too", () => {
  const html = captured(`<input type=password value=hunter2-secret><p>You typed hunter2-secret</p><p title="hunter2-secret">Kept</p>`);
  assert.ok(!html.includes("hunter2"));
  assert.ok(html.includes("Kept"));
});

test("nothing that runs, identifies or is read by scripts alone is captured", () => {
  const html = captured(
    `<script>const key = "script-1"</script><style>a{}</style><noscript>no-script-2</noscript><template>template-3</template><input type=hidden value=hidden-4>
     <meta name=csrf-token content=meta-5><p onclick="run('handler-6')" style="color:red" data-user="data-7">Words</p><iframe srcdoc="<p>frame-8"></iframe><!-- comment-9 -->
     <a href="javascript:run(10)">Run</a><a href="https://u:p-11@a.example/x?q=1&access_token=t-12&sid=t-13#part">Go</a><svg><text>svg-14</text></svg><img src="data:image/png;base64,x-15" alt="A plan">`,
  );
  for (const gone of ["script-1", "no-script-2", "template-3", "hidden-4", "meta-5", "handler-6", "data-7", "comment-9", "run(10)", "p-11", "t-12", "t-13", "svg-14", "x-15", "style"]) assert.ok(!html.includes(gone), gone);
  assert.ok(html.includes(`<a href="https://a.example/x?q=1#part">Go</a>`));
  assert.ok(html.includes(`alt="A plan"`));
});

test("our own outlines and badges are no part of the page", () => {
  const html = captured(`<p>Words</p>`, ({ page, document }) => {
    const { host } = page.openOverlay();
    host.append("overlay text");
    document.body.append(host);
  });
  assert.ok(!html.includes("overlay"));
});

test("components' words stand where they are shown, slots filled", () => {
  const html = captured(`<x-card><b slot=title>Title</b>Text</x-card>`, ({ one }) => {
    one("x-card").attachShadow({ mode: "open" }).innerHTML = `<h2><slot name=title></slot></h2><p>Inside: <slot></slot></p>`;
  });
  assert.match(html.replace(/\s+/g, " "), /<h2><b>Title<\/b><\/h2><p>Inside: Text<\/p>/);
});

test("a page is captured with what is hidden, a part without; its head says what it is", () => {
  const { page, one, document } = load(`<html lang=de><head><title>A &amp; B</title><meta name=description content="About"><link rel=canonical href="/a?token=1"></head>
    <body><div id=d><p hidden>Folded</p><p>Open</p></div></body>`);
  const whole = page.capture().html;
  assert.ok(whole.startsWith(`<!doctype html><html lang="de"><head><title>A &amp; B</title><link rel="canonical" href="http://page.test/a">`));
  assert.ok(whole.includes(`<p hidden>Folded</p>`));
  assert.equal(page.capture(one("#d")).html, `<div id="d"><p>Open</p></div>`);
  assert.ok(document.querySelector("[hidden]"));
});

test("a page without end is cut, and that is said", () => {
  const { page, document } = load("<main></main>");
  document.body.innerHTML = `<p>${"word ".repeat(700_000)}</p><p>The end</p>`;
  const { html, cut } = page.capture();
  assert.ok(cut);
  assert.ok(html.length < 3_001_000 && !html.includes("The end"));
});

// What is sent is found again by this name, so both sides must make the same of every part.
const NAMED = `<main id=page-main><dialog id=new-patient open aria-label=" New  [patient] "></dialog><div role=alertdialog><h3>Sure?</h3></div><div aria-modal=true id=radix-12345></div>
  <section aria-labelledby=h1></section><h2 id=h1>Orders</h2><form id=sign-in><legend>Sign in</legend></form><form></form><details><summary>More</summary></details><table><caption>Prices</caption></table>
  <div role=tabpanel id=tab.2></div><ul role=menu aria-label="${"x".repeat(100)}"></ul><aside><h2>Help</h2></aside><div id=plain></div><div id=id-2024></div><article></article><ul role=listbox></ul></main>`;
const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

test("a part has the name that the server gives it", { skip: !existsSync(PYTHON) && "no Python here" }, () => {
  const { page, document } = load(`<body>${NAMED}</body>`);
  const ours = [...document.querySelectorAll("main, main *")].filter((el) => page.containerOf(el) !== page.containerOf(page.parentOf(el))).map((el) => page.containerOf(el));
  const script = `import json, sys
from knowledge.html.containers import _container_names
from knowledge.html.page import Page
page = Page(sys.stdin.read())
by_id = {tag["id"]: tag for tag in page.find_all(id=True)}
print(json.dumps([name for tag in page.find_all(True) for name in _container_names(tag, by_id)]))`;
  const known = JSON.parse(execFileSync(PYTHON, ["-c", script], { cwd: fileURLToPath(new URL("../../..", import.meta.url)), input: `<body>${NAMED}</body>`, encoding: "utf8" }));
  assert.ok(ours.length >= 12, ours.join());
  for (const name of ours) assert.ok(known.includes(name), `${name} is none of ${known}`);
});

/** What the agent does while a page is learned, and what the runner is told of it. @param {string} html @param {object} request @param {(document: Document) => void} opens */
async function learned(html, request, opens) {
  const { page, document, window } = load(html);
  /** @type {{opened: {key: string, name: string}}[]} */
  const told = [];
  page.port = /** @type {any} */ ({ postMessage: (/** @type {any} */ message) => told.push(message) });
  const eyes = /** @type {any} */ ({ ids: { get: () => ({ name: "Patients", element: { deref: () => null } }) } });
  page.learner?.learn({ on: true });
  await page.act(eyes, /** @type {any} */ ({ reset: () => undefined }), /** @type {any} */ (request));
  opens(document);
  const deadline = Date.now() + 5_000;
  while (told.length === 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  const held = told.map(({ opened }) => page.learner?.opened({ key: opened.key }));
  page.learner?.learn({ on: false });
  window.close();
  return { told, held: /** @type {any[]} */ (held) };
}

test("what the agent opens is told by its name, kept in the page, and says what opened it", async () => {
  const { told, held } = await learned(`<main><h1>Ward</h1></main>`, { name: "click", args: { id: "68" } }, ({ body }) => {
    body.insertAdjacentHTML("beforeend", `<div role=dialog aria-label="New patient"><p>Names are written in full.</p></div>`);
  });
  assert.deepEqual(JSON.parse(JSON.stringify(told)), [{ kind: "opened", opened: { key: "o1", name: "New patient" } }]);
  const [{ html, phase, triggerAction, container, url }] = held;
  assert.deepEqual([phase, triggerAction, container, url], ["post-interaction", `click("68")`, "dialog[New patient]", "http://page.test/"]);
  assert.ok(html.includes("Names are written in full."));
});

test("words that were entered stand in no trigger, and what was open before is not offered", async () => {
  const { held } = await learned(`<div role=dialog aria-label=Old><p>It was here.</p></div><ul id=list></ul>`, { name: "setValue", args: { id: "4", text: "my secret" } }, (document) => {
    const list = /** @type {HTMLElement} */ (document.querySelector("#list"));
    list.insertAdjacentHTML("beforeend", "<li>The first result that was loaded</li><li>The second result that was loaded</li>");
  });
  assert.deepEqual(held.map(({ triggerAction, container }) => [triggerAction, container]), [[`setValue("4")`, "#list"]]);
});
