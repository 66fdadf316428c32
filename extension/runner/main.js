import { activeTask, cancel, createServerClient, followEvents, interact } from "./server/client.js";
import { createDelegations } from "./delegations.js";
import { PORTS, askWorker, handleMessages } from "../shared/messages.js";
import { createJournal } from "./journal.js";
import { createLearner } from "./learner.js";
import { createSideEffects } from "./run/side_effects.js";
import { createPanels } from "./panels.js";
import { onPicked, pickedFiles } from "../shared/picked_files.js";
import { createHighlighter } from "./highlighter.js";
import { createPages } from "./page/pages.js";
import { createRuns } from "./runs.js";
import { onWaking } from "../shared/event_stream.js";
import { createTakeover } from "./takeover.js";
import { reportTakeover, followTaskEvents } from "./server/task_events.js";

/** @import { Handlers, RunnerReports } from "../types/messages" */

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} rejects when aborted */
function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

const pages = createPages(
  (tabId) => askWorker("page.inject", { tabId }, { ms: 15_000 }),
  (tabId, parentFrameId, connected) => askWorker("frames.reach", { tabId, parentFrameId, connected }),
);
const panels = createPanels();
const sideEffects = createSideEffects();
const takeover = createTakeover(pages);
const journal = createJournal(askWorker);
const learner = createLearner({
  pages,
  ask: askWorker,
  server: createServerClient(journal.settings),
  publish: panels.publishLearning,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
const runs = createRuns({
  pages,
  sideEffects,
  files: pickedFiles,
  ask: askWorker,
  journal,
  interact,
  cancel,
  reportTakeover: reportTakeover,
  events: followTaskEvents,
  task: activeTask,
  highlighter: createHighlighter(pages),
  takeover,
  notify: (question) => askWorker("notify.question", { ...question, inPanel: panels.shows(question.tabId) }),
  publish: panels.publish,
  now: Date.now,
  sleep,
  uuid: () => crypto.randomUUID(),
});

const delegations = createDelegations({
  runs,
  ask: askWorker,
  settings: journal.settings,
  server: createServerClient(journal.settings),
  follow: followEvents,
  tab: panels.tab,
  show: panels.publishAsking,
  uuid: () => crypto.randomUUID(),
  sleep,
});

/** What the worker reports. @type {Handlers<RunnerReports>} */
const REPORTS = {
  "tab.closed": ({ tabId, withWindow }) => runs.tabClosed(tabId, withWindow === true),
  "tab.loaded": ({ tabId }) => {
    runs.wake(tabId);
    void takeover.loaded(tabId);
    void learner.loaded(tabId, panels.shows(tabId));
    if (panels.shows(tabId)) void runs.offer(tabId);
  },
  "tab.replaced": ({ tabId, was }) => {
    panels.follow(was, tabId);
    return runs.tabReplaced(was, tabId);
  },
  "tab.created": ({ tabId, created }) => sideEffects.record(tabId, { type: "tab", created }),
  "navigation.failed": ({ tabId, url, error }) => sideEffects.record(tabId, { type: "failed", url, error }),
  "download": ({ tabId, opener, download }) => {
    for (const at of [tabId, opener]) if (at !== undefined) sideEffects.record(at, { type: "download", from: tabId, download });
  },
  "permissions.added": () => {
    pages.granted();
    runs.wake();
    delegations.granted();
  },
  "settings.changed": () => delegations.settingsChanged(),
};

pages.listen("told", (tabId, { told }) => {
  if (told.type === "open") sideEffects.record(tabId, told);
  else sideEffects.record(tabId, told.type === "download" ? { ...told, from: tabId } : { type: "dialog", dialog: told });
});

chrome.runtime.onConnect.addListener((port) => {
  if (port.name === PORTS.page && port.sender?.tab) pages.accept(port);
  else if (port.name === PORTS.panel && port.sender?.origin === location.origin) panels.accept(port, ready, { runs, learner, delegations });
  else port.disconnect();
});

handleMessages("runner", REPORTS);

const ready = runs.restore();
void ready.then(() => delegations.listen());

addEventListener("online", () => {
  runs.wake();
  delegations.again();
});
onWaking(() => runs.wake());
onPicked((tabId) => runs.loop(tabId)?.wake());
