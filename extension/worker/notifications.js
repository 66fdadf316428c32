/** Desktop notifications of questions that wait; an optional permission, so `chrome.notifications` may not be there. */

const PREFIX = "question:";

/** @param {number} tabId one at a time for a tab */
const idOf = (tabId) => PREFIX + tabId;

/** @param {string} id must be called in the person's own click */
function show(id) {
  if (!id.startsWith(PREFIX)) return;
  const tabId = Number(id.slice(PREFIX.length));
  // First of all: Chrome opens a side panel only while it handles what the person did.
  void chrome.sidePanel.open({ tabId }).catch(() => undefined);
  void chrome.tabs.update(tabId, { active: true }).then((tab) => tab && chrome.windows.update(tab.windowId, { focused: true })).catch(() => undefined);
  chrome.notifications.clear(id);
}

function listen() {
  if (chrome.notifications && !chrome.notifications.onClicked.hasListener(show)) chrome.notifications.onClicked.addListener(show);
}

listen();
chrome.permissions.onAdded.addListener(listen);

/** @param {number} tabId @returns {Promise<boolean>} whether the window of the tab is the one the person works in */
async function isInFront(tabId) {
  const { windowId } = await chrome.tabs.get(tabId);
  return (await chrome.windows.get(windowId)).focused;
}

/**
 * Says that a question waits, where nobody sees it: its panel is closed, or another program is in
 * front. What is asked stays out of it, since anyone near the screen may read it.
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
    title: approval ? "Your approval is needed" : "A question waits",
    message: site ? `Tabwright waits for you on ${site}.` : "Tabwright waits for you.",
  });
  return true;
}

/** @param {{tabId: number}} params nothing waits there any more */
async function clear({ tabId }) {
  if (chrome.notifications) await chrome.notifications.clear(idOf(tabId));
}

/** @type {Record<string, (params: any) => Promise<any>>} */
export const NOTIFICATION_HANDLERS = { "notify.question": question, "notify.clear": clear };
