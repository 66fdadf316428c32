import { element, iconButton } from "../../element.js";
import { markCitations, whereIn } from "./citations.js";
import { renderMarkdown } from "./markdown.js";
import { ratingOf } from "./rating.js";

/** @import { ChatAnswer, Citation } from "../../../types/chat" */

const SHEETS = "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3";
const TICK = "M3 8.5l3.5 3.5L13 4.5";
const TOLD_MS = 2_000;

/** @param {Citation} one its place and its words */
const sourceOf = (one) => `${[one.title || one.label, whereIn(one), one.url].filter(Boolean).join(", ")}: “${one.quote.replace(/\s+/g, " ").trim()}”`;

/** @param {ChatAnswer} answer @returns {string} readable Markdown */
function textOf({ response, citations }) {
  const sources = (citations ?? []).map((one) => `[${one.marker}] ${sourceOf(one)}`);
  return [response.trim(), ...(sources.length ? [`Sources\n${sources.join("\n")}`] : [])].join("\n\n");
}

/** @param {ChatAnswer} answer @returns {string} */
function htmlOf({ response, citations }) {
  const made = element("div", {}, renderMarkdown(response));
  markCitations(made, [], (none) => document.createTextNode(String(none)));
  const sources = (citations ?? []).map((one) => element("p", {}, `[${one.marker}] ${sourceOf(one)}`));
  if (sources.length) made.append(element("p", {}, element("strong", {}, "Sources")), ...sources);
  return made.innerHTML;
}

/** @param {string} text @param {string} type */
const blob = (text, type) => new Blob([text], { type });

/** @param {ChatAnswer} answer @returns {{button: HTMLElement, status: HTMLElement}} the copy button (plain text and HTML, with sources) and its result */
function copyOf(answer) {
  const button = iconButton("Copy with sources", SHEETS, "chat-copy", async () => {
    const parts = { "text/plain": blob(textOf(answer), "text/plain"), "text/html": blob(htmlOf(answer), "text/html") };
    const copied = await navigator.clipboard.write([new ClipboardItem(parts)]).then(() => true, () => false);
    status.textContent = copied ? "Copied" : "Could not copy";
    if (copied) button.querySelector("path")?.setAttribute("d", TICK);
    setTimeout(() => {
      status.textContent = "";
      button.querySelector("path")?.setAttribute("d", SHEETS);
    }, TOLD_MS);
  });
  const status = element("span", { class: "hint", role: "status" });
  return { button, status };
}

const AGAIN = "M13 8a5 5 0 1 1-1.5-3.5L13 6M13 2.5V6H9.5"; // only on the last answer

/**
 * The tools of an answer: a row of small buttons, and what they open.
 *
 * @param {ChatAnswer} answer @returns {HTMLElement[]}
 */
export function toolsOf(answer) {
  const copy = copyOf(answer);
  const again = iconButton("Ask again", AGAIN, "chat-again");
  again.dataset.does = "again";
  const { buttons, why } = ratingOf({ threadId: answer.thread_id, messageId: answer.message_id }, answer.rating);
  return [element("div", { class: "tools", role: "group", "aria-label": "This answer" }, copy.button, again, ...buttons, copy.status), why];
}
