import { tiptapOf } from "./history.js";

/** @import { ChatInput, ChatLine } from "../../types/chat" */

/**
 * Edits the last question in the input.
 *
 * @param {ChatInput} input @param {() => Promise<ChatLine | undefined>} lastQuestion
 */
export function createQuestionEdit(input, lastQuestion) {
  /** The pencil button of the question. @type {HTMLElement | null} */
  let open = null;

  function stop() {
    if (!open) return;
    if (open.getAttribute("aria-pressed") === "true") input.clear();
    open.removeAttribute("aria-pressed");
    open = null;
  }

  return {
    isOpen: () => open !== null,
    stop,
    /** Begins, or cancels. @param {HTMLElement} button its pencil */
    async toggle(button) {
      if (open) return stop();
      open = button;
      const question = await lastQuestion();
      if (!question || open !== button) return stop();
      button.setAttribute("aria-pressed", "true");
      input.fill(tiptapOf(question));
      input.focus();
    },
  };
}
