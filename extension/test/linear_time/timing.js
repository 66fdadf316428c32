import { pumped, TEXTS } from "./strings.js";

/** @typedef {{ 1000: number, 10000: number, 100000: number }} Sizes milliseconds at so many characters */

const SIZES = /** @type {const} */ ([1_000, 10_000, 100_000]);
const MOST_BEFORE = 1_000; // ms at a tenth of the length; what takes so long there is not tried at the next
const NOISE = 5; // ms; what takes less at 100k characters is not told from the noise of a machine that does other things
const HANG = 1_000; // ms at 100k characters, on a machine that does other things too
const MOST = 100; // ms at 100k characters
const GROWTH = 1.2; // times linear

/** @returns {number} ms of processor time: those that pass are another process's as well */
function spent() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @param {(text: string) => unknown} run @param {string} text @param {number} times @returns {number} ms, the best of so many */
function best(run, text, times) {
  let least = Infinity;
  for (let at = 0; at < times; at += 1) {
    const before = spent();
    try {
      run(text);
    } catch {
      // A refusal is an answer too.
    }
    least = Math.min(least, spent() - before);
  }
  return least;
}

/** @param {number} half ms at 50k characters @param {number} whole ms at 100k @returns {number} how many times linear the time grows; 1 where it is too short to be told */
const growthOf = (half, whole) => (whole < NOISE ? 1 : whole / (2 * half));

/** @param {number} half ms at 50k characters @param {number} whole ms at 100k @returns {string} */
function verdictOf(half, whole) {
  if (whole > MOST) return `slow: ${whole.toFixed(0)} ms`;
  const growth = growthOf(half, whole);
  return growth > GROWTH ? `grows ${growth.toFixed(2)} times linear` : "linear";
}

/**
 * The worst text, found by one run of each at 10k and 100k characters, is measured again.
 *
 * @param {(text: string) => unknown} run @returns {{ ms: Sizes, verdict: string, text: string }}
 */
export function timed(run) {
  let [worst, most] = [TEXTS[0], -1];
  for (const made of TEXTS) {
    const long = best(run, pumped(made, 10_000), 1) > MOST_BEFORE ? Infinity : best(run, pumped(made, 100_000), 1);
    if (long > most) [worst, most] = [made, long];
    if (long > MOST_BEFORE) break;
  }
  const ms = /** @type {Sizes} */ ({ 1000: 0, 10000: 0, 100000: most });
  for (const size of SIZES) ms[size] = most > MOST_BEFORE && size === 100_000 ? most : best(run, pumped(worst, size), 5);
  const half = ms[100_000] > MOST ? 0 : best(run, pumped(worst, 50_000), 5);
  return { ms, verdict: verdictOf(half, ms[100_000]), text: JSON.stringify(worst.part + worst.end) };
}

/** @param {(text: string) => unknown} run @returns {string} the text it takes over a second for; "" for none */
export function hangs(run) {
  const held = TEXTS.filter(({ end }) => end === "\u0000").find((made) => [10_000, 100_000].some((size) => best(run, pumped(made, size), 1) > (size / 100_000) * HANG));
  return held ? JSON.stringify(held.part + held.end) : "";
}
