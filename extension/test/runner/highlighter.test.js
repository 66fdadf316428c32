import assert from "node:assert/strict";
import test from "node:test";
import { createHighlighter, highlightOf } from "../../runner/highlighter.js";
import { createTakeover, withAct } from "../../runner/takeover.js";

/** @import { PersonAct } from "../../types/highlight" */

/** @param {Partial<PersonAct>} act @returns {PersonAct} */
const act = (act) => ({ kind: "click", role: "btn", name: "Save", url: "http://a.example/", at: "2026-01-01T10:00:00.000Z", ...act });

/** Tabs whose pages are plain values: what is asked of them is kept, and what they say is said here. */
function tabs() {
  /** @type {Map<string, ((tabId: number, message: any) => void)[]>} */
  const listeners = new Map();
  const out = {
    asked: /** @type {any[]} */ ([]),
    /** @type {(kind: string, message?: object) => void} */
    say: (kind, message = {}) => listeners.get(kind)?.forEach((listener) => listener(1, message)),
    arrive: (/** @type {string} */ documentId) => {
      out.page = { ...out.page, documentId };
      out.say("hello", { frameId: 0, page: out.page });
    },
    page: { documentId: "d1", url: "http://a.example/", alive: true, request: async (/** @type {string} */ kind, /** @type {object} */ params) => void out.asked.push({ kind, ...params }) },
    pages: {
      page: async () => out.page,
      known: () => out.page,
      listen: (/** @type {string} */ kind, /** @type {(tabId: number, message: any) => void} */ listener) => void listeners.set(kind, [...(listeners.get(kind) ?? []), listener]),
    },
  };
  return out;
}

const OPTIONS = [{ id: "1", label: "Delete, Jas Patel", elementId: "14" }, { id: "2", label: "Delete, Jas Ndiaye", elementId: "2:9" }, { id: "3", label: "Another" }];
const WHICH = { hitlId: "h", expectedInput: /** @type {const} */ ("single_choice"), options: OPTIONS };
const turn = () => new Promise((go) => setImmediate(go));

test("what has an element shows in the page; of an approval, what it touches", () => {
  assert.deepEqual(highlightOf(WHICH)?.items.map(({ number, elementId }) => [number, elementId]), [["1", "14"], ["2", "2:9"]]);
  const approval = { action: "", description: "", elementId: "14", element: null, site: "", effects: [], undo: "" };
  assert.deepEqual(highlightOf({ hitlId: "h", expectedInput: "yes_no", approval })?.items.map(({ elementId }) => elementId), ["14"]);
  assert.equal(highlightOf({ hitlId: "h", expectedInput: "yes_no", approval: { ...approval, elementId: null } }), null);
  assert.equal(highlightOf({ hitlId: "h", expectedInput: "free_text" }), null);
});

test("one choice is told once, and only what was asked for counts", async () => {
  const out = tabs();
  const pointing = createHighlighter(out.pages);
  const picked = /** @type {string[][]} */ ([]);
  await pointing.show(1, WHICH, (options) => picked.push(options));
  assert.equal(out.asked[0].kind, "point");
  out.say("picked", { hitlId: "another", option: "1" });
  out.say("picked", { hitlId: "h", option: "3" });
  out.say("picked", { hitlId: "h", option: "2" });
  out.say("picked", { hitlId: "h", option: "1" });
  assert.deepEqual(picked, [["2"]]);
  await pointing.clear(1);
  out.say("picked", { hitlId: "h", option: "1" });
  assert.deepEqual(picked, [["2"]]);
  assert.equal(out.asked.at(-1).kind, "unpoint");
});

test("several choices are told as they stand, with those made in the panel, also to a page that comes back", async () => {
  const out = tabs();
  const pointing = createHighlighter(out.pages);
  const picked = /** @type {string[][]} */ ([]);
  await pointing.show(1, { ...WHICH, expectedInput: "multi_choice" }, (options) => picked.push(options));
  out.say("picked", { hitlId: "h", option: "2" });
  await pointing.mark(1, ["1", "2"]);
  out.say("picked", { hitlId: "h", option: "2" });
  assert.deepEqual(picked, [["2"], ["1"]]);
  out.arrive("d1");
  await turn();
  assert.deepEqual([out.asked.at(-1).kind, out.asked.at(-1).chosen], ["point", ["1"]]);
});

test("going on typing is one act, and so are a press and the form it sends", () => {
  const typed = act({ kind: "type", role: "inp", name: "Name" });
  assert.deepEqual([typed, typed, act({}), act({}), act({ kind: "submit" })].reduce(withAct, /** @type {PersonAct[]} */ ([])).map(({ kind }) => kind), ["type", "click", "submit"]);
  const later = act({ kind: "submit", at: "2026-01-01T10:00:09.000Z" });
  assert.equal([act({}), later].reduce(withAct, /** @type {PersonAct[]} */ ([])).length, 2);
  assert.equal(Array.from({ length: 300 }, () => act({})).reduce(withAct, /** @type {PersonAct[]} */ ([])).length, 200);
});

test("what the person does is gathered over navigations, from when they have it until they give it back", async () => {
  const out = tabs();
  const taking = createTakeover(out.pages);
  out.say("person", { act: act({ name: "Before" }) });
  await taking.begin(1);
  out.say("person", { act: act({ name: "Open" }) });
  out.arrive("d1"); // it was only put away for a moment
  out.arrive("d2");
  await turn();
  out.say("person", { act: act({ name: "Save" }) });
  assert.deepEqual((await taking.end(1)).map(({ kind, name }) => `${kind} ${name}`), ["click Open", "navigate ", "click Save"]);
  assert.deepEqual(out.asked.map(({ on }) => on), [true, true, true, false]);
  out.say("person", { act: act({ name: "After" }) });
  assert.deepEqual(await taking.end(1), []);
});
