import { HostRefused } from "../worker_client.js";
import { looksDifferent, renderScreenshot } from "./screenshot.js";

/** @import { Context, PageEnd, Run } from "../../types/run" */

/** What is added to a request. @typedef {{domMode: string, dom?: string, skeletonDom?: string, recentEvents?: string[]} & PictureFields} ModeFields */
/** The picture, null if it is as the last one; or why there is none. @typedef {{screenshot?: string | null, screenshotHash?: string, screenshotRefused?: string}} PictureFields */

const MOST_BYTES = 1_900_000; // of a request; the server takes 2 MB (CONTRACT, TOO_LARGE)
const AGAIN_MS = 600; // Chrome takes two pictures a second
const UNNAMED = new Set(["btn", "link", "img", "el"]);
const DOM_MS = 10_000;

/** The last picture each run sent, and what no text told of in it; a runner that starts over sends one too many. @type {WeakMap<Run, {cells: Uint8Array, wordless: Set<string>}>} */
const sent = new WeakMap();

/** What of the list no text tells of: what is drawn, as it is drawn now, and controls without a name. @param {PageObservation} seen */
const wordlessIn = ({ tree }) => tree.flatMap(({ i, r, n, h, k, occ }) => (!occ && (k !== undefined || (UNNAMED.has(r) && !n && !h)) ? [`${i} ${k ?? ""}`] : []));

/** @param {unknown} value @returns {number} its size in a request */
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;

/** @param {Context} ctx @returns {Promise<{jpeg: string} | {refused: string}>} what the tab shows, or why it may not be seen */
async function capture(ctx) {
  for (let tries = 0; ; tries++) {
    try {
      return { jpeg: await ctx.world.ask("tab.capture", { tabId: ctx.run.at }, { once: true }) };
    } catch (error) {
      ctx.signal.throwIfAborted();
      const refused = error instanceof HostRefused ? error.code : "FAILED";
      if (refused !== "TOO_OFTEN" || tries > 1) return { refused };
      await ctx.world.sleep(AGAIN_MS, ctx.signal);
    }
  }
}

/** @param {Context} ctx @param {PageEnd} page @param {PageObservation} seen @returns {Promise<PictureFields>} */
async function screenshot(ctx, page, seen) {
  await page.request("undrawn");
  const shown = await capture(ctx);
  if ("refused" in shown) return { screenshotRefused: shown.refused };
  const { jpeg, hash, cells } = await renderScreenshot(shown.jpeg, seen.tree, seen.viewport.width);
  // A stroke is too thin for the cells; what is drawn at points is looked at again.
  const another = ctx.run.pointed || looksDifferent(sent.get(ctx.run)?.cells ?? null, cells);
  sent.set(ctx.run, { cells, wordless: new Set(wordlessIn(seen)) });
  return { screenshot: another ? jpeg : null, screenshotHash: hash };
}

/**
 * A picture without being asked, after an action at a point, or where the list says too little: something is drawn, a control has no
 * name, or there is none. What was in the last one is no reason to take another.
 *
 * @param {Context} ctx @param {PageObservation} seen @returns {Promise<PictureFields>}
 */
export async function unpromptedScreenshot(ctx, seen) {
  const known = sent.get(ctx.run)?.wordless;
  const saysLittle = seen.tree.every(({ occ }) => occ) || wordlessIn(seen).some((one) => !known?.has(one));
  if (!saysLittle && !ctx.run.pointed) return {};
  try {
    return await screenshot(ctx, await ctx.world.pages.page(ctx.run.at), seen);
  } catch (error) {
    ctx.signal.throwIfAborted();
    return {};
  }
}

/**
 * The page in the form the server asked for. Where that cannot be had it is the next one that can,
 * and `domMode` says which: hybrid without a picture is a skeleton, and with a page that does not
 * answer there is the list of controls alone.
 *
 * @param {Context} ctx @param {NonNullable<Run["wanted"]>} wanted @param {PageObservation} seen whose ids the result carries
 * @returns {Promise<ModeFields>}
 */
export async function pageInMode(ctx, { mode, events }, seen) {
  const recentEvents = [...events, ...seen.recentEvents];
  try {
    const page = await ctx.world.pages.page(ctx.run.at);
    const picture = mode === "hybrid" ? await screenshot(ctx, page, seen) : {};
    const maxBytes = Math.max(0, MOST_BYTES - bytesOf([seen, recentEvents, ctx.run.feedback, ctx.run.goal, picture]));
    const form = mode === "hybrid" ? "skeleton" : mode;
    const ids = seen.tree.map((node) => node.i);
    const { dom } = await page.request("dom", { mode: form, ids, maxBytes }, DOM_MS);
    const domMode = mode === "hybrid" && picture.screenshotHash === undefined ? "skeleton" : mode;
    return { domMode, ...(form === "skeleton" ? { skeletonDom: dom } : { dom }), ...picture, recentEvents };
  } catch (error) {
    ctx.signal.throwIfAborted();
    return { domMode: "semantic_v3", recentEvents };
  }
}
