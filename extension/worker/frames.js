import { PAGE_FILES } from "../page/manifest.js";

const WAIT_MS = 1_000; // takes 10 ms; a frame too busy for so long is looked at next time

/** @import { FrameInfo } from "../types/frames" */

/** @param {string} url @returns {Promise<FrameInfo["state"]>} why the scripts could not be put there */
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
 * Puts the page scripts into the frames within one frame of a tab. Each is asked for alone: one that
 * may not be read would refuse them all, and which it is would not be known.
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

/** @type {Record<string, (params: any) => Promise<any>>} */
export const FRAME_HANDLERS = { "frames.reach": reach };
