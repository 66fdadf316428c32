import { Refusal } from "../../shared/messages.js";
import { looksDifferent, renderScreenshot } from "./screenshot.js";

/** @import { Context, PageEnd, Run } from "../../types/run" */

/** Fields added to a request. @typedef {{domMode: string, dom?: string, skeletonDom?: string, recentEvents?: string[]} & PictureFields} ModeFields */
/** The picture, null if it is as the last one; or why there is none. @typedef {{screenshot?: string | null, screenshotHash?: string, screenshotRefused?: string}} PictureFields */

const MOST_BYTES = 1_900_000; // of a request; the server takes 2 MB (CONTRACT, TOO_LARGE)
const AGAIN_MS = 600; // Chrome takes two pictures a second
const UNNAMED = new Set(["btn", "link", "img", "el"]);
const DOM_MS = 10_000;

/** The last picture that each run sent, and its controls without text. A restarted runner sends one picture too many. @type {WeakMap<Run, {cells: Uint8Array, wordless: Set<string>}>} */
const sent = new WeakMap();

/** The nodes that no text describes: drawings (with their fingerprint) and unnamed controls. @param {PageObservation} seen */
const wordlessIn = ({ tree }) => tree.flatMap(({ i, r, n, h, k, occ }) => (!occ && (k !== undefined || (UNNAMED.has(r) && !n && !h)) ? [`${i} ${k ?? ""}`] : []));

/** @param {unknown} value @returns {number} its size in a request */
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;

/** @param {Context} ctx @returns {Promise<{jpeg: string} | {refused: string}>} a screenshot, or why there is none */
async function capture(ctx) {
  for (let tries = 0; ; tries++) {
    try {
      return { jpeg: await ctx.world.ask("tab.capture", { tabId: ctx.run.at }, { once: true }) };
    } catch (error) {
      ctx.signal.throwIfAborted();
      const refused = error instanceof Refusal ? error.code : "FAILED";
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
  // A stroke is too thin to show in the cells, so after an action at a point the picture counts as new.
  const another = ctx.run.pointed || looksDifferent(sent.get(ctx.run)?.cells ?? null, cells);
  sent.set(ctx.run, { cells, wordless: new Set(wordlessIn(seen)) });
  return { screenshot: another ? jpeg : null, screenshotHash: hash };
}

/**
 * A screenshot that the server did not ask for: after an action at a point, or if the tree says too little (a drawing, an unnamed
 * control, no controls at all). What the last picture already showed is no reason for another.
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
 * The page in the form that the server asked for, or the next best one, which `domMode` names: hybrid without a picture is a skeleton,
 * and a page that does not answer has only its list of controls.
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
