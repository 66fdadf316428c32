import { byId, element } from "../element.js";

/** @import { PartLine, PlanLine } from "../../types/wire" */
/** @typedef {{mark: string, text: string, status: PartLine["status"] | "more"}} ShownLine */

const MOST = 7; // UI: a plan is three to seven short lines
const MOST_PARTS = 5; // of a large goal, whose current part also shows its own steps

/** The sign before a line; a line still to come has its number. @type {Partial<Record<ShownLine["status"], string>>} */
const MARKS = { completed: "✓", current: "›", failed: "✕" };

/** The same for screen readers. @type {Partial<Record<ShownLine["status"], string>>} */
const SPOKEN = { skipped: "left out: ", failed: "failed: " };

/** @param {PlanLine | {description: string, status: PartLine["status"]}} line @param {number} index @returns {ShownLine} */
function lineFor({ description, status }, index) {
  return { mark: MARKS[status] ?? `${index + 1}`, text: description, status };
}

/**
 * The lines to show of a plan: all of a short one; of a long one those around the current step, with
 * a line that counts those left out above and below.
 *
 * @param {{description: string, status: PartLine["status"]}[]} plan @param {number} [most] lines to show @returns {ShownLine[]}
 */
export function planLines(plan, most = MOST) {
  const lines = plan.map(lineFor);
  if (lines.length <= most) return lines;
  const current = Math.max(0, plan.findIndex((line) => line.status === "current"));
  const from = Math.min(Math.max(0, current - Math.floor((most - 2) / 2)), lines.length - (most - 2));
  const to = Math.min(lines.length, from + most - 2);
  const part = lines.slice(from === 1 ? 0 : from, to === lines.length - 1 ? lines.length : to);
  /** @param {number} count @param {string} where @returns {ShownLine[]} */
  const rest = (count, where) => (count > 1 ? [{ mark: "…", text: `${count} ${where}`, status: "more" }] : []);
  return [...rest(from, "before"), ...part, ...rest(lines.length - to, "more")];
}

/** @param {ShownLine} line @param {Node[]} below */
function lineOf({ mark, text, status }, ...below) {
  const step = status === "current" && below.length === 0;
  const attributes = { "data-status": status, "data-mark": mark, ...(step ? { "aria-current": "step" } : {}) };
  const spoken = SPOKEN[status] ? [element("span", { class: "unseen" }, SPOKEN[status])] : [];
  return element("li", attributes, ...spoken, element("span", { dir: "auto", title: text }, text), ...below);
}

/**
 * The parts of a large goal, one line each; the current one is followed by its steps.
 *
 * @param {PartLine[]} parts @param {PlanLine[]} steps of the current part
 */
function partLines(parts, steps) {
  const lines = parts.map(({ id, goal, status }) => ({ id, description: goal, status }));
  return planLines(lines, MOST_PARTS).map((line) => {
    if (line.status !== "current" || steps.length === 0) return lineOf(line);
    const below = planLines(steps).map((step) => lineOf({ ...step, mark: step.status === "pending" ? "·" : step.mark }));
    return lineOf(line, element("ol", { "aria-label": "Steps of this part" }, ...below));
  });
}

/** @param {PlanLine[]} plan @param {PartLine[]} parts empty for a goal without parts */
export function renderPlan(plan, parts) {
  const list = byId("plan");
  const state = JSON.stringify([plan, parts]);
  if (list.dataset.was === state) return;
  list.dataset.was = state;
  list.hidden = plan.length === 0 && parts.length === 0;
  list.toggleAttribute("data-parts", parts.length > 0);
  list.replaceChildren(...(parts.length > 0 ? partLines(parts, plan) : planLines(plan).map((line) => lineOf(line))));
}
