/** @import { View } from "../types/run" */
/** @typedef {ReturnType<typeof import("./runs.js").createRuns>} Runs */

/** @type {Record<string, (runs: Runs, tabId: number, message: any) => unknown>} */
const COMMANDS = {
  run: (runs, tabId, { goal, recipe, continueFrom }) => runs.start(tabId, String(goal), { recipe, continueFrom }),
  stop: (runs, tabId) => runs.loop(tabId)?.stop(),
  retry: (runs, tabId) => runs.loop(tabId)?.wake(),
  continue: (runs, tabId) => runs.resume(tabId),
  dismiss: (runs, tabId) => runs.dismiss(tabId),
  clear: (runs, tabId) => runs.clear(tabId),
  answer: (runs, tabId, { value, text }) => runs.loop(tabId)?.answer(value, String(text)),
  choose: (runs, tabId, { chosen }) => runs.loop(tabId)?.wait.choose(chosen),
  pause: (runs, tabId) => runs.loop(tabId)?.pause(),
  "hand-back": (runs, tabId) => runs.loop(tabId)?.handBack(),
};

/** The panels that are open: each shows one tab. A panel that closes changes nothing. */
export function createPanels() {
  /** @type {Map<chrome.runtime.Port, number>} */
  const shown = new Map();

  /** @param {chrome.runtime.Port} port @param {View} view */
  function send(port, view) {
    try {
      port.postMessage({ kind: "view", view });
    } catch {
      shown.delete(port); // closed this very moment; its onDisconnect is on the way
    }
  }

  return {
    /** @param {View} view */
    publish(view) {
      for (const [port, tabId] of shown) if (tabId === view.tabId) send(port, view);
    },

    /** @param {number} tabId @returns {boolean} whether a panel shows that tab */
    shows: (tabId) => [...shown.values()].includes(tabId),

    /** @param {number} was @param {number} tabId the number that Chrome gives this tab from now on */
    follow(was, tabId) {
      for (const [port, shownTab] of shown) if (shownTab === was) shown.set(port, tabId);
    },

    /** @param {chrome.runtime.Port} port a port named "tabwright.panel" @param {Promise<Runs>} ready */
    accept(port, ready) {
      port.onDisconnect.addListener(() => shown.delete(port));
      port.onMessage.addListener(async (message) => {
        const runs = await ready;
        if (message.kind === "attach") {
          shown.set(port, message.tabId);
          send(port, runs.view(message.tabId));
          void runs.offer(message.tabId);
        } else if (Object.hasOwn(COMMANDS, message.kind)) {
          await COMMANDS[message.kind](runs, /** @type {number} */ (shown.get(port)), message);
        }
      });
    },
  };
}
