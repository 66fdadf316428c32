/** One record of the review queue: all that an operator needs to decide, and the decision. */

import { get, Problem } from "../api.js";
import { h } from "../dom.js";
import { keyed } from "../keyed.js";
import { repeat } from "../repeat.js";
import { to } from "../router.js";
import { staleness } from "../states.js";
import { decisionForm, decisionOf } from "./review_deciding.js";
import { legend, listen } from "./review_keys.js";
import { beside, lookAt, remembered } from "./review_memory.js";
import { caseOf, turnOf } from "./review_case.js";
import { decisionChip } from "./review_words.js";
import { drawHappening, happenings } from "./timeline.js";

/** @import { Asked, Audit, ReviewRecord, Shown, WholeRecord } from "../types/api" */

const LOOK_MS = 8_000;
const KEYS = /** @type {[string[], string][]} */ ([[["j", "k"], "next and previous"], [["Esc"], "back"]]);
const DECIDING = /** @type {[string[], string][]} */ ([[["a"], "approve"], [["r"], "reject"], [["Ctrl+Enter"], "decide"]]);

/** @param {HTMLElement} body @param {Shown} shown */
export async function showRecord(body, { me, id, query, signal }) {
  lookAt(id);
  const back = () => (location.hash = remembered().place);
  const go = (/** @type {number} */ by) => open(beside(id, by));
  let found;
  try {
    found = await read(id, signal);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    listen(signal, {}, { Escape: back });
    return body.replaceChildren(h("div", { class: "nothing" }, h("p", {}, "This record does not exist, or you may not see it."), h("a", { href: "#/review", class: "button" }, "All records")));
  }
  const { line, tell } = staleness();
  const side = h("aside", { class: "deciding", "aria-label": "Decision" });
  const steps = h("ol", { class: "timeline", "data-testid": "timeline" });
  const operator = me.role !== "user";
  const form = operator && !found.record.review ? decisionForm(found.record, me, { again: () => read(id, signal).then(({ record }) => record), next: (after) => (after ? open(after) : back()), back }) : null;
  body.replaceChildren(
    h("p", {}, h("a", { href: remembered().place, class: "back" }, "All records")),
    line,
    h("div", { class: "record" }, h("article", {}, ...caseOf(found.record, found.turn), ...about(found, steps)), side),
    legend(form ? [...DECIDING, ...KEYS] : KEYS),
  );
  drawSide(side, found.record, form);
  drawSteps(steps, found);
  /** @type {HTMLElement | null} */ (body.querySelector(`[data-cited="${CSS.escape(query.get("marker") ?? "")}"]`))?.focus(); // back from it
  listen(signal, { j: () => go(1), ArrowRight: () => go(1), k: () => go(-1), ArrowLeft: () => go(-1), ...form?.keys }, { Escape: () => leave(back), ...form?.everywhere });
  await repeat(LOOK_MS, signal, async () => {
    const next = await read(id, signal);
    drawSteps(steps, next);
    if (next.record.review && form) form.decidedElsewhere(next.record);
    else drawSide(side, next.record, form);
  }, tell);
}

/** @param {string | undefined} id */
function open(id) {
  if (id) location.hash = to("review", id);
}

/** Out of a field first, then back. @param {() => void} back */
function leave(back) {
  const at = document.activeElement;
  if (at instanceof HTMLElement && at.matches("input, textarea")) return document.querySelector("h1")?.focus();
  back();
}

/** @typedef {WholeRecord & {asked: Asked[], audit: Audit[]}} Found */

/** @param {string} id @param {AbortSignal} signal @returns {Promise<Found>} */
async function read(id, signal) {
  /** @type {WholeRecord} */
  const found = await get(`review/${encodeURIComponent(id)}`, {}, signal);
  if (!found.task) return { ...found, asked: [], audit: [] };
  const { taskId } = found.task;
  const [asked, audit] = await Promise.all([get("hitl", { taskId, status: "all" }, signal), get(`task/${encodeURIComponent(taskId)}/audit`, {}, signal)]);
  return { ...found, asked: asked.items, audit: audit.entries };
}

/** @param {Found} found @param {HTMLElement} steps @returns {HTMLElement[]} */
function about({ record, task, turn }, steps) {
  if (turn) return [h("h2", {}, "Question and answer"), turnOf(turn, record.id)];
  if (task) return [h("div", { class: "headed" }, h("h2", {}, "Timeline"), h("a", { href: to("task", task.taskId) }, "Open the task")), steps];
  const { task_id, thread_id } = record.issue;
  if (record.origin.kind === "mcp" || !(task_id ?? thread_id)) return [];
  return [h("p", { class: "hint" }, `The ${task_id ? "task" : "conversation"} it is about was deleted.`)];
}

/** @param {HTMLElement} steps @param {Found} found */
function drawSteps(steps, { task, asked, audit }) {
  if (task) keyed(steps, happenings(task, asked, audit), (one) => one.key, drawHappening);
}

/** @param {HTMLElement} side @param {ReviewRecord} record @param {ReturnType<typeof decisionForm> | null} form */
function drawSide(side, record, form) {
  if (form) return form.made.isConnected ? undefined : side.replaceChildren(form.made);
  keyed(side, [record], () => record.id, () => (record.review ? decisionOf(record) : waits(record)), ({ review }) => review ?? null);
}

/** @param {ReviewRecord} record */
const waits = (record) =>
  h("section", {}, h("h2", {}, "Decision"), h("p", {}, decisionChip(record)), h("p", { class: "hint" }, "An operator will review this. You will see their decision here."));
