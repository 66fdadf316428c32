import { settle } from "./look.js";

/** @import { Context, Run } from "../../types/run" */
/** @import { ActionResult, Chain, Feedback, PlannedAction } from "../../types/wire" */

/** @param {PlannedAction[]} items @returns {Chain} */
export function startChain(items) {
  return { items, cursor: 0, intent: null, results: [] };
}

/** Whether the chain stopped early: at a failure without `canFail`, or at an unknown result. @param {Chain} chain */
function stopped(chain) {
  const last = chain.results.at(-1);
  if (!last || last.status === "success") return false;
  return last.status === "unknown" || !chain.items[last.index]?.canFail;
}

/** @param {Chain} chain @returns {PlannedAction | null} the next action; null when the chain is over */
export function nextItem(chain) {
  return stopped(chain) ? null : (chain.items[chain.cursor] ?? null);
}

/** Marks the next action as started. @param {Chain} chain @returns {Chain} */
export function withIntent(chain) {
  return { ...chain, intent: chain.items[chain.cursor].actionId };
}

/** @param {Chain} chain @param {ActionResult} result of the action at the cursor @returns {Chain} */
export function withResult(chain, result) {
  const index = chain.cursor;
  const { actionId, action } = chain.items[index];
  const entry = { ...result, actionId, action, index };
  return { ...chain, cursor: index + 1, intent: null, results: [...chain.results, entry] };
}

/** @param {Chain} chain @param {Partial<ActionResult>} more learned later about its last action @returns {Chain} */
export function withMore(chain, more) {
  const last = chain.results.at(-1);
  if (!last) return chain;
  const dialogs = [...(last.dialogs ?? []), ...(more.dialogs ?? [])];
  const downloads = [...(last.downloads ?? []), ...(more.downloads ?? [])];
  const both = { ...(dialogs.length > 0 ? { dialogs } : {}), ...(downloads.length > 0 ? { downloads } : {}) };
  return { ...chain, results: [...chain.results.slice(0, -1), { ...last, ...more, ...both }] };
}

/**
 * The report on a finished chain. A completed one reports its last success, even if a `canFail` action failed after it.
 *
 * @param {Chain} chain @returns {Feedback}
 */
export function feedbackOf(chain) {
  const succeeded = chain.results.filter((result) => result.status === "success");
  const last = stopped(chain) ? chain.results.at(-1) : (succeeded.at(-1) ?? chain.results.at(-1));
  if (!last) return {};
  /** @type {Feedback} */
  const feedback = { lastActionId: last.actionId, lastActionStatus: last.status };
  if (last.error) feedback.lastActionError = last.error;
  if (last.note) feedback.lastActionNote = last.note;
  const reached = succeeded.at(-1);
  if (reached) feedback.lastExecutedActionIndex = reached.index;
  const dialogs = chain.results.flatMap((result) => result.dialogs ?? []);
  if (dialogs.length > 0) feedback.dialogs = dialogs;
  const downloads = chain.results.flatMap((result) => result.downloads ?? []);
  if (downloads.length > 0) feedback.downloads = downloads;
  if (chain.items.length > 1 && succeeded.length < chain.items.length) {
    feedback.chainPartialState = {
      executedActions: succeeded.map((result) => result.action),
      totalActionsInChain: chain.items.length,
    };
  }
  return feedback;
}

/** A short wait, so that the person can take over at once; effects that have not shown by then are unknown. */
const AT_ONCE = { leastMs: 0, mostMs: 250, domQuietMs: 100, networkQuietMs: 100 };
const MOST_MS = 1_000; // for a page that does not answer at all

/**
 * The report when a stopped or interrupted run continues: an action that had started may or may not have happened, one that had not
 * did not. The page is observed again, so earlier observations are dropped; a question without a confirmed answer is asked again.
 *
 * @param {Run} run @returns {Feedback}
 */
export function feedbackAfterStop(run) {
  const { clientObservations: _witnessed, hitlResponse: _answer, ...kept } = run.feedback;
  if (!run.chain) return kept;
  const stopped = run.phase === "paused" ? "The person took over" : "The person stopped";
  const who = run.lost ? "Tabwright was cut off" : stopped;
  const feedback = feedbackOf(run.chain);
  if (run.chain.intent) {
    const error = { code: "CUT_OFF", message: `${who} while this was under way` };
    return { ...feedback, lastActionId: run.chain.intent, lastActionStatus: "unknown", lastActionError: error };
  }
  if (run.chain.results.length > 0) return feedback;
  const error = { code: "STOPPED", message: `${who} before this action` };
  return { lastActionId: run.chain.items[0]?.actionId, lastActionStatus: "failure", lastActionError: error };
}

/**
 * The report when the person takes over: an action whose effect has not shown yet may or may not take effect, and what the page does
 * from now on says nothing about it.
 *
 * @param {Context} ctx @returns {Promise<Feedback>}
 */
export async function feedbackAtTakeOver(ctx) {
  const { run } = ctx;
  const feedback = feedbackAfterStop(run);
  if (!run.chain || run.chain.intent || run.chain.results.length === 0) return feedback;
  const late = ctx.world.sleep(MOST_MS, ctx.signal).then(() => null);
  const clientObservations = await Promise.race([settle(ctx, AT_ONCE), late]);
  const witnessed = clientObservations ? { clientObservations } : {};
  const settled = clientObservations?.settle?.timedOut === false;
  if (settled || feedback.lastActionStatus !== "success") return { ...feedback, ...witnessed };
  const { lastActionNote: _note, ...rest } = feedback;
  const error = { code: "CUT_OFF", message: "The person took over before its effect could be seen" };
  const actionId = feedback.lastActionId ?? "";
  ctx.show({ type: "acted", actionId, result: { status: "unknown", error }, at: ctx.world.now() });
  return { ...rest, lastActionStatus: "unknown", lastActionError: error, ...witnessed };
}
