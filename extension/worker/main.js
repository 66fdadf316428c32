import { ensureRunner, tellRunner } from "./offscreen.js";
import { Refusal } from "./refusal.js";
import { TAB_HANDLERS } from "./tabs.js";

const WATCHDOG = "watchdog";
const WATCHDOG_MINUTES = 0.5; // the shortest period Chrome allows

/** What the runner and the panel ask for. @type {Record<string, (params: any) => Promise<any>>} */
const HANDLERS = {
  "runner.ensure": ensureRunner,
  "storage.get": ({ keys }) => chrome.storage.local.get(keys),
  "storage.set": async ({ items }) => {
    await chrome.storage.local.set(items);
    await watchOver(items);
  },
  "storage.remove": ({ keys }) => chrome.storage.local.remove(keys),
  ...TAB_HANDLERS,
};

/** @param {Record<string, any>} items whether they hold a run that has not ended */
function holdLiveRun(items) {
  return Object.keys(items).some((key) => key.startsWith("run_") && items[key].phase !== "ended");
}

/** @param {Record<string, any>} items starts the watchdog while a run is live: the runner may die too */
async function watchOver(items) {
  if (holdLiveRun(items) && !(await chrome.alarms.get(WATCHDOG))) {
    await chrome.alarms.create(WATCHDOG, { periodInMinutes: WATCHDOG_MINUTES });
  }
}

/** Starts the runner again if a run is live and it is gone. */
async function lookAfterRuns() {
  if (holdLiveRun(await chrome.storage.local.get(null))) await ensureRunner();
  else await chrome.alarms.clear(WATCHDOG);
}

/** @param {unknown} error */
function refusalOf(error) {
  if (error instanceof Refusal) return { code: error.code, message: error.message, origin: error.origin };
  return { code: "FAILED", message: error instanceof Error ? error.message : String(error) };
}

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  // Only our own pages: a page script runs beside the site it is in, and may not read the key.
  const ours = sender.id === chrome.runtime.id && sender.url?.startsWith(chrome.runtime.getURL(""));
  if (!ours || message?.to !== "worker" || !Object.hasOwn(HANDLERS, message.name)) return false;
  HANDLERS[message.name](message).then(
    (result) => reply({ ok: true, result }),
    (error) => reply({ ok: false, error: refusalOf(error) }),
  );
  return true;
});

chrome.tabs.onRemoved.addListener((tabId) => tellRunner("tab.closed", { tabId }));
chrome.tabs.onUpdated.addListener((tabId, change) => {
  if (change.status === "complete") void tellRunner("tab.loaded", { tabId });
});
chrome.permissions.onAdded.addListener(() => tellRunner("permissions.added"));
chrome.alarms.onAlarm.addListener(lookAfterRuns);
chrome.runtime.onStartup.addListener(lookAfterRuns);
chrome.runtime.onInstalled.addListener(lookAfterRuns);

void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });

// The API key is here: page scripts, which live beside foreign code, may not read it.
void chrome.storage.local.setAccessLevel({ accessLevel: chrome.storage.AccessLevel.TRUSTED_CONTEXTS });
