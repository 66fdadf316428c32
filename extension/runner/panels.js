/** @import { Asking } from "../types/delegation" */
/** @import { Learning } from "../types/learning" */
/** @import { PanelCommands, PanelUpdate } from "../types/messages" */
/** @import { View } from "../types/run" */
/** @typedef {{runs: Runs, learner: Learner, delegations: Delegations}} Parts */
/** @typedef {ReturnType<typeof import("./delegations.js").createDelegations>} Delegations */
/** @typedef {ReturnType<typeof import("./learner.js").createLearner>} Learner */
/** @typedef {ReturnType<typeof import("./runs.js").createRuns>} Runs */

/** @type {{[K in Exclude<keyof PanelCommands, "attach">]: (parts: Parts, tabId: number, params: PanelCommands[K]) => unknown}} */
const COMMANDS = {
  run: ({ runs }, tabId, { goal, recipe, continueFrom }) => runs.start(tabId, String(goal), { recipe, continueFrom }),
  stop: ({ runs }, tabId) => runs.loop(tabId)?.stop(),
  retry: ({ runs }, tabId) => runs.loop(tabId)?.wake(),
  continue: ({ runs }, tabId) => runs.resume(tabId),
  dismiss: ({ runs }, tabId) => runs.dismiss(tabId),
  clear: ({ runs }, tabId) => runs.clear(tabId),
  answer: ({ runs }, tabId, { value, text }) => runs.loop(tabId)?.answer(value, String(text)),
  choose: ({ runs }, tabId, { chosen }) => runs.loop(tabId)?.wait.choose(chosen),
  pause: ({ runs }, tabId) => runs.loop(tabId)?.pause(),
  "hand-back": ({ runs }, tabId) => runs.loop(tabId)?.handBack(),
  learn: ({ learner }, tabId, { elsewhere }) => learner.learn(elsewhere ?? tabId),
  "learn-opened": ({ learner }, tabId, { key }) => learner.take(tabId, String(key)),
  "learn-not": ({ learner }, tabId, { key }) => learner.skip(tabId, String(key)),
  "learn-always": ({ learner }, tabId, { wanted }) => learner.setAlways(tabId, wanted === true),
  "learn-end": ({ learner }, tabId) => learner.end(tabId),
  "delegation-allowed": ({ delegations }, tabId, { delegationId }) => delegations.allowedIn(String(delegationId), tabId),
  "delegation-granted": ({ delegations }) => delegations.granted(),
  "delegation-give-up": ({ delegations }, _, { delegationId, reason }) => delegations.giveUp(String(delegationId), String(reason)),
};

/** The open panels; each shows one tab. Closing one changes nothing else. */
export function createPanels() {
  /** @type {Map<chrome.runtime.Port, number>} */
  const shown = new Map();

  /** @param {chrome.runtime.Port} port @param {PanelUpdate} message */
  function send(port, message) {
    try {
      port.postMessage(message);
    } catch {
      shown.delete(port); // just closed; its onDisconnect follows
    }
  }

  return {
    /** @param {View} view */
    publish(view) {
      for (const [port, tabId] of shown) if (tabId === view.tabId) send(port, { kind: "view", view });
    },

    /** @param {Learning} learning */
    publishLearning(learning) {
      for (const [port, tabId] of shown) if (tabId === learning.tabId) send(port, { kind: "learning", learning });
    },

    /** @param {Asking[]} asking */
    publishAsking(asking) {
      for (const port of shown.keys()) send(port, { kind: "delegations", asking });
    },

    /** @returns {number | null} the tab that the newest panel shows */
    tab: () => [...shown.values()].at(-1) ?? null,

    /** @param {number} tabId @returns {boolean} whether a panel shows that tab */
    shows: (tabId) => [...shown.values()].includes(tabId),

    /** Chrome gave the tab `was` another id. @param {number} was @param {number} tabId */
    follow(was, tabId) {
      for (const [port, shownTab] of shown) if (shownTab === was) shown.set(port, tabId);
    },

    /** @param {chrome.runtime.Port} port a port named "tabwright.panel" @param {Promise<Runs>} ready @param {{learner: Learner, delegations: Delegations}} others */
    accept(port, ready, { learner, delegations }) {
      port.onDisconnect.addListener(() => shown.delete(port));
      port.onMessage.addListener(async (message) => {
        const runs = await ready;
        if (message.kind === "attach") {
          shown.set(port, message.tabId);
          send(port, { kind: "view", view: runs.view(message.tabId) });
          send(port, { kind: "learning", learning: learner.view(message.tabId) });
          send(port, { kind: "delegations", asking: delegations.asking() });
          void learner.attached(message.tabId);
          delegations.moved();
          void runs.offer(message.tabId);
        } else if (Object.hasOwn(COMMANDS, message.kind)) {
          const command = COMMANDS[/** @type {keyof typeof COMMANDS} */ (message.kind)];
          await command({ runs, learner, delegations }, /** @type {number} */ (shown.get(port)), message);
        }
      });
    },
  };
}
