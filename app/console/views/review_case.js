/** What a record says: what was asked and told, looked at and found, and proposed. */

import { markCitations, placeOf, supersededBy, whereIn } from "../extension/panel/chat/answer/citations.js";
import { renderMarkdown } from "../extension/panel/chat/answer/markdown.js";
import { comparisonPart, labelCells, markVerdicts } from "../extension/panel/chat/answer/tables.js";
import { boxed, h, outward, bdi } from "../dom.js";
import { to } from "../router.js";
import { confidenceChip, impactChip, KINDS, moment, nameOf, personOf } from "./review_words.js";

/** @import { Child } from "../dom.js" */
/** @import { ReviewRecord, TurnLine, WholeRecord } from "../types/api" */
/** @import { Citation } from "../extension/types/chat" */

/** @type {Record<string, string>} */
const SPEAKERS = { user: "Question", assistant: "Answer" };

/** @param {ReviewRecord} record @param {WholeRecord["turn"]} turn shown below it: what stands there is not said twice @returns {HTMLElement[]} */
export function caseOf(record, turn) {
  const { issue, investigation, recommendation, origin } = record;
  const shown = turn?.messages.some(({ content }) => content === origin.told);
  return [
    h("p", { class: "title", "data-testid": "asked", ...boxed(nameOf(record)) }, bdi(nameOf(record))),
    factsOf(record),
    block("Why it is here", record.why_escalated),
    block("Reported", issue.reported_symptom === nameOf(record) ? "" : issue.reported_symptom),
    shown ? null : block("What the person was told", origin.told, "result"),
    h("div", { class: "found" },
      several("What was checked", investigation.what_checked),
      several("Evidence", investigation.evidence),
      block("Candidate cause", investigation.candidate_root_cause),
      several("What is missing", record.missing_information),
      several("Services and connections", investigation.services_connections_involved)),
    h("section", { class: "proposal" }, h("h2", {}, origin.kind === "mcp" ? "Proposal" : "The agent’s proposal"), text(recommendation.proposed_next_action), recommendation.expected_outcome && !shown ? h("p", { class: "hint" }, "Then: ", bdi(recommendation.expected_outcome)) : null),
  ].filter((one) => one !== null);
}

/** @param {ReviewRecord} record */
function factsOf(record) {
  const { issue, origin, submitter } = record;
  /** @type {[string, Child | Child[]][]} */
  const facts = [
    ["Confidence", confidenceChip(record)],
    ["Impact", impactChip(record)],
    ["Person", bdi(origin.user)],
    ["Site", issue.site ? bdi(issue.site) : ""],
    ["About", KINDS[origin.kind] ?? origin.kind],
    ["Submitted", moment(record.submitted_at_ms)],
    ["By", personOf(submitter)],
    ["Ticket", issue.ticket_id ? bdi(issue.ticket_id) : ""],
    ["Item", issue.lgv_id ? bdi(issue.lgv_id) : ""],
  ];
  return h("dl", { class: "facts" }, facts.filter(([, value]) => value !== "").map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** @param {string} words @param {string} [kind] */
const text = (words, kind = "") => h("p", { class: `text ${kind}`.trim(), ...boxed(words) }, bdi(words));

/** @param {string} name @param {string | null} words @param {string} [kind] */
const block = (name, words, kind) => (words?.trim() ? h("section", {}, h("h2", {}, name), text(words, kind)) : null);

/** @param {string} name @param {string[]} lines */
const several = (name, lines) => (lines.length ? h("section", {}, h("h2", {}, name), h("ul", { class: "lines" }, lines.map((one) => h("li", { ...boxed(one) }, bdi(one))))) : null);

/** @param {NonNullable<WholeRecord["turn"]>} turn @param {string} record its id */
export const turnOf = ({ messages }, record) => h("div", { class: "turn", "data-testid": "turn" }, messages.map((line) => lineOf(line, record)));

/** @param {TurnLine} line @param {string} record */
function lineOf({ id, role, content, metadata }, record) {
  const cited = metadata.citations ?? [];
  const place = (/** @type {Citation} */ { marker }) => `${to("source", record)}?${new URLSearchParams({ of: id, marker: String(marker) })}`;
  return h(
    "section",
    {},
    h("h3", {}, SPEAKERS[role] ?? "Message"),
    ...(role === "assistant" ? answerOf(content, metadata, place) : [text(content)]),
    cited.length ? h("ol", { class: "cited" }, cited.map((one) => citedOf(one, place(one)))) : role === "assistant" ? h("p", { class: "hint" }, "No sources are cited.") : null,
  );
}

/** @param {string} content @param {TurnLine["metadata"]} metadata @param {(one: Citation) => string} place */
function answerOf(content, { citations = [], action, comparison }, place) {
  const link = (/** @type {Citation} */ one) => h("a", { class: "cite", href: place(one), title: placeOf(one), "aria-label": `Source ${one.marker}: ${placeOf(one)}`, "data-testid": "citation" }, one.marker);
  const made = renderMarkdown(content);
  markCitations(made, citations, link);
  labelCells(made);
  if (action === "audit") markVerdicts(made);
  const beside = comparison ? [comparisonPart(comparison, (marker) => citations.filter((one) => one.marker === marker).map(link))] : [];
  return [h("div", { class: "prose", dir: "auto" }, made), ...beside];
}

/** @param {Citation} one @param {string} place */
function citedOf(one, place) {
  const { marker, title, label, quote, url, kind } = one;
  const where = [whereIn(one), supersededBy(one)].filter(Boolean).join(" · ");
  return h("li", {}, h("p", {}, `[${marker}] `, h("a", { href: place, "data-cited": `${marker}` }, bdi(title || label)), where ? h("span", { class: "hint" }, " ", bdi(where)) : null), kind === "web" && url ? outward(url) : null, h("blockquote", { ...boxed(quote) }, bdi(quote)));
}
