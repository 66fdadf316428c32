import { personActText, askedStep, NOBODY_ANSWERED, dialogStep } from "../../shared/question_text.js";
import { adviceSteps, documentsStep, planChangeStep, correctionText } from "../../shared/step_lines.js";

/** @import { ActionEvent, DoneEvent, InterruptEvent, PlannedAction, Usage, Verification } from "../../types/wire" */
/** @import { Mark, Notice, Step, View, ViewEvent } from "../../types/run" */

/** The view's fields about waiting for the person, when nothing is waited for. */
const NOT_WAITING = { question: null, until: null, chosen: [], hint: "", away: false, lapsed: null, held: false };

/** @param {Step[]} steps @param {Step} line added only if it is not there yet @returns {Step[]} */
const withLine = (steps, line) => (steps.some(({ id }) => id === line.id) ? steps : [...steps, line]);

/** @param {View} view @param {InterruptEvent} question @param {number | null} until @param {number} at @returns {View} */
function withQuestion(view, question, until, at) {
  return { ...view, ...NOT_WAITING, state: "waiting", thinking: null, question, until, steps: withLine(view.steps, askedStep(question, at)) };
}

/** @param {View} view @param {string} line how the open question was answered @param {number} at */
function withAnswer(view, line, at) {
  const { question } = view;
  const line_ = dialogStep(`${question?.hitlId ?? at}/said`, "talk", line, at);
  return withLine(view.steps, { ...line_, thought: question?.message ?? "" });
}

/**
 * The view after an event about waiting for the person.
 *
 * @param {View} view @param {ViewEvent} event @returns {View | null} null for any other event
 */
function reduceAsking(view, event) {
  switch (event.type) {
    case "chosen":
      return { ...view, chosen: event.chosen };
    case "away":
      return { ...view, away: event.away };
    case "answered":
      return { ...view, ...NOT_WAITING, state: "running", steps: withAnswer(view, event.line, event.at) };
    case "asked-again": {
      const answerId = `${event.question.hitlId}/said`; // the answer that was refused
      return { ...view, ...NOT_WAITING, state: "waiting", thinking: null, notice: null, question: event.question, until: event.until, hint: event.hint, steps: view.steps.filter(({ id }) => id !== answerId) };
    }
    case "lapsed": {
      const steps = withAnswer({ ...view, question: event.question }, NOBODY_ANSWERED, event.at);
      return { ...view, ...NOT_WAITING, state: "interrupted", thinking: null, notice: null, lapsed: event.question, result: "", steps, endedAt: event.at };
    }
    case "left":
      return { ...view, notice: null, lapsed: null };
    case "held":
      return { ...view, ...NOT_WAITING, state: "waiting", thinking: null, notice: null, held: true, steps: view.steps.filter(({ mark }) => mark !== "pending") };
    case "handed": {
      const acts = event.acts.map((act, n) => dialogStep(`person-${event.at}-${n}`, "person", personActText(act), Date.parse(act.at) || event.at));
      return { ...view, ...NOT_WAITING, state: "running", steps: [...view.steps, ...acts] };
    }
    default:
      return null;
  }
}

/** @param {number} tabId @returns {View} */
export function emptyView(tabId) {
  return {
    tabId,
    state: "idle",
    goal: "",
    url: "",
    plan: [],
    parts: [],
    steps: [],
    thinking: null,
    notice: null,
    ...NOT_WAITING,
    result: null,
    startedAt: null,
    endedAt: null,
    costUsd: 0,
    costKnown: true,
    tokens: 0,
    model: "no model",
  };
}

const BY_MODEL = 2; // lowest verification tier that asks a model

/** @param {Verification} verification the finding, how sure it is, and whether a model made it */
export function verificationText(verification) {
  const by = (verification.verificationTier ?? 1) >= BY_MODEL ? "by the model, " : "";
  const sure = verification.confidence === undefined ? "" : ` (${by}${Math.round(verification.confidence * 100)} % sure)`;
  const seen = verification.observations?.join("; ") ?? "";
  return [(verification.reason ?? "") + sure, seen].filter(Boolean).join("\n");
}

/** @param {Mark} mark @param {Verification} verification @returns {Mark} */
function markFor(mark, verification) {
  if (verification.actionSucceeded === true) return "verified";
  return verification.actionSucceeded === false ? "failed" : mark;
}

/**
 * Adds the server's finding to the last batch of steps.
 *
 * @param {Step[]} steps @param {ActionEvent | DoneEvent} event
 */
function withVerdict(steps, { verification }) {
  const batch = steps.findLast((step) => step.action)?.at;
  if (!verification || batch === undefined) return steps;
  const verdict = verificationText(verification);
  return steps.map((step) =>
    step.at === batch && step.action ? { ...step, mark: markFor(step.mark, verification), verdict } : step,
  );
}

/**
 * @param {PlannedAction} item @param {ActionEvent} event @param {string} element @param {number} at
 * @returns {Step}
 */
function stepOf(item, event, element, at) {
  const used = event.usage;
  const tokens = item.index === 0 ? (used?.inputTokens ?? 0) + (used?.outputTokens ?? 0) : 0;
  return {
    id: item.actionId,
    text: item.description || item.action,
    mark: "pending",
    action: item.action,
    element,
    thought: event.thought ?? "",
    verdict: "",
    error: "",
    ...(event.correction && item.index === 0 ? { way: correctionText(event.correction) } : {}),
    tokens,
    ms: null,
    at,
  };
}

/** @param {View} view @param {Usage | undefined} usage */
function usageTotals(view, usage) {
  if (!usage) return {};
  return {
    costUsd: view.costUsd + (usage.costUsd ?? 0),
    costKnown: view.costKnown !== false && usage.costKnown !== false,
    tokens: view.tokens + (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
    model: usage.model ?? ((usage.modelCalls ?? 0) > 0 ? "model" : view.model),
  };
}

/** @param {View} view @param {Extract<ViewEvent, {type: "answer"}>} answer @returns {View} */
function reduceAnswer(view, { event, elements, at }) {
  const steps = withVerdict(view.steps, event);
  const turned = event.type === "action" ? planChangeStep(event.rePlanning, at) : null;
  const fresh = event.type === "action" ? event.actions.map((item) => stepOf(item, event, elements[item.actionId] ?? "", at)) : [];
  const before = event.type === "action" && event.correction ? markRetried(steps) : steps;
  const known = new Set(fresh.map((step) => step.id));
  return {
    ...view,
    ...usageTotals(view, event.usage),
    ...planOf(view, event),
    steps: [...before.filter((step) => !known.has(step.id)), ...adviceSteps(before, event.advice, at), ...(turned ? [turned] : []), ...fresh],
    ...(event.type === "done" && event.review ? { review: event.review } : {}),
    thinking: null,
    notice: noticeOf(event) ?? keptNotice(view, event.usage),
    ...NOT_WAITING,
  };
}

/** @param {View} view @param {ActionEvent | DoneEvent} event a sub-task that is not planned yet has no steps */
function planOf({ plan, parts }, event) {
  return event.plan ? { plan: event.plan.steps, parts: event.plan.subTasks ?? [] } : { plan, parts };
}

/** The server's remark on how it reached its answer. @param {{notice?: string | null}} event @returns {Notice | null} */
const noticeOf = ({ notice }) => (notice ? { kind: "model", text: notice } : null);

/**
 * Which notice stays: one about frames until the page is left, one about the model until a model answers again.
 *
 * @param {View} view @param {Usage} [usage] of an answer without a notice of its own
 */
function keptNotice({ notice }, usage) {
  if (notice?.kind === "model") return (usage?.modelCalls ?? 0) > 0 ? null : notice;
  return notice?.kind === "frames" ? notice : null;
}

/** @param {Step[]} steps marks a failed last step as being tried another way */
function markRetried(steps) {
  const last = steps.findLast((step) => step.action);
  if (!last || last.mark === "verified") return steps;
  return steps.map((step) => (step === last ? { ...step, mark: /** @type {Mark} */ ("retried") } : step));
}

/** @param {View} view @param {Extract<ViewEvent, {type: "acted"}>} event @returns {View} */
function reduceActed(view, { actionId, result, at }) {
  /** @type {Record<string, Mark>} */
  const marks = { success: "done", failure: "failed", unknown: "unknown" };
  const steps = view.steps.map((step) =>
    step.id === actionId
      ? { ...step, mark: marks[result.status], error: result.error?.message ?? result.note?.message ?? step.error, ms: at - step.at }
      : step,
  );
  return { ...view, steps };
}

/** @param {View} view @param {Extract<ViewEvent, {type: "ended"}>} event @returns {View} */
function reduceEnded(view, event) {
  const steps = view.steps.filter((step) => step.mark !== "pending");
  return {
    ...view,
    steps,
    state: event.state,
    result: event.result,
    notice: event.notice ?? keptNotice(view),
    thinking: null,
    ...NOT_WAITING,
    endedAt: event.at,
  };
}

/** @param {View} view @param {Notice | null} notice a run that lacks a permission or a file waits for the person */
function stateWith(view, notice) {
  if (notice?.kind === "permission" || notice?.kind === "file") return "waiting";
  return view.state === "waiting" && !view.question && !view.held ? "running" : view.state;
}

/** @param {View} view @param {Extract<ViewEvent, {type: "question"}>} event @returns {View} */
function reduceQuestion(view, { event, until = null, at = 0 }) {
  const notice = noticeOf(event) ?? keptNotice(view, event.usage);
  const steps = [...view.steps, ...adviceSteps(view.steps, event.advice, at)];
  return withQuestion({ ...view, ...usageTotals(view, event.usage), steps, notice }, event, until, at);
}

/**
 * The view after an event. This is the only place where a view changes.
 *
 * @param {View} view @param {ViewEvent} event @returns {View}
 */
export function reduceView(view, event) {
  const asking = reduceAsking(view, event);
  if (asking) return asking;
  switch (event.type) {
    case "started":
      return { ...emptyView(view.tabId), state: "running", goal: event.goal, url: event.url, startedAt: event.at, ...(event.replays ? { replays: true } : {}), ...(event.askedBy ? { askedBy: event.askedBy } : {}) };
    case "continued":
      return { ...view, ...NOT_WAITING, state: "running", result: null, notice: null, endedAt: null };
    case "url":
      return { ...view, url: event.url };
    case "thinking":
      return { ...view, thinking: event.text };
    case "docs": {
      const line = documentsStep(view.steps, event.titles, event.at);
      return line ? { ...view, steps: [...view.steps, line] } : view;
    }
    case "notice":
      return { ...view, notice: event.notice, state: stateWith(view, event.notice) };
    case "answer":
      return reduceAnswer(view, event);
    case "acted":
      return reduceActed(view, event);
    case "settled":
      return { ...view, steps: view.steps.map((step) => (step.id === event.actionId ? { ...step, settled: event.settled } : step)) };
    case "looked":
      return { ...view, steps: view.steps.map((step, at) => (at === view.steps.length - 1 ? { ...step, lookMs: event.lookMs } : step)) };
    case "question":
      return reduceQuestion(view, event);
    case "ended":
      return reduceEnded(view, event);
    default:
      return view;
  }
}
