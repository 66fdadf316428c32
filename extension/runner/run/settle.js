
/** @import { WorkerRequests } from "../../types/messages" */
/** @import { Settle } from "../../types/wire" */
/** @import { Context, PageEnd } from "../../types/run" */

/** What `quiet` of a page script says: milliseconds since the last change and the last finished request; the
 * requests under way, which it cannot see itself (null); whether it shows placeholders of what it fetches.
 * @typedef {{domQuietMs: number, networkQuietMs: number, pending: number | null, loading?: boolean, readyState: string}} Quiet
 */

/** What the worker counts of a tab's requests (worker/traffic.js). @typedef {import("../../worker/traffic.js").TrafficState & {navigating: boolean}} Network */

/** What must hold before the page counts as settled, in milliseconds.
 * @typedef {{leastMs: number, mostMs: number, domQuietMs: number, networkQuietMs: number}} Limits
 */

/** What a page is still waited for. @typedef {"least" | "dom" | "network"} Reason */

/** After an action; the numbers are those of the source document, "Stability Wait". @type {Limits} */
export const AFTER_ACTION = { leastMs: 500, mostMs: 5_000, domQuietMs: 300, networkQuietMs: 500 };

/** After something that opens a menu or a dialog: there "dropdown: 1000/500/8000", the least, the quiet and the most. @type {Limits} */
export const AFTER_OPENING = { leastMs: 1_000, mostMs: 8_000, domQuietMs: 500, networkQuietMs: 500 };

/** Between the actions of a chain, which depend on no answer of a server. @type {Limits} */
export const WITHIN_CHAIN = { leastMs: 0, mostMs: 1_000, domQuietMs: 50, networkQuietMs: 0 };

/** Before the first look at a page. @type {Limits} */
export const BEFORE_LOOKING = { leastMs: 0, mostMs: 2_000, domQuietMs: 100, networkQuietMs: 100 };

/** The longest that a page is waited for while it shows placeholders of what it fetches; it is the page script that loses patience first. */
const LOADING_MS = 8_000;

/** And while its document is not whole: a script or a style sheet of another site may hold that up for ever. */
const UNREAD_MS = 5_000;

/** @param {Quiet} quiet @param {Limits} limits how long is waited at most, in ms */
function maxWaitMs(quiet, limits) {
  if (limits.networkQuietMs === 0) return limits.mostMs;
  return Math.max(limits.mostMs, quiet.loading ? LOADING_MS : 0, quiet.readyState === "loading" ? UNREAD_MS : 0);
}

const UNSEEN_MS = 100; // by how much page and worker may differ about the end of one request

/**
 * What is known of a page together. The page sees every request that has finished, the worker those
 * under way, and which of them are polls; but only on hosts the extension may read, and only as long
 * as it lives.
 *
 * @param {Quiet} page @param {Network | null} network null when the worker cannot tell
 * @param {number | null} actedAt epoch ms @returns {Quiet}
 */
export function combineQuiet(page, network, actedAt) {
  if (!network) return page;
  const pending = network.pending + (network.navigating ? 1 : 0);
  const whole = actedAt === null || network.since <= actedAt;
  const unseen = page.networkQuietMs + UNSEEN_MS < network.anyQuietMs;
  const own = whole && !unseen ? Infinity : page.networkQuietMs;
  return { ...page, pending, networkQuietMs: Math.min(network.quietMs, own) };
}

/**
 * Whether the act made the page talk to a server. What the page saw finish is no evidence where
 * polls it makes anyway explain it.
 *
 * @param {boolean} witnessed by the page @param {Network | null} network
 */
export function didNetworkOccur(witnessed, network) {
  if (!network) return witnessed;
  return network.started > 0 || (witnessed && network.background === 0);
}

/** @param {Quiet} quiet @param {number} elapsedMs @param {Limits} limits @returns {Reason[]} none when the page has settled */
export function unsettledReasons(quiet, elapsedMs, limits) {
  /** @type {Reason[]} */
  const reasons = [];
  if (elapsedMs < limits.leastMs) reasons.push("least");
  const isLoading = Boolean(quiet.loading) && limits.networkQuietMs > 0;
  if (quiet.readyState === "loading" || isLoading || quiet.domQuietMs < limits.domQuietMs) reasons.push("dom");
  if (limits.networkQuietMs > 0 && (quiet.pending || quiet.networkQuietMs < limits.networkQuietMs)) reasons.push("network");
  return reasons;
}

/** @param {Quiet} quiet @param {number} elapsedMs @param {Limits} limits */
export function isSettled(quiet, elapsedMs, limits) {
  return elapsedMs >= limits.mostMs || unsettledReasons(quiet, elapsedMs, limits).length === 0;
}

/**
 * How long to sleep before it is worth asking again.
 *
 * @param {Quiet} quiet @param {number} elapsedMs @param {Limits} limits
 */
export function nextLookMs(quiet, elapsedMs, limits) {
  const missing = Math.max(
    limits.leastMs - elapsedMs,
    limits.domQuietMs - quiet.domQuietMs,
    quiet.loading ? 100 : 0,
    quiet.pending ? 0 : limits.networkQuietMs - quiet.networkQuietMs,
  );
  return Math.min(100, Math.max(20, missing));
}

const WORKER_MS = 400; // a worker that must be started answers within this, or is done without
const LATE_MS = 2_000; // on a busy computer it takes longer: before a page counts as settled without it

/**
 * What the worker says of the run's tab, null when it does not in time.
 *
 * @template {"network.acting" | "network.state" | "network.timedOut"} K
 * @param {Context} ctx @param {K} name @param {Omit<WorkerRequests[K], "tabId">} params @param {number} [ms] longest wait
 * @returns {Promise<Network | null>}
 */
async function askNetwork({ run, world }, name, params, ms = WORKER_MS) {
  const asked = world.ask(name, /** @type {WorkerRequests[K]} */ ({ tabId: run.at, ...params }), { once: true, ms });
  const reply = await asked.catch(() => null);
  return typeof reply?.pending === "number" ? reply : null;
}

/** Marks the moment before an action, so that only what it causes is waited for. @param {Context} ctx */
export async function beginActing(ctx) {
  ctx.run.actedAt = ctx.world.now();
  await askNetwork(ctx, "network.acting", {});
}

/** @param {Context} ctx @param {number} [ms] longest wait @returns {Promise<Network | null>} */
export const networkSince = (ctx, ms) => askNetwork(ctx, "network.state", { actedAt: ctx.run.actedAt ?? null }, ms);

/** Adds up what was waited for, over the documents one wait may go through. */
export class Stopwatch {
  #start;
  /** @type {Record<Reason, number>} */
  #by = { least: 0, dom: 0, network: 0 };
  timedOut = false;

  /** @param {number} now epoch ms */
  constructor(now) {
    this.#start = now;
  }

  /** @param {Reason[]} reasons @param {number} ms */
  slept(reasons, ms) {
    for (const reason of reasons) this.#by[reason] += ms;
  }

  /** @param {number} now epoch ms @returns {Settle} */
  report(now) {
    const { dom, network } = this.#by;
    return { ms: Math.round(now - this.#start), network: Math.round(network), dom: Math.round(dom), timedOut: this.timedOut };
  }
}

/**
 * @param {Context} ctx @param {PageEnd} page @param {Limits} limits @param {number} [workerMs] how long the worker is waited for
 * @returns {Promise<Quiet & {unheard: boolean}>} `unheard`: the worker did not answer
 */
async function quietNow(ctx, page, limits, workerMs) {
  const asked = page.request("quiet", {}, limits.mostMs);
  if (limits.networkQuietMs === 0) return { ...(await asked), unheard: false };
  const [own, network] = await Promise.all([asked, networkSince(ctx, workerMs)]);
  return { ...combineQuiet(own, network, ctx.run.actedAt ?? null), unheard: network === null };
}

/**
 * Waits until one document has settled.
 *
 * @param {Context} ctx @param {PageEnd} page @param {Limits} limits @param {Stopwatch} watch
 */
export async function settleDocument(ctx, page, limits, watch) {
  const start = ctx.world.now();
  let workerMs; // a page being left looks still from within: only the worker knows of the next one
  for (;;) {
    const quiet = await quietNow(ctx, page, limits, workerMs);
    const now = ctx.world.now();
    const reasons = unsettledReasons(quiet, now - start, limits);
    if (reasons.length === 0 && (!quiet.unheard || workerMs)) return;
    workerMs = reasons.length === 0 ? Math.min(LATE_MS, limits.mostMs) : undefined;
    if (workerMs) continue;
    if (now - start >= maxWaitMs(quiet, limits)) {
      watch.timedOut = true;
      if (limits.networkQuietMs > 0) await askNetwork(ctx, "network.timedOut", { from: start });
      return;
    }
    await ctx.world.sleep(nextLookMs(quiet, now - start, limits), ctx.signal);
    watch.slept(reasons, ctx.world.now() - now);
  }
}
