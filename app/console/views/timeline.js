/** What happened, in order: what was seen, thought, done, checked, asked and spent. */

import { boxed, h, outward, bdi } from "../dom.js";
import { table } from "../table.js";
import { counted, duration, money, named, number, when } from "../words.js";

/** @import { Action, Asked, Audit, Call, Repair, Task } from "../types/api" */
/** @import { Child } from "../dom.js" */
/** @typedef {{key: string, at: string, step: number, actions: Action[], repairs: Repair[], calls: Call[]}} Step */
/** @typedef {{key: string, at: string, entry: Audit, asked: Asked | null}} Word */

/** What stands in the trail as the done of a step is told by the step. */
const OF_STEPS = new Set(["done", "not_done"]);
/** @type {Record<string, string>} */
const TIERS = { 1: "by rules on the page", 2: "by a quick model check", 3: "by a model" };
/** @type {Record<string, string>} */
const ORIGINS = { goal: "the goal", answer: "the person’s answer", page: "the page", knowledge: "the team’s documents", search: "a web search", memory: "what was read before", subtask: "an earlier part of the goal" };
/** @type {Record<string, [string, string]>} sign and word */
const OUTCOMES = { success: ["✓", "done"], failure: ["✕", "failed"], unknown: ["?", "not sure"], pending: ["◐", "under way"], skipped: ["–", "skipped"] };
/** @type {Record<string, string>} */
const KINDS = { asked: "Asked", answered: "Answered", approved: "Approved", refused: "Refused", cancelled: "Cancelled", expired: "Nobody answered in time", paused: "Paused", took_over: "Took over", resumed: "Handed back", review_approved: "An operator approved this", review_rejected: "An operator rejected this", done: "Done", not_done: "Not done" };

/** @type {Record<string, string>} where an answer was given, unless in the panel */
const VIA = { inbox: " in an inbox", mcp: " in another assistant" };

/** @param {Task} task @param {Asked[]} asked @param {Audit[]} audit @returns {(Step | Word)[]} the oldest first */
export function happenings(task, asked, audit) {
  /** @type {Map<number, Step>} */
  const steps = new Map();
  const stepOf = (/** @type {number} */ step, /** @type {string} */ at) => {
    const there = steps.get(step) ?? { key: `step-${step}`, at, step, actions: [], repairs: [], calls: [] };
    steps.set(step, there);
    return there;
  };
  for (const one of task.actions) stepOf(one.stepIndex, one.createdAt).actions.push(one);
  for (const one of task.corrections) stepOf(one.step, one.createdAt).repairs.push(one);
  for (const one of task.calls) stepOf(one.stepIndex, one.createdAt).calls.push(one);
  const questions = new Map(asked.map((one) => [one.hitlId, one]));
  const words = audit
    .filter(({ kind }) => !OF_STEPS.has(kind))
    .map((entry) => ({ key: entry.entryId, at: entry.at, entry, asked: entry.hitlId ? (questions.get(entry.hitlId) ?? null) : null }));
  return [...steps.values(), ...words].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** @param {Step | Word} one */
export const drawHappening = (one) => ("entry" in one ? drawWord(one) : drawStep(one));

/** @param {Word} word */
function drawWord({ at, entry, asked }) {
  const options = entry.kind === "asked" ? (asked?.options ?? []) : [];
  const trail = Object.keys(entry.shown).length ? h("details", {}, h("summary", {}, "What was shown"), shownList(entry.shown)) : null;
  return h(
    "li",
    { class: "word", "data-kind": entry.kind },
    h("span", { class: "sign", "aria-hidden": "true" }, entry.kind === "asked" ? "?" : "☺"),
    h("div", {},
      h("p", { class: "lead", ...boxed(entry.text) }, h("b", {}, KINDS[entry.kind] ?? named(entry.kind)), entry.text ? [": ", bdi(entry.text)] : null),
      options.length ? h("p", { class: "hint" }, "Offered: ", options.map(({ label }, index) => [index ? ", " : "", bdi(label)]).flat()) : null,
      trail,
      h("p", { class: "hint" }, entry.kind === "asked" ? "" : ["by ", bdi(entry.by || "the server"), VIA[entry.via] || "", " · "], when(at))),
  );
}

/** @param {Record<string, unknown>} shown */
const shownList = (shown) =>
  h("dl", { class: "about" }, Object.entries(shown).map(([name, value]) => about(named(name.replace(/([A-Z])/g, " $1")), bdi(plain(value)))));

/** @param {unknown} value @returns {string} */
const plain = (value) =>
  Array.isArray(value) ? value.map(plain).join(", ") : value !== null && typeof value === "object" ? Object.values(value).map(plain).filter(Boolean).join(" · ") : String(value ?? "–");

/** @param {Step} one */
function drawStep({ at, step, actions, repairs, calls }) {
  const [first] = actions;
  const last = actions.at(-1);
  const worst = actions.find(({ status }) => status === "failure") ?? last;
  const [sign, word] = OUTCOMES[worst?.status ?? ""] ?? ["·", worst?.status ?? ""];
  return h(
    "li",
    { class: "step", "data-state": worst?.status ?? "none" },
    h("span", { class: "sign", "aria-hidden": "true" }, first ? sign : "$"),
    h("div", {},
      first ? actions.map(leadOf) : h("p", { class: "lead" }, last || calls.length ? "Thought only" : "Repaired"),
      first ? h("p", { class: "unseen" }, word) : null,
      first?.thought ? h("p", { class: "thought", ...boxed(first.thought) }, bdi(first.thought)) : null,
      checked(last),
      h("details", {}, h("summary", {}, `Details of step ${step + 1}`), h("dl", { class: "about" }, details(actions, repairs, calls))),
      h("p", { class: "hint" }, spentLine(calls, first), when(at))),
  );
}

/** @param {Action} action */
function leadOf(action) {
  const [, word] = OUTCOMES[action.status] ?? ["", action.status];
  return h("p", { class: "lead" }, bdi(action.description || action.action), action.status === "success" ? null : h("span", { class: "mark", "data-state": action.status }, word));
}

/** @param {Action | undefined} action */
function checked(action) {
  const verdict = action?.verification;
  if (!verdict) return null;
  const how = verdict.actionSucceeded === null ? "Result unknown:" : verdict.actionSucceeded ? "Checked" : "Did not work";
  return h("p", { class: "checked", "data-state": String(verdict.actionSucceeded) }, `${how} ${TIERS[verdict.verificationTier] ?? ""}, ${percent(verdict.confidence)} sure`, verdict.reason ? [": ", bdi(verdict.reason)] : null);
}

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;

/** @param {string} name @param {...(Child | Child[])} value */
const about = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, ...value));

/** @param {Action[]} actions @param {Repair[]} repairs @param {Call[]} calls @returns {Child[]} */
function details(actions, repairs, calls) {
  const [first] = actions;
  const last = actions.at(-1);
  return [
    first?.before ? about("Seen", seen(first.before)) : null,
    first?.thought ? about("Thought", bdi(first.thought)) : null,
    actions.length ? about("Done", h("ul", {}, actions.map(done))) : null,
    first?.expectedOutcome.description ? about("Expected", bdi(first.expectedOutcome.description)) : null,
    last?.verification ? about("Checked", checked(last), h("ul", {}, last.verification.observations.map((one) => h("li", {}, bdi(one))))) : null,
    last?.prediction ? about("Predicted", `${percent(last.prediction.predicted)} sure that it would work; it ${last.prediction.met ? "did" : "did not"} (Brier score ${last.prediction.brier.toFixed(3)})`) : null,
    first?.rePlanning?.triggered ? about("Plan", `Checked against the new page: ${named(first.rePlanning.decision ?? "continue")}`, first.rePlanning.reason ? [". ", bdi(first.rePlanning.reason)] : null) : null,
    repairs.length ? about("Corrected", h("ul", {}, repairs.map(repair))) : null,
    calls.length ? about("Spent", spentTable(calls)) : actions.length ? about("Spent", "No model was used.") : null,
    first?.metrics.serverMs !== undefined ? about("Server time", duration(first.metrics.serverMs)) : null,
  ];
}

/** @param {NonNullable<Action["before"]>} before */
const seen = ({ url, title, skeleton }) =>
  [title ? h("p", {}, bdi(title)) : null, h("p", {}, outward(url)), skeleton ? h("details", {}, h("summary", {}, "What was on the page"), h("pre", { tabindex: "0" }, bdi(skeleton))) : null];

/** @param {Action} action */
function done(action) {
  const { provenance } = action;
  const from = provenance ? h("span", { class: "hint" }, " – from ", ORIGINS[provenance.origin] ?? provenance.origin, provenance.excerpt ? [": “", bdi(provenance.excerpt), "”"] : null) : null;
  return h("li", {}, bdi(action.description), " ", h("code", {}, bdi(action.action)), from);
}

/** @param {Repair} one */
const repair = (one) =>
  h("li", {}, `Try ${one.attempt}, ${named(one.strategy)} (${one.source}): `, h("code", {}, bdi(one.failedAction)), " failed (", bdi(one.reason || one.errorType), "), tried ", h("code", {}, bdi(one.triedAction)), ` – ${one.status}`);

/** @param {Call[]} calls @param {Action | undefined} first */
function spentLine(calls, first) {
  if (!calls.length) return first ? "No model · " : "";
  const cost = calls.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const tokens = calls.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  return `${money(cost)} · ${counted(tokens, "token")} · ${counted(calls.length, "call")} · `;
}

/** @param {Call[]} calls */
const spentTable = (calls) =>
  table({
    caption: "Calls of this step",
    compact: true,
    rows: calls,
    columns: [
      { label: "For", head: true, cell: (call) => named(call.actionType) },
      { label: "Model", cell: (call) => bdi(call.model) },
      { label: "In", numeric: true, cell: (call) => number(call.inputTokens) },
      { label: "Cached", numeric: true, cell: (call) => number(call.cachedTokens) },
      { label: "Thinking", numeric: true, cell: (call) => number(call.thinkingTokens) },
      { label: "Out", numeric: true, cell: (call) => number(call.outputTokens) },
      { label: "Cost", numeric: true, cell: (call) => (call.priced ? money(call.costUsd, 4) : "not known") },
      { label: "Took", numeric: true, cell: (call) => duration(call.durationMs) },
      { label: "Outcome", cell: (call) => (call.ok ? "ok" : bdi(call.outcome)) },
    ],
  });
