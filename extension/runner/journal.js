import { settingsOf } from "../shared/server.js";

/** @import { Run } from "../types/run" */
/** @import { Settings } from "../types/wire" */
/** @import { AskWorker } from "../types/messages" */

const RUN = "run_";
const LOST = "lost_";
const UNTOLD_KEPT = 50; // the server ends abandoned tasks by itself
const DISMISSED_KEPT = 50; // tasks; the server no longer offers older ones either

/**
 * State that must outlive the runner, stored in chrome.storage.local through the worker. `run_<tabId>` is the run, `body_<tabId>` the
 * body of the pending request, `task_<tabId>` what CONTRACT promises, `lost_<id>` a run whose tab is gone, `dismissed` the tasks that
 * are not offered again, `untold` those stopped while the server was unreachable.
 *
 * @param {AskWorker} ask
 */
export function createJournal(ask) {
  /** The worker's `extensionLife`. @type {Promise<string> | null} */
  let life = null;

  /** @returns {Promise<string>} */
  function thisLife() {
    const known = life ?? ask("life");
    life = known;
    known.catch(() => (life = null));
    return known;
  }

  /** @param {Run} run @returns {Promise<Record<string, unknown>>} what is stored for the run's tab */
  async function records(run) {
    const records = { [RUN + run.tabId]: { ...run, life: await thisLife(), savedAt: Date.now() } };
    if (!run.taskId) return records;
    const task = { taskId: run.taskId, sessionId: run.sessionId, url: run.view.url, timestamp: Date.now() };
    return { ...records, [`task_${run.tabId}`]: task };
  }

  /** @param {string} prefix @returns {Promise<Run[]>} */
  async function all(prefix) {
    const stored = await ask("storage.get", { keys: null });
    return Object.keys(stored).filter((key) => key.startsWith(prefix)).map((key) => stored[key]);
  }

  /** @param {number} tabId */
  const forget = (tabId) => ask("storage.remove", { keys: [RUN + tabId, `body_${tabId}`, `task_${tabId}`] });

  /** @param {number} tabId @returns {Promise<string | undefined>} */
  const body = async (tabId) => (await ask("storage.get", { keys: [`body_${tabId}`] }))[`body_${tabId}`];

  /** @returns {Promise<string[]>} */
  const dismissed = async () => (await ask("storage.get", { keys: ["dismissed"] })).dismissed ?? [];

  return {
    life: thisLife,
    body,
    forget,
    dismissed,

    /** @param {Run} run */
    save: async (run) => ask("storage.set", { items: await records(run) }),

    /** @param {Run} run @param {string} text */
    saveWithBody: async (run, text) => ask("storage.set", { items: { ...(await records(run)), [`body_${run.tabId}`]: text } }),

    /** @returns {Promise<Run[]>} every run of a tab, live or ended */
    runs: () => all(RUN),

    /** @param {Run} run with its old tab id @param {number} tabId the id that Chrome gave the tab instead */
    async rename(run, tabId) {
      const was = run.tabId;
      const text = await body(was);
      run.tabId = tabId;
      await ask("storage.set", { items: { ...(await records(run)), ...(text === undefined ? {} : { [`body_${tabId}`]: text }) } });
      await forget(was);
    },

    /** @returns {Promise<Run[]>} the runs whose tab is gone */
    lost: () => all(LOST),

    /** Stores a run that lost its tab. @param {Run} run */
    async lose(run) {
      await ask("storage.set", { items: { [LOST + run.id]: { ...run, savedAt: Date.now() } } });
      await forget(run.tabId);
    },

    /** Removes lost runs that have a tab again or were dismissed. @param {Run[]} runs */
    found: (runs) => ask("storage.remove", { keys: runs.map((run) => LOST + run.id) }),

    /** @param {string} taskId not to be offered again */
    async dismiss(taskId) {
      const taskIds = [...(await dismissed()), taskId].slice(-DISMISSED_KEPT);
      await ask("storage.set", { items: { dismissed: taskIds } });
    },

    /** @returns {Promise<string[]>} ids of tasks */
    untold: async () => (await ask("storage.get", { keys: ["untold"] })).untold ?? [],

    /** @param {string[]} taskIds the newest last */
    async keepUntold(taskIds) {
      if (taskIds.length > 0) await ask("storage.set", { items: { untold: taskIds.slice(-UNTOLD_KEPT) } });
      else await ask("storage.remove", { keys: ["untold"] });
    },

    /** @returns {Promise<Settings>} */
    async settings() {
      return settingsOf(await ask("storage.get", { keys: ["settings"] }));
    },

    /** @returns {Promise<string | null>} */
    sessionId: async () => (await ask("storage.get", { keys: ["sessionId"] })).sessionId ?? null,

    /** @param {string} sessionId */
    keepSession: (sessionId) => ask("storage.set", { items: { sessionId } }),
  };
}
