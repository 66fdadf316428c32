import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { lazyPart } from "../../panel/lazy_part.js";

/** A part that is brought by hand, and what was asked of it. */
function part() {
  /** @type {string[]} */
  const done = [];
  let [brought, lost] = [0, 0];
  /** @type {PromiseWithResolvers<string>} */
  let coming;
  const made = lazyPart(
    () => {
      brought += 1;
      coming = Promise.withResolvers();
      return coming.promise;
    },
    () => (lost += 1),
  );
  return {
    ...{ made, done, counts: () => ({ brought, lost }) },
    come: () => coming.resolve("it"),
    fail: () => coming.reject(new Error("no such file")),
    does: (/** @type {string} */ deed) => (/** @type {string} */ it) => void done.push(`${it} ${deed}`),
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test("what is not needed is not loaded", () => {
  const { made, does, counts } = part();
  made.when(false, does("shows"));
  assert.deepEqual(counts(), { brought: 0, lost: 0 });
  assert.equal(made.here(), null);
});

test("what is asked before it is here is done in order, and loaded once; afterwards it is done at once", async () => {
  const { made, done, does, counts, come } = part();
  made.when(true, does("shows"));
  made.when(false, does("hides"));
  made.use(does("ends"));
  assert.deepEqual(done, []);
  come();
  await settled();
  assert.deepEqual(done, ["it shows", "it hides", "it ends"]);
  made.when(false, does("rests"));
  assert.equal(done.at(-1), "it rests");
  assert.deepEqual(counts(), { brought: 1, lost: 0 });
});

test("one that cannot be loaded is told of, and tried again by the next press", async (t) => {
  t.mock.method(console, "warn", () => undefined);
  const { made, done, does, counts, come, fail } = part();
  made.use(does("shows"));
  fail();
  await settled();
  assert.deepEqual(counts(), { brought: 1, lost: 1 });
  made.when(false, does("rests"));
  made.use(does("shows again"));
  come();
  await settled();
  assert.deepEqual(done, ["it shows again"]);
  assert.deepEqual(counts(), { brought: 2, lost: 1 });
});

/** @param {URL} file @param {Set<string>} [found] @returns {Set<string>} the addresses of what it imports at once, itself too */
function importedAtOnce(file, found = new Set()) {
  if (found.has(file.href)) return found;
  found.add(file.href);
  const code = readFileSync(file, "utf8");
  for (const [, path] of code.matchAll(/^(?:import|export)\b[^"'`;]*?from "(\.[^"]+)"/gm)) importedAtOnce(new URL(path, file), found);
  return found;
}

test("the panel opens with few modules: what is not seen at first is loaded later", () => {
  const first = importedAtOnce(new URL("../../panel/main.js", import.meta.url));
  assert.ok(first.size > 10, "the imports were not found");
  assert.ok(first.size <= 24, [...first].join("\n"));
  for (const later of ["chat/chat.js", "knowledge.js", "recipes.js", "card.js", "marked", "purify"]) assert.ok(![...first].some((file) => file.includes(`/${later}`)), later);
});
