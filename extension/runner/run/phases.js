import { executeAction, navigationFailure } from "./actions.js";
import { deadlineOf, ANSWERED_ELSEWHERE, retryHint } from "../../shared/question_text.js";
import { elementsOf, popupOpeners, requestBody, withoutSecrets } from "./request_body.js";
import { feedbackOf, nextItem, startChain, withIntent, withMore, withResult } from "./chain.js";
import { Problem, afterFailure } from "../server/client.js";
import { collectSideEffects, disarmPage, runTabs, withContents } from "./side_effects.js";
import { observePage, settle } from "./look.js";
import { pageInMode, unpromptedScreenshot } from "./page_forms.js";
import { againNotice, handOverNotice } from "../server/problems.js";
import { AFTER_ACTION, AFTER_OPENING, beginActing, WITHIN_CHAIN } from "./settle.js";
import { awaitFile } from "./upload.js";

/** @import { ActionEvent, ActionResult, ClientObservations, DomMode, DoneEvent, ErrorEvent, Feedback, TerminalEvent } from "../../types/wire" */
/** @import { Context, Phase } from "../../types/run" */

const POINTS = ["x", "x1", "points"]; // arguments that name a point in the window
const MOST_FORMS = 6; // page forms the server may ask for in one step; it asks for fewer itself

/** Kinds of notice that contact with the server does not clear. @type {Set<string | undefined>} */
const STAYS = new Set([undefined, "frames", "model"]);

/** @param {Context} ctx observes the page and saves the next request */
async function observe(ctx) {
  const { run, world } = ctx;
  ctx.show({ type: "thinking", text: "Reading the page…" });
  if (run.wanted?.sent) delete run.wanted; // left over from an earlier step
  const settledAlready = run.feedback.clientObservations !== undefined;
  const seen = await observePage(ctx, !settledAlready);
  if (run.feedback.lastActionId) await disarmPage(ctx, "rest");
  Object.assign(run.feedback, await runTabs(ctx));
  ctx.signal.throwIfAborted();
  run.nextId = seen.nextId;
  run.urlBefore = seen.url;
  run.openers = [...popupOpeners(seen)];
  ctx.show({ type: "url", url: seen.url });
  if (run.lookMs) ctx.show({ type: "looked", lookMs: run.lookMs });
  const form = run.wanted ? await pageInMode(ctx, run.wanted, seen) : await unpromptedScreenshot(ctx, seen);
  ctx.signal.throwIfAborted();
  if (run.wanted) run.wanted.sent = true;
  run.phase = "request";
  await world.journal.saveWithBody(run, requestBody(run, seen, world.uuid(), form));
}

/** @param {ErrorEvent} event an error sent within the stream */
function problemOf({ message, problem }) {
  return new Problem(problem?.status ?? 400, problem?.code ?? "FAILED", problem?.detail ?? message, null, problem?.handOver);
}

/**
 * Sends the saved request and returns the answer. Retries use the same `requestId` and body, so that the
 * server handles the request once.
 *
 * @param {Context} ctx @param {string} body @returns {Promise<TerminalEvent>} raises `Problem`
 */
async function deliver(ctx, body) {
  for (let tries = 0; ; tries++) {
    const settings = await ctx.world.journal.settings();
    try {
      const event = await ctx.world.interact({
        settings,
        body,
        taskId: ctx.run.taskId,
        signal: ctx.signal,
        onStatus: (status) => {
          if (ctx.signal.aborted && ctx.run.phase !== "ended") return; // this request was replaced by a new task
          if (status.taskId && !ctx.run.taskId) Object.assign(ctx.run, { taskId: status.taskId, named: true });
          if (!STAYS.has(ctx.run.view.notice?.kind)) ctx.show({ type: "notice", notice: null });
          if (status.docsFound?.length) ctx.show({ type: "docs", titles: status.docsFound.map(({ title }) => title), at: Date.now() });
          ctx.show({ type: "thinking", text: status.message });
        },
      });
      if (event.type === "error") throw problemOf(event);
      return event;
    } catch (error) {
      ctx.signal.throwIfAborted();
      const next = afterFailure(error, tries);
      if (!next.again) throw next.problem;
      ctx.show({ type: "notice", notice: againNotice(error, settings.serverUrl, next.delayMs) });
      await ctx.rest(next.delayMs);
    }
  }
}

/**
 * A server that restarted may not know a task that was stopped before its first answer: the task starts over.
 *
 * @param {Context} ctx @param {unknown} error @returns {null} throws any other error again
 */
function restartForgotten({ run }, error) {
  if (!run.named || !(error instanceof Problem) || error.code !== "NOT_FOUND") throw error;
  Object.assign(run, { taskId: null, named: false, phase: "observe" });
  return null;
}

/**
 * The person took the task over somewhere else, such as the console: the run pauses here too.
 *
 * @param {Context} ctx @param {unknown} error @returns {boolean} false for any other error
 */
function pauseIfTakenOver({ run, show }, error) {
  if (!(error instanceof Problem) || error.code !== "TASK_PAUSED") return false;
  Object.assign(run, { phase: "paused", held: true });
  show({ type: "held" });
  return true;
}

/**
 * The server refused the person's answer: it was answered elsewhere first, it expired, or it is not valid.
 *
 * @param {Context} ctx @param {unknown} error @returns {boolean} false for any other error
 */
function handleRefusedAnswer({ run, world, show }, error) {
  const { asked } = run;
  if (!asked || !run.feedback.hitlResponse || !(error instanceof Problem)) return false;
  const at = world.now();
  if (error.code === "HITL_NOT_PENDING") {
    show({ type: "answered", line: ANSWERED_ELSEWHERE, at });
    run.phase = "observe";
  } else if (error.code === "HITL_EXPIRED") {
    run.phase = "ended";
    show({ type: "lapsed", question: asked.question, at });
  } else if (error.status === 422 || error.status === 400) {
    run.phase = "assist";
    show({ type: "asked-again", ...asked, hint: retryHint(asked.question, error.detail) });
  } else return false;
  run.feedback = {};
  delete run.asked;
  return true;
}

/** @param {Context} ctx sends the saved request and handles the answer */
async function request(ctx) {
  const { run, world } = ctx;
  const body = await world.journal.body(run.tabId);
  ctx.signal.throwIfAborted();
  if (body === undefined) {
    run.phase = "observe";
    return;
  }
  const event = await deliver(ctx, body).catch((error) => (pauseIfTakenOver(ctx, error) || handleRefusedAnswer(ctx, error) ? null : restartForgotten(ctx, error)));
  ctx.signal.throwIfAborted();
  if (event === null) return ctx.save();
  delete run.asked;
  delete run.named;
  delete run.beginning; // it may hold a secret and is no longer needed
  const feedback = run.feedback;
  run.feedback = {};
  run.taskId = event.taskId ?? run.taskId;
  if (event.sessionId && event.sessionId !== run.sessionId) {
    run.sessionId = event.sessionId;
    await world.journal.keepSession(event.sessionId);
  }
  if (event.type === "action" && event.requestedDomMode) resendInForm(ctx, event, feedback, body);
  else handleAnswer(ctx, event, body);
  await ctx.save();
}

/**
 * The server wants the page in another form before it decides: the same feedback is sent again with that form.
 *
 * @param {Context} ctx @param {ActionEvent} event @param {Feedback} told the feedback that was sent @param {string} body the request
 */
function resendInForm(ctx, event, told, body) {
  const { run, world } = ctx;
  const times = (run.wanted?.times ?? 0) + 1;
  if (times > MOST_FORMS) throw new Problem(400, "ASKED_TOO_OFTEN", `The server asked more than ${MOST_FORMS} times in one step to see the page in another form`);
  const { hitlResponse, downloads, ...again } = told; // an answer and a download are reported only once
  run.feedback = again;
  run.wanted = { mode: /** @type {DomMode} */ (event.requestedDomMode), sent: false, times, events: JSON.parse(body).recentEvents };
  run.phase = "observe";
  ctx.show({ type: "answer", event, elements: {}, at: world.now() });
}

/** Handles a final event. @param {Context} ctx @param {TerminalEvent} event @param {string} body the request it answers */
function handleAnswer(ctx, event, body) {
  const { run, world } = ctx;
  delete run.wanted;
  if (event.type === "interrupt") {
    run.phase = "assist";
    const at = world.now();
    ctx.show({ type: "question", event, until: deadlineOf(event, at), at });
    return;
  }
  const answer = /** @type {ActionEvent | DoneEvent} */ (event);
  if (answer.type === "action") {
    const event = { ...answer, actions: withoutSecrets(body, answer.actions) };
    ctx.show({ type: "answer", event, elements: elementsOf(body, answer.actions), at: world.now() });
    run.chain = startChain(answer.actions);
    run.phase = "act";
    return;
  }
  run.phase = "ended";
  ctx.show({ type: "answer", event: answer, elements: {}, at: world.now() });
  const result = answer.result ?? "";
  ctx.show({ type: "ended", state: answer.status, result, at: world.now(), notice: handOverNotice(answer.handOver) });
}

/** @param {Context} ctx @param {ActionResult} result of the current action of the chain */
async function recordResult(ctx, result) {
  const { run, world } = ctx;
  if (!run.chain) return;
  const { actionId } = run.chain.items[run.chain.cursor];
  run.chain = withResult(run.chain, result);
  ctx.show({ type: "acted", actionId, result, at: world.now() });
  await ctx.save();
}

/** @type {ActionResult} */
const CUT_OFF = {
  status: "unknown",
  error: { code: "CUT_OFF", message: "The extension was cut off while acting" },
};

/** @param {Context} ctx runs the actions in order; one that was begun before a restart is never repeated */
async function act(ctx) {
  const { run } = ctx;
  if (run.chain?.intent) await recordResult(ctx, CUT_OFF);
  if (run.chain?.cursor === 0) await beginActing(ctx);
  for (let item = run.chain && nextItem(run.chain); item && run.chain; item = nextItem(run.chain)) {
    ctx.signal.throwIfAborted();
    if (run.chain.cursor > 0) showSettled(ctx, await settle(ctx, WITHIN_CHAIN));
    const { actionId } = item;
    ctx.show({ type: "thinking", text: run.view.steps.find((step) => step.id === actionId)?.text ?? null });
    await awaitFile(ctx, item);
    run.chain = withIntent(run.chain);
    await ctx.save();
    ctx.signal.throwIfAborted();
    const result = await executeAction(ctx, item);
    ctx.signal.throwIfAborted();
    await recordResult(ctx, result);
  }
  ctx.signal.throwIfAborted(); // whatever aborted the run has already set its phase
  run.phase = "settle";
  await ctx.save();
}

/** @param {Context} ctx @param {ClientObservations} observations with how long the wait after the last action was */
function showSettled(ctx, { settle: settled }) {
  const last = ctx.run.chain?.results.at(-1);
  if (last && settled) ctx.show({ type: "settled", actionId: last.actionId, settled });
}

/** @param {Context} ctx waits until the page settles and saves what to report */
async function settleAndReport(ctx) {
  const { run } = ctx;
  ctx.show({ type: "thinking", text: "Waiting for the page…" });
  let chain = run.chain ?? startChain([]);
  const opens = chain.items.some(({ actionDetails: { args } }) => run.openers.includes(String(args.id)));
  const limits = opens ? AFTER_OPENING : AFTER_ACTION;
  let clientObservations = await settle(ctx, limits);
  const where = run.at;
  const { dialogs, downloads, failed } = await collectSideEffects(ctx);
  if (run.at !== where) clientObservations = await settle(ctx, limits);
  chain = withMore(chain, { dialogs, downloads, ...navigationFailure(failed) });
  ctx.signal.throwIfAborted();
  showSettled(ctx, clientObservations);
  const { downloads: saved, ...feedback } = feedbackOf(chain);
  run.feedback = { ...feedback, ...(saved ? { downloads: await withContents(ctx, saved) } : {}), clientObservations };
  run.pointed = chain.items.some(({ actionDetails: { args } }) => POINTS.some((name) => name in args));
  run.chain = null;
  run.phase = "observe";
  await ctx.save();
}

/** What a run does in each phase; in `assist`, `paused` and `ended` it waits for the person. @type {Partial<Record<Phase, (ctx: Context) => Promise<void>>>} */
export const PHASES = { observe, request, act, settle: settleAndReport };
