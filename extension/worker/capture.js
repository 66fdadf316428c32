import { Refusal } from "./refusal.js";

const QUALITY = 90; // of the picture as it comes; the runner makes it smaller once

/** Whether a tab is what its window shows. @param {number} tabId */
async function isInFront(tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  if (!tab?.active || tab.windowId === undefined) return null;
  const { state } = await chrome.windows.get(tab.windowId);
  return state === "minimized" ? null : tab.windowId;
}

/**
 * What a tab shows. Chrome gives the picture of whatever tab is in front, and only after the person
 * clicked the extension's icon there or allowed it on every site.
 *
 * @param {{tabId: number}} params
 * @returns {Promise<string>} a JPEG as base64
 * @throws {Refusal} NOT_IN_FRONT, NOT_GRANTED, TOO_OFTEN (twice a second at most)
 */
async function capture({ tabId }) {
  const windowId = await isInFront(tabId);
  if (windowId === null) throw new Refusal("NOT_IN_FRONT", "Another tab is in front");
  const url = await chrome.tabs.captureVisibleTab(windowId, { format: "jpeg", quality: QUALITY }).catch((error) => {
    const often = String(error).includes("MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND");
    throw new Refusal(often ? "TOO_OFTEN" : "NOT_GRANTED", String(error));
  });
  // The person may have gone to another tab in between: that one is nobody's business.
  if ((await isInFront(tabId)) !== windowId) throw new Refusal("NOT_IN_FRONT", "Another tab is in front");
  return url.slice(url.indexOf(",") + 1);
}

/** @type {Record<string, (params: any) => Promise<any>>} */
export const CAPTURE_HANDLERS = { "tab.capture": capture };
