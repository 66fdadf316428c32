/** A request as chrome.webRequest tells of it. @typedef {{requestId: string, type: string, method: string, url: string}} Request */

/** What the runner is told: `since` when counting began, times in epoch ms; `pending` requests the page is working on;
 * how long none of those began or ended (`quietMs`), and none of any kind (`anyQuietMs`); how many began since the act.
 * @typedef {{since: number, pending: number, quietMs: number, anyQuietMs: number, started: number, background: number}} TrafficState
 */

/** What a page waits for before it shows the outcome of an act. Images, media, fonts and beacons are not: they change no control. */
const COUNTED = new Set(["main_frame", "sub_frame", "xmlhttprequest", "script", "stylesheet"]);

/** Answers that never end by design. */
const ENDLESS = /^\s*(text\/event-stream|multipart\/x-mixed-replace)/i;

const YOUNG_MS = 2_000; // a request so young when the act begins belongs to a page still loading, and is waited for
const HUNG_MS = 5_000; // the longest a page is waited for: what takes longer is not worth waiting for twice
const POST_HUNG_MS = 20_000; // saving may be slow; a poll by POST is held open for 20 to 30 s
const REPEATS = 3; // so often within one wait, or twice with nobody acting, is a poll
const IDLE_REPEATS = 2;
const KEPT = 20; // starts remembered of one kind
const MAX_KINDS = 500;

/** A page that is on its way is no poll, however slow its server. @param {Request} request */
const isPage = ({ type }) => type === "main_frame";

/** What tells polls of one kind apart from other requests: the numbers in a path vary. @param {Request} request */
export function kindOf({ method, url }) {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: "", pathname: url };
  return `${method} ${origin}${pathname.replace(/\d+/g, "#")}`;
}

/**
 * The requests of one tab: which of them are under way because of an act, and which the page makes
 * anyway (polls, event streams) and nobody should wait for.
 */
export class Traffic {
  /** @type {Map<string, {kind: string, at: number, counted: boolean, page: boolean}>} */
  #pending = new Map();
  /** When requests of a kind began, the last ones. @type {Map<string, number[]>} */
  #starts = new Map();
  /** @type {Set<string>} */
  #background = new Set();
  /** When a request of a kind last began or ended. @type {Map<string, number>} */
  #touched = new Map();
  #lastAny = 0;
  /** When the runner last looked: what begins between that and an act nobody caused. */
  #lookedAt;

  /** @param {number} now epoch ms */
  constructor(now) {
    this.since = now;
    this.#lookedAt = now;
  }

  /** @param {Request} request @param {number} now */
  started(request, now) {
    const kind = kindOf(request);
    const before = this.#pending.get(request.requestId); // a redirect begins the same request again
    const counted = COUNTED.has(request.type);
    this.#pending.set(request.requestId, { kind, at: before?.at ?? now, counted, page: isPage(request) });
    this.#lastAny = now;
    if (!counted) return;
    this.#starts.set(kind, [...(this.#starts.get(kind) ?? []), now].slice(-KEPT));
    this.#touched.delete(kind); // the newest kind last
    this.#touched.set(kind, now);
    if (this.#touched.size > MAX_KINDS) this.#forget([...this.#touched.keys()][0]);
  }

  /** @param {string} kind */
  #forget(kind) {
    for (const known of [this.#touched, this.#starts, this.#background]) known.delete(kind);
  }

  /** @param {string} requestId @param {number} now */
  ended(requestId, now) {
    const request = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    this.#lastAny = now;
    if (request?.counted) this.#touched.set(request.kind, now);
  }

  /**
   * A request that asks for a stream of events, or is answered with one: it has no end to wait for.
   *
   * @param {string} requestId @param {string} type of what is accepted or sent
   */
  typed(requestId, type) {
    const request = this.#pending.get(requestId);
    if (request && ENDLESS.test(type)) request.counted = false;
  }

  /** An act begins: what goes on already is none of its doing. @param {number} now */
  acting(now) {
    for (const { kind, at, page } of this.#pending.values()) {
      if (!page && now - at >= (kind.startsWith("GET ") ? HUNG_MS : POST_HUNG_MS)) this.#background.add(kind);
    }
    this.#learn(this.#lookedAt, IDLE_REPEATS);
  }

  /** A wait that began at `from` ended with the page still busy: what kept it so will do so again. @param {number} from epoch ms */
  timedOut(from) {
    for (const { kind, counted, page } of this.#pending.values()) {
      if (counted && !page && kind.startsWith("GET ")) this.#background.add(kind);
    }
    this.#learn(from, REPEATS);
  }

  /** @param {number} from @param {number} repeats */
  #learn(from, repeats) {
    for (const [kind, starts] of this.#starts) {
      if (starts.filter((at) => at > from).length >= repeats) this.#background.add(kind);
    }
  }

  /** @param {number | null} actedAt when the act began; null when nobody acted @param {number} now @returns {TrafficState} */
  state(actedAt, now) {
    this.#lookedAt = now;
    const young = (actedAt ?? 0) - YOUNG_MS;
    const waited = [...this.#pending.values()].filter(({ kind, at, counted }) => counted && at >= young && !this.#background.has(kind));
    const touched = [...this.#touched].filter(([kind]) => !this.#background.has(kind)).map(([, at]) => at);
    const begun = [...this.#starts].map(([kind, starts]) => ({ kind, count: starts.filter((at) => at >= (actedAt ?? now)).length }));
    const sum = (/** @type {boolean} */ background) => begun.reduce((total, { kind, count }) => total + (this.#background.has(kind) === background ? count : 0), 0);
    return {
      since: this.since,
      pending: waited.length,
      quietMs: now - Math.max(this.since, ...touched),
      anyQuietMs: now - Math.max(this.since, this.#lastAny),
      started: sum(false),
      background: sum(true),
    };
  }
}
