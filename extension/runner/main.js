import { cancel, interact } from "./client.js";
import { askWorker } from "./host.js";
import { createJournal } from "./journal.js";
import { createPanels } from "./panels.js";
import { createPages } from "./ports.js";
import { createRuns } from "./runs.js";

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

const pages = createPages((tabId) => askWorker("page.inject", { tabId }, { ms: 15_000 }));
const panels = createPanels();
const runs = createRuns({
  pages,
  ask: askWorker,
  journal: createJournal(askWorker),
  interact,
  cancel,
  publish: panels.publish,
  now: Date.now,
  sleep,
  uuid: () => crypto.randomUUID(),
});

/** What the worker reports. @type {Record<string, (message: any) => unknown>} */
const REPORTS = {
  "tab.closed": ({ tabId }) => runs.tabClosed(tabId),
  "tab.loaded": ({ tabId }) => runs.wake(tabId),
  "permissions.added": () => runs.wake(),
};

chrome.runtime.onConnect.addListener((port) => {
  if (port.name === "tabwright.page" && port.sender?.tab) pages.accept(port);
  else if (port.name === "tabwright.panel" && port.sender?.origin === location.origin) {
    panels.accept(port, ready);
  } else port.disconnect();
});

chrome.runtime.onMessage.addListener((message, sender) => {
  const known = message?.to === "runner" && Object.hasOwn(REPORTS, message.name);
  if (known && sender.id === chrome.runtime.id && !sender.tab) REPORTS[message.name](message);
});

const ready = runs.restore().then(() => runs);
