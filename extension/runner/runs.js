import { newRun, RunLoop } from "./run/loop.js";
import { leaveTab, TAB_CLOSED } from "./run/look.js";
import { createOffers, offerNotice, samePage } from "./offers.js";
import { createCancellations } from "./server/cancellation.js";
import { emptyView } from "./run/view.js";

/** @import { Notice, Run, Start, View, World } from "../types/run" */
/** @import { OffersWorld } from "./offers.js" */
/** @typedef {ReturnType<typeof import("./journal.js").createJournal>} Journal */
/** @typedef {World & OffersWorld & {journal: Journal}} RunsWorld */

/** @type {Notice} */
const FIRST_RUN = {
  kind: "first-run",
  text: "Tabwright needs the address and an API key of your server.",
  button: { label: "Open settings", does: "settings" },
};

/** @type {Notice} */
const ONE_A_TAB = { kind: "info", text: "A task is already running in this tab. Stop it first." };

/**
 * Whether something other than the person or the server ended a run: its tab may be found gone before Chrome reports that.
 *
 * @param {Run} run
 */
function wasCutOff({ phase, lost, view }) {
  return phase !== "ended" || lost !== undefined || (view.state === "interrupted" && view.result === TAB_CLOSED);
}

/**
 * All runs of this browser, one per tab.
 *
 * @param {RunsWorld} outer
 */
export function createRuns(outer) {
  const cancellations = createCancellations(outer);
  const world = { ...outer, cancel: cancellations.cancel, interact: cancellations.interact };
  /** @type {Map<number, RunLoop>} */
  const loops = new Map();
  /** The run that a tab without one may continue. @type {Map<number, RunLoop>} */
  const offered = new Map();
  const offers = createOffers(world);

  /** @param {number} tabId @returns {RunLoop | undefined} the live run that belongs to this tab or works in it */
  const liveIn = (tabId) => [...loops.values()].find((loop) => loop.live && (loop.run.tabId === tabId || loop.run.at === tabId));

  /**
   * Starts a run; refused with a notice while another is live in the tab.
   *
   * @param {number} tabId @param {string} goal @param {Start} [how]
   * @returns {Promise<Run | null>} once it waits or has ended; null if it was refused
   */
  async function start(tabId, goal, how) {
    const busy = liveIn(tabId);
    if (busy) {
      world.publish({ ...view(tabId), notice: ONE_A_TAB });
      return null;
    }
    const loop = new RunLoop(newRun(world.uuid(), tabId, goal, null, how), world);
    loops.set(tabId, loop);
    offered.delete(tabId);
    await begin(loop).catch((error) => loop.fail(error));
    return loop.run;
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
    const { beginning, askedBy } = loop.run;
    loop.show({ type: "started", goal, url: tab.url, at: world.now(), ...(beginning?.recipe ? { replays: true } : {}), ...(askedBy ? { askedBy } : {}) });
    if (!settings.apiKey) {
      loop.run.phase = "ended";
      loop.show({ type: "ended", state: "failed", result: "", at: world.now(), notice: FIRST_RUN });
      return;
    }
    await world.journal.save(loop.run);
    await loop.drive();
  }

  /** @param {number} tabId @returns {View} */
  const view = (tabId) => (loops.get(tabId) ?? offered.get(tabId))?.view ?? emptyView(tabId);

  /** @param {number} tabId @returns {Promise<string | null>} its address; null if it is gone */
  const addressOf = (tabId) => world.ask("tab.get", { tabId }).then((tab) => tab.url, () => null);

  /** Resumes a run from the journal, or stores it for later. @param {Run} run */
  async function restoreOne(run) {
    const live = run.phase !== "ended";
    const sameLife = run.life === (await world.journal.life());
    const url = await addressOf(run.tabId);
    if (url === null) {
      if (wasCutOff(run)) await offers.lose(run, sameLife ? "tab" : "browser");
      else await world.journal.forget(run.tabId);
      return;
    }
    if (run.at !== run.tabId && (await addressOf(run.at)) === null) [run.at, run.documentId] = [run.tabId, null];
    const loop = new RunLoop(run, world);
    loops.set(run.tabId, loop);
    world.publish(run.view);
    if (!live) return;
    if (run.phase === "assist" || run.phase === "paused") return void loop.drive(); // waits for the person
    const asItWas = samePage(url, run.view.url) && !run.chain?.intent;
    if (sameLife || asItWas) void loop.drive();
    else await loop.park(offerNotice(run.goal, "extension"));
  }

  /** Offers a run to continue in a tab that has none. @param {number} tabId */
  async function offer(tabId) {
    if (loops.has(tabId)) return;
    const url = await addressOf(tabId);
    const held = new Set([...loops.values()].flatMap(({ run }) => (run.taskId ? [run.taskId] : [])));
    const run = url === null ? null : await offers.find(url, held);
    if (loops.has(tabId) || (!run && !offered.has(tabId))) return;
    offered.delete(tabId);
    if (run?.phase === "assist" && run.view.question) return adopt(run, tabId);
    if (run) {
      const shown = { ...run.view, tabId, state: /** @type {const} */ ("interrupted"), notice: offerNotice(run.goal, run.lost ?? "elsewhere") };
      offered.set(tabId, new RunLoop({ ...run, tabId, at: tabId, phase: "ended", documentId: null, view: shown }, world));
    }
    world.publish(view(tabId));
  }

  /** Moves a run with an open question to this tab. @param {Run} run @param {number} tabId */
  async function adopt(run, tabId) {
    if ([...loops.values()].some((loop) => loop.run.id === run.id)) return;
    const here = { ...run, tabId, at: tabId, documentId: null, lost: undefined, view: { ...run.view, tabId } };
    const loop = new RunLoop(here, world);
    loops.set(tabId, loop);
    world.publish(here.view);
    await world.journal.save(here);
    await offers.removeOffer(run);
    await loop.drive();
  }

  /** Continues the tab's stopped run, or the one offered there. @param {number} tabId */
  async function resume(tabId) {
    const own = loops.get(tabId);
    const taskId = (own ?? offered.get(tabId))?.run.taskId;
    if (taskId) await cancellations.forget(taskId);
    if (own) return own.resume();
    const loop = offered.get(tabId);
    offered.delete(tabId);
    if (!loop || [...loops.values()].some(({ run }) => run.id === loop.run.id)) return;
    loops.set(tabId, loop);
    await offers.removeOffer(loop.run);
    await loop.resume();
  }

  return {
    start,
    view,
    offer,
    resume,

    /** @param {number} tabId */
    loop: (tabId) => loops.get(tabId),

    /** @returns {number[]} the tabs that live runs belong to or work in */
    busyTabs: () => [...loops.values()].filter((loop) => loop.live).flatMap(({ run }) => [run.tabId, run.at]),

    /** @param {string} delegationId @returns {boolean} whether a run carries it out or did */
    carries: (delegationId) => [...loops.values()].some(({ run }) => run.delegationId === delegationId),

    /**
     * Resumes every run in the journal. After a reload of the extension a run continues by itself if its tab shows the same page
     * and no action is in doubt; otherwise the person is asked. A run whose tab is gone is stored and offered when its page is shown.
     */
    async restore() {
      for (const run of await world.journal.runs()) if (!loops.has(run.tabId)) await restoreOne(run);
      void cancellations.again();
    },

    /** The person dismissed the offer in a tab. @param {number} tabId */
    async dismiss(tabId) {
      const own = loops.get(tabId);
      own?.show({ type: "left" });
      if (own && !own.live) await world.journal.save(own.run);
      const loop = offered.get(tabId);
      if (!loop) return;
      offered.delete(tabId);
      world.publish(view(tabId));
      await offers.dismiss(loop.run);
    },

    /** Removes an ended run from its tab. @param {number} tabId */
    async clear(tabId) {
      if (loops.get(tabId)?.live) return;
      loops.delete(tabId);
      await world.journal.forget(tabId);
      world.publish(view(tabId));
    },

    /**
     * A tab was closed, by the person or by the run itself.
     *
     * @param {number} tabId @param {boolean} [withWindow] the window was closed, perhaps with the browser
     */
    async tabClosed(tabId, withWindow = false) {
      const own = loops.get(tabId);
      loops.delete(tabId);
      offered.delete(tabId);
      for (const { run } of loops.values()) leaveTab(run, tabId);
      if (own?.run.phase === "assist" && withWindow) {
        own.wait.end(); // it can be answered when its page is shown again
        await offers.lose(own.run, "browser");
      } else if (own?.live) await own.stop(TAB_CLOSED, () => offers.lose(own.run, "tab"));
      else if (own && wasCutOff(own.run)) await offers.lose(own.run, "tab");
      else await world.journal.forget(tabId);
    },

    /** Chrome gave the tab `was` another id. @param {number} was @param {number} tabId */
    async tabReplaced(was, tabId) {
      for (const loop of loops.values()) {
        if (loop.run.at === was) [loop.run.at, loop.run.documentId] = [tabId, null];
      }
      const own = loops.get(was);
      if (!own) return;
      loops.delete(was);
      loops.set(tabId, own);
      own.run.view = { ...own.run.view, tabId };
      await world.journal.rename(own.run, tabId);
      world.publish(own.view);
      own.wake();
    },

    /** Something changed in a tab (a page loaded), or anywhere. @param {number} [tabId] */
    wake(tabId) {
      if (tabId === undefined) void cancellations.again();
      for (const loop of loops.values()) {
        if (tabId !== undefined && loop.run.at !== tabId) continue;
        loop.wake();
        // A waiting run's page needs the script too: it notices when the runner dies.
        if (loop.live) world.pages.page(loop.run.at).catch(() => undefined);
      }
    },
  };
}
