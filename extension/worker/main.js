import { DELEGATION_HANDLERS, checkDelegations, watchForDelegations } from "./delegations.js";
import { DOWNLOAD_HANDLERS } from "./downloads.js";
import { NETWORK_HANDLERS } from "./network.js";
import { NOTIFICATION_HANDLERS } from "./notifications.js";
import { ensureRunner, keepTab, extensionLife, reviveRunner } from "./runner.js";
import { handleMessages, isPageScript, reportToRunner } from "../shared/messages.js";
import { TAB_HANDLERS } from "./tabs.js";

/** @import { RequestHandlers, WorkerRequests } from "../types/messages" */

/** @type {RequestHandlers<WorkerRequests>} */
const HANDLERS = {
  "runner.ensure": ensureRunner,
  "storage.get": ({ keys }) => chrome.storage.local.get(keys),
  "storage.set": ({ items }) => chrome.storage.local.set(items),
  "storage.remove": ({ keys }) => chrome.storage.local.remove(keys),
  "life": extensionLife,
  "tab.keep": keepTab,
  ...TAB_HANDLERS,
  ...NETWORK_HANDLERS,
  ...DOWNLOAD_HANDLERS,
  ...NOTIFICATION_HANDLERS,
  ...DELEGATION_HANDLERS,
};

handleMessages("worker", HANDLERS); // the key is in storage: page scripts may ask for none of this
handleMessages("worker", { "runner.gone": reviveRunner }, isPageScript); // the only message of a page script: its port broke

chrome.tabs.onRemoved.addListener((tabId, { isWindowClosing }) => reportToRunner("tab.closed", { tabId, withWindow: isWindowClosing }));
chrome.tabs.onUpdated.addListener(async (tabId, change) => {
  if (change.status !== "complete") return;
  await reviveRunner();
  await reportToRunner("tab.loaded", { tabId });
});
chrome.tabs.onReplaced.addListener((tabId, was) => reportToRunner("tab.replaced", { tabId, was }));
chrome.permissions.onAdded.addListener(() => reportToRunner("permissions.added"));
chrome.runtime.onStartup.addListener(reviveRunner);
chrome.runtime.onInstalled.addListener(reviveRunner);
chrome.runtime.onStartup.addListener(watchForDelegations);
chrome.runtime.onInstalled.addListener(watchForDelegations);
chrome.alarms.onAlarm.addListener(checkDelegations);
chrome.storage.onChanged.addListener(async ({ settings }) => {
  if (!settings) return;
  await watchForDelegations();
  await reportToRunner("settings.changed");
});

void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });

// The API key is in storage: page scripts, which run beside foreign code, may not read it.
void chrome.storage.local.setAccessLevel({ accessLevel: chrome.storage.AccessLevel.TRUSTED_CONTEXTS });
