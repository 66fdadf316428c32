import { Refusal } from "../shared/messages.js";

const QUALITY = 90; // JPEG; the runner scales the picture down and compresses it once more

/** @param {number} tabId @returns {Promise<number | null>} the window that shows the tab; null if none does */
async function windowShowing(tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  if (!tab?.active || tab.windowId === undefined) return null;
  const { state } = await chrome.windows.get(tab.windowId);
  return state === "minimized" ? null : tab.windowId;
}

/**
 * A screenshot of a tab. Chrome captures whichever tab is in front, and only after the person clicked the extension's icon there
 * or allowed it on every site.
 *
 * @param {{tabId: number}} params
 * @returns {Promise<string>} a JPEG as base64
 * @throws {Refusal} NOT_IN_FRONT, NOT_GRANTED, TOO_OFTEN (twice a second at most)
 */
async function capture({ tabId }) {
  const windowId = await windowShowing(tabId);
  if (windowId === null) throw new Refusal("NOT_IN_FRONT", "Another tab is active");
  const url = await chrome.tabs.captureVisibleTab(windowId, { format: "jpeg", quality: QUALITY }).catch((error) => {
    const often = String(error).includes("MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND");
    throw new Refusal(often ? "TOO_OFTEN" : "NOT_GRANTED", String(error));
  });
  // The person may have switched tabs meanwhile; the other tab must not be captured.
  if ((await windowShowing(tabId)) !== windowId) throw new Refusal("NOT_IN_FRONT", "Another tab is active");
  return url.slice(url.indexOf(",") + 1);
}

export const CAPTURE_HANDLERS = { "tab.capture": capture };
