/** A list that is loaded page by page, newest first, and kept up to date. */

import { announce, h } from "./dom.js";
import { failure, loading, staleness, errorText } from "./states.js";

/**
 * @template T
 * @param {{load: (cursor: string | null) => Promise<{rows: T[], next: string | null | undefined}>, idOf: (row: T) => string, placeOf: (row: T) => number | string,
 *   draw: () => void, begun: () => void, signal: AbortSignal}} parts
 * `placeOf`: larger for newer rows; `draw`: shows the rows; `begun`: after the first page was drawn
 */
export function createPagedList({ load, idOf, placeOf, draw, begun, signal }) {
  const { line: stale, tell } = staleness();
  const box = h("div", {}, loading());
  const more = h("button", { type: "button", class: "more", onclick: () => void older() }, "Show older");
  /** @type {T[]} */
  let rows = [];
  /** @type {string | null} */
  let cursor = null;
  let round = 0; // results for an earlier one are dropped

  /** @param {T[]} first @param {T[]} then each row once */
  function join(first, then) {
    const known = new Set(first.map(idOf));
    rows = [...first, ...then.filter((row) => !known.has(idOf(row)))];
  }

  async function begin() {
    const mine = ++round;
    try {
      const page = await load(null);
      if (mine !== round) return;
      rows = page.rows;
      cursor = page.next ?? null;
      tell(null);
      draw();
      begun();
    } catch (error) {
      if (!signal.aborted && mine === round) box.replaceChildren(failure(error, () => void begin()));
    }
  }

  async function older() {
    const mine = round;
    more.disabled = true;
    try {
      const page = await load(cursor);
      if (mine !== round) return;
      join(rows, page.rows);
      cursor = page.next ?? null;
      draw();
    } catch (error) {
      if (!signal.aborted) announce(errorText(error));
    } finally {
      more.disabled = false;
    }
  }

  /** Loads the newest rows again; those that are no longer among them go. */
  async function look() {
    const mine = round;
    const page = await load(null);
    if (mine !== round) return;
    const oldest = page.rows.at(-1);
    const kept = page.next && oldest ? rows.filter((row) => placeOf(row) <= placeOf(oldest)) : [];
    if (rows.length <= page.rows.length) cursor = page.next ?? null;
    join(page.rows, kept);
    draw();
  }

  return { box, stale, tell, more, begin, older, look, rows: () => rows, hasMore: () => cursor !== null };
}
