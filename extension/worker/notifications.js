/** Desktop notifications of questions that wait; an optional permission, so `chrome.notifications` may not be there. */

const PREFIX = "question:";
const ASSISTANT = "assistant:"; // and the tab that was in front when another assistant asked

/** @param {number} tabId one at a time for a tab */
const idOf = (tabId) => PREFIX + tabId;

/** @param {string} id must be called in the person's own click */
function show(id) {
  const prefix = [PREFIX, ASSISTANT].find((one) => id.startsWith(one));
  if (!prefix) return;
  const tabId = Number(id.slice(prefix.length));
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
    title: approval ? "Your approval is needed" : "A question is waiting",
    message: site ? `Tabwright is waiting for you on ${site}.` : "Tabwright is waiting for you.",
  });
  return true;
}

/** @param {{tabId: number}} params nothing waits there any more */
async function clear({ tabId }) {
  if (chrome.notifications) await chrome.notifications.clear(idOf(tabId));
}

/**
 * Says that another assistant asks for something, where nobody sees its card; neither who nor what, which anyone
 * may have written. Once nothing waits it is taken away.
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
    message: "It wants something done in this browser. Open Tabwright to allow or refuse it.",
  });
}

/** @type {Record<string, (params: any) => Promise<any>>} */
export const NOTIFICATION_HANDLERS = { "notify.question": question, "notify.clear": clear };
