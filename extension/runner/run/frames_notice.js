/** @import { Unreachable } from "../../types/frames" */
/** @import { Context, Notice } from "../../types/run" */

/** @param {string} origin */
const hostOf = (origin) => (URL.canParse(origin) ? new URL(origin).host : origin);

/** @param {number} count */
const parts = (count) => (count === 1 ? "1 part of this page comes" : `${count} parts of this page come`);

/**
 * What to tell the person of frames that may not be read; a site can be allowed, an address without one cannot.
 *
 * @param {readonly Unreachable[]} unreachable @returns {Notice | null}
 */
export function noticeOf(unreachable) {
  const sites = unreachable.map(({ origin }) => origin).filter((origin) => /^https?:/.test(origin));
  const origins = [...new Set(sites)];
  if (origins.length === 0) return null;
  const [origin] = origins;
  const others = origins.length > 1 ? ` and ${origins.length - 1} other ${origins.length > 2 ? "sites" : "site"}` : "";
  return {
    kind: "frames",
    text: `${parts(sites.length)} from ${hostOf(origin)}${others}, which Tabwright may not read.`,
    button: { label: `Allow ${hostOf(origin)}`, does: "grant", origin },
  };
}

/** @param {Context} ctx @param {readonly Unreachable[]} unreachable shows it, unless something more pressing is shown */
export function tellUnreachable(ctx, unreachable) {
  const before = ctx.run.view.notice;
  if (before && before.kind !== "frames") return;
  const notice = noticeOf(unreachable);
  if (JSON.stringify(before) !== JSON.stringify(notice)) ctx.show({ type: "notice", notice });
}
