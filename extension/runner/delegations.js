import { Problem, delayMs } from "./server/client.js";
import { displayName } from "../shared/text.js";

/** @import { PendingDelegation, Delegation, DelegationPlace } from "../types/delegation" */
/** @import { Settings } from "../types/wire" */
/** @typedef {ReturnType<typeof import("./runs.js").createRuns>} Runs */
/**
 * Its dependencies. `tab` is the tab that a panel shows, `told` receives what is waiting for the person.
 *
 * @typedef {{runs: Runs, ask: import("../types/messages").AskWorker, settings: () => Promise<Settings>,
 *   server: (path: string, what?: {method?: string, body?: object}) => Promise<any>, follow: typeof import("./server/client.js").followEvents,
 *   tab: () => number | null, show: (asking: PendingDelegation[]) => void, uuid: () => string,
 *   sleep: (ms: number, signal: AbortSignal) => Promise<void>}} DelegationWorld
 */

const BUSY_MS = 500; // between checks of a tab where another run is active
const AGAIN_MS = 2_000; // after a request to the server failed
const UNKNOWN_MS = 60_000; // a server without delegations may be replaced by one that has them
const NO_KEY_MS = 300_000; // a new key comes with new settings, which wake this loop
const NEVER = new AbortController().signal;

const NO_PAGE = "No web page is open in the browser to do it on.";
const NOT_BEGUN = "The browser could not start the task.";

/**
 * Delegations: tasks that other assistants ask for. They are shown in the panels until the person allows them, then started here.
 * Only this module of a browser takes them.
 *
 * @param {DelegationWorld} world
 */
export function createDelegations(world) {
  const { runs, ask, server } = world;
  /** The server's last list. @type {Delegation[]} */
  let open = [];
  /** The tab in which each was allowed. @type {Map<string, number>} */
  const places = new Map();
  /** Allowed delegations whose site is not. @type {Map<string, string>} */
  const needs = new Map();
  /** Handled here, or by another browser. @type {Set<string>} */
  const seen = new Set();
  let stream = new AbortController();
  let tries = 0;
  /** The ids last reported to the worker. */
  let waiting = "";

  /** @param {string} id @param {string} deed @param {object} [body] @returns {Promise<Delegation>} */
  const post = (id, deed, body = {}) => server(`/api/delegations/${encodeURIComponent(id)}/${deed}`, { method: "POST", body });

  /** @param {string} id @returns {boolean} whether the server still lists it */
  const isOpen = (id) => open.some((one) => one.delegationId === id);

  /** @returns {PendingDelegation[]} those waiting for the person, the oldest first */
  const pendingQuestions = () =>
    open
      .map((one) => ({ ...one, needs: needs.get(one.delegationId) ?? null }))
      .filter((one) => one.status === "waiting" || one.needs);

  /** @returns {Promise<string>} the id of this browser, created once */
  async function browserId() {
    const { browserId: known } = await ask("storage.get", { keys: ["browserId"] });
    if (known) return known;
    const made = world.uuid();
    await ask("storage.set", { items: { browserId: made } });
    return made;
  }

  /** @param {Delegation} one @returns {Promise<boolean>} false if another browser took it, or it is no longer open */
  async function claim({ delegationId }) {
    try {
      await post(delegationId, "take", { taker: await browserId() });
      return true;
    } catch (error) {
      if (error instanceof Problem && error.status < 500 && error.status !== 429) return false;
      throw error;
    }
  }

  /** @param {Delegation} one @returns {Promise<DelegationPlace>} */
  const placeOf = ({ delegationId, url }) => ask("delegation.place", { url, tabId: places.get(delegationId) ?? world.tab(), busy: runs.busyTabs() });

  /** Reports a delegation that cannot run here. @param {Delegation} one @param {string} reason for people */
  async function fail(one, reason) {
    if (await claim(one)) await post(one.delegationId, "failed", { reason }).catch(() => undefined);
  }

  /** Waits until the tab is free. @param {Delegation} one @param {number} tabId */
  async function whenFree({ delegationId }, tabId) {
    while (runs.busyTabs().includes(tabId) && isOpen(delegationId)) await world.sleep(BUSY_MS, NEVER);
  }

  /** Runs it as if the person had entered the goal. @param {Delegation} one @param {number} tabId */
  async function run(one, tabId) {
    const { delegationId, goal, client, recipe } = one;
    const replay = recipe ? { recipe: { recipeId: recipe.recipeId, values: recipe.parameters ?? {} } } : {};
    const began = await runs.start(tabId, goal, { ...replay, delegationId, askedBy: displayName(client.name) });
    if (began === null || (began.phase === "ended" && !began.taskId)) {
      const why = began?.view.notice?.text || began?.view.result || NOT_BEGUN;
      await post(delegationId, "failed", { reason: why }).catch(() => undefined);
    }
  }

  /** Starts a delegation that was allowed. @param {Delegation} one */
  async function begin(one) {
    const { delegationId, url } = one;
    const place = await placeOf(one);
    if (place.origin && !place.permitted) {
      needs.set(delegationId, place.origin);
      seen.delete(delegationId); // tried again once the site is allowed
      return publish();
    }
    if (!place.origin) return fail(one, NO_PAGE);
    if (place.tabId !== null) await whenFree(one, place.tabId);
    if (!isOpen(delegationId) || !(await claim(one))) return;
    const here = place.tabId ?? (await ask("delegation.open", { url: String(url), active: places.has(delegationId) }));
    await whenFree(one, here);
    await run(one, here);
  }

  /** Starts each allowed delegation once. */
  function beginAllowed() {
    for (const one of open) {
      const left = one.status === "allowed" || (one.status === "taken" && !one.taskId); // taken before a restart, but maybe never started
      if (!left || seen.has(one.delegationId) || runs.carries(one.delegationId)) continue;
      seen.add(one.delegationId);
      needs.delete(one.delegationId);
      void begin(one).catch(async () => {
        await world.sleep(AGAIN_MS, NEVER);
        seen.delete(one.delegationId);
        beginAllowed();
      });
    }
  }

  /** Shows what is waiting, in the panels and on the icon. */
  function publish() {
    const now = pendingQuestions();
    world.show(now);
    const ids = now.map(({ delegationId }) => delegationId);
    if (waiting === ids.join()) return;
    waiting = ids.join();
    void ask("delegation.waits", { ids, tabId: world.tab() }).catch(() => (waiting = "?"));
  }

  /** @param {Delegation[]} delegations the open ones */
  function receive(delegations) {
    open = delegations;
    for (const known of [needs, places, seen]) {
      for (const id of [...known.keys()]) if (!open.some(({ delegationId }) => delegationId === id)) known.delete(id);
    }
    beginAllowed();
    publish();
  }

  /** @param {unknown} error @returns {number} ms before the next attempt */
  function pauseAfter(error) {
    if (!(error instanceof Problem) || error.status >= 500) return delayMs(tries++);
    return error.status === 401 || error.status === 403 ? NO_KEY_MS : Math.max(UNKNOWN_MS, error.retryAfterMs ?? 0);
  }

  /** @returns {Promise<number>} once the stream has ended: ms before the next attempt */
  async function follow() {
    const { signal } = stream;
    try {
      const settings = await world.settings();
      if (!settings.apiKey) return NO_KEY_MS;
      const onOpen = () => (tries = 0);
      const path = "/api/delegations/events";
      await world.follow({ settings, path, signal, onOpen, onEvent: (event) => event.type === "delegations" && receive(event.delegations) });
      return delayMs(tries++);
    } catch (error) {
      return pauseAfter(error);
    }
  }

  function reconnect() {
    const before = stream;
    stream = new AbortController();
    tries = 0;
    before.abort();
  }

  function siteGranted() {
    needs.clear();
    beginAllowed();
    publish();
  }

  return {
    asking: pendingQuestions,

    /** Listens for as long as the runner lives. */
    async listen() {
      for (;;) {
        const { signal } = stream;
        const pause = await follow();
        await world.sleep(pause, signal).catch(() => undefined);
      }
    },

    /** The server may be reachable again. */
    again: reconnect,

    /** The server or the key changed: what the old one listed is void. */
    settingsChanged() {
      receive([]);
      reconnect();
    },

    /** A site was allowed. */
    granted: siteGranted,

    /** A panel shows another tab: what waits for a site may run there. */
    tabMoved: () => void (needs.size > 0 && siteGranted()),

    /** @param {string} delegationId allowed in this tab, where it runs if it names no address @param {number} tabId */
    allowedIn: (delegationId, tabId) => void places.set(delegationId, tabId),

    /** The person refuses the site that it needs. @param {string} delegationId @param {string} reason */
    async giveUp(delegationId, reason) {
      const one = open.find((other) => other.delegationId === delegationId);
      if (!one) return;
      seen.add(delegationId);
      needs.delete(delegationId);
      publish();
      await fail(one, reason);
    },
  };
}
