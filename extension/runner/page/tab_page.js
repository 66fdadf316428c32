import { domWithFrames, emptyTable, frameOf, mergeObservations, mergeQuiet, mergeChanges, numberOf, pointsIn } from "./frame_merge.js";
import { actAtPlace, actIn, differentFrameFailure, frameGoneFailure, frameOfAct, pointIn, pointsOf } from "./frame_actions.js";
import { FrameFinder } from "./frame_finder.js";

/** @import { FramePart, FrameTable, Frames, Unreachable } from "../../types/frames" */
/** @import { ActRequest, Route } from "./frame_actions.js" */
/** @import { Page } from "./page.js" */
/** @typedef {keyof import("../../types/messages").PageRequests} PageRequest */

const LOOK_MS = 2_000; // a frame that takes longer is left out of this look
const SMALL_MS = 300; // for requests a document answers at once; a hanging frame must not hold up the rest
const DEPTH = 5; // nesting depth of frames


/** Observes one frame within `around`. @typedef {(page: Page, child: ChildFrame, number: number, around: FramePart | null) => Promise<PageObservation>} Look */
/** @typedef {{parts: FramePart[], unreachable: Unreachable[]}} Tour */

/** A tab's document and all frames that can be reached, as one page. */
export class TabPage {
  #main;
  #frames;
  #finder;
  /** The route to each observed frame, by its number. @type {Map<number, Route>} */
  #routes = new Map();
  /** Whether the page shows frames; null before the first look. @type {boolean | null} */
  #hasFrames = null;
  /** The frames when the last action began: one that is gone now was changed by it. @type {Page[]} */
  #marked = [];

  /** @param {Page} main its main frame @param {Frames} frames */
  constructor(main, frames) {
    this.#main = main;
    this.#frames = frames;
    this.#finder = new FrameFinder(frames);
  }

  get documentId() {
    return this.#main.documentId;
  }

  get url() {
    return this.#main.url;
  }

  get alive() {
    return this.#main.alive;
  }

  /**
   * @param {PageRequest} kind @param {any} [params] @param {number} [ms] longest wait
   * @returns {Promise<any>} raises the main frame's `PageGone`, `PageRefused` or `PageSilent`
   */
  request(kind, params = {}, ms) {
    if (kind === "observe") return this.#observe(params, ms);
    if (kind === "act") return this.#act(params, ms);
    if (kind === "upload") return this.#upload(params, ms);
    if (kind === "outline") return this.#outline(params, ms);
    if (kind === "point") return this.#point(params, ms);
    if (kind === "person") return this.#everywhere(kind, params);
    if (kind === "unpoint" || kind === "mark") this.#tellFrames(kind, params);
    if (kind === "dom") return domWithFrames(this.#main, this.#routes, params, ms);
    if (this.#routes.size > 0) {
      if (kind === "quiet") return this.#quiet(params, ms);
      if (kind === "since") return this.#since(params, ms);
      if (kind === "clear" || kind === "halt") this.#tellFrames(kind, {});
    }
    return this.#main.request(kind, params, ms);
  }

  /** @returns {Page[]} the frames of the last look that still exist */
  #pages() {
    return [...this.#routes.values()].map(({ page }) => page).filter((page) => page.alive);
  }

  /** Asks every frame; those that do not answer are left out. @param {PageRequest} kind @param {object} params @returns {Promise<any[]>} */
  async #askFrames(kind, params) {
    const answers = await Promise.all(this.#pages().map((page) => page.request(kind, params, SMALL_MS).catch(() => null)));
    return answers.filter((answer) => answer !== null);
  }

  /** @param {PageRequest} kind @param {object} params */
  #tellFrames(kind, params) {
    void this.#askFrames(kind, params);
  }

  /** @param {ObserveRequest & {frames?: FrameTable}} params @param {number} [ms] */
  async #observe({ frames: table = emptyTable(), ...params }, ms) {
    const main = await this.#main.request("observe", params, ms);
    const { children = [] } = main;
    this.#hasFrames = children.length > 0;
    if (!this.#hasFrames) {
      this.#routes.clear();
      return { ...main, frames: table };
    }
    const now = { ...table, of: { ...table.of } };
    const { parts, unreachable } = await this.#tour(children, now, (page, child, number, around) => {
      const nextId = around?.seen.nextId ?? main.nextId;
      return page.request("observe", { ...params, nextId, frame: number, screen: child.screen }, LOOK_MS);
    });
    await this.#markCovered(parts);
    return { ...mergeObservations(main, parts, unreachable), frames: now };
  }

  /**
   * Visits all frames, those of one document in parallel: an id carries its frame's number, so ids stay
   * unique.
   *
   * @param {ChildFrame[]} children of the main frame @param {FrameTable | null} table null: keep the numbers they have
   * @param {Look} look @returns {Promise<Tour>} each part after the frame that contains it
   */
  async #tour(children, table, look) {
    this.#routes = new Map();
    return this.#visit(this.#mainRoute(), null, children, { table, look, depth: 1 });
  }

  /**
   * @param {Route} around @param {FramePart | null} outer @param {ChildFrame[]} children
   * @param {{table: FrameTable | null, look: Look, depth: number}} how @returns {Promise<Tour>}
   */
  async #visit(around, outer, children, how) {
    const shown = children.filter((child) => !child.behind);
    if (shown.length === 0 || how.depth > DEPTH) return { parts: [], unreachable: [] };
    await this.#finder.find(around.page, outer?.frameId ?? 0, shown);
    const tours = await Promise.all(shown.map((child) => this.#enter(around, outer, child, how)));
    return {
      parts: tours.flatMap(({ parts }) => parts),
      unreachable: [...this.#finder.unreachable(around.page, shown), ...tours.flatMap(({ unreachable }) => unreachable)],
    };
  }

  /**
   * @param {Route} around @param {FramePart | null} outer @param {ChildFrame} child
   * @param {{table: FrameTable | null, look: Look, depth: number}} how @returns {Promise<Tour>}
   */
  async #enter(around, outer, child, how) {
    const nothing = { parts: [], unreachable: [] };
    const found = this.#finder.child(around.page, child.key);
    if (!found) return nothing;
    const { page, frameId } = found;
    const number = how.table ? numberOf(how.table, `${this.#frames.tabId}:${frameId}`) : page.number;
    const route = { page, around, key: child.key };
    if (number > 0) this.#routes.set(number, route);
    const seen = await how.look(page, child, number, outer).catch(() => null);
    if (!seen) return nothing;
    page.number = number;
    const part = { frameId, number, child, around: outer, seen };
    const inner = await this.#visit(route, part, seen.children ?? [], { ...how, depth: how.depth + 1 });
    return { ...inner, parts: [part, ...inner.parts] };
  }

  /** @returns {Route} */
  #mainRoute() {
    return { page: this.#main, around: null, key: 0 };
  }

  /** Marks controls that a surrounding document covers. @param {FramePart[]} parts */
  async #markCovered(parts) {
    const asked = [...pointsIn(parts)].map(async ([frameId, points]) => {
      const page = frameId === 0 ? this.#main : this.#frames.find(frameId);
      const covered = await page?.request("covered", { points: points.map(({ key, x, y }) => ({ key, x, y })) }, LOOK_MS).catch(() => []);
      for (const [at, point] of points.entries()) if (covered?.[at]) point.node.occ = true;
    });
    await Promise.all(asked);
  }

  /**
   * Finds the frames again without a look, after the runner restarted.
   *
   * @param {(page: Page) => unknown} [also] called for each, also for frames without a number
   */
  async #find(also = () => undefined) {
    const { children } = await this.#main.request("frames", {}, LOOK_MS);
    this.#hasFrames = children.length > 0;
    await this.#tour(children, null, (page) => {
      also(page);
      return page.request("frames", {}, LOOK_MS);
    });
  }

  /** @param {ActRequest} request @param {number} [ms] */
  async #act(request, ms) {
    const { frame, foreign } = frameOfAct(request);
    const placed = pointsOf(request).length > 0 || request.name === "pressKey";
    const droppedAt = request.name === "dragTo" && request.args?.x !== undefined;
    if (this.#hasFrames === null && (frame !== 0 || placed || droppedAt)) await this.#find();
    const route = frame === 0 ? this.#mainRoute() : this.#routes.get(frame);
    if (!route?.page.alive && frame !== 0) return frameGoneFailure(request.args?.id);
    if (foreign) return differentFrameFailure();
    this.#marked = this.#pages();
    if (this.#marked.length > 0) await Promise.all([this.#askFrames("reset", {}), frame === 0 ? null : this.#main.request("reset", {}, SMALL_MS).catch(() => null)]);
    /** @param {Page} around @param {number} key */
    const childOf = (around, key) => this.#finder.child(around, key)?.page ?? null;
    if (placed && this.#hasFrames) return actAtPlace(this.#mainRoute(), request, childOf, ms);
    if (droppedAt && route && this.#hasFrames) {
      const point = await pointIn(route, this.#mainRoute(), [Number(request.args?.x), Number(request.args?.y)], childOf);
      if (!point) return differentFrameFailure();
      request = { ...request, args: { ...request.args, x: point[0], y: point[1] } };
    }
    return route?.around ? actIn(route, request, ms) : this.#main.request("act", request, ms);
  }

  /** @param {FilePiece} piece of a file for a field in one of the documents @param {number} [ms] */
  async #upload(piece, ms) {
    const frame = frameOf(piece.args.id);
    if (this.#hasFrames === null && frame !== 0) await this.#find();
    const page = frame === 0 ? this.#main : this.#routes.get(frame)?.page;
    return page?.alive ? page.request("upload", piece, ms) : frameGoneFailure(piece.args.id);
  }

  /** @param {{items: {elementId: string}[]}} params each document highlights its own elements @param {number} [ms] */
  async #point({ items, ...params }, ms) {
    const frames = [...new Set(items.map(({ elementId }) => frameOf(elementId)))];
    if (this.#hasFrames === null && frames.some((frame) => frame !== 0)) await this.#find();
    const asked = frames.map((frame) => {
      const page = frame === 0 ? this.#main : this.#routes.get(frame)?.page;
      return page?.request("point", { ...params, items: items.filter(({ elementId }) => frameOf(elementId) === frame) }, ms).catch(() => undefined);
    });
    await Promise.all(asked);
    return {};
  }

  /** Asks every document of the tab, including those never observed. @param {PageRequest} kind @param {object} params */
  async #everywhere(kind, params) {
    await this.#main.request(kind, params, SMALL_MS);
    await this.#find((page) => page.request(kind, params, SMALL_MS).catch(() => undefined));
    return {};
  }

  /** @param {{ids: string[], ms: number}} params @param {number} [ms] */
  async #outline({ ids, ...params }, ms) {
    const frames = new Set(ids.map(frameOf));
    const asked = [...frames].map((frame) => {
      const page = frame === 0 ? this.#main : this.#routes.get(frame)?.page;
      return page?.request("outline", { ...params, ids: ids.filter((id) => frameOf(id) === frame) }, ms);
    });
    await Promise.all(asked);
    return {};
  }

  /** @param {object} params @param {number} [ms] */
  async #quiet(params, ms) {
    const [main, frames] = await Promise.all([this.#main.request("quiet", params, ms), this.#askFrames("quiet", params)]);
    return mergeQuiet([main, ...frames]);
  }

  /** @param {object} params @param {number} [ms] */
  async #since(params, ms) {
    const [main, frames] = await Promise.all([this.#main.request("since", params, ms), this.#askFrames("since", params)]);
    const left = this.#marked.some((page) => !page.alive);
    return mergeChanges([main, ...frames, ...(left ? [{ ...main, didNetworkOccur: true, didDomMutate: true }] : [])]);
  }
}
