import { moveIntoCard, renderCard, renderCountdown, takesWords } from "./question_card.js";
import { byId } from "../element.js";
import { currentRoom } from "../navigation.js";

/** @import { View } from "../../types/run" */
/** @import { InterruptEvent } from "../../types/wire" */
/** @import { CardActions } from "./question_card.js" */
/** @typedef {{box: HTMLTextAreaElement, label: HTMLElement, button: HTMLButtonElement}} AnswerBoxParts the box, what it is called, and what sends it */

/** @param {InterruptEvent | null} question whether one of its options is expected, and not any words */
const isChoice = (question) => Boolean(question?.options?.length) && question?.expectedInput !== "free_text";

/** @param {InterruptEvent} question what stands in the empty box */
function invitation(question) {
  const { options = [], expectedInput } = question;
  if (!isChoice(question)) return "Your answer";
  if (options.some(({ elementId }) => elementId)) return "Or type which one, or click it on the page";
  return expectedInput === "multi_choice" ? "Or type which ones" : "Or type which one";
}

/**
 * The card of a question, and the goal box, which is the answer box while the question takes words. What was written in
 * it before is kept meanwhile; who is in the middle of writing keeps the box until they leave it or send it.
 *
 * @param {AnswerBoxParts} asking @param {CardActions} deeds
 */
export function createAnswerBox({ box, label, button }, deeds) {
  const goal = { placeholder: box.placeholder, label: label.textContent ?? "", button: button.textContent ?? "" };
  let kept = "";
  /** The question that the box answers. @type {InterruptEvent | null} */
  let open = null;
  /** One that waits for the person to have done writing. @type {InterruptEvent | null} */
  let next = null;

  const isWriting = () => !open && document.activeElement === box && box.value !== "";

  /** @param {InterruptEvent | null} question */
  function become(question) {
    if (question && !open) kept = box.value;
    box.value = question ? "" : kept;
    if (!question) kept = "";
    open = question;
    next = null;
    box.placeholder = question ? invitation(question) : goal.placeholder;
    label.textContent = question ? "Your answer" : goal.label;
    button.textContent = question ? "Answer" : goal.button;
    const several = question?.expectedInput === "multi_choice";
    box.dataset.testid = question ? "assist-input" : "goal-input";
    button.dataset.testid = several ? "assist-words" : question ? "assist-submit" : "run-button";
    button.classList.toggle("primary", !isChoice(question));
    if (question) box.setAttribute("aria-describedby", "question");
    else box.removeAttribute("aria-describedby");
  }

  box.addEventListener("blur", () => next && become(next));

  /** @param {View} view @returns {boolean} whether the box is free to take the focus for an answer */
  function update({ question }) {
    const wanted = question && takesWords(question) ? question : null;
    if (wanted && wanted.hitlId === open?.hitlId) open = wanted;
    else if (wanted && isWriting()) next = wanted;
    else if (wanted || open) become(wanted);
    else next = null;
    if (open) button.disabled = false;
    return open !== null;
  }

  return {
    /** @param {View} view the card, and the focus where its question is answered: on nothing where a yes would be pressed */
    show(view) {
      const isNew = renderCard(view, deeds);
      const isFree = update(view);
      const holdsWords = document.activeElement === box && box.value !== "";
      if (!isNew || !isFree || holdsWords || currentRoom() !== "run") return;
      if (isChoice(view.question)) byId("assist").focus();
      else box.focus();
    },

    /** Goes from the box up into the card. */
    enter: moveIntoCard,

    /** Shows the time that is left. */
    count: renderCountdown,

    /** @returns {boolean} whether what is sent now belongs to a question; it is sent then */
    submit() {
      const text = box.value.trim();
      if (next) become(next);
      else if (open && text) deeds.answer(text, text);
      else if (!open) return false;
      return true;
    },
  };
}
