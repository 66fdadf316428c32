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
