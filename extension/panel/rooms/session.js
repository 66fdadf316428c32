import { verificationText } from "../../runner/run/view.js";
import { planChangeStep, correctionText } from "../../shared/step_lines.js";
import { element } from "../element.js";
import { opinionPart } from "../reviews.js";
import { askServer } from "../server.js";
import { relativeTime, renderFailure } from "../list.js";
import { renderSteps } from "../run/steps.js";
import { STATUS_WORDS } from "../format.js";

/** @import { Mark, Step } from "../../types/run" */
/** @import { Correction, RePlanning, Verification } from "../../types/wire" */
/** @typedef {import("../notice.js").Press} Press */
/** @typedef {{id: string, role: string, content: string, actionString?: string | null, taskId?: string | null, createdAt: string}} Message */
/** @typedef {{actionId: string, thought: string, action: string, description: string, status: string, verification?: Verification | null, rePlanning?: RePlanning | null, createdAt: string}} StoredAction */
/** @typedef {Correction & {repairId: string}} Repair with the id of its first action */

const HAS_ENDED = new Set(["completed", "failed"]);

/** @param {StoredAction} action @returns {Mark} */
function markOf({ status, verification }) {
  if (verification?.actionSucceeded === true) return "verified";
  if (status === "failure" || verification?.actionSucceeded === false) return "failed";
  return status === "success" ? "done" : "unknown";
}

/** @param {StoredAction} action as a line of the timeline @param {Repair[]} [repairs] @returns {Step} */
export function storedStep(action, repairs = []) {
  const repair = repairs.find(({ repairId }) => repairId === action.actionId);
  return {
    ...(repair ? { way: correctionText(repair) } : {}),
    id: action.actionId,
    text: action.description || action.action,
    mark: markOf(action),
    action: action.action,
    element: "",
    thought: action.thought,
    verdict: action.verification ? verificationText(action.verification) : "",
    error: "",
    tokens: 0,
    ms: null,
    at: Date.parse(action.createdAt),
  };
}

/** @param {StoredAction[]} actions @param {Repair[]} repairs each with the line about a changed plan before it */
const storedSteps = (actions, repairs) =>
  actions.flatMap((one) => [planChangeStep(one.rePlanning, Date.parse(one.createdAt)), storedStep(one, repairs)].filter((step) => step !== null));

/**
 * The conversation by task: the goal, then the answer. What the agent said while acting belongs to
 * the task's steps.
 *
 * @param {Message[]} messages @returns {{taskId: string | null, messages: Message[]}[]}
 */
export function byTask(messages) {
  /** @type {{taskId: string | null, messages: Message[]}[]} */
  const groups = [];
  for (const message of messages) {
    const taskId = message.taskId ?? null;
    const last = groups.at(-1);
    const into = last && last.taskId === taskId ? last : { taskId, messages: [] };
    if (into !== last) groups.push(into);
    into.messages.push(message);
  }
  return groups;
}

/** A task's steps, loaded when they are first opened. @param {string} taskId @param {Press} press */
function stepsOf(taskId, press) {
  const list = element("ol", { class: "timeline", "aria-label": "Steps" });
  const inside = element("div", {}, element("p", { class: "hint" }, "Loading…"));
  const box = element("details", { class: "steps", "data-testid": "session-steps" }, element("summary", {}, "Steps"), inside);
  const load = async () => {
    try {
      const task = await askServer(`/api/task/${encodeURIComponent(taskId)}`);
      const sent = /** @type {StoredAction[]} */ (task.actions).filter(({ status }) => status !== "skipped");
      renderSteps(list, storedSteps(sent, task.corrections ?? []), Date.parse(task.createdAt));
      const shown = sent.length > 0 ? list : element("p", { class: "hint" }, "Nothing was done on the page.");
      inside.replaceChildren(shown, ...(HAS_ENDED.has(task.status) ? [opinionPart({ taskId }, task.review)] : []));
      box.querySelector("summary")?.replaceChildren(`Steps · ${STATUS_WORDS[task.status] ?? task.status}`);
    } catch (error) {
      renderFailure(inside, error, (button, notice) => (button.does === "retry" ? void load() : press(button, notice)));
    }
  };
  box.addEventListener("toggle", () => box.open && !list.hasChildNodes() && void load());
  return box;
}

/** @param {Message} message */
const line = (message) =>
  element("p", { class: message.role === "user" ? "goal" : "said-then", dir: "auto" }, message.content);

/** @param {{taskId: string | null, messages: Message[]}} group @param {Press} press */
function groupOf({ taskId, messages }, press) {
  const goals = messages.filter(({ role }) => role === "user");
  const answers = messages.filter(({ role, actionString, content }) => role !== "user" && !actionString && content);
  const acted = messages.some(({ actionString }) => actionString);
  const parts = [...goals.map(line), ...(taskId && acted ? [stepsOf(taskId, press)] : []), ...answers.map(line)];
  return element("li", {}, ...parts, relativeTime(messages[0].createdAt));
}

/**
 * Fills a box with one session.
 *
 * @param {HTMLElement} box @param {string} sessionId @param {Press} press
 */
export async function renderSession(box, sessionId, press) {
  box.replaceChildren(element("p", { class: "hint", role: "status" }, "Loading…"));
  try {
    const { messages } = /** @type {{messages: Message[]}} */ (await askServer(`/api/session/${encodeURIComponent(sessionId)}/messages`));
    const groups = byTask(messages).map((group) => groupOf(group, press));
    const empty = element("p", { class: "hint" }, "This session is empty.");
    box.replaceChildren(groups.length > 0 ? element("ol", { class: "talk", "data-testid": "talk" }, ...groups) : empty);
  } catch (error) {
    renderFailure(box, error, press);
  }
}
