/** @import { Step } from "../types/run" */
/** @import { Advice } from "../types/review" */
/** @import { Correction, RePlanning } from "../types/wire" */

/** What is tried after a failure, in everyday words. @type {Record<string, string>} */
const STRATEGIES = {
  "alternative element": "Another control that may be meant",
  "answer the dialog": "Answer what the page asks",
  "click at centre": "Click at its position",
  "dismiss overlay": "Close what is in front of it first",
  "fill what is missing": "Fill in what is missing first",
  "go back": "Go back to where it was",
  keyboard: "Use the keyboard instead of the mouse",
  "re-find": "The same control, found again on the changed page",
  retry: "Try the same again",
  scroll: "Scroll down to find it",
  "scroll into view": "Scroll to it first",
  wait: "Wait, and look again",
  "wait and retry": "Wait, then try again",
};

/** @type {Record<string, string>} */
const DONE_TO_PLAN = { modify: "Changed the plan", regenerate: "Made a new plan" };

const MOST_NAMED = 3; // documents named in one line

/** @param {string} words */
const capitalize = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);

/**
 * What is now done differently and where that came from.
 *
 * @param {Correction} correction
 */
export function correctionText({ strategy, attempt, source }) {
  const words = STRATEGIES[strategy] ?? capitalize(strategy);
  const text = source === "skill" ? `${words}, which helped here before` : words;
  return attempt > 1 ? `${text} (try ${attempt})` : text;
}

/**
 * The line saying that the plan changed with the page; null if it did not.
 *
 * @param {RePlanning | null | undefined} turned @param {number} at epoch ms @returns {Step | null}
 */
export function planChangeStep(turned, at) {
  const done = DONE_TO_PLAN[turned?.decision ?? ""];
  if (!turned?.triggered || !done) return null;
  const [cause = "", ...why] = (turned.reason ?? "").split(": ");
  const text = cause ? `${done}: ${cause.slice(0, 1).toLowerCase()}${cause.slice(1)}` : done;
  const nothing = { action: "", element: "", thought: "", verdict: "", error: "", tokens: 0, ms: null };
  return { id: `plan-${at}`, text, mark: "done", at, ...nothing, ...(why.length > 0 ? { why: capitalize(why.join(": ")) } : {}) };
}

/**
 * The line saying that the team's documents were read; null if the last such line says the same.
 *
 * @param {readonly Step[]} steps @param {readonly string[]} titles @param {number} at epoch ms @returns {Step | null}
 */
export function documentsStep(steps, titles, at) {
  const named = [...new Set(titles)];
  const more = named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : "";
  const text = `Read in your documents: ${named.slice(0, MOST_NAMED).join(", ")}${more}`;
  if (named.length === 0 || steps.findLast(({ id }) => id.startsWith("docs-"))?.text === text) return null;
  return { id: `docs-${at}`, text, mark: "done", at, action: "", element: "", thought: "", verdict: "", error: "", tokens: 0, ms: null };
}

/**
 * The lines about what operators decided in similar cases, each shown once.
 *
 * @param {readonly Step[]} steps @param {readonly Advice[] | null | undefined} advice @param {number} at epoch ms @returns {Step[]}
 */
export function adviceSteps(steps, advice, at) {
  const known = new Set(steps.filter(({ id }) => id.startsWith("advice-")).map(({ text }) => text));
  const fresh = [...new Set((advice ?? []).map(({ line }) => line))].filter((line) => line && !known.has(line));
  const nothing = { action: "", element: "", thought: "", verdict: "", error: "", tokens: 0, ms: null };
  return fresh.map((text, n) => ({ id: `advice-${known.size + n}`, text, mark: /** @type {const} */ ("talk"), at, ...nothing }));
}
