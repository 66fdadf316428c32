import { CELLS, differenceHash, greyOf, HASH } from "./likeness.js";

/** @typedef {{jpeg: string, hash: string, cells: Uint8Array}} Picture a JPEG as base64, and what tells it from another */

const WIDTH = 1_024; // CONTRACT, "screenshot"
const QUALITY = 0.7;
const CHUNK = 0x8000; // arguments of one call

/** @param {string} base64 */
const bytesOf = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** @param {Uint8Array} bytes */
function base64Of(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

/** @param {ImageBitmapSource} source @param {number} width @param {number} height */
async function drawn(source, width, height) {
  const bitmap = await createImageBitmap(source, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
  const canvas = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { canvas, context };
}

/** @param {ImageBitmapSource} source @param {{width: number, height: number}} size */
async function cellsOf(source, { width, height }) {
  const { context } = await drawn(source, width, height);
  return greyOf(context.getImageData(0, 0, width, height).data);
}

/** A screenshot as it is sent. @param {string} base64 of a JPEG @returns {Promise<Picture>} */
export async function pictureOf(base64) {
  const whole = await createImageBitmap(new Blob([bytesOf(base64)], { type: "image/jpeg" }));
  const height = Math.max(1, Math.round((whole.height * WIDTH) / whole.width));
  const { canvas } = await drawn(whole, WIDTH, height);
  const [cells, tiny] = await Promise.all([cellsOf(canvas, CELLS), cellsOf(canvas, HASH)]);
  whole.close();
  const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  return { jpeg: base64Of(new Uint8Array(await jpeg.arrayBuffer())), hash: differenceHash(tiny), cells };
}
