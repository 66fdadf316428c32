/** What `quiet` of a page script says: milliseconds since the last change; requests under way, if it can tell.
 * @typedef {{domQuietMs: number, networkQuietMs: number, pending: number | null, readyState: string}} Quiet
 */

/** What must hold before the page counts as settled, in milliseconds.
 * @typedef {{leastMs: number, mostMs: number, domQuietMs: number, networkQuietMs: number}} Limits
 */

/** After an action; the numbers are those of the source document, "Stability Wait". @type {Limits} */
export const AFTER_ACTION = { leastMs: 500, mostMs: 5_000, domQuietMs: 300, networkQuietMs: 500 };

/** After something that opens a menu or a dialog: the page may take longer, but is never waited for. @type {Limits} */
export const AFTER_OPENING = { ...AFTER_ACTION, mostMs: 8_000 };

/** Between the actions of a chain, which depend on no answer of a server. @type {Limits} */
export const WITHIN_CHAIN = { leastMs: 0, mostMs: 1_000, domQuietMs: 50, networkQuietMs: 0 };

/** Before the first look at a page. @type {Limits} */
export const BEFORE_LOOKING = { leastMs: 0, mostMs: 2_000, domQuietMs: 100, networkQuietMs: 100 };

/** @param {Quiet} quiet @param {number} elapsedMs @param {Limits} limits */
export function isSettled(quiet, elapsedMs, limits) {
  if (elapsedMs >= limits.mostMs) return true;
  if (elapsedMs < limits.leastMs || quiet.readyState === "loading") return false;
  if (quiet.domQuietMs < limits.domQuietMs) return false;
  return limits.networkQuietMs === 0 || (!quiet.pending && quiet.networkQuietMs >= limits.networkQuietMs);
}

/**
 * How long to sleep before it is worth asking again.
 *
 * @param {Quiet} quiet @param {number} elapsedMs @param {Limits} limits
 */
export function nextLookMs(quiet, elapsedMs, limits) {
  const missing = Math.max(
    limits.leastMs - elapsedMs,
    limits.domQuietMs - quiet.domQuietMs,
    quiet.pending ? 0 : limits.networkQuietMs - quiet.networkQuietMs,
  );
  return Math.min(100, Math.max(20, missing));
}
