import { moveIntoCard, renderCard, renderCountdown, takesWords } from "./question_card.js";
import { byId } from "../element.js";
import { currentRoom } from "../navigation.js";

/** @import { View } from "../../types/run" */
/** @import { InterruptEvent } from "../../types/wire" */
/** @import { CardActions } from "./question_card.js" */
/** @typedef {{box: HTMLTextAreaElement, label: HTMLElement, button: HTMLButtonElement}} AnswerBoxParts the box, its label and its send button */

/** @param {InterruptEvent | null} question whether it must be answered with one of its options */
const isChoice = (question) => Boolean(question?.options?.length) && question?.expectedInput !== "free_text";

/** @param {InterruptEvent} question the box's placeholder */
function invitation(question) {
  const { options = [], expectedInput } = question;
  if (!isChoice(question)) return "Your answer";
  if (options.some(({ elementId }) => elementId)) return "Or type which one, or click it on the page";
  return expectedInput === "multi_choice" ? "Or type which ones" : "Or type which one";
}

/**
 * The card of a question, and the goal box, which becomes the answer box while the question takes a written answer. Its
 * earlier text is kept meanwhile; a person who is typing keeps the goal box until they leave it or send.
 *
 * @param {AnswerBoxParts} asking @param {CardActions} actions
 */
export function createAnswerBox({ box, label, button }, actions) {
  const goal = { placeholder: box.placeholder, label: label.textContent ?? "", button: button.textContent ?? "" };
  let draft = "";
  /** The question that the box answers now. @type {InterruptEvent | null} */
  let open = null;
  /** A question that waits until the person has finished typing. @type {InterruptEvent | null} */
  let next = null;

  const isWriting = () => !open && document.activeElement === box && box.value !== "";

  /** @param {InterruptEvent | null} question */
  function setQuestion(question) {
    if (question && !open) draft = box.value;
    box.value = question ? "" : draft;
    if (!question) draft = "";
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

  box.addEventListener("blur", () => next && setQuestion(next));

  /** @param {View} view @returns {boolean} whether the box may take the focus for an answer */
  function update({ question }) {
    const wanted = question && takesWords(question) ? question : null;
    if (wanted && wanted.hitlId === open?.hitlId) open = wanted;
    else if (wanted && isWriting()) next = wanted;
    else if (wanted || open) setQuestion(wanted);
    else next = null;
    if (open) button.disabled = false;
    return open !== null;
  }

  return {
    /** Shows the card and focuses the place to answer, never a button that approves. @param {View} view */
    show(view) {
      const isNew = renderCard(view, actions);
      const isFree = update(view);
      const holdsWords = document.activeElement === box && box.value !== "";
      if (!isNew || !isFree || holdsWords || currentRoom() !== "run") return;
      if (isChoice(view.question)) byId("assist").focus();
      else box.focus();
    },

    /** Moves the focus from the box up to the card. */
    enter: moveIntoCard,

    /** Updates the countdown. */
    count: renderCountdown,

    /** @returns {boolean} whether the text was sent as an answer */
    submit() {
      const text = box.value.trim();
      if (next) setQuestion(next);
      else if (open && text) actions.answer(text, text);
      else if (!open) return false;
      return true;
    },
  };
}
