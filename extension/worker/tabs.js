import { capturesInPage } from "../page/act/capture_main.js";
import { dialogsInPage } from "../page/act/dialogs_main.js";
import { reportDownload, storeOpener } from "./downloads.js";
import { LEARN_FILES, PAGE_FILES } from "../page/manifest.js";
import { Refusal, reportToRunner } from "../shared/messages.js";

/** @import { FrameInfo } from "../types/frames" */
/** @typedef {import("../types/wire").DialogDecision} Decision */

/**
 * Runs in the isolated world of one frame.
 *
 * @param {string} token @param {Decision | null} decision
 * @returns {"fresh" | "armed" | "none"} "fresh": the script for the page's own world is not injected yet
 */
function armFrame(token, decision) {
  const outside = globalThis.__tabwright?.sideEffects;
  if (!outside) return "none";
  if (outside.connect(token)) return "fresh";
  outside.arm(decision);
  return "armed";
}

/** Every frame of a tab, also of a page that is still loading. @param {number} tabId */
const everywhere = (tabId) => ({ target: { tabId, allFrames: true }, injectImmediately: true });

/**
 * Answers the dialogs of a tab as decided and reports the windows it opens, until `disarm`.
 *
 * @param {{tabId: number, dialog?: Decision | null}} params
 */
async function arm({ tabId, dialog = null }) {
  const token = crypto.randomUUID();
  const frames = await chrome.scripting.executeScript({ ...everywhere(tabId), func: armFrame, args: [token, dialog] });
  const documentIds = frames.filter(({ result }) => result === "fresh").map(({ documentId }) => documentId);
  if (documentIds.length === 0) return;
  const fresh = { target: { tabId, documentIds }, injectImmediately: true };
  for (const func of [dialogsInPage, capturesInPage]) await chrome.scripting.executeScript({ ...fresh, world: "MAIN", func, args: [token] });
  await chrome.scripting.executeScript({ ...fresh, func: armFrame, args: [token, dialog] });
}

/** Gives the page its own functions back. @param {{tabId: number}} params */
async function disarm({ tabId }) {
  const func = () => globalThis.__tabwright?.sideEffects?.disarm();
  await chrome.scripting.executeScript({ ...everywhere(tabId), func });
}

/**
 * Reports side effects of an action to the runner: a tab that a page opened, a navigation that failed. The listeners are
 * registered when the module loads.
 */
chrome.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => {
  void reportToRunner("tab.created", { tabId: sourceTabId, created: tabId });
});

chrome.webNavigation.onErrorOccurred.addListener((failed) => {
  const { tabId, frameId, url, error } = failed;
  if (!reportDownload(failed) && frameId === 0) void reportToRunner("navigation.failed", { tabId, url, error });
});

/** @param {number} tabId @returns {Promise<chrome.tabs.Tab>} raises `Refusal` TAB_GONE */
async function tabOf(tabId) {
  try {
    return await chrome.tabs.get(tabId);
  } catch {
    throw new Refusal("TAB_GONE", "The tab was closed");
  }
}

/** @param {{tabId: number}} params */
async function get({ tabId }) {
  const { url = "", title = "", status = "complete", width = 0, height = 0, index } = await tabOf(tabId);
  return { url, title, status, width, height, index };
}

/**
 * Injects the page scripts into the main frame. In a page that already has them they only reconnect a dead port.
 *
 * @param {{tabId: number}} params raises `Refusal`
 */
async function inject({ tabId }) {
  const { url = "", pendingUrl, discarded } = await tabOf(tabId);
  if (discarded) {
    // Discarded to save memory, or restored by a restarted browser and not yet shown: there is no page in it.
    await chrome.tabs.reload(tabId);
    throw new Refusal("PAGE_NOT_READY", "The tab was discarded and is reloading");
  }
  if (pendingUrl && !/^https?:/.test(url)) throw new Refusal("PAGE_NOT_READY", "The first page is still loading");
  if (!/^https?:/.test(url)) throw new Refusal("NOT_A_SITE", "Tabwright only works on web pages");
  const { origin } = new URL(url);
  if (!(await chrome.permissions.contains({ origins: [`${origin}/*`] }))) {
    throw new Refusal("NO_PERMISSION", `Not allowed on ${origin}`, origin);
  }
  try {
    await chrome.scripting.executeScript({ target: { tabId, frameIds: [0] }, files: PAGE_FILES });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Refusal(/\berror page\b/i.test(message) ? "ERROR_PAGE" : "PAGE_NOT_READY", message);
  }
}

/** Injects the learn scripts into a page that has the page scripts. @param {{tabId: number}} params */
async function learn({ tabId }) {
  await chrome.scripting.executeScript({ target: { tabId, frameIds: [0] }, files: LEARN_FILES });
}

/** @param {{tabId: number, url: string}} params */
async function navigate({ tabId, url }) {
  await tabOf(tabId);
  await chrome.tabs.update(tabId, { url });
}

/**
 * Goes back as the page itself would. `chrome.tabs.goBack` skips pages without a user gesture, and a script's clicks are none.
 *
 * @param {{tabId: number}} params raises `Refusal` NO_HISTORY
 */
async function goBack({ tabId }) {
  const [{ result }] = await chrome.scripting.executeScript({
    target: { tabId },
    func: () => {
      setTimeout(() => history.back());
      return history.length;
    },
  });
  if (result === 1) throw new Refusal("NO_HISTORY", "There is no page to go back to");
}

/** @param {{tabId: number, url: string}} params @returns {Promise<number>} id of the new tab */
async function open({ tabId, url }) {
  const { windowId, active } = await tabOf(tabId);
  // In front only if its opener was: the person may be working in another tab.
  const tab = await chrome.tabs.create({ url, windowId, openerTabId: tabId, active });
  const id = /** @type {number} */ (tab.id);
  storeOpener(id, tabId);
  return id;
}

/** @param {{tabId: number, index: number}} params @returns {Promise<number>} id of the tab at that place, from 0 */
async function switchTo({ tabId, index }) {
  const { windowId, active } = await tabOf(tabId);
  const [tab] = await chrome.tabs.query({ windowId, index });
  if (!tab?.id) throw new Refusal("NO_SUCH_TAB", `There is no tab ${index}`);
  if (active) await chrome.tabs.update(tab.id, { active: true });
  return tab.id;
}

/** Closes a tab and shows `next` if it was in front. @param {{tabId: number, next: number}} params */
async function close({ tabId, next }) {
  if ((await tabOf(tabId)).active) await chrome.tabs.update(next, { active: true });
  await chrome.tabs.remove(tabId);
}

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

const WAIT_MS = 1_000; // takes 10 ms; a frame that is busy for longer is tried next time

/** @param {string} url @returns {Promise<FrameInfo["state"]>} why the scripts could not be injected */
async function refusalAt(url) {
  if (!/^https?:/.test(url)) return "refused";
  const { origin } = new URL(url);
  return (await chrome.permissions.contains({ origins: [`${origin}/*`] })) ? "broken" : "refused";
}

/** @param {number} tabId @param {number} frameId @param {string} url @returns {Promise<FrameInfo["state"]>} */
async function injectInto(tabId, frameId, url) {
  try {
    await chrome.scripting.executeScript({ target: { tabId, frameIds: [frameId] }, files: PAGE_FILES, injectImmediately: true });
    return "in";
  } catch {
    return refusalAt(url);
  }
}

/** @param {Promise<FrameInfo["state"]>} injected @returns {Promise<FrameInfo["state"]>} */
function inTime(injected) {
  const late = new Promise((resolve) => setTimeout(resolve, WAIT_MS, "late"));
  return Promise.race([injected, /** @type {Promise<"late">} */ (late)]);
}

/**
 * Injects the page scripts into the frames within one frame of a tab, one by one: a frame without permission would fail the
 * whole batch without saying which it is.
 *
 * @param {{tabId: number, parentFrameId: number, connected: number[]}} params `connected`: those that have them
 * @returns {Promise<FrameInfo[]>}
 */
async function reach({ tabId, parentFrameId, connected }) {
  const all = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const inner = all.filter((frame) => frame.frameId !== 0 && frame.parentFrameId === parentFrameId);
  return Promise.all(
    inner.map(async ({ frameId, url }) => {
      const state = connected.includes(frameId) ? "in" : await inTime(injectInto(tabId, frameId, url));
      return { frameId, parentFrameId, url, state };
    }),
  );
}

export const TAB_HANDLERS = {
  "page.inject": inject,
  "page.learn": learn,
  "tab.get": get,
  "tab.navigate": navigate,
  "tab.goBack": goBack,
  "tab.open": open,
  "tab.switch": switchTo,
  "tab.close": close,
  "tab.capture": capture,
  "frames.reach": reach,
  "page.arm": arm,
  "page.disarm": disarm,
};
