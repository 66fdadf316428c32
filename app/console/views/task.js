/** One task and everything that happened to it. */

import { get, Problem, send } from "../api.js";
import { confirmed } from "../confirm.js";
import { announce, boxed, h, outward, bdi } from "../dom.js";
import { keyed } from "../keyed.js";
import { repeat } from "../repeat.js";
import { to } from "../router.js";
import { staleness, errorText } from "../states.js";
import { counted, duration, money, named, number, STATUS, statusChip, when } from "../words.js";
import { questionCard } from "./question.js";
import { happenings, drawHappening } from "./timeline.js";

/** @import { Asked, Shown, Task } from "../types/api" */

const LOOK_MS = 2_500;
const IDLE_MS = 15_000; // what has ended can still be gone on with
const LIVE = new Set(["active", "executing", "awaiting_user"]);
const MARKS = { completed: "✓", current: "▸", skipped: "–", pending: "·" };

/** @param {string} id @param {AbortSignal} signal */
async function read(id, signal) {
  const path = `task/${encodeURIComponent(id)}`;
  /** @type {[Task | null, {items: Asked[]}, {entries: import("../types/api").Audit[]} | null]} */
  const [task, asked, audit] = await Promise.all([
    get(path, {}, signal).catch(unlessMissing),
    get("hitl", { taskId: id, status: "all" }, signal),
    get(`${path}/audit`, {}, signal).catch(unlessMissing),
  ]);
  const [question] = asked.items;
  if (!task && !question) throw new Problem(404, "NOT_FOUND", "This task does not exist.");
  return { task: task ?? provisional(question), asked: asked.items, audit: audit?.entries ?? [] };
}

/** @param {unknown} error */
function unlessMissing(error) {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
}

/** What is known of a goal that was asked about before anything was done. @param {Asked} question @returns {Task} */
const provisional = ({ taskId, user, goal, url, status, createdAt, result }) => ({
  taskId, userId: user, query: goal, url, createdAt, sessionId: "", result: null, complexity: null, plan: null, paused: false,
  status: status === "pending" ? "awaiting_user" : status === "answered" ? "active" : "interrupted",
  updatedAt: result?.at ?? createdAt, actions: [], corrections: [], calls: [], metrics: {}, webSearchResult: null, pendingInterrupt: null,
  usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, costKnown: true },
});

/** @param {HTMLElement} body @param {Shown} shown */
export async function showTask(body, { id, signal }) {
  const parts = frame();
  const { line, tell } = staleness();
  let found;
  try {
    found = await read(id, signal);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return missing(body);
    throw error;
  }
  body.replaceChildren(h("p", {}, h("a", { href: to("tasks"), class: "back" }, "All tasks")), line, ...parts.all);
  let { status } = found.task;
  draw(parts, found);
  await repeat(LIVE.has(status) ? LOOK_MS : IDLE_MS, signal, async () => {
    const next = await read(id, signal);
    if (next.task.status !== status) announce(`The task is now: ${STATUS[next.task.status]}`);
    ({ status } = next.task);
    draw(parts, next);
  }, tell);
}

/** @param {HTMLElement} body */
const missing = (body) =>
  body.replaceChildren(h("div", { class: "nothing" }, h("p", {}, "This task does not exist, or you may not see it."), h("a", { href: to("tasks"), class: "button" }, "All tasks")));

/** The places that are drawn anew one by one. */
function frame() {
  const [head, question, plan, search] = [h("div", {}), h("div", {}), h("div", {}), h("div", {})];
  const open = h("button", { type: "button", class: "quiet" }, "Open all");
  const steps = h("ol", { class: "timeline", "data-testid": "timeline" });
  open.addEventListener("click", () => {
    const opens = open.textContent === "Open all";
    for (const one of steps.querySelectorAll("details")) one.open = opens;
    open.textContent = opens ? "Close all" : "Open all";
  });
  const title = h("div", { class: "headed" }, h("h2", {}, "Timeline"), open);
  return { head, question, plan, search, steps, all: [head, question, plan, search, title, steps] };
}

/** @param {ReturnType<typeof frame>} parts @param {Awaited<ReturnType<typeof read>>} found */
function draw(parts, { task, asked, audit }) {
  keyed(parts.head, [task], () => "head", drawHead, headSource);
  const waiting = asked.filter((one) => one.status === "pending");
  keyed(parts.question, waiting, (one) => one.hitlId, (one) => questionCard(one, { linked: false }));
  keyed(parts.plan, task.plan?.steps.length ? [task.plan] : [], () => "plan", drawPlan);
  keyed(parts.search, task.webSearchResult ? [task.webSearchResult] : [], () => "search", drawSearch);
  keyed(parts.steps, happenings(task, asked, audit), (one) => one.key, drawHappening);
}

/** @param {Task} task what its head shows */
const headSource = ({ query, status, paused, result, usage, metrics, updatedAt }) => [query, status, paused, result, usage, metrics, updatedAt];

/** @param {Task} task */
function drawHead(task) {
  const lasted = Date.parse(task.updatedAt) - Date.parse(task.createdAt);
  const { usage } = task;
  const cost = `${usage.costKnown === false ? "over " : ""}${money(usage.costUsd)}`;
  /** @type {[string, import("../dom.js").Child][]} */
  const facts = [
    ["Status", statusChip(task.status)],
    ["Person", bdi(task.userId)],
    ["Page", outward(task.url)],
    ["Started", when(task.createdAt)],
    ["Took", duration(lasted)],
    ["Steps", number(task.metrics.steps ?? task.actions.length)],
    ["Cost", `${cost} · ${counted(usage.modelCalls, "model call")}`],
    ["Tokens", `${number(usage.inputTokens)} in, ${number(usage.outputTokens)} out`],
    ["Server time", duration(task.metrics.serverMs ?? 0)],
    ["Complexity", task.complexity ? named(task.complexity) : "–"],
  ];
  return h(
    "div",
    { class: "task-head" },
    h("p", { class: "title", "data-testid": "goal", ...boxed(task.query) }, bdi(task.query)),
    task.paused ? h("p", { class: "hint" }, "A person has taken over.") : null,
    task.result ? h("p", { class: "result", "data-state": task.status, "data-testid": "result", ...boxed(task.result) }, bdi(task.result)) : null,
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    stopButton(task),
  );
}

/** What was looked up on the web, and what came of it. @param {NonNullable<Task["webSearchResult"]>} search */
const drawSearch = ({ need, query, results, answer, unavailable }) =>
  h(
    "section",
    {},
    h("h2", {}, "Searched the web"),
    h("p", {}, bdi(need || query), answer ? [": ", h("b", {}, bdi(answer))] : null),
    unavailable ? h("p", { class: "hint" }, bdi(unavailable)) : null,
    results.length ? h("details", {}, h("summary", {}, counted(results.length, "result")), h("ul", {}, results.map(({ title, url }) => h("li", {}, bdi(title), outward(url))))) : null,
  );

/** @param {Task} task */
function stopButton({ taskId, status }) {
  if (!LIVE.has(status)) return null;
  const problem = h("span", { class: "bad", role: "alert" });
  const stop = async () => {
    if (!(await confirmed("Stop this task? What it has done so far is not undone.", "Stop the task", "Keep running"))) return;
    await send("POST", `task/${encodeURIComponent(taskId)}/cancel`).then(() => announce("Stopped"), (error) => (problem.textContent = errorText(error)));
  };
  return h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => void stop() }, "Stop the task"), problem);
}

/** @param {NonNullable<Task["plan"]>} plan */
const drawPlan = (plan) =>
  h(
    "section",
    {},
    h("h2", {}, "Plan"),
    h("ol", { class: "plan" }, plan.steps.map(({ description, status }) =>
      h("li", { "data-state": status, "aria-current": status === "current" ? "step" : null },
        h("span", { class: "sign", "aria-hidden": "true" }, MARKS[/** @type {keyof MARKS} */ (status)] ?? "·"),
        bdi(description), h("span", { class: "unseen" }, ` (${status})`)))),
  );
