import assert from "node:assert/strict";
import test from "node:test";
import { newRun, RunLoop } from "../../runner/run/loop.js";
import { PageGone } from "../../runner/page/pages.js";

/** @import { Run, World } from "../../types/run" */

const SETTINGS = { serverUrl: "https://s", apiKey: "k" };
const FOREVER = new Promise(() => {});

/** @param {string} id @param {string} name @param {object} [args] */
const action = (id, name, args = {}) => ({ actionId: id, action: `${name}()`, actionDetails: { name, args }, description: id, index: 0, canFail: false });

/** What the server answers, in order. */
const SCRIPT = () => [
  { type: "action", taskId: "t", sessionId: "s", actions: [action("a1", "setValue", { id: "1" }), action("a2", "setValue", { id: "2" })] },
  { type: "action", taskId: "t", sessionId: "s", actions: [action("a3", "click", { id: "3" })] },
  { type: "done", taskId: "t", sessionId: "s", status: "completed", result: "done" },
];

/** Storage, server and page: what outlives a runner. */
function outside() {
  return {
    stored: /** @type {{run: string, body: string | undefined}} */ ({ run: "", body: undefined }),
    script: SCRIPT(),
    answers: /** @type {Map<string, any>} */ (new Map()),
    bodies: /** @type {Map<string, Set<string>>} */ (new Map()),
    acted: /** @type {string[]} */ ([]),
    ids: 0,
  };
}

/**
 * A world whose runner dies at its `lifetime`-th deed, before or after the deed has its effect. The
 * dead do nothing more: their calls never return.
 *
 * @param {ReturnType<typeof outside>} out @param {number} lifetime @param {boolean} after
 * @returns {{world: World, died: Promise<void>}}
 */
function mortal(out, lifetime, after) {
  let deeds = 0;
  let dead = false;
  /** @type {() => void} */
  let die = () => {};
  const died = /** @type {Promise<void>} */ (new Promise((resolve) => (die = resolve)));
  /** @template T @param {() => T} effect @returns {Promise<T>} */
  const deed = async (effect) => {
    if (dead) return /** @type {any} */ (FOREVER);
    if (++deeds !== lifetime) return effect();
    if (after) effect();
    dead = true;
    die();
    return /** @type {any} */ (FOREVER);
  };
  const store = (/** @type {Run} */ run) => void (out.stored.run = JSON.stringify(run));
  let clock = 0;
  /** @type {World} */
  const world = {
    pages: { page: async () => pageOf(out, deed) },
    ask: async () => ({ url: "http://a.example/", title: "", status: "complete" }),
    journal: {
      save: (run) => deed(() => store(run)),
      saveWithBody: (run, body) => deed(() => (store(run), void (out.stored.body = body))),
      body: async () => out.stored.body,
      settings: async () => SETTINGS,
      keepSession: async () => undefined,
    },
    interact: ({ body }) => deed(() => answer(out, body)),
    cancel: async () => undefined,
    publish: () => undefined,
    now: () => (clock += 1000),
    sleep: async () => undefined,
    uuid: () => `q${++out.ids}`,
  };
  return { world, died };
}

/** @param {ReturnType<typeof outside>} out @param {(effect: () => any) => Promise<any>} deed */
function pageOf(out, deed) {
  const quiet = { domQuietMs: 9e5, networkQuietMs: 9e5, pending: null, readyState: "complete" };
  /** @type {Record<string, (params: any) => any>} */
  const kinds = {
    quiet: () => quiet,
    since: () => ({ didNetworkOccur: true, didDomMutate: true, didUrlChange: false }),
    observe: () => ({ url: "http://a.example/", title: "A", tree: [{ i: "1", r: "btn" }], nextId: 2 }),
    act: ({ actionId }) => deed(() => (out.acted.push(actionId), { status: "success" })),
    outline: () => ({}),
  };
  return { documentId: "d", url: "http://a.example/", alive: true, request: async (/** @type {string} */ kind, params = {}) => kinds[kind](params) };
}

/** @param {ReturnType<typeof outside>} out @param {string} body */
function answer(out, body) {
  const { requestId } = JSON.parse(body);
  out.bodies.set(requestId, (out.bodies.get(requestId) ?? new Set()).add(body));
  if (!out.answers.has(requestId)) out.answers.set(requestId, out.script.shift() ?? { type: "done", status: "failed", result: "script over" });
  return out.answers.get(requestId);
}

/** @param {ReturnType<typeof outside>} out @param {number} lifetime @param {boolean} after */
async function live(out, lifetime, after) {
  const { world, died } = mortal(out, lifetime, after);
  const run = out.stored.run ? JSON.parse(out.stored.run) : newRun("r", 1, "goal", null);
  const loop = new RunLoop(run, world);
  await Promise.race([loop.drive(), died]);
  return loop;
}

/** @param {ReturnType<typeof outside>} out the reports of what was done, in order */
const reports = (out) => [...out.bodies.values()].map(([body]) => JSON.parse(body)).map(({ lastActionId, lastActionStatus }) => [lastActionId, lastActionStatus]);

test("without a death every action is done once and reported", async () => {
  const out = outside();
  const loop = await live(out, 0, false);
  assert.equal(loop.view.state, "completed");
  assert.deepEqual(out.acted, ["a1", "a2", "a3"]);
  assert.deepEqual(reports(out), [[undefined, undefined], ["a2", "success"], ["a3", "success"]]);
});

for (const after of [false, true]) {
  test(`whenever the runner dies, ${after ? "after" : "before"} a deed took effect, it goes on and repeats nothing`, async () => {
    for (let lifetime = 1; lifetime < 40; lifetime++) {
      const out = outside();
      out.stored.run = JSON.stringify(newRun("r", 1, "goal", null));
      await live(out, lifetime, after);
      const loop = await live(out, 0, false);
      const where = `death at deed ${lifetime}`;
      assert.equal(loop.view.state, "completed", where);
      assert.equal(new Set(out.acted).size, out.acted.length, `${where}: ${out.acted}`);
      for (const [id, bodies] of out.bodies) assert.equal(bodies.size, 1, `${where}: ${id} with one body`);
      const unknown = reports(out).filter(([, status]) => status === "unknown").map(([id]) => id);
      for (const id of ["a1", "a2", "a3"].filter((one) => !out.acted.includes(one))) {
        const skipped = unknown.includes(id) || (id === "a2" && unknown.includes("a1"));
        assert.ok(skipped, `${where}: ${id} was not done, and not said to be unknown`);
      }
    }
  });
}

test("a click whose document went away was done if another one came; a value typed is not sure", async () => {
  for (const [name, status] of [["click", "success"], ["setValue", "unknown"]]) {
    const out = outside();
    out.script = [{ type: "action", taskId: "t", sessionId: "s", actions: [action("a1", name, { id: "1" })] }, SCRIPT()[2]];
    const { world } = mortal(out, 0, false);
    let document = "old";
    world.pages.page = async () => {
      const page = pageOf(out, async (effect) => effect());
      const request = page.request;
      return {
        ...page,
        documentId: document,
        request: async (kind, params) => {
          if (kind !== "act") return request(kind, params);
          document = "new";
          throw new PageGone("gone");
        },
      };
    };
    await new RunLoop(newRun("r", 1, "goal", null), world).drive();
    assert.equal(reports(out)[1][1], status, name);
  }
});
