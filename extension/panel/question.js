import { byId, element } from "./element.js";
import { countdown, siteOf } from "./words.js";

/** @import { View } from "../types/run" */
/** @import { InterruptEvent, QuestionOption } from "../types/wire" */
/** @typedef {(value: string | string[] | null, text: string) => void} Answer */

const YES_NO = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];

/** @param {InterruptEvent} question @returns {QuestionOption[]} */
function optionsOf(question) {
  if (question.options?.length) return question.options;
  return question.expectedInput === "yes_no" ? YES_NO : [];
}

/** @param {InterruptEvent} question @param {Answer} answer one press answers; the first option is the recommended one */
function buttons(question, answer) {
  const options = optionsOf(question);
  const shape = question.expectedInput === "yes_no" ? "short" : "long";
  const box = element("div", { class: "options", role: "group", "aria-labelledby": "question", "data-shape": shape, "data-kind": question.kind });
  for (const { id, label } of options) {
    const button = element("button", { type: "button", dir: "auto", "data-testid": "assist-option", "data-id": id }, label);
    button.addEventListener("click", () => answer(id, label));
    box.append(button);
  }
  box.addEventListener("keydown", (event) => moveWithin(box, event));
  return box;
}

/** @param {KeyboardEvent} event goes from the goal box up into the options of a question, if there is one */
export function moveIntoOptions(event) {
  const first = byId("assist").querySelector("button, input, textarea");
  if (!(first instanceof HTMLElement)) return;
  first.focus();
  event.preventDefault();
}

/** @param {HTMLElement} box @param {KeyboardEvent} event arrows go through the options */
function moveWithin(box, event) {
  // A key still held down from something else answers nothing.
  if (event.repeat && (event.key === "Enter" || event.key === " ")) return event.preventDefault();
  const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
  const by = steps[event.key];
  if (!by) return;
  const all = [...box.querySelectorAll("button")];
  const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  all[(at + by + all.length) % all.length]?.focus();
  event.preventDefault();
}

/** @param {QuestionOption[]} options */
function checkboxes(options) {
  const box = element("div", { class: "options", role: "group", "aria-labelledby": "question" });
  for (const { id, label } of options) {
    const check = element("input", { type: "checkbox", value: id, "data-testid": "assist-option", "data-id": id });
    box.append(element("label", {}, check, label));
  }
  return box;
}

/** @param {InterruptEvent} question @param {HTMLElement} body @returns {{value: string | string[], text: string} | null} */
function given(question, body) {
  if (question.expectedInput === "multi_choice") {
    const checked = [.../** @type {NodeListOf<HTMLInputElement>} */ (body.querySelectorAll("input:checked"))];
    const text = checked.map((box) => box.parentElement?.textContent ?? "").join(", ");
    return checked.length > 0 ? { value: checked.map((box) => box.value), text } : null;
  }
  const text = body.querySelector("textarea")?.value.trim() ?? "";
  return text ? { value: text, text } : null;
}

/** Room for words that grows with them; Enter hands them in, as it does a goal. */
function answerBox() {
  const box = element("textarea", { rows: "1", dir: "auto", "data-testid": "assist-input", "aria-labelledby": "question needs" });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) box.form?.requestSubmit();
  });
  return box;
}

/** @param {InterruptEvent} question the question, and below it what is asked for, a line each */
function asked({ message }) {
  const [first = "", ...rest] = message.split("\n");
  const needs = rest.map((line) => line.replace(/^- /, "").trim()).filter(Boolean);
  const heading = element("h2", { id: "question", dir: "auto" }, first);
  if (needs.length === 0) return [heading];
  return [heading, element("ul", { id: "needs", class: "needs" }, ...needs.map((line) => element("li", { dir: "auto" }, line)))];
}

/** @type {Record<InterruptEvent["kind"], string>} */
const KINDS = { approval: "Needs your approval", clarification: "A question", disambiguation: "Which one" };

/** @param {InterruptEvent} question @param {string} url @param {Answer} answer */
function build(question, url, answer) {
  const options = optionsOf(question);
  const written = question.expectedInput === "free_text" || question.expectedInput === "multi_choice";
  const body = element("div");
  if (question.expectedInput === "multi_choice") body.append(checkboxes(options));
  else if (options.length > 0) body.append(buttons(question, answer));
  if (question.expectedInput === "free_text") {
    body.append(answerBox());
  }
  const end = element("div", { class: "end" }, element("span", { class: "left", id: "expires" }));
  const cancel = element("button", { type: "button", "data-testid": "assist-cancel" }, "Cancel");
  cancel.addEventListener("click", () => answer(null, ""));
  end.append(cancel);
  if (written) end.append(element("button", { class: "primary", type: "submit", "data-testid": "assist-submit" }, "Answer"));
  const about = element("p", { class: "about" }, `${KINDS[question.kind] ?? "A question"} · ${siteOf(url)}`);
  const form = element("form", {}, about, ...asked(question), body, end);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const reply = given(question, body);
    if (reply) answer(reply.value, reply.text);
  });
  return form;
}

/** @returns {boolean} whether the person is writing something, which a question must not take the keys from */
function isWriting() {
  const field = document.activeElement;
  return (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value !== "";
}

/** @param {View} view @param {Answer} answer shows the question card, once for each question */
export function renderQuestion({ question, url }, answer) {
  const card = byId("assist");
  card.hidden = !question;
  if (!question) {
    card.replaceChildren();
    delete card.dataset.id;
  } else if (card.dataset.id !== question.hitlId) {
    card.dataset.id = question.hitlId;
    card.dataset.kind = question.kind;
    card.replaceChildren(build(question, url, answer));
    renderCountdown(question, Date.now());
    // The card itself takes no focus on a button: Enter approves nothing by accident.
    if (!isWriting()) /** @type {HTMLElement | null} */ (card.querySelector("input, textarea"))?.focus();
  }
}

/** @param {InterruptEvent | null} question @param {number} now */
export function renderCountdown(question, now) {
  const left = document.getElementById("expires");
  if (!left || !question?.expiresAt) return;
  const ms = Date.parse(question.expiresAt) - now;
  left.textContent = ms > 0 ? `${countdown(ms)} left` : "The time for an answer is over";
}
