import { actLine, askedLine, NOBODY_ANSWERED, talkLine } from "../../shared/question_text.js";

/** @import { InterruptEvent } from "../../types/wire" */
/** @import { Step, View, ViewEvent } from "../../types/run" */

/** What a view holds of a person who is waited for, when nobody is. */
export const NOT_WAITING = { question: null, until: null, chosen: [], hint: "", away: false, lapsed: null, held: false };

/** @param {Step[]} steps @param {Step} line a line stands once @returns {Step[]} */
const withLine = (steps, line) => (steps.some(({ id }) => id === line.id) ? steps : [...steps, line]);

/** @param {View} view @param {InterruptEvent} question @param {number | null} until @param {number} at @returns {View} */
export function asked(view, question, until, at) {
  return { ...view, ...NOT_WAITING, state: "waiting", thinking: null, question, until, steps: withLine(view.steps, askedLine(question, at)) };
}

/** @param {View} view @param {string} line what came of the question that waits @param {number} at */
function withAnswer(view, line, at) {
  const { question } = view;
  const told = talkLine(`${question?.hitlId ?? at}/said`, "talk", line, at);
  return withLine(view.steps, { ...told, thought: question?.message ?? "" });
}

/**
 * The view after an event that is about a person who is waited for.
 *
 * @param {View} view @param {ViewEvent} event @returns {View | null} null for an event about something else
 */
export function reduceAsking(view, event) {
  switch (event.type) {
    case "chosen":
      return { ...view, chosen: event.chosen };
    case "away":
      return { ...view, away: event.away };
    case "answered":
      return { ...view, ...NOT_WAITING, state: "running", steps: withAnswer(view, event.line, event.at) };
    case "asked-again": {
      const said = `${event.question.hitlId}/said`; // what was said was no answer
      return { ...view, ...NOT_WAITING, state: "waiting", thinking: null, notice: null, question: event.question, until: event.until, hint: event.hint, steps: view.steps.filter(({ id }) => id !== said) };
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
      const acts = event.acts.map((act, n) => talkLine(`person-${event.at}-${n}`, "person", actLine(act), Date.parse(act.at) || event.at));
      return { ...view, ...NOT_WAITING, state: "running", steps: [...view.steps, ...acts] };
    }
    default:
      return null;
  }
}
