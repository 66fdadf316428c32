/** Sizes, in cells, that a picture is reduced to: for its hash, and for telling whether it changed. */
export const HASH = { width: 9, height: 8 };
export const CELLS = { width: 64, height: 40 };

// Of 255. A blinking caret, one pixel in the twenty of a cell, makes 13; a word of three letters about 60.
const CHANGED = 16;

/**
 * The difference hash of a picture: a bit for each cell that is brighter than the one to its right.
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
 * Whether a person would see a difference. The hash is too coarse for that: it keeps through a typed word.
 *
 * @param {ArrayLike<number> | null} before cells of the last picture, null when there was none
 * @param {ArrayLike<number>} now
 */
export function isAnother(before, now) {
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
