/** A question that waits for a person, and its answer. */

import { send } from "../api.js";
import { announce, boxed, h, bdi } from "../dom.js";
import { to } from "../router.js";
import { errorText } from "../states.js";
import { countdown, siteOf } from "../words.js";

/** @import { Asked } from "../types/api" */

const TICK_MS = 1_000;

/** @param {Asked} question @param {{linked: boolean, answered?: () => void}} more `linked`: to its task */
export function questionCard(question, { linked, answered = () => {} }) {
  const problem = h("p", { class: "bad", role: "alert" });
  const card = h("section", { class: "question", "data-testid": "question" });
  const id = `q-${question.hitlId}`;
  const say = async (/** @type {string} */ type, /** @type {unknown} */ value) => {
    problem.textContent = "";
    for (const one of card.querySelectorAll("button")) one.disabled = true;
    try {
      await send("POST", `hitl/${encodeURIComponent(question.hitlId)}/answer`, { type, value, requestId: crypto.randomUUID?.() });
      announce("Answered");
      card.replaceChildren(h("p", {}, type === "cancel" ? "Cancelled. The task stops." : "Answered. The task continues once its browser is notified."));
      answered();
    } catch (error) {
      problem.textContent = errorText(error);
      for (const one of card.querySelectorAll("button")) one.disabled = false;
    }
  };
  card.setAttribute("aria-labelledby", id);
  card.append(
    h("p", { id, class: "title", ...boxed(question.message) }, bdi(question.message)),
    linked ? h("p", { class: "hint" }, bdi(question.user), " · ", bdi(siteOf(question.url)), " · ", h("a", { href: to("task", question.taskId) }, bdi(question.goal))) : "",
    ...approval(question),
    answers(question, say),
    problem,
    h("p", { class: "hint" }, "Time left: ", clock(question.expiresAt)),
  );
  return card;
}

/** @param {Asked} question @returns {HTMLElement[]} what a yes lets happen */
function approval({ approval: asked }) {
  if (!asked) return [];
  const facts = [["Action", asked.description || asked.action], ["Element", asked.element], ["Site", asked.site], ["Cannot be undone", asked.undo]];
  return [h("dl", { class: "about" }, facts.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, bdi(String(value))))))];
}

/** @param {Asked} question @param {(type: string, value: unknown) => Promise<void>} say */
function answers(question, say) {
  const type = question.interruptType;
  const cancel = h("button", { type: "button", onclick: () => void say("cancel", null) }, "Stop the task");
  if (question.expectedInput === "multi_choice") return several(question, say, cancel);
  const options = question.options.length ? question.options : question.expectedInput === "yes_no" ? [{ id: "yes", label: "Yes" }, { id: "no", label: "No" }] : [];
  const buttons = options.map(({ id, label }) => h("button", { type: "button", "data-option": id, onclick: () => void say(type, id) }, bdi(label)));
  const stops = options.some(({ id }) => id === "stop"); // one that is asked about money: it says it itself
  if (question.expectedInput !== "free_text") return h("div", { class: "buttons" }, ...buttons, stops ? null : cancel);
  const id = `a-${question.hitlId}`;
  const field = h("textarea", { id, rows: "2", maxlength: "4000", required: true });
  return h(
    "form",
    { class: "answer", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), field.value.trim() ? void say(type, field.value) : field.focus()) },
    h("label", { for: id }, "Answer"),
    field,
    h("div", { class: "buttons" }, ...buttons, h("button", { class: "primary" }, "Send answer"), cancel),
  );
}

/** @param {Asked} question @param {(type: string, value: unknown) => Promise<void>} say @param {HTMLElement} cancel */
function several(question, say, cancel) {
  const boxes = question.options.map(({ id, label }) => h("label", { class: "check" }, h("input", { type: "checkbox", value: id }), bdi(label)));
  const chosen = () => boxes.map((box) => /** @type {HTMLInputElement} */ (box.querySelector("input"))).filter(({ checked }) => checked).map(({ value }) => value);
  return h(
    "form",
    { class: "answer", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void say(question.interruptType, chosen())) },
    ...boxes,
    h("div", { class: "buttons" }, h("button", { class: "primary" }, "Send answer"), cancel),
  );
}

/** @param {string} until */
function clock(until) {
  const left = () => Date.parse(until) - Date.now();
  const shown = h("span", { class: "clock", role: "timer", "aria-live": "off" }, countdown(left()));
  const timer = setInterval(() => {
    shown.textContent = left() > 0 ? countdown(left()) : "over";
    if (left() <= 0 || !shown.isConnected) clearInterval(timer);
  }, TICK_MS);
  return shown;
}
