import { Refusal } from "../../shared/messages.js";
import { PageGone, PageSilent } from "../page/pages.js";
import { AFTER_ACTION, BEFORE_LOOKING, didNetworkOccur, networkSince, settleDocument, Stopwatch } from "./settle.js";

/** @import { Unreachable } from "../../types/frames" */
/** @import { Context, Notice, PageClient, Run } from "../../types/run" */
/** @import { ClientObservations } from "../../types/wire" */
/** @import { Limits } from "./settle.js" */

/** @param {string} origin */
const hostOf = (origin) => (URL.canParse(origin) ? new URL(origin).host : origin);

/** @param {number} count */
const countParts = (count) => (count === 1 ? "1 part of this page comes" : `${count} parts of this page come`);

/**
 * The notice about frames that may not be read. Only frames of web sites can be allowed.
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
    text: `${countParts(sites.length)} from ${hostOf(origin)}${others}, which Tabwright is not allowed to read.`,
    button: { label: `Allow ${hostOf(origin)}`, does: "grant", origin },
  };
}

/** Shows the notice, unless a more urgent one is shown. @param {Context} ctx @param {readonly Unreachable[]} unreachable */
function tellUnreachable(ctx, unreachable) {
  const before = ctx.run.view.notice;
  if (before && before.kind !== "frames") return;
  const notice = noticeOf(unreachable);
  if (JSON.stringify(before) !== JSON.stringify(notice)) ctx.show({ type: "notice", notice });
}

const LOAD_MS = 20_000; // a page that shows nothing for this long is reported as it is

/** The result of a run whose tab is gone. */
export const TAB_CLOSED = "The tab was closed";

/** Moves a run back to the tab it came from. @param {Run} run @param {number} tabId that was closed */
export function leaveTab(run, tabId) {
  run.tabs = run.tabs?.filter((id) => id !== tabId);
  if (run.at === tabId) [run.at, run.documentId] = [run.tabs?.at(-1) ?? run.tabId, null];
}

/** The run cannot continue; the message is for the person. */
export class CannotContinue extends Error {}

/** Waits for the person if they can resolve the refusal. @param {Context} ctx @param {Refusal} refusal @param {number} at the tab */
async function handleRefusal(ctx, refusal, at) {
  if (refusal.code === "TAB_GONE") {
    if (at === ctx.run.tabId) throw new CannotContinue(TAB_CLOSED);
    return leaveTab(ctx.run, at); // Chrome reports the closed tab only after it fails to reach it
  }
  if (refusal.code === "NOT_A_SITE") throw new CannotContinue(refusal.message);
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
 * Calls `use` with the page script of the run's tab, retrying across navigations and missing permissions.
 *
 * @template T
 * @param {Context} ctx @param {(page: PageClient) => Promise<T>} use may be called again for a new document
 * @returns {Promise<T | null>} null if the page is not usable in time
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
      else if (error instanceof Refusal && error.code === "ERROR_PAGE") return null;
      else if (error instanceof Refusal) {
        await handleRefusal(ctx, error, at);
        if (error.code === "NO_PERMISSION") deadline = ctx.world.now() + LOAD_MS;
      } else throw error;
    }
  }
  return null;
}

/** @param {Context} ctx @returns {Promise<PageObservation>} the observation of a page that cannot be observed */
async function emptyObservation(ctx) {
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
 * Observes the page. A page that does not load counts as empty with an error on it, so that the server decides what to do.
 *
 * @param {Context} ctx @param {boolean} wait until the page has settled; unnecessary right after `settle`
 * @returns {Promise<PageObservation>} raises `CannotGoOn`
 */
export async function observePage(ctx, wait) {
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
  return seen ?? emptyObservation(ctx);
}

/**
 * Waits until the page has settled after an action, in whichever document it ends up.
 *
 * @param {Context} ctx @param {Limits} [limits]
 * @returns {Promise<ClientObservations>} what changed since the action, and how long the wait was
 */
export async function settle(ctx, limits = AFTER_ACTION) {
  const watch = new Stopwatch(ctx.world.now());
  const witnessed = await withPage(ctx, async (page) => {
    await settleDocument(ctx, page, limits, watch);
    return observeEffects(ctx, page);
  });
  const settled = watch.report(ctx.world.now());
  return { ...(witnessed ?? { didNetworkOccur: true, didDomMutate: true, didUrlChange: true }), settle: settled };
}

/** @param {Context} ctx @param {PageClient} page @returns {Promise<ClientObservations>} */
async function observeEffects(ctx, page) {
  const { run } = ctx;
  if (page.documentId === run.documentId) {
    const [since, network] = await Promise.all([page.request("since"), networkSince(ctx)]);
    return { ...since, didNetworkOccur: didNetworkOccur(since.didNetworkOccur, network) };
  }
  const { url } = await page.request("quiet");
  return { didNetworkOccur: true, didDomMutate: true, didUrlChange: url !== run.urlBefore };
}
