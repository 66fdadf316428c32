import { Refusal } from "../../shared/messages.js";

/** @import { AnsweredDialog, Download, PlannedAction } from "../../types/wire" */
/** @import { Context, SideEffects, SideEffect } from "../../types/run" */

const MOST_DOWNLOADS = 20; // in one request
const MOST_BYTES = 1_000_000; // of all their contents: a request holds 2 MB, including the page
const READ_MS = 5_000; // the longest wait for contents
const UNREADABLE = /^(image|audio|video|font)\//i;

/** Removes characters that no server accepts: a page may name its file anything. @param {string} name */
const cleanName = (name) => name.replace(/\p{Cc}|\p{Cs}/gu, "");

/** @param {Context} ctx @param {Download} download @returns {Promise<{data?: string, unread?: string}>} */
async function contentOf({ world }, download) {
  const { size = 0, mime = "", data, again, url } = download;
  if (data || UNREADABLE.test(mime)) return data ? { data } : {};
  if (size > MOST_BYTES) return { unread: "it is too large to be read" };
  if (!url) return { unread: "the page had let go of it" };
  if (!again) return { unread: "it was the answer to a form, which is not sent again to read it" };
  const read = world.ask("download.read", { download, most: MOST_BYTES }, { once: true, ms: READ_MS });
  return read.catch(() => ({ unread: "the site did not give the file again in time" }));
}

/**
 * The downloads with their contents as far as they are readable; each file once.
 *
 * @param {Context} ctx @param {Download[]} downloads @returns {Promise<Download[]>}
 */
export async function withContents(ctx, downloads) {
  /** @type {Map<string | number, Download>} */
  const distinct = new Map();
  // What the response says about a file takes precedence over its link.
  for (const [n, one] of downloads.entries()) if (one.attached !== undefined || !distinct.has(one.url)) distinct.set(one.url || n, one);
  const listed = [...distinct.values()].slice(0, MOST_DOWNLOADS);
  const contents = await Promise.all(listed.map((download) => contentOf(ctx, download)));
  let room = MOST_BYTES;
  return listed.map(({ name, url, size, mime }, n) => {
    const { data, unread } = contents[n];
    const bytes = data ? Math.floor((data.replace(/==?$/, "").length * 3) / 4) : 0;
    const fits = bytes <= room;
    if (fits) room -= bytes;
    const content = fits ? { ...(data ? { data } : {}), ...(unread ? { unread } : {}) } : { unread: "together with the others it is too large to be read" };
    return { name: cleanName(name), url, ...(mime ? { mime } : {}), ...((size ?? bytes) ? { size: size ?? bytes } : {}), ...content };
  });
}

const MOST_FACTS = 50; // of one action
const MOST_TABS = 3; // that one action may open; further ones are ignored
const ARM_MS = 3_000;
const GETS_PAGE_MS = 5_000; // the longest wait to see whether a new tab gets a page or a download
const SOON_MS = 500; // a tab that a page opens, and the download of a closed tab, arrive within 50 ms

const isTab = (/** @type {SideEffect} */ fact) => fact.type === "tab";

/**
 * Collects what happens outside the documents of tabs while runs act in them. Tabs that nobody listens to are ignored.
 *
 * @returns {SideEffects}
 */
export function createSideEffects() {
  /** @type {Map<number, SideEffect[]>} */
  const effects = new Map();
  /** Tabs in which no run acts at the moment; the person may. @type {Set<number>} */
  const resting = new Set();
  return {
    listen(tabId) {
      resting.delete(tabId);
      if (!effects.has(tabId)) effects.set(tabId, []);
    },
    record(tabId, fact) {
      const facts = effects.get(tabId);
      if (facts && facts.length < MOST_FACTS && (fact.type === "download" || !resting.has(tabId))) facts.push(fact);
    },
    soFar: (tabId) => effects.get(tabId) ?? [],
    take: (tabId) => effects.get(tabId)?.splice(0) ?? [],
    // A download may start late: one that starts while the server decides is reported with the next action.
    rest(tabId) {
      resting.add(tabId);
      const facts = effects.get(tabId);
      if (facts) effects.set(tabId, facts.filter(({ type }) => type === "download"));
    },
    stop(tabId) {
      effects.delete(tabId);
      resting.delete(tabId);
    },
  };
}

/**
 * Prepares the page for an action: dialogs are answered as the action says, and side effects are recorded.
 *
 * @param {Context} ctx @param {PlannedAction} item
 */
export async function armPage(ctx, { actionDetails: { dialog } }) {
  ctx.world.sideEffects?.listen(ctx.run.at);
  // A page that cannot be armed is navigating: the action itself will notice.
  const asked = ctx.world.ask("page.arm", { tabId: ctx.run.at, dialog: dialog ?? null }, { once: true, ms: ARM_MS });
  await asked.catch(() => undefined);
}

/** Continues the run in another tab and remembers the old one. @param {Context} ctx @param {number} tabId */
export function switchToTab(ctx, tabId) {
  const { run } = ctx;
  if (tabId === run.at) return;
  void disarmPage(ctx);
  run.tabs = [...(run.tabs ?? []).filter((id) => id !== tabId && id !== run.at), run.at];
  run.at = tabId;
  run.documentId = null;
  ctx.world.sideEffects?.listen(tabId);
}

/**
 * Waits up to `SOON_MS` for a fact.
 *
 * @param {Context} ctx @param {number} tabId @param {(fact: SideEffect) => boolean} test
 */
async function waitForFact({ world, signal }, tabId, test) {
  const came = () => world.sideEffects?.soFar(tabId).some(test) ?? false;
  const deadline = world.now() + SOON_MS;
  while (!came() && world.now() < deadline) await world.sleep(25, signal);
  return came();
}

/** @param {Context} ctx @param {number} opener @param {SideEffect[]} facts @returns {Promise<number | null>} the tab to continue in */
async function openRequestedTabs(ctx, opener, facts) {
  /** @type {number | null} */
  let last = null;
  let opened = 0;
  for (const fact of facts) {
    if (fact.type === "tab") last = fact.created;
    if (fact.type !== "open" || opened >= MOST_TABS) continue;
    opened += 1;
    // The browser blocks a script's tab, unless the person's settings allow the site to open it.
    if (fact.tried && (facts.some(isTab) || (await waitForFact(ctx, opener, isTab)))) continue;
    last = await ctx.world.ask("tab.open", { tabId: opener, url: fact.url }, { once: true });
  }
  return last;
}

/**
 * Whether an opened tab gets a page. A tab that is only for a download gets none and is closed.
 *
 * @param {Context} ctx @param {number} tabId @param {SideEffect[]} facts heard already
 */
async function waitForPage(ctx, tabId, facts) {
  const { run, world, signal } = ctx;
  const begun = world.now();
  const saves = (/** @type {SideEffect} */ fact) => fact.type === "download" && fact.from === tabId;
  for (;;) {
    const tab = await world.ask("tab.get", { tabId }).catch(() => null);
    if (!tab) {
      // The browser closes a tab that was only for a download, often before the download is reported.
      if (!facts.some(saves)) await waitForFact(ctx, run.at, saves);
      return false;
    }
    const most = tab.url ? SOON_MS : GETS_PAGE_MS; // a page may write into a blank tab
    if ((tab.url && tab.url !== "about:blank") || world.now() - begun > most) return true;
    if ([...facts, ...(world.sideEffects?.soFar(run.at) ?? [])].some(saves)) {
      await world.ask("tab.close", { tabId, next: run.at }, { once: true }).catch(() => undefined);
      return false;
    }
    await world.sleep(25, signal);
  }
}

/**
 * Continues the run in an opened tab, if it gets a page.
 *
 * @param {Context} ctx @param {number} tabId @param {SideEffect[]} [facts] known so far; new ones are added
 */
export async function continueInTab(ctx, tabId, facts = []) {
  const there = await waitForPage(ctx, tabId, facts);
  facts.push(...(ctx.world.sideEffects?.take(ctx.run.at) ?? []));
  if (there) switchToTab(ctx, tabId);
}

/**
 * Collects the side effects of an action. A tab that it opened is followed, unless it is closed already.
 *
 * @param {Context} ctx
 * @returns {Promise<{dialogs: AnsweredDialog[], downloads: Download[], failed: string | null}>} `failed`: the error of a failed navigation
 */
export async function collectSideEffects(ctx) {
  const { run, world } = ctx;
  const facts = world.sideEffects?.take(run.at) ?? [];
  const next = await openRequestedTabs(ctx, run.at, facts);
  if (next !== null) await continueInTab(ctx, next, facts);
  const dialogs = facts.flatMap((fact) => (fact.type === "dialog" ? [fact.dialog] : []));
  const downloads = facts.flatMap((fact) => (fact.type === "download" ? [fact.download] : []));
  const failed = facts.flatMap((fact) => (fact.type === "failed" ? [fact.error] : [])).at(-1) ?? null;
  return { dialogs, downloads, failed };
}

/** Gives the page its own functions back. @param {Context} ctx @param {"rest" | "stop"} [how] for now or for good */
export async function disarmPage(ctx, how = "stop") {
  ctx.world.sideEffects?.[how](ctx.run.at);
  await ctx.world.ask("page.disarm", { tabId: ctx.run.at }, { once: true, ms: ARM_MS }).catch(() => undefined);
}

/** Cleans up after a run: the page is disarmed, picked files are deleted. @param {Context} ctx */
export async function cleanUp(ctx) {
  if (!ctx.world.sideEffects) return;
  await Promise.allSettled([disarmPage(ctx), ctx.world.files?.forget(ctx.run.tabId)]);
}

/**
 * The run's tabs for the server: its own and those it went through. The person's other tabs are not reported.
 *
 * @param {Context} ctx
 */
export async function runTabs(ctx) {
  const { run } = ctx;
  const ids = [...new Set([run.tabId, ...(run.tabs ?? []), run.at])];
  if (ids.length < 2) return {};
  const tabs = await Promise.all(ids.map((tabId) => ctx.world.ask("tab.get", { tabId }).catch(nullIfRefused)));
  const there = tabs.flatMap((tab, n) => (tab ? [{ index: tab.index, title: tab.title, url: tab.url, active: ids[n] === run.at }] : []));
  return there.length > 1 ? { tabs: there } : {};
}

/** @param {unknown} error */
function nullIfRefused(error) {
  if (error instanceof Refusal) return null;
  throw error;
}
