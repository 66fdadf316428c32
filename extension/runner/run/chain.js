/** @import { ActionResult, Chain, Feedback, PlannedAction } from "../../types/wire" */

/** @param {PlannedAction[]} items @returns {Chain} */
export function startChain(items) {
  return { items, cursor: 0, intent: null, results: [] };
}

/** @param {Chain} chain whether it stopped early: at a failure that may not be, or at an unknown */
function stopped(chain) {
  const last = chain.results.at(-1);
  if (!last || last.status === "success") return false;
  return last.status === "unknown" || !chain.items[last.index]?.canFail;
}

/** @param {Chain} chain @returns {PlannedAction | null} what to do next, null when it is over */
export function nextItem(chain) {
  return stopped(chain) ? null : (chain.items[chain.cursor] ?? null);
}

/** @param {Chain} chain the chain with its next action marked as begun @returns {Chain} */
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

/** @param {Chain} chain @param {Partial<ActionResult>} more learned of its last action afterwards @returns {Chain} */
export function withMore(chain, more) {
  const last = chain.results.at(-1);
  if (!last) return chain;
  const dialogs = [...(last.dialogs ?? []), ...(more.dialogs ?? [])];
  const downloads = [...(last.downloads ?? []), ...(more.downloads ?? [])];
  const both = { ...(dialogs.length > 0 ? { dialogs } : {}), ...(downloads.length > 0 ? { downloads } : {}) };
  return { ...chain, results: [...chain.results.slice(0, -1), { ...last, ...more, ...both }] };
}

/**
 * What to report of a chain that is over. One that went through reports its last success, even if
 * an action marked `canFail` failed after it.
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
