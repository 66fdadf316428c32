import { delayMs } from "./server/backoff.js";
import { Problem } from "./server/client.js";
import { displayName } from "../shared/text.js";

/** @import { Asking, Delegation } from "../types/delegation" */
/** @import { Settings } from "../types/wire" */
/** @typedef {ReturnType<typeof import("./runs.js").createRuns>} Runs */
/** @typedef {{tabId: number | null, permitted: boolean, origin: string}} Place where one is to be done; no tab where it must be opened, or there is none */
/**
 * What it needs of the world. `tab` is the one that a panel shows, `told` hears what waits for the person.
 *
 * @typedef {{runs: Runs, ask: (name: string, params?: object) => Promise<any>, settings: () => Promise<Settings>,
 *   server: (path: string, what?: {method?: string, body?: object}) => Promise<any>, follow: typeof import("./server/client.js").followEvents,
 *   tab: () => number | null, told: (asking: Asking[]) => void, uuid: () => string,
 *   sleep: (ms: number, signal: AbortSignal) => Promise<void>}} DelegationWorld
 */

const BUSY_MS = 500; // between looks at a tab where another run is under way
const AGAIN_MS = 2_000; // after a server that could not be told
const UNKNOWN_MS = 60_000; // a server without delegations may be replaced by one that has them
const NO_KEY_MS = 300_000; // a key that was ended comes back by new settings, which are heard of
const NEVER = new AbortController().signal;

const NO_PAGE = "No web page is open in the browser to do it on.";
const NOT_BEGUN = "The browser could not start the task.";

/**
 * What other assistants asked for: told to the panels while it waits for a yes, and taken up here once it has
 * one. This is the one place of a browser that takes them.
 *
 * @param {DelegationWorld} world
 */
export function createDelegations(world) {
  const { runs, ask, server } = world;
  /** As the server told last. @type {Delegation[]} */
  let open = [];
  /** In which tab it was allowed. @type {Map<string, number>} */
  const places = new Map();
  /** Allowed, but its site is not. @type {Map<string, string>} */
  const needs = new Map();
  /** Taken care of here, or by another browser. @type {Set<string>} */
  const seen = new Set();
  let stream = new AbortController();
  let tries = 0;
  /** What the worker was told of last, by id. */
  let waiting = "";

  /** @param {string} id @param {string} deed @param {object} [body] @returns {Promise<Delegation>} */
  const tell = (id, deed, body = {}) => server(`/api/delegations/${encodeURIComponent(id)}/${deed}`, { method: "POST", body });

  /** @param {string} id @returns {boolean} whether it may still be begun, as far as the server said */
  const wanted = (id) => open.some((one) => one.delegationId === id);

  /** @returns {Asking[]} what waits for the person, the oldest first */
  const asking = () =>
    open
      .map((one) => ({ ...one, needs: needs.get(one.delegationId) ?? null }))
      .filter((one) => one.status === "waiting" || one.needs);

  /** @returns {Promise<string>} the name of this browser, which is made once */
  async function browserId() {
    const { browserId: known } = await ask("storage.get", { keys: ["browserId"] });
    if (known) return known;
    const made = world.uuid();
    await ask("storage.set", { items: { browserId: made } });
    return made;
  }

  /** @param {Delegation} one @returns {Promise<boolean>} false where another browser has it, or nobody may any more */
  async function take({ delegationId }) {
    try {
      await tell(delegationId, "take", { taker: await browserId() });
      return true;
    } catch (error) {
      if (error instanceof Problem && error.status < 500 && error.status !== 429) return false;
      throw error;
    }
  }

  /** @param {Delegation} one @returns {Promise<Place>} */
  const placeOf = ({ delegationId, url }) => ask("delegation.place", { url, tabId: places.get(delegationId) ?? world.tab(), busy: runs.busyTabs() });

  /** @param {Delegation} one that cannot be done here @param {string} reason in plain words */
  async function fail(one, reason) {
    if (await take(one)) await tell(one.delegationId, "failed", { reason }).catch(() => undefined);
  }

  /** @param {Delegation} one is begun once its tab is free @param {number} tabId */
  async function whenFree({ delegationId }, tabId) {
    while (runs.busyTabs().includes(tabId) && wanted(delegationId)) await world.sleep(BUSY_MS, NEVER);
  }

  /** @param {Delegation} one @param {number} tabId carries it out as if the person had said it */
  async function run(one, tabId) {
    const { delegationId, goal, client, recipe } = one;
    const replay = recipe ? { recipe: { recipeId: recipe.recipeId, values: recipe.parameters ?? {} } } : {};
    const began = await runs.start(tabId, goal, { ...replay, delegationId, askedBy: displayName(client.name) });
    if (began === null || (began.phase === "ended" && !began.taskId)) {
      const why = began?.view.notice?.text || began?.view.result || NOT_BEGUN;
      await tell(delegationId, "failed", { reason: why }).catch(() => undefined);
    }
  }

  /** @param {Delegation} one that was allowed */
  async function takeUp(one) {
    const { delegationId, url } = one;
    const place = await placeOf(one);
    if (place.origin && !place.permitted) {
      needs.set(delegationId, place.origin);
      seen.delete(delegationId); // looked at again once the site is allowed
      return say();
    }
    if (!place.origin) return fail(one, NO_PAGE);
    if (place.tabId !== null) await whenFree(one, place.tabId);
    if (!wanted(delegationId) || !(await take(one))) return;
    const here = place.tabId ?? (await ask("delegation.open", { url, active: places.has(delegationId) }));
    await whenFree(one, here);
    await run(one, here);
  }

  /** Takes up what may be, once each. */
  function look() {
    for (const one of open) {
      const left = one.status === "allowed" || (one.status === "taken" && !one.taskId); // begun in an earlier life, perhaps
      if (!left || seen.has(one.delegationId) || runs.carries(one.delegationId)) continue;
      seen.add(one.delegationId);
      needs.delete(one.delegationId);
      void takeUp(one).catch(async () => {
        await world.sleep(AGAIN_MS, NEVER);
        seen.delete(one.delegationId);
        look();
      });
    }
  }

  function say() {
    const now = asking();
    world.told(now);
    const ids = now.map(({ delegationId }) => delegationId);
    if (waiting === ids.join()) return;
    waiting = ids.join();
    void ask("delegation.waits", { ids, tabId: world.tab() }).catch(() => (waiting = "?"));
  }

  /** @param {Delegation[]} delegations the open ones */
  function heard(delegations) {
    open = delegations;
    for (const kept of [needs, places, seen]) {
      for (const id of [...kept.keys()]) if (!open.some(({ delegationId }) => delegationId === id)) kept.delete(id);
    }
    look();
    say();
  }

  /** @param {unknown} error @returns {number} ms to wait before the next try */
  function pauseAfter(error) {
    if (!(error instanceof Problem) || error.status >= 500) return delayMs(tries++);
    return error.status === 401 || error.status === 403 ? NO_KEY_MS : Math.max(UNKNOWN_MS, error.retryAfterMs ?? 0);
  }

  /** @returns {Promise<number>} once the stream ended: ms to wait before the next try */
  async function follow() {
    const { signal } = stream;
    try {
      const settings = await world.settings();
      if (!settings.apiKey) return NO_KEY_MS;
      const onOpen = () => (tries = 0);
      const path = "/api/delegations/events";
      await world.follow({ settings, path, signal, onOpen, onEvent: (event) => event.type === "delegations" && heard(event.delegations) });
      return delayMs(tries++);
    } catch (error) {
      return pauseAfter(error);
    }
  }

  function again() {
    const before = stream;
    stream = new AbortController();
    tries = 0;
    before.abort();
  }

  function granted() {
    needs.clear();
    look();
    say();
  }

  return {
    asking,

    /** Listens for as long as the runner lives. */
    async listen() {
      for (;;) {
        const { signal } = stream;
        const pause = await follow();
        await world.sleep(pause, signal).catch(() => undefined);
      }
    },

    /** The server may be reached again. */
    again,

    /** The server or the key is another: what the one before told of is not its. */
    changed() {
      heard([]);
      again();
    },

    /** A site was allowed. */
    granted,

    /** A panel shows another tab: what waits for a site may be done there. */
    moved: () => void (needs.size > 0 && granted()),

    /** @param {string} delegationId is done in the tab where it is allowed @param {number} tabId */
    allowedIn: (delegationId, tabId) => void places.set(delegationId, tabId),

    /** @param {string} delegationId the person does not let it be done here @param {string} reason */
    async giveUp(delegationId, reason) {
      const one = open.find((other) => other.delegationId === delegationId);
      if (!one) return;
      seen.add(delegationId);
      needs.delete(delegationId);
      say();
      await fail(one, reason);
    },
  };
}
