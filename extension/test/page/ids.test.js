import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./load.js";

/** @param {Element} el @param {string} name @param {string} [group] @returns {Sighting} */
const sighting = (el, name, group = "") => ({ el, role: "btn", name, group });

function book() {
  const { page, document } = load("<div id=r></div>");
  const root = /** @type {HTMLElement} */ (document.getElementById("r"));
  const add = () => root.appendChild(document.createElement("button"));
  const ids = new page.IdBook();
  ids.open("task", 1);
  return { ids, add };
}

test("an element keeps its id and others get new ones", () => {
  const { ids, add } = book();
  const [a, b] = [add(), add()];
  assert.deepEqual(plain(ids.assign([sighting(a, "A")])), ["1"]);
  assert.deepEqual(plain(ids.assign([sighting(b, "B"), sighting(a, "A")])), ["2", "1"]);
});
test("an element that is called something else keeps its id", () => {
  const { ids, add } = book();
  const [a, b] = [add(), add()];
  ids.assign([sighting(a, "Follow"), sighting(b, "Follow")]);
  assert.deepEqual(plain(ids.assign([sighting(a, "Following"), sighting(b, "Follow")])), ["1", "2"]);
  assert.equal(ids.get("1")?.name, "Following");
});
test("an element of another record gets another id", () => {
  const { ids, add } = book();
  const a = add();
  ids.assign([sighting(a, "Edit Jas", "row: Jas")]);
  assert.deepEqual(plain(ids.assign([sighting(a, "Edit Ann", "row: Ann")])), ["2"]);
});
test("what the page draws into other elements takes its id along", () => {
  const { ids, add } = book();
  const [a, b, c] = [add(), add(), add()];
  ids.assign([sighting(a, "Ann"), sighting(b, "Bob"), sighting(c, "Cem")]);
  c.remove();
  assert.deepEqual(plain(ids.assign([sighting(a, "Bob"), sighting(b, "Cem")])), ["2", "3"]);
});
test("what the page drew anew is found again", () => {
  const { ids, add } = book();
  const [a, b] = [add(), add()];
  ids.assign([sighting(a, "Edit", "row: Jas"), sighting(b, "Edit", "row: Ann")]);
  a.remove();
  b.remove();
  const [a2, b2] = [add(), add()];
  assert.deepEqual(plain(ids.assign([sighting(b2, "Edit", "row: Ann"), sighting(a2, "Edit", "row: Jas")])), ["2", "1"]);
});
test("an id is not given to another element while its own is only hidden", () => {
  const { ids, add } = book();
  ids.assign([sighting(add(), "OK")]);
  assert.deepEqual(plain(ids.assign([sighting(add(), "OK")])), ["2"]);
});
test("of several alike none is guessed when their number changed", () => {
  const { ids, add } = book();
  const old = [add(), add(), add()];
  ids.assign(old.map((el) => sighting(el, "Delete")));
  old.forEach((el) => el.remove());
  assert.deepEqual(plain(ids.assign([add(), add()].map((el) => sighting(el, "Delete")))), ["4", "5"]);
});
test("another task starts over and never below what it has used", () => {
  const { ids, add } = book();
  const a = add();
  ids.assign([sighting(a, "A")]);
  ids.open("other", 40);
  assert.deepEqual(plain(ids.assign([sighting(a, "A")])), ["40"]);
  assert.equal(ids.get("1"), undefined);
});
test("lines drawn anew again and again keep their ids once their number holds", () => {
  const { ids, add } = book();
  /** @param {number} count */
  const draw = (count) => {
    const els = Array.from({ length: count }, add);
    const given = plain(ids.assign(els.map((el) => sighting(el, "Delete"))));
    els.forEach((el) => el.remove());
    return given;
  };
  assert.deepEqual(draw(3), ["1", "2", "3"]);
  assert.deepEqual(draw(2), ["4", "5"]);
  assert.deepEqual(draw(2), ["4", "5"]);
});
