import { feedbackOf } from "./chain.js";
import { settle } from "./look.js";

/** @import { Feedback } from "../../types/wire" */
/** @import { Context, Run } from "../../types/run" */

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
