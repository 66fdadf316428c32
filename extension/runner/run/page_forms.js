import { Refusal } from "../../shared/messages.js";

/** @import { Context, PageClient, Run } from "../../types/run" */

/** Grid sizes a screenshot is reduced to: for its hash, and for detecting changes. */
export const HASH = { width: 9, height: 8 };
export const CELLS = { width: 64, height: 40 };

// Of 255. A blinking caret (one pixel of a cell's twenty) makes 13, a three-letter word about 60.
const CHANGED = 16;

/**
 * The difference hash of a picture: one bit for each cell that is brighter than its right neighbour.
 *
 * @param {ArrayLike<number>} grey 9 x 8 values, row by row
 * @returns {string} 64 bits as 16 hex digits
 */
export function differenceHash(grey) {
  let hash = "";
  for (let row = 0; row < HASH.height; row++) {
    let byte = 0;
    for (let column = 0; column < HASH.width - 1; column++) {
      const at = row * HASH.width + column;
      byte = (byte << 1) | (grey[at] > grey[at + 1] ? 1 : 0);
    }
    hash += byte.toString(16).padStart(2, "0");
  }
  return hash;
}

/**
 * Whether a person would see a difference. The hash is too coarse for this: a typed word does not change it.
 *
 * @param {ArrayLike<number> | null} before cells of the previous picture, null if there was none
 * @param {ArrayLike<number>} now
 */
export function looksDifferent(before, now) {
  if (!before || before.length !== now.length) return true;
  for (let at = 0; at < now.length; at++) if (Math.abs(before[at] - now[at]) > CHANGED) return true;
  return false;
}

/** @param {Uint8ClampedArray} rgba @returns {Uint8Array} brightness of each pixel (ITU-R BT.601) */
export function greyOf(rgba) {
  const grey = new Uint8Array(rgba.length / 4);
  for (let at = 0; at < grey.length; at++) {
    grey[at] = 0.299 * rgba[4 * at] + 0.587 * rgba[4 * at + 1] + 0.114 * rgba[4 * at + 2];
  }
  return grey;
}

/** @typedef {{jpeg: string, hash: string, cells: Uint8Array}} Picture a JPEG as base64, with its hash and its cells */

const WIDTH = 1_024; // CONTRACT, "screenshot"
const QUALITY = 0.7;
const MARK = 11; // height of a label in px
const CHUNK = 0x8000; // most arguments of one call

/** @param {string} base64 */
const decodeBase64 = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** @param {Uint8Array} bytes */
function base64Of(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

/** @param {ImageBitmapSource} source @param {number} width @param {number} height */
async function drawImage(source, width, height) {
  const bitmap = await createImageBitmap(source, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
  const canvas = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { canvas, context };
}

/** @param {ImageBitmapSource} source @param {{width: number, height: number}} size */
async function cellsOf(source, { width, height }) {
  const { context } = await drawImage(source, width, height);
  return greyOf(context.getImageData(0, 0, width, height).data);
}

/**
 * Draws the ids of controls next to them. A label never covers a control: it stands above the box or in a free
 * corner of it, and is left out where it would hide something.
 *
 * @param {OffscreenCanvasRenderingContext2D} context @param {readonly V3Node[]} nodes @param {number} scale picture pixels per CSS pixel
 */
function mark(context, nodes, scale) {
  const boxes = nodes.flatMap(({ i, box, occ }) => (box && !occ ? [{ id: i, left: box[0] * scale, top: box[1] * scale, width: box[2] * scale, height: box[3] * scale }] : []));
  context.font = `bold ${MARK - 2}px sans-serif`;
  context.textBaseline = "top";
  for (const { id, left, top, width, height } of boxes) {
    const wide = context.measureText(id).width + 2;
    const roomy = width >= 4 * wide && height >= 4 * MARK;
    const [x, y] = roomy ? [left, top] : [left, top - MARK];
    const hides = boxes.some((other) => other.id !== id && x < other.left + other.width && x + wide > other.left && y < other.top + other.height && y + MARK > other.top && other.width * other.height < 40 * wide * MARK);
    if (hides || y < 0) continue;
    context.strokeStyle = context.fillStyle = "#d0021b";
    context.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
    context.fillRect(x, y, wide, MARK);
    context.fillStyle = "#fff";
    context.fillText(id, x + 1, y + 1);
  }
}

/**
 * A screenshot as it is sent, with the ids of controls drawn in.
 *
 * @param {string} base64 of a JPEG @param {readonly V3Node[]} nodes @param {number} windowWidth in CSS pixels @returns {Promise<Picture>}
 */
async function renderScreenshot(base64, nodes, windowWidth) {
  const whole = await createImageBitmap(new Blob([decodeBase64(base64)], { type: "image/jpeg" }));
  const height = Math.max(1, Math.round((whole.height * WIDTH) / whole.width));
  const { canvas, context } = await drawImage(whole, WIDTH, height);
  const [cells, tiny] = await Promise.all([cellsOf(canvas, CELLS), cellsOf(canvas, HASH)]);
  whole.close();
  mark(context, nodes, WIDTH / windowWidth);
  const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  return { jpeg: base64Of(new Uint8Array(await jpeg.arrayBuffer())), hash: differenceHash(tiny), cells };
}

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

/** @param {Context} ctx @param {PageClient} page @param {PageObservation} seen @returns {Promise<PictureFields>} */
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
