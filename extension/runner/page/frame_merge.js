
/** @import { Page } from "./page.js" */
/** @import { Route } from "./frame_actions.js" */
/** @import { FrameInfo, FramePart, FrameTable, Unreachable } from "../../types/frames" */

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

const FIRST = 2; // the main frame has no number, and "1" would read as it
const MAX_NODES = 500; // as in one document: more is no smaller than the page
const MAX_SUMMARY = 4_000; // characters (CONTRACT, "pageSummary")
const MAX_EVENTS = 12;
const MAX_SCROLLERS = 10;
const KEPT = 200; // frames remembered by number; a page of adverts replaces its frames for hours

/** @returns {FrameTable} */
export const emptyTable = () => ({ next: FIRST, of: {} });

/**
 * The number of a frame in this run, given when it is first seen and never again.
 *
 * @param {FrameTable} table changed when the frame is new @param {string} key `tabId:frameId`
 */
export function numberOf(table, key) {
  if (!(key in table.of)) {
    const old = Object.entries(table.of).sort(([, a], [, b]) => a - b);
    for (const [gone] of old.slice(0, Math.max(0, old.length - KEPT + 1))) delete table.of[gone];
    table.of[key] = table.next++;
  }
  return table.of[key];
}

/** @param {unknown} id @returns {number} the frame an id is of: 2 for "2:14", 0 for "14" */
export function frameOf(id) {
  const [frame, rest] = String(id ?? "").split(":");
  return rest === undefined ? 0 : Number(frame) || 0;
}

/** @param {ChildFrame["box"]} box @param {[number, number]} point in the frame @returns {[number, number]} in what is around it */
export function toOuter({ x, y, scale }, [px, py]) {
  return [x + px * scale, y + py * scale];
}

/** @param {FramePart | null} part @param {[number, number]} point @returns {[number, number]} in the main viewport */
function toMain(part, point) {
  for (let at = part; at; at = at.around) point = toOuter(at.child.box, point);
  return point;
}

/** @param {FramePart | null} part how much larger its pixels are in the main viewport */
function scaleOf(part) {
  let scale = 1;
  for (let at = part; at; at = at.around) scale *= at.child.box.scale;
  return scale;
}

/** @param {FramePart} part what a person would call it, "" when nobody named it */
export function nameOf({ child, seen }) {
  return child.name || seen.title.slice(0, 50);
}

/** A dialog around the frame, and the frame: where its controls stand. @param {FramePart} part @returns {string} */
function placeOf(part) {
  const dialog = part.child.group.split(" > ").find((place) => /^dialog\b/.test(place)) ?? "";
  const name = nameOf(part).replaceAll(" > ", " › ");
  return [part.around ? placeOf(part.around) : "", dialog, name && `frame: ${name}`].filter(Boolean).join(" > ");
}

/** @param {FramePart} part its nodes in the coordinates of the main viewport @returns {V3Node[]} */
function nodesOf(part) {
  const place = placeOf(part);
  const scale = scaleOf(part);
  return part.seen.tree.map((node) => {
    const group = [place, node.g].filter(Boolean).join(" > ");
    const moved = { ...node, f: part.number, ...(group ? { g: group } : {}) };
    if (node.xy) moved.xy = rounded(toMain(part, node.xy));
    if (node.box) {
      const [x, y, width, height] = node.box;
      moved.box = [...rounded(toMain(part, [x, y])), Math.round(width * scale), Math.round(height * scale)];
    }
    return moved;
  });
}

/** @param {[number, number]} point @returns {[number, number]} */
const rounded = ([x, y]) => [Math.round(x), Math.round(y)];

/** @param {V3Node} node @param {{width: number, height: number}} viewport in px, 0 on the screen */
function distance({ box }, { width, height }) {
  if (!box) return 0;
  const [x, y, w, h] = box;
  return Math.max(-(y + h), y - height, 0) + Math.max(-(x + w), x - width, 0);
}

/** The `max` nodes nearest to the screen, in their order. @param {V3Node[]} nodes @param {{width: number, height: number}} viewport @param {number} [max] */
export function nearest(nodes, viewport, max = MAX_NODES) {
  if (nodes.length <= max) return nodes;
  const kept = nodes.map((node, at) => ({ at, far: distance(node, viewport) })).sort((a, b) => a.far - b.far || a.at - b.at);
  const chosen = new Set(kept.slice(0, max).map(({ at }) => at));
  return nodes.filter((_, at) => chosen.has(at));
}

/** Its text under its name, which its title often is as well. @param {FramePart} part */
function textOf(part) {
  const { title, pageSummary } = part.seen;
  const name = nameOf(part);
  const text = name === title && pageSummary.startsWith(`${title}\n`) ? pageSummary.slice(title.length + 1) : pageSummary;
  return `[frame${name ? `: ${name}` : ""}]\n${text}`;
}

/** @param {FramePart} part its texts, placed in the main viewport */
const textsOf = (part) => (part.seen.texts ?? []).map((text) => (text.xy ? { ...text, xy: rounded(toMain(part, text.xy)) } : text));

/** The text of the page and its frames: what each has fits, or the page keeps at least half. @param {string} main @param {FramePart[]} parts */
function summaryOf(main, parts) {
  const texts = parts.filter(({ seen }) => seen.pageSummary).map(textOf);
  const inner = texts.join("\n");
  if (!inner) return main;
  const room = Math.max(MAX_SUMMARY / 2, MAX_SUMMARY - inner.length - 1);
  const outer = main.length > room ? `${main.slice(0, room - 1)}…` : main;
  return `${outer}\n${inner}`.slice(0, MAX_SUMMARY);
}

/** @param {FramePart} part what scrolls in it, its own document first @returns {string[]} */
function scrollersOf({ number, child, seen }) {
  const own = seen.scrollRoom || seen.scrollPosition !== "0%";
  const name = child.name || `frame ${number}`;
  const lines = own ? [`${name}: at ${seen.scrollPosition}${seen.scrollRoom ? `, ${seen.scrollRoom} px more below` : ""}`] : [];
  return [...lines, ...seen.scrollableContainers];
}

/**
 * One observation of the tab: that of the main frame, and its frames after it.
 *
 * @param {PageObservation} main @param {FramePart[]} parts each after the one it is in
 * @param {Unreachable[]} unreachable @returns {PageObservation & {unreachableFrames?: Unreachable[]}}
 */
export function mergeObservations(main, parts, unreachable) {
  const { children: _, ...seen } = main;
  const all = [main, ...parts.map((part) => part.seen)];
  const texts = (/** @type {(one: PageObservation) => string[]} */ of) => [...new Set(all.flatMap(of))];
  return {
    ...seen,
    tree: nearest([...main.tree, ...parts.flatMap(nodesOf)], main.viewport),
    pageSummary: summaryOf(main.pageSummary, parts),
    texts: [...(main.texts ?? []), ...parts.flatMap(textsOf)], // a document that was there before an update of the extension has none
    scrollableContainers: [...main.scrollableContainers, ...parts.flatMap(scrollersOf)].slice(0, MAX_SCROLLERS),
    recentEvents: all.flatMap((one) => one.recentEvents).slice(0, MAX_EVENTS),
    hasErrors: all.some((one) => one.hasErrors),
    hasSuccess: all.some((one) => one.hasSuccess),
    errors_detected: texts((one) => one.errors_detected),
    success_messages: texts((one) => one.success_messages),
    nextId: Math.max(...all.map((one) => one.nextId)),
    extractMs: Math.round(10 * all.reduce((sum, one) => sum + one.extractMs, 0)) / 10,
    ...(all.some((one) => one.stillLoading) ? { stillLoading: true } : {}),
    ...(unreachable.length ? { unreachableFrames: unreachable } : {}),
  };
}

/**
 * The centres of the controls in frames, as points of each document around them.
 *
 * @param {FramePart[]} parts
 * @returns {Map<number, {key: number, x: number, y: number, node: V3Node}[]>} by the `frameId` of the document to ask
 */
export function pointsIn(parts) {
  /** @type {Map<number, {key: number, x: number, y: number, node: V3Node}[]>} */
  const found = new Map();
  for (const part of parts) {
    for (const node of part.seen.tree) {
      if (!node.xy || node.occ || !isOn(part.child.screen, node.xy)) continue;
      let point = node.xy;
      for (let at = /** @type {FramePart | null} */ (part); at; at = at.around) {
        point = toOuter(at.child.box, point);
        const asked = at.around?.frameId ?? 0;
        found.set(asked, [...(found.get(asked) ?? []), { key: at.child.key, x: point[0], y: point[1], node }]);
      }
    }
  }
  return found;
}

/** @param {Pane} screen @param {[number, number]} point */
const isOn = ({ left, top, right, bottom }, [x, y]) => x >= left && x < right && y >= top && y < bottom;

/** @param {{domQuietMs: number, networkQuietMs: number, pending: number | null, loading?: boolean, readyState: string}[]} all the main frame's first */
export function mergeQuiet(all) {
  const pending = all.map((one) => one.pending).filter((one) => one !== null);
  return {
    ...all[0],
    domQuietMs: Math.min(...all.map((one) => one.domQuietMs)),
    networkQuietMs: Math.min(...all.map((one) => one.networkQuietMs)),
    pending: pending.length ? pending.reduce((sum, one) => sum + one, 0) : null,
    ...(all.some((one) => one.loading) ? { loading: true } : {}),
    readyState: all.some((one) => one.readyState === "loading") ? "loading" : all[0].readyState,
  };
}

/** @param {import("../../types/wire").ClientObservations[]} all the main frame's first: the address is its own */
export function mergeChanges(all) {
  return {
    ...all[0],
    didNetworkOccur: all.some((one) => one.didNetworkOccur),
    didDomMutate: all.some((one) => one.didDomMutate),
  };
}

/** @param {string} url @returns {string} its origin, or its scheme where it has none */
export function originOf(url) {
  if (!URL.canParse(url)) return "";
  const { origin, protocol } = new URL(url);
  return origin === "null" ? protocol : origin;
}

/**
 * Which of Chrome's frames each element shows: by its place in `window.frames`; in shadow trees, which
 * have none, by where and how large it is and by its address; at last by what is left over.
 *
 * @param {readonly ChildFrame[]} children not yet known
 * @param {readonly (FrameInfo & {place: FramePlace | null})[]} frames of the same document, not yet known
 * @returns {Map<number, number>} frameId by the child's key
 */
export function matchFrames(children, frames) {
  const pairs = children.flatMap((child) => frames.map((frame) => ({ child, frame, score: alikeness(child, frame) })));
  pairs.sort((a, b) => b.score - a.score);
  /** @type {Map<number, number>} */
  const found = new Map();
  const taken = new Set();
  for (const { child, frame, score } of pairs) {
    if (score < 0 || found.has(child.key) || taken.has(frame.frameId)) continue;
    found.set(child.key, frame.frameId);
    taken.add(frame.frameId);
  }
  return found;
}

/** @param {ChildFrame} child @param {FrameInfo & {place: FramePlace | null}} frame @returns {number} negative when it cannot be */
function alikeness(child, { url, place }) {
  const address = !child.src ? 0 : url === child.src ? 3 : originOf(url) === originOf(child.src) ? 2 : 0;
  if (!place) return address;
  if (place.index !== child.index) return -1;
  if (child.index >= 0) return 100;
  const { box: { width, height, scale }, at } = child;
  const sized = Math.abs(place.width - width / scale) < 3 && Math.abs(place.height - height / scale) < 3;
  if (place.at) return place.at[0] === at[0] && place.at[1] === at[1] ? 50 : -1;
  return (sized ? 10 : 0) + address;
}
