import { button, element, iconButton, onEscape } from "../../element.js";
import { askServer, errorText } from "../../server.js";
import { markCitations, whereIn } from "./citations.js";
import { renderMarkdown } from "./markdown.js";

/** @import { ChatAnswer, Citation, Rating } from "../../../types/chat" */

const UP = "M5.5 7 8 2.5c1 0 1.7.7 1.5 1.8L9.2 6.5h3c.9 0 1.5.8 1.3 1.6l-1 4.2c-.2.7-.7 1.2-1.5 1.2H5.5zM2.5 7h3v6.5h-3z";
const DOWN = "M5.5 9 8 13.5c1 0 1.7-.7 1.5-1.8L9.2 9.5h3c.9 0 1.5-.8 1.3-1.6l-1-4.2c-.2-.7-.7-1.2-1.5-1.2H5.5zM2.5 9h3V2.5h-3z";
const LONGEST = 2_000; // characters of a comment
const ASKED = { up: "What was good about it? (optional)", down: "What was wrong with it? (optional)" };

let made = 0; // field ids must be unique

/**
 * Thumbs up and down with a field for a comment. A press is sent at once.
 *
 * @param {{threadId: string, messageId: string}} subject @param {Rating | null | undefined} given the rating so far
 * @returns {{buttons: HTMLElement[], why: HTMLElement}}
 */
function ratingOf({ threadId, messageId }, given) {
  const path = `/api/chat/conversations/${encodeURIComponent(threadId)}/messages/${encodeURIComponent(messageId)}/rating`;
  const why = element("div", { class: "why", hidden: "", "data-testid": "rating-why" });
  let rating = given ?? null;
  const thumbs = {
    up: iconButton("Good answer", UP, "rating-up", () => void press("up")),
    down: iconButton("Bad answer", DOWN, "rating-down", () => void press("down")),
  };

  function mark() {
    for (const [thumb, button] of Object.entries(thumbs)) button.setAttribute("aria-pressed", String(rating?.rating === thumb));
  }

  /** @param {Node[]} nodes shown below the thumbs */
  function show(...nodes) {
    why.replaceChildren(...nodes);
    why.hidden = nodes.length === 0;
  }

  /** @param {string} text @param {string} role */
  const line = (text, role) => element("p", { class: "said", role }, text);

  /** @param {"up" | "down"} thumb @param {string} comment @returns {Promise<boolean>} whether it was saved */
  async function keep(thumb, comment) {
    const before = rating;
    rating = { rating: thumb, comment };
    mark();
    try {
      rating = await askServer(path, { method: "PUT", body: { rating: thumb, comment } });
      return true;
    } catch (error) {
      rating = before;
      mark();
      show(line(errorText(error, "Could not send"), "alert"));
      return false;
    }
  }

  /** @param {"up" | "down"} thumb */
  async function press(thumb) {
    if (rating?.rating === thumb && !why.hidden) return show();
    const comment = rating?.rating === thumb ? rating.comment : "";
    if (rating?.rating === thumb || (await keep(thumb, comment))) show(form(thumb, comment));
  }

  /** @param {"up" | "down"} thumb @param {string} comment */
  function form(thumb, comment) {
    const id = `rating-${(made += 1)}`;
    const words = element("textarea", { id, dir: "auto", maxlength: String(LONGEST), "data-testid": "rating-comment" });
    words.value = comment;
    const leave = () => {
      show();
      thumbs[thumb].focus();
    };
    const close = button("Close", leave);
    const send = element("button", { type: "submit", class: "primary", "data-testid": "rating-send" }, "Send");
    const box = element("form", {}, element("label", { for: id }, ASKED[thumb]), words, element("div", { class: "buttons" }, send, close));
    onEscape(box, leave);
    box.addEventListener("submit", async (event) => {
      event.preventDefault();
      send.disabled = true;
      if (!(await keep(thumb, words.value.trim()))) return;
      show(line("Thank you. Operators can read your feedback.", "status"));
      thumbs[thumb].focus();
    });
    return box;
  }

  mark();
  return { buttons: [thumbs.up, thumbs.down], why };
}

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
