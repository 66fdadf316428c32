import assert from "node:assert/strict";
import test from "node:test";
import { everyFunction, runnable } from "./functions.js";
import { hangs } from "./timing.js";

test("no function of texts is held up by one", async () => {
  const { runs } = await runnable(everyFunction());
  assert.ok(runs.length > 30, `${runs.length} functions were found`);
  assert.deepEqual(runs.map(({ where, run }) => [where, hangs(run)]).filter(([, text]) => text), []);
});

test("a function that reads the same again and again is found", () => {
  assert.notEqual(hangs((text) => { for (let at = 0; at < text.length; at += 10) text.slice(at).split(""); }), "");
  assert.equal(hangs((text) => text.trim().toLowerCase()), "");
});
