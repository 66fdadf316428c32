import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.js";

/** A page with a clock and a place for what is drawn anew. */
function stage() {
  const { page, document, one } = load("<p id=clock></p><main id=main></main>");
  const restless = new page.BackgroundChanges();
  /** What the observer would tell. @param {Node} target @param {string} [came] a tag @param {string} [went] a tag */
  const drawn = (target, came = "B", went = "B") => {
    const of = (/** @type {string} */ tag) => (tag ? [document.createElement(tag)] : []);
    return /** @type {MutationRecord[]} */ (/** @type {unknown} */ ([{ type: "childList", target, attributeName: null, addedNodes: of(came), removedNodes: of(went) }]));
  };
  /** @param {Node} target @param {number} everyMs @param {number} from @param {number} until @param {string} [tag] */
  const tick = (target, everyMs, from, until, tag) => {
    for (let at = from; at <= until; at += everyMs) restless.note(drawn(target, tag, tag), at);
  };
  return { restless, drawn, tick, clock: one("#clock"), body: document.body, one };
}

for (const everyMs of [30, 100, 250, 500, 1000]) {
  test(`what changes every ${everyMs} ms goes on by itself`, () => {
    const { restless, drawn, tick, clock } = stage();
    tick(clock, everyMs, 0, 5_000);
    restless.begin(5_040);
    assert.ok(restless.explains(drawn(clock)));
  });
}

test("what changed now and then, once, or no longer does is news", () => {
  for (const times of [[100, 200, 2_000, 4_800], [4_500, 4_600, 4_700], [0, 100, 200, 300, 400, 500]]) {
    const { restless, drawn, clock } = stage();
    for (const at of times) restless.note(drawn(clock), at);
    restless.begin(5_000);
    assert.ok(!restless.explains(drawn(clock)), `${times}`);
  }
});

test("what answers each of some actions does not go on by itself", () => {
  const { restless, drawn, clock } = stage();
  for (const at of [0, 1_000, 2_000, 3_000]) {
    restless.begin(at);
    restless.note(drawn(clock), at + 50);
  }
  restless.begin(4_600);
  assert.ok(!restless.explains(drawn(clock)));
});

test("what was known to go on still does, while actions follow one another", () => {
  const { restless, drawn, tick, clock } = stage();
  tick(clock, 500, 0, 20_000);
  for (let at = 5_000; at <= 20_000; at += 1_800) {
    restless.begin(at);
    assert.ok(restless.explains(drawn(clock)), `${at}`);
  }
});

test("a dialog on a page that is drawn anew all the time is news", () => {
  const { restless, drawn, tick, body, one } = stage();
  tick(body, 250, 0, 3_000, "MAIN");
  restless.begin(3_100);
  assert.ok(restless.explains(drawn(body, "MAIN", "MAIN")));
  assert.ok(!restless.explains(drawn(body, "DIV", "")));
  const anew = drawn(body, "MAIN", "MAIN");
  const [main] = anew[0].addedNodes;
  assert.ok(restless.explains([...anew, ...drawn(main)]), "what is done to it as it comes");
  assert.ok(!restless.explains([...anew, ...drawn(one("#clock"))]));
});

test("a page that nothing was done in is known by waiting for it, one that was acted in is not", () => {
  const { restless, drawn, tick, clock } = stage();
  tick(clock, 250, 0, 750);
  restless.waited(800);
  assert.ok(restless.explains(drawn(clock)));
  const acted = stage();
  acted.restless.begin(0);
  acted.tick(acted.clock, 250, 10, 1_400);
  acted.restless.waited(1_450);
  assert.ok(!acted.restless.explains(acted.drawn(acted.clock)), "a save that counts up");
});
