import assert from "node:assert/strict";
import test from "node:test";
import { Problem } from "../../runner/server/client.js";
import { displayGoal, displayName } from "../../shared/text.js";
import { createDelegations } from "../../runner/delegations.js";
import { browser, HANGS, until } from "./fake_browser.js";

/** @import { PendingDelegation, Delegation } from "../../types/delegation" */

/** @param {string} id @param {Partial<Delegation>} [more] @returns {Delegation} */
const asked = (id, more = {}) => ({
  delegationId: id, client: { name: "Desk", keyId: "k" }, goal: "Add Jas", url: null, recipe: null, status: "allowed", taskId: null,
  createdAt: "2026-11-22T10:00:00Z", expiresAt: "2026-11-22T10:10:00Z", ...more,
});

/** A browser that hears of delegations; `place` is where they are done, `refuses` what the server says to a deed. */
function outside() {
  const out = browser();
  const world = {
    out,
    place: /** @type {any} */ ({ origin: "http://a.example", permitted: true, tabId: 1 }),
    refuses: /** @type {Record<string, Error>} */ ({}),
    deeds: /** @type {[string, string, any][]} */ ([]),
    opened: /** @type {any[]} */ ([]),
    waits: /** @type {string[][]} */ ([]),
    asking: /** @type {PendingDelegation[]} */ ([]),
    tries: 0,
    tell: /** @type {(rows: Delegation[]) => void} */ (() => undefined),
    wake: /** @type {(() => void)[]} */ ([]),
  };
  /** @type {Record<string, (params: any) => any>} */
  const worker = {
    "storage.get": ({ keys }) => Object.fromEntries(keys.map((/** @type {string} */ key) => [key, out.storage[key]])),
    "storage.set": ({ items }) => void Object.assign(out.storage, items),
    "delegation.place": () => world.place,
    "delegation.open": (params) => (world.opened.push(params), (out.tabs[9] = params.url), 9),
    "delegation.waits": ({ ids }) => void world.waits.push(ids),
  };
  const delegations = createDelegations({
    runs: out.runs,
    ask: async (name, params = {}) => worker[name](params),
    settings: async () => ({ serverUrl: "https://s", apiKey: "k" }),
    server: async (path, what) => {
      const [, id = "", deed = ""] = /([^/]+)\/([^/]+)$/.exec(path) ?? [];
      if (world.refuses[deed]) throw world.refuses[deed];
      world.deeds.push([id, deed, what?.body]);
    },
    follow: async ({ onOpen, onEvent, signal }) => {
      world.tries += 1;
      onOpen();
      world.tell = (rows) => onEvent({ type: "delegations", delegations: rows });
      await new Promise((_, fail) => signal.addEventListener("abort", fail, { once: true }));
    },
    tab: () => 1,
    show: (asking) => (world.asking = asking),
    uuid: () => "browser-1",
    sleep: (_, signal) => new Promise((go, fail) => {
      if (signal.aborted) fail(signal.reason);
      world.wake.push(() => go());
      signal.addEventListener("abort", () => fail(signal.reason), { once: true });
    }),
  });
  void delegations.listen();
  return Object.assign(world, { delegations });
}

/** @param {ReturnType<typeof outside>} world */
const names = (world) => world.deeds.map(([, deed]) => deed);

test("what waits for a yes is told, and only what has one is taken, once and by this browser's name", async () => {
  const world = outside();
  await until(() => world.tries === 1);
  world.tell([asked("a", { status: "waiting" })]);
  assert.deepEqual(world.asking.map(({ delegationId }) => delegationId), ["a"]);
  world.tell([asked("a")]);
  world.tell([asked("a", { status: "taken" })]);
  await until(() => world.out.bodies.length === 1);
  assert.deepEqual(world.deeds, [["a", "take", { taker: "browser-1" }]]);
  assert.equal(world.out.bodies[0].delegationId, "a");
  assert.equal(world.out.runs.view(1).askedBy, "Desk");
  assert.deepEqual(world.waits, [["a"], []]);
  assert.equal(world.out.storage.browserId, "browser-1");
});

test("what another browser has is left alone, what could not be told is tried again", async () => {
  const world = outside();
  await until(() => world.tries === 1);
  world.refuses.take = new Problem(409, "DELEGATION_TAKEN", "");
  world.tell([asked("a")]);
  world.tell([asked("a", { status: "taken" })]);
  world.refuses.take = new Error("away");
  world.tell([asked("b")]);
  await until(() => world.wake.length === 1);
  world.refuses = {};
  world.wake[0]();
  await until(() => world.out.bodies.length === 1);
  assert.deepEqual(world.deeds.map(([id]) => id), ["b"]);
});

test("it waits for a free tab, and is not begun once it is not wanted any more", async () => {
  const world = outside();
  await until(() => world.tries === 1);
  world.out.answer = HANGS;
  void world.out.runs.start(1, "Something else");
  await until(() => world.out.bodies.length === 1);
  world.tell([asked("a")]);
  await until(() => world.wake.length === 1);
  world.tell([]);
  world.wake[0]();
  await new Promise((go) => setImmediate(go));
  assert.deepEqual(world.deeds, []);
});

test("a site that is not allowed is told of, and asked for once it is", async () => {
  const world = outside();
  await until(() => world.tries === 1);
  world.place = { origin: "http://b.example", permitted: false, tabId: null };
  world.tell([asked("a", { url: "http://b.example/x" })]);
  await until(() => world.asking.length === 1);
  assert.equal(world.asking[0].needs, "http://b.example");
  world.place.permitted = true;
  world.delegations.allowedIn("a", 1);
  world.delegations.granted();
  await until(() => world.out.bodies.length === 1);
  assert.deepEqual(world.opened, [{ url: "http://b.example/x", active: true }]);
  assert.deepEqual(world.asking, []);
});

test("what cannot be begun is told in plain words", async () => {
  const world = outside();
  await until(() => world.tries === 1);
  world.place = { origin: "", permitted: false, tabId: 1 };
  world.tell([asked("a")]);
  await until(() => world.deeds.length === 2);
  assert.match(world.deeds[1][2].reason, /^No web page is open/);
  world.place = { origin: "http://a.example", permitted: true, tabId: 1 };
  world.out.answer = async () => Promise.reject(new Problem(409, "DELEGATION_TAKEN", "It is over"));
  world.tell([asked("b")]);
  await until(() => world.deeds.length === 4);
  assert.deepEqual(names(world), ["take", "failed", "take", "failed"]);
  assert.ok(world.deeds[3][2].reason);
});

test("other settings take away what the server before told of, and ask the new one at once", async () => {
  const world = outside();
  await until(() => world.tries === 1);
  world.tell([asked("a", { status: "waiting" })]);
  world.delegations.settingsChanged();
  assert.deepEqual(world.asking, []);
  await until(() => world.tries === 2);
});

test("the words of a stranger are one line, bounded, and turn nothing around", () => {
  assert.equal(displayName("Claude\u202e \u0000Desk\n\u2066top\u200b"), "Claude Desk top");
  assert.equal(displayName(" \u200f\n"), "An unnamed assistant");
  assert.ok(displayName("x".repeat(500)).length <= 60);
  assert.equal(displayGoal("a\r\nb\u202ec\u0007"), "a\nb c");
  assert.equal(displayGoal("x".repeat(5_000)).length, 5_000);
});
