import { frameOf } from "./frame_merge.js";
import { PageGone, PageRefused } from "./page.js";

/** @import { ActionResult } from "../../types/wire" */
/** @import { Page } from "./page.js" */

/** Actions that can leave the page: if the document goes away, that is their effect. */
export const LEAVES = new Set(["click", "clickAt", "doubleClick", "press", "pressKey", "selectOption", "setChecked", "dragTo", "drag", "draw"]);

const SHOW_MS = 500; // an overlay over the frame may be fading out, as over any control
const AGAIN_MS = 50;
const AT_ONE = new Set(["clickAt", "doubleClick", "rightClick", "hover", "press"]);
const SMALL_MS = 1_000; // for requests that a document answers at once


/** A frame and how to reach it: the document around it and the frame's key there, and so on outwards. @typedef {{page: Page, around: Route | null, key: number}} Route */

/** @typedef {[number, number]} Point */

/** @typedef {{name: string, args?: Record<string, any>}} ActRequest */

/** @param {string} code @param {string} message @returns {ActionResult} */
const failure = (code, message) => ({ status: "failure", error: { code, message } });

/** @param {unknown} id */
export const frameGoneFailure = (id) => failure("FRAME_GONE", `The frame with element ${id} is no longer on the page.`);

/** @param {ActRequest} request @returns {{frame: number, foreign: boolean}} the frame it is for; whether it also names another one */
export function frameOfAct({ args = {} }) {
  const ids = [args.id, args.targetId].filter((id) => id !== undefined && id !== "page");
  const [frame = 0, ...others] = ids.map(frameOf);
  return { frame, foreign: others.some((other) => other !== frame) };
}

/**
 * Scrolls every document around a frame until the element is visible, and checks that nothing covers it.
 *
 * @param {Route} route @param {unknown} id raises `PageRefused` ELEMENT_NOT_FOUND, FRAME_GONE, NOT_INTERACTABLE
 */
async function bringIntoView({ page, around, key }, id) {
  let place = await page.request("aim", { target: String(id) }, SMALL_MS);
  for (let [outer, inner] = [around, key]; outer; [inner, outer] = [outer.key, outer.around]) {
    place = await shown(outer.page, inner, place);
  }
}

/** @param {Page} page @param {number} key @param {object} place */
async function shown(page, key, place) {
  const deadline = Date.now() + SHOW_MS;
  for (;;) {
    try {
      return await page.request("show", { key, place }, SMALL_MS);
    } catch (error) {
      const covered = error instanceof PageRefused && error.code === "NOT_INTERACTABLE";
      if (!covered || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/**
 * Acts in a frame. If a click makes the frame's document go away, the click counts as done.
 *
 * @param {Route} route @param {ActRequest} request @param {number} [ms]
 * @returns {Promise<ActionResult>} raises `PageGone` when the whole page is gone, `PageRefused`, `PageSilent`
 */
export async function actIn(route, request, ms) {
  const id = request.args?.id;
  try {
    if (id !== undefined && id !== "page") await bringIntoView(route, id);
  } catch (error) {
    if (error instanceof PageRefused) return failure(error.code, error.message);
    if (error instanceof PageGone && outermost(route).alive) return frameGoneFailure(id);
    throw error;
  }
  return actThere(route, request, ms);
}

/** @param {Route} route @returns {Page} */
const outermost = (route) => (route.around ? outermost(route.around) : route.page);

/** @param {Route} route @param {ActRequest} request @param {number} [ms] */
async function actThere(route, request, ms) {
  try {
    return await route.page.request("act", request, ms);
  } catch (error) {
    if (!(error instanceof PageGone) || !route.around) throw error;
    if (LEAVES.has(request.name)) return /** @type {ActionResult} */ ({ status: "success" });
    if (!outermost(route).alive) throw error;
    return /** @type {ActionResult} */ ({ status: "unknown", error: { code: "PAGE_GONE", message: "The frame went away before it answered" } });
  }
}

/** The child frame of a document with that key. @typedef {(around: Page, key: number) => Page | null} ChildOf */

/**
 * The innermost document at a point of the window, and the conversion of window points to that document.
 *
 * @param {Route} main @param {Point} at @param {ChildOf} childOf
 * @returns {Promise<{route: Route, inward: (point: Point) => Point} | null>} null if that document may not be read
 */
async function placeAt(main, at, childOf) {
  let route = main;
  let [point, scale] = [at, 1];
  for (;;) {
    const [x, y] = point;
    const inner = await route.page.request("frameAt", { x, y }, SMALL_MS);
    if (inner.key === undefined) break;
    const page = childOf(route.page, inner.key);
    if (!page) return null;
    route = { page, around: route, key: inner.key };
    [point, scale] = [[inner.x, inner.y], scale * inner.scale];
  }
  return { route, inward: ([x, y]) => [point[0] + (x - at[0]) / scale, point[1] + (y - at[1]) / scale] };
}

/** The document with the focus, for keys. @param {Route} main @param {ChildOf} childOf keys for a frame that may not be read go to its element */
async function focusedRoute(main, childOf) {
  for (let route = main; ; ) {
    const { key } = await route.page.request("focusedFrame", {}, SMALL_MS);
    const page = key === undefined ? null : childOf(route.page, key);
    if (!page) return route;
    route = { page, around: route, key };
  }
}

export const differentFrameFailure = () => failure("NOT_INTERACTABLE", "A drag must end in the frame in which it begins, or outside all frames if it begins there.");

/**
 * A point of the window in one document's coordinates.
 *
 * @param {Route} route to that document @param {Route} main @param {Point} at @param {ChildOf} childOf
 * @returns {Promise<Point | null>} null if another document is there
 */
export async function pointIn(route, main, at, childOf) {
  const place = await placeAt(main, at, childOf);
  return place?.route.page === route.page ? place.inward(at) : null;
}

/**
 * Acts at a point of the window or at the focus, in the innermost frame there.
 *
 * @param {Route} main @param {ActRequest} request `pressKey`, or one with points
 * @param {ChildOf} childOf @param {number} [ms]
 * @returns {Promise<ActionResult>}
 */
export async function actAtPlace(main, request, childOf, ms) {
  const points = pointsOf(request);
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first) return actThere(await focusedRoute(main, childOf), request, ms);
  const place = await placeAt(main, first, childOf);
  if (!place) return failure("NOT_INTERACTABLE", `At ${first[0]}, ${first[1]} is a frame that has not loaded, or that Tabwright may not read.`);
  if (last !== first && !(await pointIn(place.route, main, last, childOf))) return differentFrameFailure();
  return actThere(place.route, { ...request, args: { ...request.args, ...argsOf(request.name, points.map(place.inward)) } }, ms);
}

/** @param {ActRequest} request @returns {Point[]} the window points it uses, none if it uses ids */
export function pointsOf({ name, args = {} }) {
  if (AT_ONE.has(name) && args.id === undefined) return [[Number(args.x), Number(args.y)]];
  if (name === "drag") return [[Number(args.x1), Number(args.y1)], [Number(args.x2), Number(args.y2)]];
  return name === "draw" ? args.points : [];
}

/** @param {string} name @param {Point[]} points @returns {Record<string, any>} the arguments of that action */
function argsOf(name, points) {
  const [[x1, y1], [x2, y2] = []] = points;
  if (AT_ONE.has(name)) return { x: x1, y: y1 };
  return name === "drag" ? { x1, y1, x2, y2 } : { points };
}
