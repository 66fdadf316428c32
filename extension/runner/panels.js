import { handlePort } from "../shared/messages.js";

/** @import { PendingDelegation } from "../types/delegation" */
/** @import { Learning } from "../types/learning" */
/** @import { Handlers, PanelCommands, PanelUpdate } from "../types/messages" */
/** @import { View } from "../types/run" */
/** @typedef {{runs: Runs, learner: Learner, delegations: Delegations}} Parts */
/** @typedef {ReturnType<typeof import("./delegations.js").createDelegations>} Delegations */
/** @typedef {ReturnType<typeof import("./learner.js").createLearner>} Learner */
/** @typedef {ReturnType<typeof import("./runs.js").createRuns>} Runs */

/** What a panel asks for, about its tab. @param {Parts} parts @param {() => number} tab @returns {Omit<Handlers<PanelCommands>, "attach">} */
const commandsFor = ({ runs, learner, delegations }, tab) => ({
  run: ({ goal, recipe, continueFrom }) => runs.start(tab(), goal, { recipe, continueFrom }),
  stop: () => runs.loop(tab())?.stop(),
  retry: () => runs.loop(tab())?.wake(),
  continue: () => runs.resume(tab()),
  dismiss: () => runs.dismiss(tab()),
  clear: () => runs.clear(tab()),
  answer: ({ value, text }) => runs.loop(tab())?.answer(value, text),
  choose: ({ chosen }) => runs.loop(tab())?.wait.choose(chosen),
  pause: () => runs.loop(tab())?.pause(),
  "hand-back": () => runs.loop(tab())?.handBack(),
  learn: ({ elsewhere }) => learner.learn(elsewhere ?? tab()),
  "learn-opened": ({ key }) => learner.take(tab(), key),
  "learn-not": ({ key }) => learner.skip(tab(), key),
  "learn-always": ({ wanted }) => learner.setAlways(tab(), wanted),
  "learn-end": () => learner.end(tab()),
  "delegation-allowed": ({ delegationId }) => delegations.allowedIn(delegationId, tab()),
  "delegation-granted": () => delegations.granted(),
  "delegation-give-up": ({ delegationId, reason }) => delegations.giveUp(delegationId, reason),
});

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

    /** @param {PendingDelegation[]} asking */
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

    /** @param {chrome.runtime.Port} port a port named "tabwright.panel" @param {Promise<unknown>} ready once the runs are restored @param {Parts} parts */
    accept(port, ready, parts) {
      const { runs, learner, delegations } = parts;
      port.onDisconnect.addListener(() => shown.delete(port));
      /** @type {Handlers<PanelCommands>} */
      const commands = {
        ...commandsFor(parts, () => /** @type {number} */ (shown.get(port))),
        attach({ tabId }) {
          shown.set(port, tabId);
          send(port, { kind: "view", view: runs.view(tabId) });
          send(port, { kind: "learning", learning: learner.view(tabId) });
          send(port, { kind: "delegations", asking: delegations.asking() });
          void learner.attached(tabId);
          delegations.tabMoved();
          void runs.offer(tabId);
        },
      };
      const afterReady = Object.entries(commands).map(([kind, command]) => [kind, (/** @type {any} */ message) => ready.then(() => command(message))]);
      handlePort(port, Object.fromEntries(afterReady));
    },
  };
}
