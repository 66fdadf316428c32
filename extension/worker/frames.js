import { PAGE_FILES } from "../page/manifest.js";

const WAIT_MS = 1_000; // takes 10 ms; a frame that is busy for longer is tried next time

/** @import { FrameInfo } from "../types/frames" */

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

export const FRAME_HANDLERS = { "frames.reach": reach };
