const LEAST_MS = 300; // UI: long enough to read a line

/**
 * Shows texts one after another, each for at least `LEAST_MS`. If they come faster, those in
 * between are skipped, so that the line never lags behind. Null clears at once.
 *
 * @param {(text: string | null) => void} show
 * @param {{now?: () => number, later?: (run: () => void, ms: number) => unknown}} [clock]
 */
export function createPacer(show, clock = {}) {
  const now = clock.now ?? Date.now;
  const later = clock.later ?? setTimeout;
  let since = -Infinity;
  /** @type {string | null} */
  let shown = null;
  /** @type {string | null} */
  let next = null;
  let scheduled = false;

  /** @param {string | null} text */
  function showNow(text) {
    shown = text;
    next = null;
    since = now();
    show(text);
  }

  function flush() {
    scheduled = false;
    if (next !== null) showNow(next);
  }

  return {
    /** @param {string | null} text */
    say(text) {
      if (text === null) {
        if (shown !== null) showNow(null);
        next = null;
        since = -Infinity;
      } else if (text === shown) next = null;
      else if (now() - since >= LEAST_MS) showNow(text);
      else {
        next = text;
        if (!scheduled) later(flush, LEAST_MS - (now() - since));
        scheduled = true;
      }
    },
  };
}
