import assert from "node:assert/strict";
import test from "node:test";
import { emptyTable, frameOf, matchFrames, mergeObservations, mergeQuiet, mergeChanges, nearest, numberOf, pointsIn } from "../../runner/page/frame_merge.js";
import { frameOfAct } from "../../runner/page/frame_actions.js";
import { noticeOf } from "../../runner/run/look.js";

/** @import { FramePart } from "../../types/frames" */

/** @param {Partial<PageObservation>} [more] @returns {PageObservation} */
const seen = (more = {}) => ({
  url: "http://a.example/", title: "", tree: [], viewport: { width: 1000, height: 800 }, pageSummary: "", scrollPosition: "0%",
  scrollableContainers: [], recentEvents: [], hasErrors: false, hasSuccess: false, errors_detected: [], success_messages: [],
  nextId: 1, extractMs: 1, ...more,
});

/** @param {Partial<ChildFrame>} [more] @returns {ChildFrame} */
const child = (more = {}) => ({
  key: 1, loads: 0, index: 0, src: "", name: "", group: "", at: [0, 0],
  box: { x: 100, y: 200, width: 300, height: 150, scale: 1 }, screen: { left: 0, top: 0, right: 300, bottom: 150 }, behind: false, ...more,
});

/** @param {number} number @param {Partial<PageObservation>} look @param {Partial<ChildFrame>} [place] @param {FramePart | null} [around] @returns {FramePart} */
const part = (number, look, place = {}, around = null) => ({ frameId: 10 * number, number, child: child(place), around, seen: seen(look) });

test("an id says which frame it is of", () => {
  assert.deepEqual(["14", "2:14", "page", undefined].map(frameOf), [0, 2, 0, 0]);
  assert.deepEqual(frameOfAct({ name: "dragTo", args: { id: "2:1", targetId: "2:3" } }), { frame: 2, foreign: false });
  assert.deepEqual(frameOfAct({ name: "dragTo", args: { id: "2:1", targetId: "3" } }), { frame: 2, foreign: true });
  assert.deepEqual(frameOfAct({ name: "scroll", args: { id: "page", direction: "down" } }), { frame: 0, foreign: false });
});

test("a frame keeps its number and no other ever gets it", () => {
  const table = emptyTable();
  assert.deepEqual([numberOf(table, "1:7"), numberOf(table, "1:9"), numberOf(table, "1:7")], [2, 3, 2]);
  for (let frame = 100; frame < 600; frame++) numberOf(table, `1:${frame}`);
  assert.ok(Object.keys(table.of).length <= 200);
  assert.equal(numberOf(table, "1:7"), 504);
});

test("nodes of a frame in a frame are where they show in the window, and say where they stand", () => {
  const outer = part(2, { title: "Shop" }, { name: "Card", group: "section: Till > dialog: Pay" });
  const inner = part(3, { tree: [{ i: "3:4", r: "btn", n: "Go", xy: [20, 10], box: [10, 5, 20, 10], g: "form: Code" }] }, { name: "Code", box: { x: 10, y: 20, width: 50, height: 50, scale: 0.5 } }, outer);
  const [, node] = mergeObservations(seen({ tree: [{ i: "1", r: "btn", n: "Main" }] }), [outer, inner], []).tree;
  assert.deepEqual(node, { i: "3:4", r: "btn", n: "Go", f: 3, xy: [120, 225], box: [115, 223, 10, 5], g: "dialog: Pay > frame: Card > frame: Code > form: Code" });
});

test("what several documents tell becomes one", () => {
  const main = seen({ pageSummary: "Main", nextId: 3, recentEvents: ["added: x"], scrollableContainers: ["list: at 0%"], children: [child()], texts: [{ b: "1", t: "Pay", w: 0 }] });
  const frame = part(2, { title: "Card", pageSummary: "Card\nNumber", texts: [{ b: "2:4", t: "No.", w: 0 }], nextId: 9, hasErrors: true, errors_detected: ["Wrong"], recentEvents: ["added: y"], scrollRoom: 40 }, { name: "Card" });
  const all = mergeObservations(main, [frame], [{ origin: "https://pay.example", name: "Bank" }]);
  assert.equal(all.pageSummary, "Main\n[frame: Card]\nNumber");
  assert.equal(all.nextId, 9);
  assert.deepEqual([all.hasErrors, all.errors_detected], [true, ["Wrong"]]);
  assert.deepEqual(all.recentEvents, ["added: x", "added: y"]);
  assert.deepEqual(all.texts.map(({ b }) => b), ["1", "2:4"]);
  assert.deepEqual(all.scrollableContainers, ["list: at 0%", "Card: at 0%, 40 px more below"]);
  assert.deepEqual(all.unreachableFrames, [{ origin: "https://pay.example", name: "Bank" }]);
  assert.equal("children" in all, false);
  assert.equal("stillLoading" in all, false);
  assert.equal(mergeObservations(main, [part(2, { stillLoading: true })], []).stillLoading, true, "a frame that is still loading");
});

test("the summary of all stays within its limit, and neither side takes all of it", () => {
  const long = "word ".repeat(900);
  const { pageSummary } = mergeObservations(seen({ pageSummary: `M${long}` }), [part(2, { pageSummary: `F${long}` })], []);
  assert.ok(pageSummary.length <= 4_000);
  assert.ok(pageSummary.startsWith("Mword") && pageSummary.includes("[frame]\nFword"));
  const short = mergeObservations(seen({ pageSummary: `M${long.slice(0, 3_900)}` }), [part(2, { pageSummary: "Pay" })], []);
  assert.ok(short.pageSummary.endsWith("Pay"));
  assert.ok(short.pageSummary.length > 3_900);
});

test("of too many nodes the nearest to the screen stay, in their order", () => {
  const nodes = [900, 10, 5_000, 20].map((y, at) => /** @type {V3Node} */ ({ i: String(at), r: "btn", box: [0, y, 10, 10] }));
  assert.deepEqual(nearest(nodes, { width: 1000, height: 800 }, 3).map(({ i }) => i), ["0", "1", "3"]);
});

test("each document around a control is asked about its own point; what does not show is not asked about", () => {
  const outer = part(2, { tree: [{ i: "2:1", r: "btn", xy: [5, 400] }] });
  const inner = part(3, { tree: [{ i: "3:1", r: "btn", xy: [6, 7] }] }, { key: 4, box: { x: 10, y: 20, width: 90, height: 90, scale: 1 } }, outer);
  const asked = [...pointsIn([outer, inner])].map(([frameId, points]) => [frameId, points.map(({ key, x, y }) => [key, x, y])]);
  assert.deepEqual(asked, [[20, [[4, 16, 27]]], [0, [[1, 116, 227]]]]);
});

test("quiet is what the least quiet document is; an effect in any frame is one", () => {
  const quiet = (/** @type {object} */ more) => ({ domQuietMs: 900, networkQuietMs: 900, pending: null, readyState: "complete", url: "u", ...more });
  assert.deepEqual(mergeQuiet([quiet({}), quiet({ domQuietMs: 20, pending: 2 }), quiet({ readyState: "loading" })]), quiet({ domQuietMs: 20, pending: 2, readyState: "loading" }));
  const since = { didNetworkOccur: false, didDomMutate: false, didUrlChange: false };
  assert.deepEqual(mergeChanges([since, { ...since, didDomMutate: true, didUrlChange: true }]), { ...since, didDomMutate: true });
});

/** @param {number} frameId @param {Partial<FramePlace> | null} place @param {string} [url] */
const chromes = (frameId, place, url = "https://x.example/") => ({ frameId, parentFrameId: 0, url, state: /** @type {const} */ ("in"), place: place && { index: -1, width: 0, height: 0, ...place } });

test("frames are told apart by their place in the window", () => {
  const pairs = matchFrames([child({ key: 1, index: 0 }), child({ key: 2, index: 1 })], [chromes(7, { index: 1 }), chromes(8, { index: 0 })]);
  assert.deepEqual([...pairs].sort(), [[1, 8], [2, 7]]);
});

test("frames in shadow trees are told apart by corner, size and address, the rest by what is left", () => {
  const small = child({ key: 1, index: -1, src: "https://a.example/f", box: { x: 0, y: 0, width: 100, height: 50, scale: 1 } });
  const large = child({ key: 2, index: -1, src: "https://a.example/f" });
  assert.deepEqual([...matchFrames([small, large], [chromes(7, { width: 300, height: 150 }, "https://a.example/f"), chromes(8, { width: 100, height: 50 }, "https://a.example/f")])].sort(), [[1, 8], [2, 7]]);
  const cornered = [child({ key: 1, index: -1, at: [0, 0] }), child({ key: 2, index: -1, at: [0, 90] })];
  assert.deepEqual([...matchFrames(cornered, [chromes(7, { at: [0, 90] }), chromes(8, { at: [0, 0] })])].sort(), [[1, 8], [2, 7]]);
  const barred = [child({ key: 1, index: 0, src: "https://b.example/" }), child({ key: 2, index: 1 })];
  assert.deepEqual([...matchFrames(barred, [chromes(7, { index: 1 }), chromes(8, null, "https://b.example/")])].sort(), [[1, 8], [2, 7]]);
});

test("a frame that may not be read is offered by its site; one without a site is not", () => {
  assert.equal(noticeOf([]), null);
  assert.equal(noticeOf([{ origin: "data:", name: "" }]), null);
  const two = noticeOf([{ origin: "https://pay.example", name: "" }, { origin: "https://pay.example", name: "Card" }]);
  assert.equal(two?.text, "2 parts of this page come from pay.example, which Tabwright is not allowed to read.");
  assert.deepEqual(two?.button, { label: "Allow pay.example", does: "grant", origin: "https://pay.example" });
});
