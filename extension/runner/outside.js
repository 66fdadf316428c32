import { HostRefused } from "./host.js";

/** @import { DialogTold, PlannedAction } from "../types/wire" */
/** @import { Context, Outside, OutsideFact } from "../types/run" */

const MOST_FACTS = 50; // of one action
const MOST_TABS = 3; // that one action may open; of more, only these
const ARM_MS = 3_000;
const OPENS_MS = 500; // a tab that a page opens is there within 50 ms

/**
 * What happens outside the documents of tabs while runs act in them, kept until it is taken. Of tabs
 * that nobody listens to nothing is kept.
 *
 * @returns {Outside}
 */
export function createOutside() {
  /** @type {Map<number, OutsideFact[]>} */
  const heard = new Map();
  return {
    listen: (tabId) => void (heard.has(tabId) || heard.set(tabId, [])),
    hear(tabId, fact) {
      const facts = heard.get(tabId);
      if (facts && facts.length < MOST_FACTS) facts.push(fact);
    },
    heardSoFar: (tabId) => heard.get(tabId) ?? [],
    take: (tabId) => heard.get(tabId)?.splice(0) ?? [],
    stop: (tabId) => void heard.delete(tabId),
  };
}

/**
 * Before an action: dialogs are answered as it says, and what it sets off is heard.
 *
 * @param {Context} ctx @param {PlannedAction} item
 */
export async function listen(ctx, { actionDetails: { dialog } }) {
  ctx.world.outside?.listen(ctx.run.at);
  // A page that cannot be armed is on its way elsewhere: the action itself finds that out.
  const asked = ctx.world.ask("page.arm", { tabId: ctx.run.at, dialog: dialog ?? null }, { once: true, ms: ARM_MS });
  await asked.catch(() => undefined);
}

/** @param {Context} ctx @param {number} tabId the run goes on there; the tab it was in is gone back to */
export function moveTo(ctx, tabId) {
  const { run } = ctx;
  if (tabId === run.at) return;
  void stopListening(ctx);
  run.tabs = [...(run.tabs ?? []).filter((id) => id !== tabId && id !== run.at), run.at];
  run.at = tabId;
  run.documentId = null;
  ctx.world.outside?.listen(tabId);
}

/**
 * Whether the browser opened the tab that a page tried to open: not for scripts, unless the person's
 * settings let that site.
 *
 * @param {Context} ctx @param {number} opener
 */
async function openedItself({ world, signal }, opener) {
  const came = () => world.outside?.heardSoFar(opener).some(({ type }) => type === "tab") ?? false;
  const deadline = world.now() + OPENS_MS;
  while (!came() && world.now() < deadline) await world.sleep(25, signal);
  return came();
}

/** @param {Context} ctx @param {number} opener @param {OutsideFact[]} facts @returns {Promise<number | null>} the tab to go on in */
async function openedBy(ctx, opener, facts) {
  /** @type {number | null} */
  let last = null;
  let opened = 0;
  for (const fact of facts) {
    if (fact.type === "tab") last = fact.created;
    if (fact.type !== "open" || opened >= MOST_TABS) continue;
    opened += 1;
    if (fact.tried && (facts.some(({ type }) => type === "tab") || (await openedItself(ctx, opener)))) continue;
    last = await ctx.world.ask("tab.open", { tabId: opener, url: fact.url }, { once: true });
  }
  return last;
}

/** @param {Context} ctx @param {number} tabId */
const isThere = (ctx, tabId) => ctx.world.ask("tab.get", { tabId }).then(() => true, () => false);

/**
 * What came of an action beside its document. A tab that it opened is followed, unless it is closed
 * again already.
 *
 * @param {Context} ctx
 * @returns {Promise<{dialogs: DialogTold[], failed: string | null}>} `failed`: the error of a navigation that came to nothing
 */
export async function followUp(ctx) {
  const { run, world } = ctx;
  const facts = world.outside?.take(run.at) ?? [];
  const next = await openedBy(ctx, run.at, facts);
  if (next !== null && (await isThere(ctx, next))) moveTo(ctx, next);
  const dialogs = facts.flatMap((fact) => (fact.type === "dialog" ? [fact.dialog] : []));
  const failed = facts.flatMap((fact) => (fact.type === "failed" ? [fact.error] : [])).at(-1) ?? null;
  return { dialogs, failed };
}

/** @param {Context} ctx the page is the person's again */
export async function stopListening(ctx) {
  ctx.world.outside?.stop(ctx.run.at);
  await ctx.world.ask("page.disarm", { tabId: ctx.run.at }, { once: true, ms: ARM_MS }).catch(() => undefined);
}

/** @param {Context} ctx a run that has ended: nothing in the page answers for it, no file waits for it */
export async function leaveNothing(ctx) {
  if (!ctx.world.outside) return;
  await Promise.allSettled([stopListening(ctx), ctx.world.files?.forget(ctx.run.tabId)]);
}

/**
 * The tabs that belong to the run, for the server: its own and those it went through. Of the
 * person's other tabs nothing is told.
 *
 * @param {Context} ctx
 */
export async function tabsOfRun(ctx) {
  const { run } = ctx;
  const ids = [...new Set([run.tabId, ...(run.tabs ?? []), run.at])];
  if (ids.length < 2) return {};
  const tabs = await Promise.all(ids.map((tabId) => ctx.world.ask("tab.get", { tabId }).catch(gone)));
  const there = tabs.flatMap((tab, n) => (tab ? [{ index: tab.index, title: tab.title, url: tab.url, active: ids[n] === run.at }] : []));
  return there.length > 1 ? { tabs: there } : {};
}

/** @param {unknown} error */
function gone(error) {
  if (error instanceof HostRefused) return null;
  throw error;
}
