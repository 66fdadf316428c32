import { element } from "../element.js";

/** @import { InterruptEvent, QuestionOption } from "../../types/wire" */
/** @import { CardDeeds } from "./question_card.js" */

/** @param {QuestionOption} option @param {number} index @param {Record<string, string>} [attributes] the digit before it is only drawn */
function optionButton({ id, label }, index, attributes = {}) {
  /** @type {Record<string, string>} */
  const digit = index < 9 ? { "data-digit": String(index + 1) } : {};
  return element("button", { type: "button", class: "option", dir: "auto", "data-testid": "assist-option", "data-id": id, ...digit, ...attributes }, label);
}

/** @param {InterruptEvent} question */
const groupOf = ({ kind }) => element("div", { class: "options", role: "group", "aria-labelledby": "question", "data-kind": kind });

/** @param {InterruptEvent} question @param {CardDeeds} deeds one press answers; the first option is the recommended one */
export function oneOf(question, { answer }) {
  const box = groupOf(question);
  for (const [index, option] of (question.options ?? []).entries()) {
    const button = optionButton(option, index);
    button.addEventListener("click", () => answer(option.id, option.label));
    box.append(button);
  }
  return box;
}

/** @param {InterruptEvent} question @param {CardDeeds} deeds options that are switched on and off, and then handed in */
export function severalOf(question, { choose, answer }) {
  const options = question.options ?? [];
  const box = groupOf(question);
  const chosen = () => options.filter(({ id }) => box.querySelector(`[data-id="${CSS.escape(id)}"][aria-pressed="true"]`));
  for (const [index, option] of options.entries()) {
    const button = optionButton(option, index, { "aria-pressed": "false" });
    button.addEventListener("click", () => {
      const others = chosen().filter(({ id }) => id !== option.id);
      const now = button.getAttribute("aria-pressed") === "true" ? others : [...others, option];
      choose(options.filter((one) => now.includes(one)).map(({ id }) => id));
    });
    box.append(button);
  }
  const all = element("button", { type: "button", class: "all", "aria-pressed": "false", "data-testid": "assist-all" }, "All");
  all.addEventListener("click", () => choose(chosen().length === options.length ? [] : options.map(({ id }) => id)));
  const hand = element("button", { type: "button", class: "primary", "data-testid": "assist-submit" }, "Choose");
  hand.addEventListener("click", () => {
    const picked = chosen();
    if (picked.length > 0) answer(picked.map(({ id }) => id), picked.map(({ label }) => label).join("; "));
  });
  return element("div", { class: "several" }, box, element("div", { class: "buttons" }, all, hand));
}

/** @param {HTMLElement} card @param {string[]} chosen shows what is chosen so far, in the panel or in the page */
export function showChosen(card, chosen) {
  const several = card.querySelector(".several");
  if (!several) return;
  const buttons = [...several.querySelectorAll("[data-id]")];
  for (const button of buttons) button.setAttribute("aria-pressed", String(chosen.includes(button.getAttribute("data-id") ?? "")));
  several.querySelector(".all")?.setAttribute("aria-pressed", String(chosen.length === buttons.length));
  const hand = several.querySelector(".primary");
  hand?.toggleAttribute("disabled", chosen.length === 0);
  if (hand) hand.textContent = chosen.length > 0 ? `Choose ${chosen.length}` : "Choose";
}
