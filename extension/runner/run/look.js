import { HostRefused } from "../worker_client.js";
import { PageGone, PageSilent } from "../page/pages.js";
import { AFTER_ACTION, BEFORE_LOOKING, didNetworkOccur, networkSince, settleDocument, Stopwatch } from "./settle.js";

/** @import { Unreachable } from "../../types/frames" */
/** @import { Context, Notice, PageEnd, Run } from "../../types/run" */
/** @import { ClientObservations } from "../../types/wire" */
/** @import { Limits } from "./settle.js" */

/** @param {string} origin */
const hostOf = (origin) => (URL.canParse(origin) ? new URL(origin).host : origin);

/** @param {number} count */
const parts = (count) => (count === 1 ? "1 part of this page comes" : `${count} parts of this page come`);

/**
 * What to tell the person of frames that may not be read; a site can be allowed, an address without one cannot.
 *
 * @param {readonly Unreachable[]} unreachable @returns {Notice | null}
 */
export function noticeOf(unreachable) {
  const sites = unreachable.map(({ origin }) => origin).filter((origin) => /^https?:/.test(origin));
  const origins = [...new Set(sites)];
  if (origins.length === 0) return null;
  const [origin] = origins;
  const others = origins.length > 1 ? ` and ${origins.length - 1} other ${origins.length > 2 ? "sites" : "site"}` : "";
  return {
    kind: "frames",
    text: `${parts(sites.length)} from ${hostOf(origin)}${others}, which Tabwright is not allowed to read.`,
    button: { label: `Allow ${hostOf(origin)}`, does: "grant", origin },
  };
}

/** @param {Context} ctx @param {readonly Unreachable[]} unreachable shows it, unless something more pressing is shown */
function tellUnreachable(ctx, unreachable) {
  const before = ctx.run.view.notice;
  if (before && before.kind !== "frames") return;
  const notice = noticeOf(unreachable);
  if (JSON.stringify(before) !== JSON.stringify(notice)) ctx.show({ type: "notice", notice });
}

const LOAD_MS = 20_000; // a page that shows nothing for so long is reported as it is

/** What is said when the run's tab is gone. */
export const TAB_CLOSED = "The tab was closed";

/** @param {Run} run @param {number} tabId is gone: a run that went on there is back in the tab it came from */
export function leaveTab(run, tabId) {
  run.tabs = run.tabs?.filter((id) => id !== tabId);
  if (run.at === tabId) [run.at, run.documentId] = [run.tabs?.at(-1) ?? run.tabId, null];
}

/** The run cannot go on; `message` says why, to the person. */
export class CannotGoOn extends Error {}

/** @param {Context} ctx @param {HostRefused} refusal waits for the person when they can help @param {number} at the tab */
async function blocked(ctx, refusal, at) {
  if (refusal.code === "TAB_GONE") {
    if (at === ctx.run.tabId) throw new CannotGoOn(TAB_CLOSED);
    return leaveTab(ctx.run, at); // Chrome tells of the closed tab later than it refuses to reach it
  }
  if (refusal.code === "NOT_A_SITE") throw new CannotGoOn(refusal.message);
  if (refusal.code !== "NO_PERMISSION") return ctx.rest(200);
  const site = refusal.origin ? new URL(refusal.origin).host : "this site";
  ctx.show({
    type: "notice",
    notice: {
      kind: "permission",
      text: `Tabwright needs permission to work on ${site}.`,
      button: { label: `Allow ${site}`, does: "grant", origin: refusal.origin },
    },
  });
  await ctx.rest(2_000);
}

/**
 * Calls `use` with the page script of the run's tab, over navigations and missing permissions.
 *
 * @template T
 * @param {Context} ctx @param {(page: PageEnd) => Promise<T>} use may be called again for a new document
 * @returns {Promise<T | null>} null when the page shows nothing to work with in time
 */
async function withPage(ctx, use) {
  let deadline = ctx.world.now() + LOAD_MS;
  while (ctx.world.now() < deadline) {
    ctx.signal.throwIfAborted();
    const { at } = ctx.run;
    try {
      const page = await ctx.world.pages.page(at);
      if (ctx.run.view.notice?.kind === "permission") ctx.show({ type: "notice", notice: null });
      return await use(page);
    } catch (error) {
      if (error instanceof PageGone || error instanceof PageSilent) await ctx.rest(50);
      else if (error instanceof HostRefused && error.code === "ERROR_PAGE") return null;
      else if (error instanceof HostRefused) {
        await blocked(ctx, error, at);
        if (error.code === "NO_PERMISSION") deadline = ctx.world.now() + LOAD_MS;
      } else throw error;
    }
  }
  return null;
}

/** @param {Context} ctx @returns {Promise<PageObservation>} of a page that cannot be looked at */
async function nothing(ctx) {
  const tab = await ctx.world.ask("tab.get", { tabId: ctx.run.at });
  return {
    url: tab.url,
    title: tab.title,
    tree: [],
    viewport: { width: tab.width, height: tab.height },
    pageSummary: "",
    texts: [],
    scrollPosition: "0%",
    scrollableContainers: [],
    recentEvents: [],
    hasErrors: true,
    hasSuccess: false,
    errors_detected: ["The page did not load or does not answer"],
    success_messages: [],
    nextId: ctx.run.nextId,
    extractMs: 0,
  };
}

/**
 * One look at the page. A page that does not load is an empty one with an error on it, so that the
 * server can decide what to do about it.
 *
 * @param {Context} ctx @param {boolean} wait until the page has settled; needless right after `settle`
 * @returns {Promise<PageObservation>} raises `CannotGoOn`
 */
export async function look(ctx, wait) {
  const { run } = ctx;
  const seen = await withPage(ctx, async (page) => {
    if (wait) await settleDocument(ctx, page, BEFORE_LOOKING, new Stopwatch(ctx.world.now()));
    const asked = performance.now();
    const { frames, ...observation } = await page.request("observe", { taskKey: run.id, nextId: run.nextId, frames: run.frames });
    run.frames = frames;
    tellUnreachable(ctx, observation.unreachableFrames ?? []);
    run.lookMs = { all: Math.round(10 * (performance.now() - asked)) / 10, page: observation.extractMs };
    run.documentId = page.documentId;
    return observation;
  });
  return seen ?? nothing(ctx);
}

/**
 * Waits until the page has settled after an action, in whatever document that ends.
 *
 * @param {Context} ctx @param {Limits} [limits]
 * @returns {Promise<ClientObservations>} what was witnessed since the action, and what was waited for
 */
export async function settle(ctx, limits = AFTER_ACTION) {
  const watch = new Stopwatch(ctx.world.now());
  const witnessed = await withPage(ctx, async (page) => {
    await settleDocument(ctx, page, limits, watch);
    return witness(ctx, page);
  });
  const settled = watch.report(ctx.world.now());
  return { ...(witnessed ?? { didNetworkOccur: true, didDomMutate: true, didUrlChange: true }), settle: settled };
}

/** @param {Context} ctx @param {PageEnd} page @returns {Promise<ClientObservations>} */
async function witness(ctx, page) {
  const { run } = ctx;
  if (page.documentId === run.documentId) {
    const [since, network] = await Promise.all([page.request("since"), networkSince(ctx)]);
    return { ...since, didNetworkOccur: didNetworkOccur(since.didNetworkOccur, network) };
  }
  const { url } = await page.request("quiet");
  return { didNetworkOccur: true, didDomMutate: true, didUrlChange: url !== run.urlBefore };
}
