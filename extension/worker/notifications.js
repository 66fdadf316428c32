/** Desktop notifications of waiting questions. The permission is optional, so `chrome.notifications` may be undefined. */

const PREFIX = "question:";
const ASSISTANT = "assistant:"; // followed by the tab that was active when another assistant asked

/** @param {number} tabId a tab has one notification at a time */
const idOf = (tabId) => PREFIX + tabId;

/** Must be called in a user gesture. @param {string} id */
function openPanelFor(id) {
  const prefix = [PREFIX, ASSISTANT].find((one) => id.startsWith(one));
  if (!prefix) return;
  const tabId = Number(id.slice(prefix.length));
  // First: Chrome opens a side panel only during a user gesture.
  void chrome.sidePanel.open({ tabId }).catch(() => undefined);
  void chrome.tabs.update(tabId, { active: true }).then((tab) => tab && chrome.windows.update(tab.windowId, { focused: true })).catch(() => undefined);
  chrome.notifications.clear(id);
}

function listen() {
  if (chrome.notifications && !chrome.notifications.onClicked.hasListener(openPanelFor)) chrome.notifications.onClicked.addListener(openPanelFor);
}

listen();
chrome.permissions.onAdded.addListener(listen);

/** @param {number} tabId @returns {Promise<boolean>} whether the tab's window has the focus */
async function isInFront(tabId) {
  const { windowId } = await chrome.tabs.get(tabId);
  return (await chrome.windows.get(windowId)).focused;
}

/**
 * Notifies of a question that nobody sees because its panel is closed or another program is in front. The question itself is
 * left out, since anyone near the screen may read it.
 *
 * @param {{tabId: number, approval: boolean, site: string, inPanel: boolean}} params
 * @returns {Promise<boolean>} whether it was shown
 */
async function question({ tabId, approval, site, inPanel }) {
  if (!(await chrome.permissions.contains({ permissions: ["notifications"] })) || !chrome.notifications) return false;
  if (inPanel && (await isInFront(tabId))) return false;
  listen();
  await chrome.notifications.create(idOf(tabId), {
    type: "basic",
    iconUrl: chrome.runtime.getURL("icons/128.png"),
    title: approval ? "Your approval is needed" : "A question is waiting",
    message: site ? `Tabwright is waiting for you on ${site}.` : "Tabwright is waiting for you.",
  });
  return true;
}

/** @param {{tabId: number}} params */
async function clear({ tabId }) {
  if (chrome.notifications) await chrome.notifications.clear(idOf(tabId));
}

/**
 * Notifies of another assistant's request whose card nobody sees; without its name or goal, which are untrusted text. Cleared once
 * nothing is waiting.
 *
 * @param {{tabId: number, waits: boolean, fresh: boolean, inPanel: boolean}} params
 */
export async function notifyDelegations({ tabId, waits, fresh, inPanel }) {
  if (!(await chrome.permissions.contains({ permissions: ["notifications"] })) || !chrome.notifications) return;
  const shown = Object.keys(await chrome.notifications.getAll()).filter((id) => id.startsWith(ASSISTANT));
  if (!waits) return void (await Promise.all(shown.map((id) => chrome.notifications.clear(id))));
  if (!fresh || (inPanel && (await isInFront(tabId)))) return;
  listen();
  await chrome.notifications.create(ASSISTANT + tabId, {
    type: "basic",
    iconUrl: chrome.runtime.getURL("icons/128.png"),
    title: "Another assistant has a request",
    message: "It wants to do something in this browser. Open Tabwright to allow or refuse it.",
  });
}

export const NOTIFICATION_HANDLERS = { "notify.question": question, "notify.clear": clear };
