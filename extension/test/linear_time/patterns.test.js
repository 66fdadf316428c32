import assert from "node:assert/strict";
import test from "node:test";
import ts from "typescript";
import { everyPattern, patternsIn } from "./patterns.js";
import { proofOf, unproven } from "./proof.js";

const read = (/** @type {string} */ text) => patternsIn(ts.createSourceFile("some.js", text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS));

test("every pattern takes time by the length of its text", () => assert.deepEqual(unproven(), []));

test("no pattern is made of what comes from outside", () => assert.deepEqual(everyPattern().composed, []));

test("patterns are found as literals, as constants put together, and in what matches by a string", () => {
  const { patterns, composed } = read('const A = ["a", "b"].join("|");\nconst B = new RegExp(`^(?:${A})` + "$", "u");\ntext.split(/,+/g); text.match("c*");\n// /none/\nconst half = 1 / 2 / 3;');
  assert.deepEqual(patterns, [
    { where: "some.js:2", source: "^(?:a|b)$", flags: "u" }, { where: "some.js:3", source: ",+", flags: "g" }, { where: "some.js:3", source: "c*", flags: "" },
  ]);
  assert.deepEqual(composed, []);
});

test("a pattern of what a function is given, or of what changes, is told as one", () => {
  assert.deepEqual(read("const made = (text) => new RegExp(text);").composed, [{ where: "some.js:1", text: "new RegExp(text)" }]);
  assert.deepEqual(read('let part = "a"; RegExp(`^${part}`, "g"); text.match(found);').composed.map(({ where }) => where), ["some.js:1"]);
});

test("a pattern that is quadratic or worse is found, with what attacks it", () => {
  for (const source of ["\\s+$", "(a|a)*b", "#.*$"]) {
    const { safe, says } = proofOf({ source, flags: "" });
    assert.ok(!safe && says.includes("repeat"), `${source}: ${says}`);
  }
});
