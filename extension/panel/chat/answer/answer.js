import { element } from "../../element.js";
import { opinionPart } from "../../reviews.js";
import { markCitations } from "./citations.js";
import { uncheckedNote } from "./draft.js";
import { renderMarkdown } from "./markdown.js";
import { documentPills } from "../items.js";
import { citationButton, sourceLists } from "./sources.js";
import { comparisonPart, labelCells, markVerdicts } from "./tables.js";
import { toolsOf } from "./tools.js";
import { doubtOf, spentOf, supportOf } from "./wording.js";

/** @import { ChatAnswer, Contested, Handoff, OpenSource } from "../../../types/chat" */

const DIRECTED = "p, li, td, th, h3, h4, h5, h6, blockquote";

/** @param {ChatAnswer} answer @param {OpenSource} open */
function wordsOf(answer, open) {
  const made = renderMarkdown(answer.response);
  markCitations(made, answer.citations ?? [], (citation) => citationButton(citation, open));
  for (const block of made.querySelectorAll(DIRECTED)) block.setAttribute("dir", "auto");
  labelCells(made);
  if (answer.action === "audit") markVerdicts(made);
  return element("div", { class: "prose" }, made);
}

/** @param {ChatAnswer} answer @param {OpenSource} open */
function besideOf({ comparison, citations }, open) {
  if (!comparison) return [];
  return [comparisonPart(comparison, (marker) => citations.filter((one) => one.marker === marker).map((one) => citationButton(one, open)))];
}

/** @param {ChatAnswer} answer its support, its author and its cost */
function footOf(answer) {
  const support = element("span", { class: "support", "data-level": answer.retrieval_confidence, "data-testid": "chat-confidence" }, supportOf(answer));
  const spent = element("span", { class: "spent", "data-testid": "chat-cost" }, spentOf(answer));
  const doubt = doubtOf(answer);
  const by = answer.by_model ? [] : [element("p", { class: "by" }, "Quoted from the documents; no model was used")];
  return [element("p", { class: "foot" }, support, spent), ...(doubt ? [element("p", { class: "by" }, doubt)] : []), ...by];
}

/** @param {"del" | "span"} tag @param {string} name @param {Contested[] | undefined} claims contested statements */
function contested(tag, name, claims) {
  if (!claims?.length) return [];
  const row = (/** @type {Contested} */ { text, reason }) =>
    element("li", {}, element(tag, { dir: "auto" }, text), ...(reason ? [element("span", { class: "where", dir: "auto" }, reason)] : []));
  return [element("p", { class: "label" }, name), element("ul", { class: "contested", "aria-label": name }, ...claims.map(row))];
}

/** @param {ChatAnswer} answer which sources were searched */
function lookedIn({ documents, looked, web_query: query }) {
  const made = [];
  const among = looked?.length ? looked : documents;
  if (among?.length) made.push(element("p", { class: "looked" }, element("span", { class: "label" }, looked?.length ? "Not answered by" : "Searched in"), ...documentPills(among)));
  if (query) made.push(element("p", { class: "looked" }, element("span", { class: "label" }, "Searched the web for"), element("q", { dir: "auto" }, query)));
  return made;
}

/** @param {string} text @returns {HTMLElement} the draft of a stopped answer */
export function stoppedItem(text) {
  const words = element("div", { class: "prose", dir: "auto" }, renderMarkdown(text));
  return element("li", { class: "answer draft", "data-testid": "chat-stopped" }, words, uncheckedNote("Stopped here. None of this was checked."));
}

/**
 * An answer with its sources below it.
 *
 * @param {ChatAnswer} answer @param {{open: OpenSource, handing: Handoff}} given @returns {HTMLElement}
 */
export function answerItem(answer, { open, handing }) {
  const notices = (answer.notices ?? []).map((text) => element("p", { class: "aside", dir: "auto" }, text));
  const under = handing.under(answer);
  const advice = (answer.advice ?? []).map(({ line }) => element("p", { class: "advice", dir: "auto", "data-testid": "chat-advice" }, line));
  const subject = { threadId: answer.thread_id, messageId: answer.message_id };
  const known = answer.thread_id && answer.message_id;
  return element(
    "li",
    { class: "answer", "data-testid": "chat-answer" },
    ...advice,
    wordsOf(answer, open),
    ...besideOf(answer, open),
    ...contested("del", "Not supported by the documents", answer.unsupported),
    ...contested("span", "Questioned by a second check", answer.doubts),
    ...notices,
    ...sourceLists(answer.citations ?? [], open),
    ...lookedIn(answer),
    ...footOf(answer),
    ...(known ? toolsOf(answer) : []),
    ...(under.length > 0 ? [element("div", { class: "under" }, ...under)] : []),
    ...(known ? [opinionPart(subject, answer.review)] : []),
  );
}
