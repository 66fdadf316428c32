/** A request as chrome.webRequest describes it. @typedef {{requestId: string, type: string, method: string, url: string}} Request */

/** What the runner gets: `since` when counting began, epoch ms; `pending`: requests the page is working on; `quietMs`: how long none of
 * those began or ended, `anyQuietMs`: none of any kind; how many foreground and background requests `started` since the action.
 * @typedef {{since: number, pending: number, quietMs: number, anyQuietMs: number, started: number, background: number}} TrafficState
 */

/** Types that a page waits for before it shows the outcome of an action. Images, media, fonts and beacons change no control. */
const COUNTED = new Set(["main_frame", "sub_frame", "xmlhttprequest", "script", "stylesheet"]);

/** Responses that never end by design. */
const ENDLESS = /^\s*(text\/event-stream|multipart\/x-mixed-replace)/i;

const YOUNG_MS = 2_000; // a request this recent when the action starts belongs to a page that is still loading, and is waited for
const HUNG_MS = 5_000; // the longest wait for a page; a slower request is not waited for again
const POST_HUNG_MS = 20_000; // saving may be slow; a poll by POST is held open for 20 to 30 s
const REPEATS = 3; // this often within one wait is polling; IDLE_REPEATS while nobody acts
const IDLE_REPEATS = 2;
const KEPT = 20; // starts remembered of one kind
const MAX_KINDS = 500;

/** A page load is never polling, however slow its server. @param {Request} request */
const isPage = ({ type }) => type === "main_frame";

/** Groups requests by method and path; numbers in a path vary between polls. @param {Request} request */
export function kindOf({ method, url }) {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: "", pathname: url };
  return `${method} ${origin}${pathname.replace(/\d+/g, "#")}`;
}

/**
 * The requests of one tab: those caused by an action, and those the page makes anyway (polling, event streams), which nobody
 * should wait for.
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
  /** When the runner last asked: no action caused what started between that and the next action. */
  #lookedAt;

  /** @param {number} now epoch ms */
  constructor(now) {
    this.since = now;
    this.#lookedAt = now;
  }

  /** @param {Request} request @param {number} now */
  begin(request, now) {
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
  end(requestId, now) {
    const request = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    this.#lastAny = now;
    if (request?.counted) this.#touched.set(request.kind, now);
  }

  /**
   * Excludes a request for an event stream: it has no end to wait for.
   *
   * @param {string} requestId @param {string} type the media type accepted or sent
   */
  setType(requestId, type) {
    const request = this.#pending.get(requestId);
    if (request && ENDLESS.test(type)) request.counted = false;
  }

  /** An action starts: it did not cause what is running already. @param {number} now */
  beginAction(now) {
    for (const { kind, at, page } of this.#pending.values()) {
      if (!page && now - at >= (kind.startsWith("GET ") ? HUNG_MS : POST_HUNG_MS)) this.#background.add(kind);
    }
    this.#learn(this.#lookedAt, IDLE_REPEATS);
  }

  /** A wait that began at `from` timed out: what kept the page busy will do so again. @param {number} from epoch ms */
  noteTimeout(from) {
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

  /** @param {number | null} actedAt when the action started; null if nobody acted @param {number} now @returns {TrafficState} */
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
