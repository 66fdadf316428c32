/** What a record of the review queue says of itself, in words. */

import { h, bdi } from "../dom.js";
import { named, when } from "../words.js";

/** @import { Person, ReviewRecord } from "../types/api" */

/** @type {Record<string, string>} */
export const REASONS = { low_confidence: "Confidence is not high", conflicting_evidence: "Evidence conflicts", high_impact: "High impact", asked_for: "Second opinion asked for" };
/** @type {[import("../types/api").Location, string][]} */
export const LOCATIONS = [["pending", "Waiting"], ["approved", "Approved"], ["rejected", "Rejected"]];
/** @type {Record<string, [string, string, string]>} sign, word and the state that colours it */
const DECISIONS = { approved: ["✓", "Approved", "completed"], rejected: ["✕", "Rejected", "failed"], pending: ["?", "Waiting", "awaiting_user"] };
/** @type {Record<string, string>} */
export const KINDS = { task: "A task", chat: "A chat answer", mcp: "A submission" };

/** @param {string} sign @param {string} text @param {string | null} [state] */
const chip = (sign, text, state = null) => h("span", { class: "chip", "data-state": state }, h("span", { "aria-hidden": "true" }, sign), text);

/** @param {ReviewRecord} record */
export function decisionChip({ review }) {
  const [sign, word, state] = DECISIONS[review?.decision ?? "pending"];
  return chip(sign, word, state);
}

/** @param {ReviewRecord} record */
export const confidenceChip = ({ investigation: { confidence } }) => chip({ high: "●", medium: "◐", low: "○" }[confidence], named(confidence), confidence === "low" ? "awaiting_user" : null);

/** @param {ReviewRecord} record */
export const impactChip = ({ investigation: { impact } }) => chip(impact === "high" ? "▲" : "–", named(impact), impact === "high" ? "failed" : null);

/** @param {ReviewRecord} record what it is called in a list */
export const nameOf = ({ issue }) => issue.goal?.trim() || issue.reported_symptom;

/** @param {ReviewRecord} record why it is in the queue, in short */
export function reasonsOf({ origin, why_escalated }) {
  const words = origin.reasons.map((one) => REASONS[one] ?? named(one)).join(", ");
  return words ? words[0] + words.slice(1).toLowerCase() : why_escalated;
}

/** @param {number} ms of the epoch */
export const moment = (ms) => when(new Date(ms).toISOString());

/** @param {ReviewRecord} record where it stands in its list */
export const placeOf = ({ review, submitted_at_ms }) => review?.reviewed_at_ms ?? submitted_at_ms;

/** @param {Person} person */
export const personOf = ({ name, role, team }) => [bdi(name), h("span", { class: "hint" }, " · ", bdi(role), team ? [" · ", bdi(team)] : null)];
