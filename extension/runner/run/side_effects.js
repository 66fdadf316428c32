import { HostRefused } from "../worker_client.js";

/** @import { DialogTold, DownloadTold, PlannedAction } from "../../types/wire" */
/** @import { Context, SideEffects, SideEffect } from "../../types/run" */

const MOST_DOWNLOADS = 20; // that one request tells of
const MOST_BYTES = 1_000_000; // of all their contents: a request has 2 MB, and the page goes along
const READ_MS = 5_000; // the longest that contents are waited for
const UNREADABLE = /^(image|audio|video|font)\//i;

/** A page may call its file anything. @param {string} name without signs that no server takes */
const plain = (name) => name.replace(/\p{Cc}|\p{Cs}/gu, "");

/** @param {Context} ctx @param {DownloadTold} download @returns {Promise<{data?: string, unread?: string}>} */
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
 * What was downloaded, with its contents as far as they can be told; of the same file only once.
 *
 * @param {Context} ctx @param {DownloadTold[]} downloads @returns {Promise<DownloadTold[]>}
 */
export async function withContents(ctx, downloads) {
  /** @type {Map<string | number, DownloadTold>} */
  const distinct = new Map();
  // What the answer itself says of a file counts before what its link does.
  for (const [n, one] of downloads.entries()) if (one.attached !== undefined || !distinct.has(one.url)) distinct.set(one.url || n, one);
  const told = [...distinct.values()].slice(0, MOST_DOWNLOADS);
  const contents = await Promise.all(told.map((download) => contentOf(ctx, download)));
  let room = MOST_BYTES;
  return told.map(({ name, url, size, mime }, n) => {
    const { data, unread } = contents[n];
    const bytes = data ? Math.floor((data.replace(/==?$/, "").length * 3) / 4) : 0;
    const fits = bytes <= room;
    if (fits) room -= bytes;
    const kept = fits ? { ...(data ? { data } : {}), ...(unread ? { unread } : {}) } : { unread: "together with the others it is too large to be read" };
    return { name: plain(name), url, ...(mime ? { mime } : {}), ...((size ?? bytes) ? { size: size ?? bytes } : {}), ...kept };
  });
}

const MOST_FACTS = 50; // of one action
const MOST_TABS = 3; // that one action may open; of more, only these
const ARM_MS = 3_000;
const GETS_PAGE_MS = 5_000; // the longest that a new tab is waited for, to see whether a page comes or a download
const SOON_MS = 500; // a tab that a page opens, and the download of one that is closed, is there within 50 ms

const isTab = (/** @type {SideEffect} */ fact) => fact.type === "tab";

/**
 * What happens outside the documents of tabs while runs act in them, kept until it is taken. Of tabs
 * that nobody listens to nothing is kept.
 *
 * @returns {SideEffects}
 */
export function createSideEffects() {
  /** @type {Map<number, SideEffect[]>} */
  const heard = new Map();
  /** Tabs in which nobody acts just now: the person may. @type {Set<number>} */
  const resting = new Set();
  return {
    listen(tabId) {
      resting.delete(tabId);
      if (!heard.has(tabId)) heard.set(tabId, []);
    },
    hear(tabId, fact) {
      const facts = heard.get(tabId);
      if (facts && facts.length < MOST_FACTS && (fact.type === "download" || !resting.has(tabId))) facts.push(fact);
    },
    heardSoFar: (tabId) => heard.get(tabId) ?? [],
    take: (tabId) => heard.get(tabId)?.splice(0) ?? [],
    // A download may take its time to begin: one that comes while the server decides is told with the next action.
    rest(tabId) {
      resting.add(tabId);
      const facts = heard.get(tabId);
      if (facts) heard.set(tabId, facts.filter(({ type }) => type === "download"));
    },
    stop(tabId) {
      heard.delete(tabId);
      resting.delete(tabId);
    },
  };
}

/**
 * Before an action: dialogs are answered as it says, and what it sets off is heard.
 *
 * @param {Context} ctx @param {PlannedAction} item
 */
export async function armPage(ctx, { actionDetails: { dialog } }) {
  ctx.world.sideEffects?.listen(ctx.run.at);
  // A page that cannot be armed is on its way elsewhere: the action itself finds that out.
  const asked = ctx.world.ask("page.arm", { tabId: ctx.run.at, dialog: dialog ?? null }, { once: true, ms: ARM_MS });
  await asked.catch(() => undefined);
}

/** @param {Context} ctx @param {number} tabId the run goes on there; the tab it was in is gone back to */
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
 * Waits for a fact that follows within `SOON_MS`, if it comes at all.
 *
 * @param {Context} ctx @param {number} tabId @param {(fact: SideEffect) => boolean} test
 */
async function comesSoon({ world, signal }, tabId, test) {
  const came = () => world.sideEffects?.heardSoFar(tabId).some(test) ?? false;
  const deadline = world.now() + SOON_MS;
  while (!came() && world.now() < deadline) await world.sleep(25, signal);
  return came();
}

/** @param {Context} ctx @param {number} opener @param {SideEffect[]} facts @returns {Promise<number | null>} the tab to go on in */
async function openRequestedTabs(ctx, opener, facts) {
  /** @type {number | null} */
  let last = null;
  let opened = 0;
  for (const fact of facts) {
    if (fact.type === "tab") last = fact.created;
    if (fact.type !== "open" || opened >= MOST_TABS) continue;
    opened += 1;
    // The browser opens no tab for a script, unless the person's settings let that site.
    if (fact.tried && (facts.some(isTab) || (await comesSoon(ctx, opener, isTab)))) continue;
    last = await ctx.world.ask("tab.open", { tabId: opener, url: fact.url }, { once: true });
  }
  return last;
}

/**
 * Whether a tab that was opened gets a page. One for a download alone gets none, and is closed.
 *
 * @param {Context} ctx @param {number} tabId @param {SideEffect[]} facts heard already
 */
async function getsPage(ctx, tabId, facts) {
  const { run, world, signal } = ctx;
  const begun = world.now();
  const saves = (/** @type {SideEffect} */ fact) => fact.type === "download" && fact.from === tabId;
  for (;;) {
    const tab = await world.ask("tab.get", { tabId }).catch(() => null);
    if (!tab) {
      // The browser closes a tab that was only for a download, often before the download is told.
      if (!facts.some(saves)) await comesSoon(ctx, run.at, saves);
      return false;
    }
    const most = tab.url ? SOON_MS : GETS_PAGE_MS; // a page may write into a blank one
    if ((tab.url && tab.url !== "about:blank") || world.now() - begun > most) return true;
    if ([...facts, ...(world.sideEffects?.heardSoFar(run.at) ?? [])].some(saves)) {
      await world.ask("tab.close", { tabId, next: run.at }, { once: true }).catch(() => undefined);
      return false;
    }
    await world.sleep(25, signal);
  }
}

/**
 * The run goes on in a tab that was opened, unless no page comes there.
 *
 * @param {Context} ctx @param {number} tabId @param {SideEffect[]} [facts] heard already; what is heard meanwhile is added
 */
export async function continueInTab(ctx, tabId, facts = []) {
  const there = await getsPage(ctx, tabId, facts);
  facts.push(...(ctx.world.sideEffects?.take(ctx.run.at) ?? []));
  if (there) switchToTab(ctx, tabId);
}

/**
 * What came of an action beside its document. A tab that it opened is followed, unless it is closed
 * again already.
 *
 * @param {Context} ctx
 * @returns {Promise<{dialogs: DialogTold[], downloads: DownloadTold[], failed: string | null}>} `failed`: the error of a navigation that came to nothing
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

/** @param {Context} ctx the page is the person's again, @param {"rest" | "stop"} [how] for now or for good */
export async function disarmPage(ctx, how = "stop") {
  ctx.world.sideEffects?.[how](ctx.run.at);
  await ctx.world.ask("page.disarm", { tabId: ctx.run.at }, { once: true, ms: ARM_MS }).catch(() => undefined);
}

/** @param {Context} ctx a run that has ended: nothing in the page answers for it, no file waits for it */
export async function cleanUp(ctx) {
  if (!ctx.world.sideEffects) return;
  await Promise.allSettled([disarmPage(ctx), ctx.world.files?.forget(ctx.run.tabId)]);
}

/**
 * The tabs that belong to the run, for the server: its own and those it went through. Of the
 * person's other tabs nothing is told.
 *
 * @param {Context} ctx
 */
export async function runTabs(ctx) {
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
