import { CAPTURE_HANDLERS } from "./capture.js";
import { DELEGATION_HANDLERS, checkDelegations, watchForDelegations } from "./delegations.js";
import { DOWNLOAD_HANDLERS } from "./downloads.js";
import { NETWORK_HANDLERS } from "./network.js";
import { FRAME_HANDLERS } from "./frames.js";
import { NOTIFICATION_HANDLERS } from "./notifications.js";
import { ensureRunner, keepTab, extensionLife, reviveRunner, tellRunner } from "./runner.js";
import { Refusal } from "./refusal.js";
import { TAB_HANDLERS } from "./tabs.js";

/** @import { WorkerRequests } from "../types/messages" */

/** What the runner and the panel ask for. @type {{[K in keyof WorkerRequests]: (params: WorkerRequests[K]) => Promise<any>}} */
const HANDLERS = {
  "runner.ensure": ensureRunner,
  "storage.get": ({ keys }) => chrome.storage.local.get(keys),
  "storage.set": ({ items }) => chrome.storage.local.set(items),
  "storage.remove": ({ keys }) => chrome.storage.local.remove(keys),
  "life": extensionLife,
  "tab.keep": keepTab,
  ...TAB_HANDLERS,
  ...FRAME_HANDLERS,
  ...NETWORK_HANDLERS,
  ...DOWNLOAD_HANDLERS,
  ...CAPTURE_HANDLERS,
  ...NOTIFICATION_HANDLERS,
  ...DELEGATION_HANDLERS,
};

/** All that a page script may send: that its port to the runner broke. @type {Record<string, () => Promise<void>>} */
const PAGE_HANDLERS = { "runner.gone": reviveRunner };

/** @param {unknown} error */
function refusalOf(error) {
  if (error instanceof Refusal) return { code: error.code, message: error.message, origin: error.origin };
  return { code: "FAILED", message: error instanceof Error ? error.message : String(error) };
}

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  // Only the extension's own pages: a page script runs beside foreign code and may not read the key.
  const mine = sender.id === chrome.runtime.id;
  if (mine && sender.tab && Object.hasOwn(PAGE_HANDLERS, message?.name)) void PAGE_HANDLERS[message.name]();
  const ours = mine && sender.url?.startsWith(chrome.runtime.getURL(""));
  if (!ours || message?.to !== "worker" || !Object.hasOwn(HANDLERS, message.name)) return false;
  HANDLERS[/** @type {keyof WorkerRequests} */ (message.name)](message).then(
    (result) => reply({ ok: true, result }),
    (error) => reply({ ok: false, error: refusalOf(error) }),
  );
  return true;
});

chrome.tabs.onRemoved.addListener((tabId, { isWindowClosing }) => tellRunner("tab.closed", { tabId, withWindow: isWindowClosing }));
chrome.tabs.onUpdated.addListener(async (tabId, change) => {
  if (change.status !== "complete") return;
  await reviveRunner();
  await tellRunner("tab.loaded", { tabId });
});
chrome.tabs.onReplaced.addListener((tabId, was) => tellRunner("tab.replaced", { tabId, was }));
chrome.permissions.onAdded.addListener(() => tellRunner("permissions.added"));
chrome.runtime.onStartup.addListener(reviveRunner);
chrome.runtime.onInstalled.addListener(reviveRunner);
chrome.runtime.onStartup.addListener(watchForDelegations);
chrome.runtime.onInstalled.addListener(watchForDelegations);
chrome.alarms.onAlarm.addListener(checkDelegations);
chrome.storage.onChanged.addListener(async ({ settings }) => {
  if (!settings) return;
  await watchForDelegations();
  await tellRunner("settings.changed");
});

void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });

// The API key is in storage: page scripts, which run beside foreign code, may not read it.
void chrome.storage.local.setAccessLevel({ accessLevel: chrome.storage.AccessLevel.TRUSTED_CONTEXTS });
