import { newRun, RunLoop } from "./loop.js";
import { emptyView } from "./view.js";

/** @import { Notice, Run, View, World } from "../types/run" */
/** @typedef {World & {journal: World["journal"] & {runs(): Promise<Run[]>, sessionId(): Promise<string | null>, forget(tabId: number): Promise<void>}}} RunsWorld */

/** @type {Notice} */
const FIRST_RUN = {
  kind: "first-run",
  text: "Tabwright needs the address and an API key of your server.",
  button: { label: "Open settings", does: "settings" },
};

/**
 * All runs of this browser, one a tab.
 *
 * @param {RunsWorld} world
 */
export function createRuns(world) {
  /** @type {Map<number, RunLoop>} */
  const loops = new Map();

  /** @param {number} tabId @param {string} goal */
  async function start(tabId, goal) {
    if (loops.get(tabId)?.live) return;
    const loop = new RunLoop(newRun(world.uuid(), tabId, goal, null), world);
    loops.set(tabId, loop);
    await begin(loop).catch((error) => loop.fail(error));
  }

  /** @param {RunLoop} loop */
  async function begin(loop) {
    const { tabId, goal } = loop.run;
    const [sessionId, settings, tab] = await Promise.all([
      world.journal.sessionId(),
      world.journal.settings(),
      world.ask("tab.get", { tabId }),
    ]);
    loop.run.sessionId = sessionId;
    loop.show({ type: "started", goal, url: tab.url, at: world.now() });
    if (!settings.apiKey) {
      loop.run.phase = "ended";
      loop.show({ type: "ended", state: "failed", result: "", at: world.now(), notice: FIRST_RUN });
      return;
    }
    await world.journal.save(loop.run);
    await loop.drive();
  }

  /** @param {Run} run @returns {Promise<boolean>} whether its tab is still there */
  const tabLives = (run) => world.ask("tab.get", { tabId: run.tabId }).then(() => true, () => false);

  return {
    start,

    /** @param {number} tabId @returns {View} */
    view: (tabId) => loops.get(tabId)?.view ?? emptyView(tabId),

    /** @param {number} tabId */
    loop: (tabId) => loops.get(tabId),

    /** @returns {boolean} whether any run is being carried out or waits for a person */
    anyLive: () => [...loops.values()].some((loop) => loop.live),

    /** Takes up every run in the journal; those whose tab is gone are forgotten. */
    async restore() {
      for (const run of await world.journal.runs()) {
        if (loops.has(run.tabId)) continue;
        if (!(await tabLives(run))) {
          await world.journal.forget(run.tabId);
          continue;
        }
        const loop = new RunLoop(run, world);
        loops.set(run.tabId, loop);
        world.publish(run.view);
        if (loop.live) void loop.drive();
      }
    },

    /** @param {number} tabId a tab was closed: by the person, or by the run itself */
    async tabClosed(tabId) {
      const own = loops.get(tabId);
      if (own) {
        await own.stop("The tab was closed");
        loops.delete(tabId);
        await world.journal.forget(tabId);
      }
      for (const { run } of loops.values()) {
        if (run.at === tabId) [run.at, run.documentId] = [run.tabId, null];
      }
    },

    /** @param {number} [tabId] something changed there (a page loaded), or anywhere */
    wake(tabId) {
      for (const loop of loops.values()) {
        if (tabId === undefined || loop.run.at === tabId) loop.wake();
      }
    },
  };
}
