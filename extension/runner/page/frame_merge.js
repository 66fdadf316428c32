
/** @import { Page } from "./page.js" */
/** @import { Route } from "./frame_actions.js" */
/** @import { FrameInfo, FramePart, FrameTable, Unreachable } from "../../types/frames" */

/** @typedef {{mode: string, ids: string[], maxBytes: number}} DomRequest */

const FRAME_MS = 2_000; // a frame that takes longer is left empty

/** @param {string} text its size in bytes in a request */
const bytesOf = (text) => new TextEncoder().encode(JSON.stringify(text)).length;

/**
 * The tab's document with its frames' documents inside their tags, each with its ids in the tree.
 *
 * @param {Page} main @param {ReadonlyMap<number, Route>} routes by frame number, outer frames first
 * @param {DomRequest} request @param {number} [ms] for the main frame
 * @returns {Promise<{dom: string, cut: boolean}>} raises as the main frame does
 */
export async function domWithFrames(main, routes, { mode, ids, maxBytes }, ms) {
  const idsOf = (/** @type {number} */ frame) => ids.filter((id) => frameOf(id) === frame);
  const whole = await main.request("dom", { mode, ids: idsOf(0), maxBytes }, ms);
  let left = maxBytes - bytesOf(whole.dom);
  /** The HTML of each document, into which its frames are inserted. @type {Map<Page, string>} */
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

const FIRST = 2; // the main frame has no number, and "1" would look like its own
const MAX_NODES = 500; // as in one document: frames must not make the whole larger
const MAX_SUMMARY = 4_000; // characters (CONTRACT, "pageSummary")
const MAX_EVENTS = 12;
const MAX_SCROLLERS = 10;
const KEPT = 200; // frames remembered by number; a page with adverts replaces its frames for hours

/** @returns {FrameTable} */
export const emptyTable = () => ({ next: FIRST, of: {} });

/**
 * The number of a frame in this run, assigned when it is first seen and never reused.
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

/** @param {unknown} id @returns {number} the frame of an id: 2 for "2:14", 0 for "14" */
export function frameOf(id) {
  const [frame, rest] = String(id ?? "").split(":");
  return rest === undefined ? 0 : Number(frame) || 0;
}

/** @param {ChildFrame["box"]} box @param {[number, number]} point in the frame @returns {[number, number]} in the surrounding document */
export function toOuter({ x, y, scale }, [px, py]) {
  return [x + px * scale, y + py * scale];
}

/** @param {FramePart | null} part @param {[number, number]} point @returns {[number, number]} in the main viewport */
function toMain(part, point) {
  for (let at = part; at; at = at.around) point = toOuter(at.child.box, point);
  return point;
}

/** @param {FramePart | null} part the scale of its pixels in the main viewport */
function scaleOf(part) {
  let scale = 1;
  for (let at = part; at; at = at.around) scale *= at.child.box.scale;
  return scale;
}

/** @param {FramePart} part its name for a person, "" if it has none */
export function nameOf({ child, seen }) {
  return child.name || seen.title.slice(0, 50);
}

/** Where its controls stand: a dialog around the frame, then the frame. @param {FramePart} part @returns {string} */
function placeOf(part) {
  const dialog = part.child.group.split(" > ").find((place) => /^dialog\b/.test(place)) ?? "";
  const name = nameOf(part).replaceAll(" > ", " › ");
  return [part.around ? placeOf(part.around) : "", dialog, name && `frame: ${name}`].filter(Boolean).join(" > ");
}

/** @param {FramePart} part its nodes in coordinates of the main viewport @returns {V3Node[]} */
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

/** Distance from the screen. @param {V3Node} node @param {{width: number, height: number}} viewport in px, 0 on the screen */
function distance({ box }, { width, height }) {
  if (!box) return 0;
  const [x, y, w, h] = box;
  return Math.max(-(y + h), y - height, 0) + Math.max(-(x + w), x - width, 0);
}

/** The `max` nodes nearest to the screen, in document order. @param {V3Node[]} nodes @param {{width: number, height: number}} viewport @param {number} [max] */
export function nearest(nodes, viewport, max = MAX_NODES) {
  if (nodes.length <= max) return nodes;
  const byDistance = nodes.map((node, at) => ({ at, far: distance(node, viewport) })).sort((a, b) => a.far - b.far || a.at - b.at);
  const chosen = new Set(byDistance.slice(0, max).map(({ at }) => at));
  return nodes.filter((_, at) => chosen.has(at));
}

/** Its text below its name; the text often starts with the name too. @param {FramePart} part */
function textOf(part) {
  const { title, pageSummary } = part.seen;
  const name = nameOf(part);
  const text = name === title && pageSummary.startsWith(`${title}\n`) ? pageSummary.slice(title.length + 1) : pageSummary;
  return `[frame${name ? `: ${name}` : ""}]\n${text}`;
}

/** @param {FramePart} part its texts in coordinates of the main viewport */
const textsOf = (part) => (part.seen.texts ?? []).map((text) => (text.xy ? { ...text, xy: rounded(toMain(part, text.xy)) } : text));

/** The text of the page and its frames, cut to fit; the page keeps at least half. @param {string} main @param {FramePart[]} parts */
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
 * One observation of the whole tab: the main frame's, followed by its frames'.
 *
 * @param {PageObservation} main @param {FramePart[]} parts each after the frame that contains it
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
    texts: [...(main.texts ?? []), ...parts.flatMap(textsOf)], // a page script from before an update of the extension sends none
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
 * The centres of the controls in frames, as points in every document around them.
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

/** @param {import("../../types/wire").ClientObservations[]} all the main frame's first; the address is taken from it */
export function mergeChanges(all) {
  return {
    ...all[0],
    didNetworkOccur: all.some((one) => one.didNetworkOccur),
    didDomMutate: all.some((one) => one.didDomMutate),
  };
}

/** @param {string} url @returns {string} its origin, or its scheme if it has none */
export function originOf(url) {
  if (!URL.canParse(url)) return "";
  const { origin, protocol } = new URL(url);
  return origin === "null" ? protocol : origin;
}

/**
 * Which Chrome frame each element shows: by its position in `window.frames`; in shadow trees, which have
 * none, by place, size and address; finally by elimination.
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
