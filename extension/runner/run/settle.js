/** @import { NetworkState, WorkerRequests } from "../../types/messages" */
/** @import { Settle } from "../../types/wire" */
/** @import { Context, PageClient } from "../../types/run" */

/** What the page script reports as `quiet`: milliseconds since the last DOM change and the last finished request; the
 * number of open requests, which it cannot see (null); and whether loading placeholders are shown.
 * @typedef {{domQuietMs: number, networkQuietMs: number, pending: number | null, loading?: boolean, readyState: string}} Quiet
 */

/** What must hold before a page counts as settled, in milliseconds.
 * @typedef {{leastMs: number, mostMs: number, domQuietMs: number, networkQuietMs: number}} Limits
 */

/** What a page is still waiting for. @typedef {"least" | "dom" | "network"} Reason */

/** After an action; the numbers come from the source document, "Stability Wait". @type {Limits} */
export const AFTER_ACTION = { leastMs: 500, mostMs: 5_000, domQuietMs: 300, networkQuietMs: 500 };

/** After an action that opens a menu or a dialog; the source document's "dropdown: 1000/500/8000" is least, quiet and most. @type {Limits} */
export const AFTER_OPENING = { leastMs: 1_000, mostMs: 8_000, domQuietMs: 500, networkQuietMs: 500 };

/** Between the actions of a chain, where no server answer is awaited. @type {Limits} */
export const WITHIN_CHAIN = { leastMs: 0, mostMs: 1_000, domQuietMs: 50, networkQuietMs: 0 };

/** Before the first look at a page. @type {Limits} */
export const BEFORE_LOOKING = { leastMs: 0, mostMs: 2_000, domQuietMs: 100, networkQuietMs: 100 };

/** Longest wait while the page shows loading placeholders; the page script usually gives up first. */
const LOADING_MS = 8_000;

/** Longest wait while the document is still loading: a script or a style sheet of another site may never arrive. */
const UNREAD_MS = 5_000;

/** @param {Quiet} quiet @param {Limits} limits how long is waited at most, in ms */
function maxWaitMs(quiet, limits) {
  if (limits.networkQuietMs === 0) return limits.mostMs;
  return Math.max(limits.mostMs, quiet.loading ? LOADING_MS : 0, quiet.readyState === "loading" ? UNREAD_MS : 0);
}

const UNSEEN_MS = 100; // how far page and worker may disagree about when a request ended

/**
 * Combines what page and worker know. The page sees every finished request; the worker sees the open
 * ones and recognizes polling, but only on hosts the extension may read, and only while it
 * runs.
 *
 * @param {Quiet} page @param {NetworkState | null} network null when the worker cannot tell
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
 * Whether the action caused a request to a server. Requests the page saw finish do not count if
 * its regular polling explains them.
 *
 * @param {boolean} witnessed the page saw one finish @param {NetworkState | null} network
 */
export function didNetworkOccur(witnessed, network) {
  if (!network) return witnessed;
  return network.started > 0 || (witnessed && network.background === 0);
}

/** @param {Quiet} quiet @param {number} elapsedMs @param {Limits} limits @returns {Reason[]} empty when the page has settled */
export function unsettledReasons(quiet, elapsedMs, limits) {
  /** @type {Reason[]} */
  const reasons = [];
  if (elapsedMs < limits.leastMs) reasons.push("least");
  const isLoading = Boolean(quiet.loading) && limits.networkQuietMs > 0;
  if (quiet.readyState === "loading" || isLoading || quiet.domQuietMs < limits.domQuietMs) reasons.push("dom");
  if (limits.networkQuietMs > 0 && (quiet.pending || quiet.networkQuietMs < limits.networkQuietMs)) reasons.push("network");
  return reasons;
}

/**
 * How long to sleep before checking again.
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

const WORKER_MS = 400; // a worker that has to start answers within this; otherwise the check goes on without it
const LATE_MS = 2_000; // on a busy computer it takes longer: tried before a page counts as settled without the worker

/**
 * What the worker knows of the run's tab; null when it does not answer in time.
 *
 * @template {"network.acting" | "network.state" | "network.timedOut"} K
 * @param {Context} ctx @param {K} name @param {Omit<WorkerRequests[K][0], "tabId">} params @param {number} [ms] longest wait
 * @returns {Promise<NetworkState | null>}
 */
async function askNetwork({ run, world }, name, params, ms = WORKER_MS) {
  const asked = world.ask(name, /** @type {WorkerRequests[K][0]} */ ({ tabId: run.at, ...params }), { once: true, ms });
  const reply = await asked.catch(() => null);
  return typeof reply?.pending === "number" ? reply : null;
}

/** Marks the moment before an action, so that only its effects are waited for. @param {Context} ctx */
export async function beginActing(ctx) {
  ctx.run.actedAt = ctx.world.now();
  await askNetwork(ctx, "network.acting", {});
}

/** @param {Context} ctx @param {number} [ms] longest wait @returns {Promise<NetworkState | null>} */
export const networkSince = (ctx, ms) => askNetwork(ctx, "network.state", { actedAt: ctx.run.actedAt ?? null }, ms);

/** Adds up the waiting time over the documents one wait may pass through. */
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
 * @param {Context} ctx @param {PageClient} page @param {Limits} limits @param {number} [workerMs] longest wait for the worker
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
 * @param {Context} ctx @param {PageClient} page @param {Limits} limits @param {Stopwatch} watch
 */
export async function settleDocument(ctx, page, limits, watch) {
  const start = ctx.world.now();
  let workerMs; // a page that is being left looks idle from inside: only the worker knows that another is loading
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
