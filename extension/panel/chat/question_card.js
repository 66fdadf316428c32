import { element } from "../element.js";
import { handleOptionKey } from "../option_keys.js";
import { countdown } from "../format.js";
import { pill } from "./items.js";

/** @import { ChatQuestion } from "../../types/chat" */
/** @typedef {{answer: (value: string, label: string) => void, cancel: () => void, write: () => void}} ChatCardActions `write` moves the focus to the input */

const LONG_MS = 3_600_000; // longer waits show no countdown
const ALL = "all";

/** @param {ChatQuestion} question @param {ChatCardActions} deeds */
function optionsOf({ options, interrupt_type: type }, { answer }) {
  const buttons = (options ?? []).map(({ id, label }, index) => {
    const name = type === "doc_choice" && id !== ALL ? pill(label) : label;
    /** @type {Record<string, string>} */
    const digit = index < 9 ? { "data-digit": String(index + 1) } : {};
    const button = element("button", { type: "button", class: "option", "data-id": id, "data-testid": "chat-option", ...digit }, name);
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", "true");
      answer(id, label);
    });
    return button;
  });
  return element("div", { class: "options", role: "group", "aria-labelledby": "chat-question", "data-kind": type }, ...buttons);
}

/**
 * The card of a chat question, above the input.
 *
 * @param {HTMLElement} box @param {ChatCardActions} deeds
 */
export function createQuestionCard(box, deeds) {
  /** @type {ChatQuestion | null} */
  let asked = null;
  const left = element("span", { class: "left" });
  const cancel = element("button", { type: "button", "data-testid": "chat-cancel" }, "Cancel");
  cancel.addEventListener("click", deeds.cancel);

  const count = () => {
    const ms = Date.parse(asked?.expires_at ?? "") - Date.now();
    left.textContent = ms > LONG_MS || Number.isNaN(ms) ? "" : ms > 0 ? `${countdown(ms)} left` : "Time is up";
  };
  setInterval(() => asked && count(), 1000);

  /** @returns {HTMLButtonElement[]} */
  const options = () => [...box.querySelectorAll(/** @type {"button"} */ (".option:enabled"))];

  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !cancel.disabled) {
      event.preventDefault();
      deeds.cancel();
    }
    handleOptionKey(event, options(), { approval: false, write: deeds.write });
  });

  return {
    question: () => asked,
    /** @param {ChatQuestion | null} question */
    show(question) {
      asked = question;
      box.hidden = !question;
      box.toggleAttribute("aria-busy", false);
      cancel.disabled = false;
      box.replaceChildren();
      if (!question) return;
      count();
      const heading = element("h2", { id: "chat-question", dir: "auto" }, question.message);
      const ways = question.interrupt_type === "text_input" ? [] : [optionsOf(question, deeds)];
      box.append(heading, ...ways, element("div", { class: "end" }, left, cancel));
    },
    /** @param {boolean} busy disables the buttons while an answer is being sent */
    setBusy(busy) {
      box.toggleAttribute("aria-busy", busy);
      for (const button of box.querySelectorAll("button")) {
        button.disabled = busy;
        if (!busy) button.removeAttribute("aria-pressed");
      }
    },
    /** Focuses the card, where no key answers by accident. */
    focus: () => box.focus(),
    /** Moves the focus from the input up to the card. @returns {boolean} whether there is one */
    enter() {
      const [first] = options();
      first?.focus();
      return first !== undefined;
    },
  };
}
