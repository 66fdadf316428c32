import { execute } from "./acts.js";
import { afterFailure } from "./backoff.js";
import { elementsOf, popupOpeners, requestBody, withoutSecrets } from "./body.js";
import { feedbackOf, nextItem, startChain, withIntent, withResult } from "./chain.js";
import { Problem } from "./client.js";
import { look, settle } from "./look.js";
import { AFTER_ACTION, AFTER_OPENING, WITHIN_CHAIN } from "./stability.js";

/** @import { ActionEvent, ActionResult, DoneEvent, ErrorEvent, TerminalEvent } from "../types/wire" */
/** @import { Context, Notice, Phase } from "../types/run" */

/** @param {Context} ctx looks at the page and writes down what will be asked */
async function observe(ctx) {
  const { run, world } = ctx;
  ctx.show({ type: "thinking", text: "Reading the page…" });
  const settledAlready = run.feedback.clientObservations !== undefined;
  const seen = await look(ctx, !settledAlready);
  ctx.signal.throwIfAborted();
  run.nextId = seen.nextId;
  run.urlBefore = seen.url;
  run.openers = [...popupOpeners(seen)];
  ctx.show({ type: "url", url: seen.url });
  run.phase = "request";
  await world.journal.saveWithBody(run, requestBody(run, seen, world.uuid()));
}

/** @param {ErrorEvent} event an error that came within the stream, as the problem it is */
function problemOf({ message, problem }) {
  return new Problem(problem?.status ?? 400, problem?.code ?? "FAILED", problem?.detail ?? message);
}

/** @param {string} server @param {number} ms @param {boolean} busy @returns {Notice} */
function awayNotice(server, ms, busy) {
  const text = busy
    ? `The server is busy with this task; trying again in ${Math.round(ms / 1000) || 1} s.`
    : `The server at ${server} does not answer; trying again in ${ms < 1000 ? "a moment" : `${Math.round(ms / 1000)} s`}.`;
  return { kind: "offline", text, button: { label: "Try now", does: "retry" } };
}

/**
 * Gets the answer to the request in the journal, however often it must be repeated: with the same
 * `requestId` and body, so that the server works on it once.
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
        signal: ctx.signal,
        onStatus: (status) => {
          if (ctx.run.view.notice) ctx.show({ type: "notice", notice: null });
          ctx.show({ type: "thinking", text: status.message });
        },
      });
      if (event.type === "error") throw problemOf(event);
      return event;
    } catch (error) {
      ctx.signal.throwIfAborted();
      const next = afterFailure(error, tries);
      if (!next.again) throw next.problem;
      ctx.show({ type: "notice", notice: awayNotice(settings.serverUrl, next.delayMs, next.busy) });
      await ctx.rest(next.delayMs);
    }
  }
}

/** @param {Context} ctx asks the server and takes its answer */
async function request(ctx) {
  const { run, world } = ctx;
  const body = await world.journal.body(run.tabId);
  if (body === undefined) {
    run.phase = "observe";
    return;
  }
  const event = await deliver(ctx, body);
  ctx.signal.throwIfAborted();
  run.feedback = {};
  run.taskId = event.taskId ?? run.taskId;
  if (event.sessionId && event.sessionId !== run.sessionId) {
    run.sessionId = event.sessionId;
    await world.journal.keepSession(event.sessionId);
  }
  take(ctx, event, body);
  await ctx.save();
}

/** @param {Context} ctx @param {TerminalEvent} event @param {string} body the request it answers */
function take(ctx, event, body) {
  const { run, world } = ctx;
  if (event.type === "interrupt") {
    run.phase = "assist";
    ctx.show({ type: "question", event });
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
  ctx.show({ type: "ended", state: answer.status, result, at: world.now() });
}

/** @param {Context} ctx @param {ActionResult} result of the action at the chain's cursor */
async function record(ctx, result) {
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

/** @param {Context} ctx carries out the actions in order; one begun in an earlier life is never repeated */
async function act(ctx) {
  const { run } = ctx;
  if (run.chain?.intent) await record(ctx, CUT_OFF);
  for (let item = run.chain && nextItem(run.chain); item && run.chain; item = nextItem(run.chain)) {
    ctx.signal.throwIfAborted();
    if (run.chain.cursor > 0) await settle(ctx, WITHIN_CHAIN);
    const { actionId } = item;
    ctx.show({ type: "thinking", text: run.view.steps.find((step) => step.id === actionId)?.text ?? null });
    run.chain = withIntent(run.chain);
    await ctx.save();
    ctx.signal.throwIfAborted();
    const result = await execute(ctx, item);
    ctx.signal.throwIfAborted();
    await record(ctx, result);
  }
  run.phase = "settle";
  await ctx.save();
}

/** @param {Context} ctx waits for the page and writes down what to report */
async function settled(ctx) {
  const { run } = ctx;
  ctx.show({ type: "thinking", text: "Waiting for the page…" });
  const chain = run.chain ?? startChain([]);
  const opens = chain.items.some(({ actionDetails: { args } }) => run.openers.includes(String(args.id)));
  const clientObservations = await settle(ctx, opens ? AFTER_OPENING : AFTER_ACTION);
  ctx.signal.throwIfAborted();
  run.feedback = { ...feedbackOf(chain), previousUrl: run.urlBefore, clientObservations };
  run.chain = null;
  run.phase = "observe";
  await ctx.save();
}

/** What a run does in each phase; `assist` and `ended` wait for the person. @type {Partial<Record<Phase, (ctx: Context) => Promise<void>>>} */
export const PHASES = { observe, request, act, settle: settled };
