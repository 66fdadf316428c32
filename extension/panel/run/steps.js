import { element } from "../element.js";
import { MARK_WORDS, timeOffset, stepText } from "../format.js";

/** @import { Mark, Step } from "../../types/run" */

/** Drawn in a box of 12 by 12. @type {Record<Mark, string>} */
const SHAPES = {
  pending: "M6 2.5a3.5 3.5 0 1 0 .01 0z",
  done: "M6 5a1 1 0 1 0 .01 0z",
  verified: "M2 6.5l3 3 5-6.5",
  retried: "M9.5 4A4 4 0 1 0 10 7M10 1.5V4.5H7",
  failed: "M3 3l6 6M9 3l-6 6",
  unknown: "M4 4a2 2 0 1 1 2.6 2C6 6.3 6 7 6 7.5M6 10v.2",
  talk: "M1.5 2.5h9v6H6l-2.5 2.5V8.5h-2z",
  person: "M6 1.5a2 2 0 1 0 .01 0zM2 11a4 4 0 0 1 8 0",
};

/** A mark's name for screen readers. @type {Record<Mark, string>} */
const SPOKEN = {
  pending: "To do",
  done: "Done",
  verified: "Checked",
  retried: "Tried another way",
  failed: "Failed",
  unknown: "May or may not have happened",
  talk: "Question or answer",
  person: "Done by you",
};

/** @param {Mark} mark */
function markOf(mark) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 -4 12 20");
  svg.setAttribute("class", "mark");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", SPOKEN[mark]);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[mark]);
  svg.append(path);
  return svg;
}

/** @param {Step} step @returns {[string, string | Node][]} its details */
function details(step) {
  /** @type {[string, string | Node][]} */
  const rows = [];
  if (step.why) rows.push(["Why", step.why]);
  if (step.way) rows.push(["Instead", step.way]);
  if (step.thought) rows.push([step.mark === "talk" ? "Asked" : "Thought", step.thought]);
  if (step.element) rows.push(["Element", step.element]);
  if (step.action) rows.push(["Action", element("code", {}, step.action)]);
  if (step.verdict) rows.push(["Checked", step.verdict]);
  if (step.error) rows.push(["Note", step.error]);
  if (step.tokens) rows.push(["Tokens", step.tokens.toLocaleString("en")]);
  if (step.ms !== null) rows.push(["Took", `${step.ms.toLocaleString("en")} ms`]);
  if (step.settled) rows.push(["Settled", `after ${step.settled.ms.toLocaleString("en")} ms`]);
  return rows;
}

/** Fills or updates a line. @param {HTMLElement} item @param {Step} step @param {number} startedAt */
function fill(item, step, startedAt) {
  const open = item.querySelector("details")?.open ?? false;
  const word = MARK_WORDS[step.mark];
  const when = new Date(step.at);
  const time = element("time", { datetime: when.toISOString(), title: when.toLocaleString() }, timeOffset(step.at - startedAt));
  const what = element("span", { class: "what", dir: "auto" }, stepText(step.text, step.mark));
  const ends = step.mark === "pending" ? [] : [time];
  const summary = element("summary", {}, markOf(step.mark), what, ...(word ? [element("span", { class: "flag" }, word)] : []), ...ends);
  const rows = details(step);
  const list = element("dl", {}, ...rows.flatMap(([term, value]) => [element("dt", {}, term), element("dd", { dir: "auto" }, value)]));
  item.dataset.mark = step.mark;
  const box = element("details", {}, summary, ...(rows.length > 0 ? [list] : []));
  box.open = open;
  item.replaceChildren(box);
}

/**
 * Updates a list of steps line by line, so that focus and open details stay.
 *
 * @param {HTMLElement} list @param {Step[]} steps @param {number | null} startedAt the start of the displayed times
 */
export function renderSteps(list, steps, startedAt) {
  const before = new Map([...list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.id, /** @type {HTMLElement} */ (item)]));
  const items = steps.map((step) => {
    const item = before.get(step.id) ?? element("li", { "data-testid": "timeline-step", "data-id": step.id });
    const state = JSON.stringify(step);
    if (item.dataset.was !== state) {
      const focused = item.contains(document.activeElement);
      fill(item, step, startedAt ?? step.at);
      item.dataset.was = state;
      if (focused) item.querySelector("summary")?.focus();
    }
    return item;
  });
  // Lines that stay are not moved: a moved element loses the focus.
  const current = new Set(items);
  for (const item of [...list.children]) if (!current.has(/** @type {HTMLElement} */ (item))) item.remove();
  items.forEach((item, n) => item !== list.children[n] && list.insertBefore(item, list.children[n] ?? null));
}
