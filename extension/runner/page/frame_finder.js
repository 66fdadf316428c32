import { matchFrames, originOf } from "./frame_merge.js";

const HELLO_MS = 1_000; // an injected script says hello within a few ms
const PLACE_MS = 300; // a frame that takes longer is looked at next time
const LOAD_MS = 500; // a frame that is still loading is waited for, like the page itself
const AGAIN_MS = 30;

/** @import { FrameInfo, Frames, Unreachable } from "../../types/frames" */
/** @import { Page } from "./page.js" */

/** Why a frame could not be reached, and what must change before another try. @typedef {{loads: number, grants: number, connected: number, refused: string | null}} Failure */

/** Finds the page scripts of the frames in a document and remembers which frame each one is. */
export class FrameFinder {
  #frames;
  /** frameId by the parent document and the child's key there. @type {Map<string, number>} */
  #known = new Map();
  /** @type {Map<string, Failure>} */
  #failed = new Map();

  /** @param {Frames} frames of one tab */
  constructor(frames) {
    this.#frames = frames;
  }

  /** @param {Page} around @param {number} key @returns {{frameId: number, page: Page} | null} */
  child(around, key) {
    const frameId = this.#known.get(`${around.documentId}/${key}`);
    const page = frameId === undefined ? null : this.#frames.find(frameId);
    return frameId !== undefined && page ? { frameId, page } : null;
  }

  /**
   * Connects to those frames of a document that can be reached. Free when all are known, or known to be
   * out of reach and not reloaded since.
   *
   * @param {Page} around @param {number} frameId its own @param {ChildFrame[]} children
   */
  async find(around, frameId, children) {
    const missing = children.filter((child) => !this.child(around, child.key) && this.#isWorthIt(around, child));
    if (missing.length === 0) return;
    const infos = await this.#frames.reach(frameId, this.#frames.connected());
    const others = new Set(children.filter((child) => !missing.includes(child)).map((child) => this.child(around, child.key)?.frameId));
    const open = infos.filter((info) => !others.has(info.frameId));
    await this.#hellos(open);
    const placed = await Promise.all(open.map(async (info) => ({ ...info, place: await this.#placeOf(info.frameId) })));
    const found = matchFrames(missing, placed);
    for (const child of missing) this.#note(around, child, open.find((info) => info.frameId === found.get(child.key)));
  }

  /** @param {Page} around @param {ChildFrame[]} children @returns {Unreachable[]} those that may not be read */
  unreachable(around, children) {
    return children.flatMap(({ key, name }) => {
      const refused = this.#failed.get(`${around.documentId}/${key}`)?.refused;
      return refused && !this.child(around, key) ? [{ origin: refused, name }] : [];
    });
  }

  /** @param {Page} around @param {ChildFrame} child */
  #isWorthIt(around, { key, loads }) {
    const failed = this.#failed.get(`${around.documentId}/${key}`);
    return !failed || failed.loads !== loads || failed.grants !== this.#frames.grants() || failed.connected !== this.#frames.connected().length;
  }

  /** @param {FrameInfo[]} infos waits for the frames that were just injected */
  async #hellos(infos) {
    const deadline = Date.now() + HELLO_MS;
    const silent = () => infos.some(({ frameId, state }) => state === "in" && !this.#frames.find(frameId));
    while (silent() && Date.now() < deadline) await this.#frames.arrival(deadline - Date.now());
  }

  /** @param {number} frameId @returns {Promise<FramePlace | null>} */
  async #placeOf(frameId) {
    const deadline = Date.now() + LOAD_MS;
    for (;;) {
      const place = await this.#frames.find(frameId)?.request("place", {}, PLACE_MS).catch(() => null);
      if (!place?.loading || Date.now() > deadline) return place ?? null;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** @param {Page} around @param {ChildFrame} child @param {FrameInfo | undefined} info */
  #note(around, { key, loads }, info) {
    const name = `${around.documentId}/${key}`;
    if (info) this.#known.set(name, info.frameId);
    if (info && this.#frames.find(info.frameId)) this.#failed.delete(name);
    else this.#failed.set(name, this.#failure(loads, info));
  }

  /** @param {number} loads @param {FrameInfo | undefined} info undefined while Chrome knows no frame there @returns {Failure} */
  #failure(loads, info) {
    const refused = info?.state === "refused" ? originOf(info.url) : null;
    return { loads, grants: this.#frames.grants(), connected: this.#frames.connected().length, refused };
  }
}
