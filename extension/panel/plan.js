import { byId, element } from "./element.js";

/** @import { PlanLine } from "../types/wire" */
/** @typedef {{mark: string, text: string, status: PlanLine["status"] | "more"}} ShownLine */

const MOST = 7; // UI: a plan is three to seven short lines

/** @param {PlanLine} line @param {number} index @returns {ShownLine} */
function shown({ description, status }, index) {
  const mark = status === "completed" ? "✓" : status === "current" ? "›" : `${index + 1}`;
  return { mark, text: description, status };
}

/**
 * The lines to show of a plan: all of a short one; of a long one those around the current step, with
 * a line that counts what was left out above and below.
 *
 * @param {PlanLine[]} plan @returns {ShownLine[]}
 */
export function planLines(plan) {
  const lines = plan.map(shown);
  if (lines.length <= MOST) return lines;
  const current = Math.max(0, plan.findIndex((line) => line.status === "current"));
  const from = Math.min(Math.max(0, current - 2), lines.length - (MOST - 2));
  const to = Math.min(lines.length, from + MOST - 2);
  const part = lines.slice(from === 1 ? 0 : from, to === lines.length - 1 ? lines.length : to);
  /** @param {number} count @param {string} where @returns {ShownLine[]} */
  const rest = (count, where) => (count > 1 ? [{ mark: "…", text: `${count} ${where}`, status: "more" }] : []);
  return [...rest(from, "before"), ...part, ...rest(lines.length - to, "more")];
}

/** @param {ShownLine} line */
function lineOf({ mark, text, status }) {
  const attributes = { "data-status": status, "data-mark": mark, title: text, ...(status === "current" ? { "aria-current": "step" } : {}) };
  return element("li", attributes, element("span", { dir: "auto" }, text));
}

/** @param {PlanLine[]} plan */
export function renderPlan(plan) {
  const list = byId("plan");
  const state = JSON.stringify(plan);
  if (list.dataset.was === state) return;
  list.dataset.was = state;
  list.hidden = plan.length === 0;
  list.replaceChildren(...planLines(plan).map(lineOf));
}
