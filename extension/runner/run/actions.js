import { Refusal } from "../../shared/messages.js";
import { LEAVES } from "../page/frame_actions.js";
import { collectSideEffects, continueInTab, armPage, switchToTab, runTabs } from "./side_effects.js";
import { PageGone, PageRefused, PageSilent } from "../page/pages.js";
import { upload } from "./upload.js";

/** @import { WorkerRequests } from "../../types/messages" */
/** @import { ActionResult, PlannedAction } from "../../types/wire" */
/** @import { Context, PageClient } from "../../types/run" */

const LONGEST_WAIT_MS = 30_000;
const LEAVE_MS = 10_000; // how long a navigation may take to replace the document
const ACT_MS = 15_000;
const OUTLINE_MS = 600;

/** @param {string} code @param {string} message @returns {ActionResult} */
const failure = (code, message) => ({ status: "failure", error: { code, message } });

/** @type {ActionResult} */
const SUCCESS = { status: "success" };

/** Actions that do not touch the page. */
const WITHOUT_PAGE = new Set(["wait", "verifySuccess", "finish", "fail", "extract", "find", "read", "googleSearch"]);

/** @param {Context} ctx @returns {string | null} why the navigation of the run's tab failed */
function navigationError(ctx) {
  const facts = ctx.world.sideEffects?.soFar(ctx.run.at) ?? [];
  return facts.flatMap((fact) => (fact.type === "failed" ? [fact.error] : [])).at(-1) ?? null;
}

/** Whether a file was downloaded instead of a page. @param {Context} ctx */
const hasDownload = (ctx) => (ctx.world.sideEffects?.soFar(ctx.run.at) ?? []).some(({ type }) => type === "download");

/** @param {unknown} url */
function isWeb(url) {
  return URL.canParse(String(url)) && /^https?:$/.test(new URL(String(url)).protocol);
}

/**
 * Waits until the document is being replaced, or the address changed within it.
 *
 * @param {Context} ctx @param {PageClient | null} page @param {string} before its address
 * @returns {Promise<boolean>} false if nothing happened in time
 */
async function waitUntilLeft(ctx, page, before) {
  const deadline = ctx.world.now() + LEAVE_MS;
  while (page?.alive && !navigationError(ctx) && ctx.world.now() < deadline) {
    if (hasDownload(ctx)) return true;
    const tab = await ctx.world.ask("tab.get", { tabId: ctx.run.at });
    if (tab.status === "complete" && tab.url !== before) return true;
    await ctx.world.sleep(50, ctx.signal);
  }
  return !page?.alive;
}

/**
 * Has the worker replace the document.
 *
 * @template {"tab.navigate" | "tab.goBack"} K
 * @param {Context} ctx @param {K} name @param {Omit<WorkerRequests[K][0], "tabId">} params
 */
async function leave(ctx, name, params) {
  const page = await ctx.world.pages.page(ctx.run.at).catch(() => null);
  await ctx.world.ask(name, /** @type {WorkerRequests[K][0]} */ ({ tabId: ctx.run.at, ...params }), { once: true });
  const moved = await waitUntilLeft(ctx, page, ctx.run.urlBefore);
  if (navigationError(ctx)) return failure("NAVIGATION_BLOCKED", `The page could not be opened: ${navigationError(ctx)}`);
  return moved ? SUCCESS : failure("TIMEOUT", `The page was still there after ${LEAVE_MS / 1000} s`);
}

/** @type {Record<string, (ctx: Context, args: Record<string, any>) => Promise<ActionResult>>} */
const OUTSIDE = {
  async wait(ctx, { ms }) { // a fixed time; waiting for something is done in the page
    await ctx.world.sleep(Math.min(Math.max(Number(ms) || 0, 0), LONGEST_WAIT_MS), ctx.signal);
    return SUCCESS;
  },
  async navigate(ctx, { url }) {
    if (!isWeb(url)) return failure("INVALID_URL", `Only web addresses can be opened, not ${url}`);
    return leave(ctx, "tab.navigate", { url });
  },
  goBack: (ctx) => leave(ctx, "tab.goBack", {}),
  async openTab(ctx, { url }) {
    if (!isWeb(url)) return failure("INVALID_URL", `Only web addresses can be opened, not ${url}`);
    /** @type {import("../../types/run").SideEffect[]} */
    const facts = [];
    await continueInTab(ctx, await ctx.world.ask("tab.open", { tabId: ctx.run.at, url }, { once: true }), facts);
    for (const fact of facts) ctx.world.sideEffects?.record(ctx.run.at, fact); // so that collectSideEffects finds them
    return SUCCESS;
  },
  async switchTab(ctx, { index }) {
    // The person's other tabs are off limits, and the server does not know them.
    const { tabs = [] } = await runTabs(ctx);
    if (!tabs.some((tab) => tab.index === Number(index))) return failure("NOT_ALLOWED", `Tab ${index} is none of those the task works in`);
    switchToTab(ctx, await ctx.world.ask("tab.switch", { tabId: ctx.run.at, index }));
    return SUCCESS;
  },
  async closeTab(ctx) {
    const closing = ctx.run.at;
    if (closing === ctx.run.tabId) {
      return failure("NOT_ALLOWED", "The tab that the task was started in stays open");
    }
    const next = ctx.run.tabs?.at(-1) ?? ctx.run.tabId;
    await ctx.world.ask("tab.close", { tabId: closing, next }, { once: true }); // before the run leaves it: then its page may show dialogs again
    switchToTab(ctx, next);
    ctx.run.tabs = ctx.run.tabs?.filter((tabId) => tabId !== closing && tabId !== next);
    return SUCCESS;
  },
  // Decided by the server: there is nothing to do here.
  verifySuccess: async () => SUCCESS,
  finish: async () => SUCCESS,
  fail: async () => SUCCESS,
  extract: async () => SUCCESS,
  googleSearch: async () => SUCCESS,
};

/**
 * The result of an action whose document went away before it answered: a new document in its place is evidence that it succeeded.
 *
 * @param {Context} ctx @param {string} name @returns {Promise<ActionResult>}
 */
async function resultAfterDeath(ctx, name) {
  const unknown = /** @type {ActionResult} */ ({
    status: "unknown",
    error: { code: "PAGE_GONE", message: "The page went away before it answered" },
  });
  if (!LEAVES.has(name)) return unknown;
  const deadline = ctx.world.now() + LEAVE_MS;
  while (ctx.world.now() < deadline) {
    try {
      const page = await ctx.world.pages.page(ctx.run.at);
      return page.documentId === ctx.run.documentId ? unknown : SUCCESS;
    } catch (error) {
      // A page that may not be read is another page than the one acted on.
      if (error instanceof Refusal && error.code === "NO_PERMISSION") return SUCCESS;
      if (error instanceof Refusal && error.code === "TAB_GONE") return unknown;
      await ctx.world.sleep(100, ctx.signal);
    }
  }
  return unknown;
}

/** Outlines what is about to be touched, without waiting. @param {PageClient} page @param {PlannedAction} item */
function outline(page, { actionDetails: { args } }) {
  const ids = [args.id, args.targetId].flatMap((id) => (typeof id === "string" && id !== "page" ? [id] : []));
  if (ids.length > 0) page.request("outline", { ids, ms: OUTLINE_MS }).catch(() => undefined);
}

const NOTE_CHARS = 300;

/** @param {{note?: string, unanswered?: boolean}} reply @returns {Partial<ActionResult>} the note of an action that succeeded */
function noteOf({ note, unanswered }) {
  return note ? { note: { code: unanswered ? "NOTHING_ANSWERED" : "NOTED", message: note.slice(0, NOTE_CHARS) } } : {};
}

/** @param {Context} ctx @param {PlannedAction} item @returns {Promise<ActionResult>} */
async function runInPage(ctx, item) {
  const { name, args } = item.actionDetails;
  const page = await ctx.world.pages.page(ctx.run.at);
  if (page.documentId !== ctx.run.documentId) {
    return failure("ELEMENT_NOT_FOUND", "The page was replaced before the action");
  }
  outline(page, item);
  const halt = () => void page.request("halt").catch(() => undefined);
  ctx.signal.addEventListener("abort", halt, { once: true });
  try {
    const reply =
      name === "uploadFile"
        ? await upload(ctx, page, { id: String(args.id), name: String(args.name), ...(args.text === undefined ? {} : { text: String(args.text) }) })
        : await page.request("act", { actionId: item.actionId, name, args, grave: item.grave }, name === "wait" ? Number(args.ms) + ACT_MS : ACT_MS);
    return { status: reply.status, ...(reply.error ? { error: reply.error } : {}), ...noteOf(reply) };
  } catch (error) {
    if (error instanceof PageGone) return resultAfterDeath(ctx, name);
    if (error instanceof PageRefused) return failure(error.code, error.message);
    if (error instanceof PageSilent) {
      return { status: "unknown", error: { code: "TIMEOUT", message: error.message } };
    }
    throw error;
  } finally {
    ctx.signal.removeEventListener("abort", halt);
  }
}

/**
 * Executes one action, once, and collects its side effects. Its intent is in the journal before this is called.
 *
 * @param {Context} ctx @param {PlannedAction} item @returns {Promise<ActionResult>}
 */
export async function executeAction(ctx, item) {
  if (!WITHOUT_PAGE.has(item.actionDetails.name)) await armPage(ctx, item);
  const result = await attempt(ctx, item);
  const { dialogs, downloads, failed } = await collectSideEffects(ctx);
  const known = result.status === "success" ? { ...result, ...navigationFailure(failed) } : result;
  return { ...known, ...(dialogs.length > 0 ? { dialogs } : {}), ...(downloads.length > 0 ? { downloads } : {}) };
}

const ABORTED = "net::ERR_ABORTED"; // also what a download, or a newer navigation, ends with

/** @param {string | null} error of a navigation @returns {Partial<ActionResult>} the failure of the action that caused it */
export function navigationFailure(error) {
  if (error === null || error === ABORTED) return {};
  return failure("NAVIGATION_BLOCKED", `The page could not be opened: ${error}`);
}

/** @param {Context} ctx @param {PlannedAction} item @returns {Promise<ActionResult>} */
async function attempt(ctx, item) {
  const { name, args } = item.actionDetails;
  try {
    const outside = Object.hasOwn(OUTSIDE, name) && args.shows === undefined;
    return await (outside ? OUTSIDE[name](ctx, args) : runInPage(ctx, item));
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    if (error instanceof Refusal) return failure(error.code, error.message);
    if (error instanceof PageGone) return failure("ELEMENT_NOT_FOUND", error.message);
    const message = error instanceof Error ? error.message : String(error);
    return { status: "unknown", error: { code: "NOT_ANSWERED", message } };
  }
}
