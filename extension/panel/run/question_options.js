import { actionText, questionParts, yesLabel } from "../../shared/question_text.js";
import { element } from "../element.js";

/** @import { InterruptEvent, QuestionOption } from "../../types/wire" */
/** @import { CardActions } from "./question_card.js" */

const FRESH_MS = 300; // a press this soon was meant for the previous card

/** Roles that are drawn like the control; others are named. @type {Record<string, string>} */
const LOOKS = { btn: "button", menu: "button", tab: "button", link: "link", inp: "field", sel: "field", chk: "box", rad: "box" };

/**
 * Splits an element's description: 'btn "Save" in form: New patient'.
 *
 * @param {string} text @returns {{role: string, name: string, place: string}}
 */
export function elementParts(text) {
  const [, role = "", name = text, place = ""] = /^(\w+) "(.*)"(?: in ([^"]*))?$/s.exec(text) ?? [];
  return { role, name, place };
}

/** @param {string} text an element's description, drawn like the control, with its place */
function elementPreview(text) {
  const { role, name, place } = elementParts(text);
  const drawn = element("span", { class: "likeness", "data-look": LOOKS[role] ?? "", dir: "auto" }, name || "no name");
  return place ? element("span", {}, drawn, " ", element("span", { class: "place", dir: "auto" }, place)) : drawn;
}

/** @param {string} text normalized, to compare wordings */
const normalized = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

/** @param {InterruptEvent} question @returns {[string, Node | string][]} what a yes allows, as terms and details */
function facts(question) {
  const { approval } = question;
  const { sentence, needs } = questionParts(question);
  /** @type {[string, Node | string][]} */
  const rows = [];
  const deed = actionText(question);
  if (approval && !normalized(sentence).includes(normalized(deed))) rows.push(["Does", deed.replace(/^[a-z]/, (letter) => letter.toUpperCase())]);
  if (approval?.element) rows.push(["On", elementPreview(approval.element)]);
  if (needs.length > 0) rows.push(["With", element("ul", {}, ...needs.map((need) => element("li", { dir: "auto" }, need)))]);
  if (approval?.site) rows.push(["Site", approval.site]);
  return rows;
}

/** @param {InterruptEvent} question @returns {Node[]} exactly what will happen, where, and whether it can be undone */
export function approvalFacts(question) {
  const rows = facts(question).flatMap(([term, value]) => [element("dt", {}, term), element("dd", { dir: "auto" }, value)]);
  const undo = question.approval?.undo;
  return [
    ...(rows.length > 0 ? [element("dl", { class: "facts" }, ...rows)] : []),
    ...(undo ? [element("p", { class: "undo", dir: "auto", "data-testid": "assist-undo" }, undo)] : []),
  ];
}

/**
 * Yes and no, neither of them recommended. They ignore presses for a moment, so that the second click of
 * a double click, or one meant for the previous card, approves nothing.
 *
 * @param {InterruptEvent} question @param {CardActions} deeds
 */
export function approvalButtons(question, { answer }) {
  const box = element("div", { class: "options", role: "group", "aria-labelledby": "question", "data-kind": "approval" });
  const shown = question.options?.length ? question.options : [{ id: "yes", label: yesLabel(question) }, { id: "no", label: "No" }];
  for (const { id, label } of shown) {
    const button = element("button", { type: "button", class: "option", dir: "auto", "aria-disabled": "true", "data-testid": "assist-option", "data-id": id }, label);
    button.addEventListener("click", () => button.ariaDisabled !== "true" && answer(id, label));
    box.append(button);
    setTimeout(() => button.removeAttribute("aria-disabled"), FRESH_MS);
  }
  return box;
}

/** @param {QuestionOption} option @param {number} index @param {Record<string, string>} [attributes] the digit before it is decoration */
function optionButton({ id, label }, index, attributes = {}) {
  /** @type {Record<string, string>} */
  const digit = index < 9 ? { "data-digit": String(index + 1) } : {};
  return element("button", { type: "button", class: "option", dir: "auto", "data-testid": "assist-option", "data-id": id, ...digit, ...attributes }, label);
}

/** @param {InterruptEvent} question */
const groupOf = ({ kind }) => element("div", { class: "options", role: "group", "aria-labelledby": "question", "data-kind": kind });

/** @param {InterruptEvent} question @param {CardActions} deeds for a single choice; the first option is the recommended one */
export function singleChoice(question, { answer }) {
  const box = groupOf(question);
  for (const [index, option] of (question.options ?? []).entries()) {
    const button = optionButton(option, index);
    button.addEventListener("click", () => answer(option.id, option.label));
    box.append(button);
  }
  return box;
}

/** @param {InterruptEvent} question @param {CardActions} deeds for several choices, which are submitted together */
export function multipleChoice(question, { choose, answer }) {
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

/** @param {HTMLElement} card @param {string[]} chosen shows the choices so far, made in the panel or in the page */
export function renderChosen(card, chosen) {
  const several = card.querySelector(".several");
  if (!several) return;
  const buttons = [...several.querySelectorAll("[data-id]")];
  for (const button of buttons) button.setAttribute("aria-pressed", String(chosen.includes(button.getAttribute("data-id") ?? "")));
  several.querySelector(".all")?.setAttribute("aria-pressed", String(chosen.length === buttons.length));
  const hand = several.querySelector(".primary");
  hand?.toggleAttribute("disabled", chosen.length === 0);
  if (hand) hand.textContent = chosen.length > 0 ? `Choose ${chosen.length}` : "Choose";
}
