import { frameOf } from "./frame_merge.js";

/** @import { Page } from "./page.js" */
/** @import { Route } from "./frame_actions.js" */

/** @typedef {{mode: string, ids: string[], maxBytes: number}} DomRequest */

const FRAME_MS = 2_000; // a frame that takes longer is left empty

/** @param {string} text its bytes in a request */
const bytesOf = (text) => new TextEncoder().encode(JSON.stringify(text)).length;

/**
 * The document of a tab with those of its frames inside their tags, each with the ids it has in the tree.
 *
 * @param {Page} main @param {ReadonlyMap<number, Route>} routes by the frame's number, outer ones first
 * @param {DomRequest} request @param {number} [ms] for the main frame
 * @returns {Promise<{dom: string, cut: boolean}>} raises as the main frame does
 */
export async function domWithFrames(main, routes, { mode, ids, maxBytes }, ms) {
  const idsOf = (/** @type {number} */ frame) => ids.filter((id) => frameOf(id) === frame);
  const whole = await main.request("dom", { mode, ids: idsOf(0), maxBytes }, ms);
  let left = maxBytes - bytesOf(whole.dom);
  /** What each document has become, to put its frames into. @type {Map<Page, string>} */
  const texts = new Map([[main, whole.dom]]);
  for (const [number, { page, around }] of routes) {
    if (!page.alive || !around || left <= 0) continue;
    const inner = await page.request("dom", { mode, ids: idsOf(number), maxBytes: left }, FRAME_MS).catch(() => null);
    if (!inner) continue;
    left -= bytesOf(inner.dom);
    texts.set(page, inner.dom);
    whole.cut ||= inner.cut;
  }
  return { dom: nested(main, routes, texts), cut: whole.cut };
}

/** @param {Page} outer @param {ReadonlyMap<number, Route>} routes @param {Map<Page, string>} texts @returns {string} */
function nested(outer, routes, texts) {
  const inside = [...routes.values()].filter(({ page, around }) => around?.page === outer && texts.has(page));
  const whole = inside.reduce(
    (text, { page, key }) => text.replace(`<!--frame:${key}-->`, () => nested(page, routes, texts)),
    texts.get(outer) ?? "",
  );
  return whole.replace(/<!--frame:\d+-->/g, "");
}
