/** @import { Run } from "../types/run" */
/** @import { Settings } from "../types/wire" */
/** @typedef {(name: string, params?: object) => Promise<any>} Ask */

const RUN = "run_";

/**
 * What must outlive the runner, kept in chrome.storage.local by way of the worker. `run_<tabId>` is
 * the run, `body_<tabId>` the text of the request being answered, `task_<tabId>` the promise of
 * CONTRACT.
 *
 * @param {Ask} ask
 */
export function createJournal(ask) {
  /** @param {Run} run @returns {object} */
  const taskRecord = (run) =>
    run.taskId
      ? { [`task_${run.tabId}`]: { taskId: run.taskId, sessionId: run.sessionId, url: run.view.url, timestamp: Date.now() } }
      : {};

  return {
    /** @param {Run} run */
    save: (run) => ask("storage.set", { items: { [RUN + run.tabId]: run, ...taskRecord(run) } }),

    /** @param {Run} run @param {string} body */
    saveWithBody: (run, body) =>
      ask("storage.set", { items: { [RUN + run.tabId]: run, [`body_${run.tabId}`]: body, ...taskRecord(run) } }),

    /** @param {number} tabId @returns {Promise<string | undefined>} */
    body: async (tabId) => (await ask("storage.get", { keys: [`body_${tabId}`] }))[`body_${tabId}`],

    /** @returns {Promise<Run[]>} every run there is, live or ended */
    async runs() {
      const all = await ask("storage.get", { keys: null });
      return Object.keys(all).filter((key) => key.startsWith(RUN)).map((key) => all[key]);
    },

    /** @param {number} tabId */
    forget: (tabId) => ask("storage.remove", { keys: [RUN + tabId, `body_${tabId}`, `task_${tabId}`] }),

    /** @returns {Promise<Settings>} */
    async settings() {
      const { settings } = await ask("storage.get", { keys: ["settings"] });
      return { serverUrl: settings?.serverUrl || "http://127.0.0.1:8787", apiKey: settings?.apiKey ?? "" };
    },

    /** @returns {Promise<string | null>} */
    sessionId: async () => (await ask("storage.get", { keys: ["sessionId"] })).sessionId ?? null,

    /** @param {string} sessionId */
    keepSession: (sessionId) => ask("storage.set", { items: { sessionId } }),
  };
}
