import { frameOf } from "./frames.js";
import { LEAVES } from "./leaving.js";
import { PageGone, PageRefused } from "./page.js";

const SHOW_MS = 500; // a veil over the frame may be fading out, as over any control
const AGAIN_MS = 50;
const AT_ONE = new Set(["clickAt", "doubleClick", "rightClick", "hover", "press"]);
const SMALL_MS = 1_000; // for what takes a document no time

/** @import { ActionResult } from "../types/wire" */
/** @import { Page } from "./page.js" */

/** A frame, and the way to it from the outside: the document around it and its key there, and so on up. @typedef {{page: Page, around: Route | null, key: number}} Route */

/** @typedef {{name: string, args?: Record<string, any>}} ActRequest */

/** @param {string} code @param {string} message @returns {ActionResult} */
const failure = (code, message) => ({ status: "failure", error: { code, message } });

/** @param {unknown} id */
export const frameGone = (id) => failure("FRAME_GONE", `The frame with element ${id} is no longer on the page.`);

/** @param {ActRequest} request @returns {{frame: number, foreign: boolean}} the frame it is for; whether it names another one too */
export function frameOfAct({ args = {} }) {
  const ids = [args.id, args.targetId].filter((id) => id !== undefined && id !== "page");
  const [frame = 0, ...others] = ids.map(frameOf);
  return { frame, foreign: others.some((other) => other !== frame) };
}

/**
 * Scrolls each document around a frame until the element shows, and makes sure that nothing there lies over it.
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
 * Acts in a frame. A frame whose document goes away by what was clicked in it was acted on.
 *
 * @param {Route} route @param {ActRequest} request @param {number} [ms]
 * @returns {Promise<ActionResult>} raises `PageGone` when the whole page went, `PageRefused`, `PageSilent`
 */
export async function actIn(route, request, ms) {
  const id = request.args?.id;
  try {
    if (id !== undefined && id !== "page") await bringIntoView(route, id);
  } catch (error) {
    if (error instanceof PageRefused) return failure(error.code, error.message);
    if (error instanceof PageGone && outermost(route).alive) return frameGone(id);
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

/**
 * Acts where a point of the window is, or where the focus is: in the innermost frame there.
 *
 * @param {Route} main @param {ActRequest} request `pressKey`, or one that goes by points
 * @param {(around: Page, key: number) => Page | null} childOf @param {number} [ms]
 * @returns {Promise<ActionResult>}
 */
export async function actAtPlace(main, request, childOf, ms) {
  let points = pointsOf(request);
  const pointed = points.length > 0;
  let route = main;
  for (;;) {
    const [[x, y] = [0, 0]] = points;
    const inner = await route.page.request(pointed ? "frameAt" : "focusedFrame", { x, y }, SMALL_MS);
    if (inner.key === undefined) break;
    const page = childOf(route.page, inner.key);
    if (!page && !pointed) break; // the key goes to the frame's element, as to any other
    if (!page) return failure("NOT_INTERACTABLE", `At ${x}, ${y} is a frame that has not loaded, or that Tabwright may not read.`);
    route = { page, around: route, key: inner.key };
    if (pointed) points = points.map(([px, py]) => [px + inner.x - x, py + inner.y - y]);
  }
  return actThere(route, pointed ? { ...request, args: { ...request.args, ...argsOf(request.name, points) } } : request, ms);
}

/** @param {ActRequest} request @returns {[number, number][]} the points of the window that it goes by, none where it goes by ids */
export function pointsOf({ name, args = {} }) {
  if (AT_ONE.has(name) && args.id === undefined) return [[Number(args.x), Number(args.y)]];
  if (name === "drag") return [[Number(args.x1), Number(args.y1)], [Number(args.x2), Number(args.y2)]];
  return name === "draw" ? args.points : [];
}

/** @param {string} name @param {[number, number][]} points as the action has them @returns {Record<string, any>} */
function argsOf(name, points) {
  const [[x1, y1], [x2, y2] = []] = points;
  if (AT_ONE.has(name)) return { x: x1, y: y1 };
  return name === "drag" ? { x1, y1, x2, y2 } : { points };
}
