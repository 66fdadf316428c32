import { joined, longest, unsettled, nextLookMs } from "./stability.js";

/** @import { Settle } from "../../types/wire" */
/** @import { Context, PageEnd } from "../../types/run" */
/** @import { Limits, Network, Quiet, Reason } from "./stability.js" */

const WORKER_MS = 400; // a worker that must be started answers within this, or is done without
const LATE_MS = 2_000; // on a busy computer it takes longer: before a page counts as settled without it

/**
 * What the worker says of the run's tab, null when it does not in time.
 *
 * @param {Context} ctx @param {string} name @param {object} [params] @param {number} [ms] longest wait
 * @returns {Promise<Network | null>}
 */
async function askNetwork({ run, world }, name, params = {}, ms = WORKER_MS) {
  const asked = world.ask(name, { tabId: run.at, ...params }, { once: true, ms });
  const reply = await asked.catch(() => null);
  return typeof reply?.pending === "number" ? reply : null;
}

/** Marks the moment before an action, so that only what it causes is waited for. @param {Context} ctx */
export async function beginActing(ctx) {
  ctx.run.actedAt = ctx.world.now();
  await askNetwork(ctx, "network.acting");
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
  return { ...joined(own, network, ctx.run.actedAt ?? null), unheard: network === null };
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
    const reasons = unsettled(quiet, now - start, limits);
    if (reasons.length === 0 && (!quiet.unheard || workerMs)) return;
    workerMs = reasons.length === 0 ? Math.min(LATE_MS, limits.mostMs) : undefined;
    if (workerMs) continue;
    if (now - start >= longest(quiet, limits)) {
      watch.timedOut = true;
      if (limits.networkQuietMs > 0) await askNetwork(ctx, "network.timedOut", { from: start });
      return;
    }
    await ctx.world.sleep(nextLookMs(quiet, now - start, limits), ctx.signal);
    watch.slept(reasons, ctx.world.now() - now);
  }
}
