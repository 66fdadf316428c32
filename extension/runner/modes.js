import { HostRefused } from "./host.js";
import { isAnother } from "./likeness.js";
import { pictureOf } from "./picture.js";

/** @import { Context, PageEnd, Run } from "../types/run" */

/** What is added to a request. @typedef {{domMode: string, dom?: string, skeletonDom?: string, screenshot?: string | null, screenshotHash?: string, recentEvents?: string[]}} ModeFields */

const MOST_BYTES = 1_900_000; // of a request; the server takes 2 MB (CONTRACT, TOO_LARGE)
const AGAIN_MS = 600; // Chrome takes two pictures a second
const DOM_MS = 10_000;

/** The last picture each run sent; a runner that begins anew sends one too many. @type {WeakMap<Run, Uint8Array>} */
const sent = new WeakMap();

/** @param {unknown} value @returns {number} its size in a request */
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;

/** @param {Context} ctx @returns {Promise<string | null>} what the tab shows; null when it may not be seen */
async function capture(ctx) {
  for (let tries = 0; ; tries++) {
    try {
      return await ctx.world.ask("tab.capture", { tabId: ctx.run.at }, { once: true });
    } catch (error) {
      ctx.signal.throwIfAborted();
      if (!(error instanceof HostRefused) || error.code !== "TOO_OFTEN" || tries > 1) return null;
      await ctx.world.sleep(AGAIN_MS, ctx.signal);
    }
  }
}

/** @param {Context} ctx @param {PageEnd} page @returns {Promise<Pick<ModeFields, "screenshot" | "screenshotHash">>} empty when the tab may not be seen */
async function screenshot(ctx, page) {
  await page.request("undrawn");
  const shown = await capture(ctx);
  if (shown === null) return {};
  const { jpeg, hash, cells } = await pictureOf(shown);
  const another = isAnother(sent.get(ctx.run) ?? null, cells);
  sent.set(ctx.run, cells);
  return { screenshot: another ? jpeg : null, screenshotHash: hash };
}

/**
 * The page in the form the server asked for. Where that cannot be had it is the next one that can,
 * and `domMode` says which: hybrid without a picture is a skeleton, and with a page that does not
 * answer there is the list of controls alone.
 *
 * @param {Context} ctx @param {NonNullable<Run["wanted"]>} wanted @param {PageObservation} seen whose ids the result carries
 * @returns {Promise<ModeFields>}
 */
export async function inMode(ctx, { mode, events }, seen) {
  const recentEvents = [...events, ...seen.recentEvents];
  try {
    const page = await ctx.world.pages.page(ctx.run.at);
    const picture = mode === "hybrid" ? await screenshot(ctx, page) : {};
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
