import { byId, element } from "./element.js";
import { duration, MARK_WORDS, toldStep } from "./words.js";

/** @import { PlanLine } from "../types/wire" */
/** @import { Mark, Step, View } from "../types/run" */

/** Drawn in a box of 12 by 12. @type {Record<Mark, string>} */
const SHAPES = {
  pending: "M6 2.5a3.5 3.5 0 1 0 .01 0z",
  done: "M6 5a1 1 0 1 0 .01 0z",
  verified: "M2 6.5l3 3 5-6.5",
  retried: "M9.5 4A4 4 0 1 0 10 7M10 1.5V4.5H7",
  failed: "M3 3l6 6M9 3l-6 6",
  unknown: "M4 4a2 2 0 1 1 2.6 2C6 6.3 6 7 6 7.5M6 10v.2",
};

/** @param {Mark} mark */
function markOf(mark) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 -4 12 20");
  svg.setAttribute("class", "mark");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", mark);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[mark]);
  svg.append(path);
  return svg;
}

/** @param {Step} step @returns {[string, string | Node][]} what is one click away */
function details(step) {
  /** @type {[string, string | Node][]} */
  const rows = [];
  if (step.action) rows.push(["Action", element("code", {}, step.action)]);
  if (step.element) rows.push(["Element", step.element]);
  if (step.thought) rows.push(["Thought", step.thought]);
  if (step.verdict) rows.push(["Checked", step.verdict]);
  if (step.error) rows.push(["Note", step.error]);
  if (step.tokens) rows.push(["Tokens", step.tokens.toLocaleString()]);
  if (step.ms !== null) rows.push(["Took", `${step.ms.toLocaleString()} ms`]);
  return rows;
}

/** @param {HTMLElement} item @param {Step} step @param {number} startedAt fills or refreshes a line */
function fill(item, step, startedAt) {
  const open = item.querySelector("details")?.open ?? false;
  const word = MARK_WORDS[step.mark];
  const when = new Date(step.at);
  const time = element("time", { datetime: when.toISOString(), title: when.toLocaleString() }, duration(step.at - startedAt));
  const flag = element("span", word ? { class: "flag" } : {}, word);
  const summary = element("summary", {}, markOf(step.mark), element("span", { class: "what" }, toldStep(step.text, step.mark)), flag, time);
  const list = element("dl");
  for (const [term, value] of details(step)) list.append(element("dt", {}, term), element("dd", {}, value));
  item.dataset.mark = step.mark;
  const box = element("details", {}, summary, list);
  box.open = open;
  item.replaceChildren(box);
}

/** @param {View} view brings the timeline up to date, line by line, so that focus and open details stay */
export function renderTimeline(view) {
  const list = byId("timeline");
  const before = new Map([...list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.id, /** @type {HTMLElement} */ (item)]));
  const items = view.steps.map((step) => {
    const item = before.get(step.id) ?? element("li", { "data-testid": "timeline-step", "data-id": step.id });
    const state = JSON.stringify(step);
    if (item.dataset.was !== state) {
      const focused = item.contains(document.activeElement);
      fill(item, step, view.startedAt ?? step.at);
      item.dataset.was = state;
      if (focused) item.querySelector("summary")?.focus();
    }
    return item;
  });
  const same = items.length === list.children.length && items.every((item, n) => item === list.children[n]);
  if (!same) list.replaceChildren(...items);
}

/** @param {PlanLine} line @param {number} index */
function lineOf({ description, status }, index) {
  const mark = status === "completed" ? "✓" : status === "current" ? "›" : `${index + 1}`;
  const attributes = { "data-status": status, "data-mark": mark };
  return element("li", status === "current" ? { ...attributes, "aria-current": "step" } : attributes, description);
}

/** @param {PlanLine[]} plan */
export function renderPlan(plan) {
  const list = byId("plan");
  list.hidden = plan.length === 0;
  list.replaceChildren(...plan.map(lineOf));
}
