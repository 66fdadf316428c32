import { element } from "../../element.js";
import { copyOf } from "./copy.js";
import { iconButton } from "../icon.js";
import { ratingOf } from "./rating.js";

/** @import { ChatAnswer } from "../../../types/chat" */

const AGAIN = "M13 8a5 5 0 1 1-1.5-3.5L13 6M13 2.5V6H9.5"; // of the last answer alone

/**
 * What can be done with an answer: a row of small buttons, and what they open.
 *
 * @param {ChatAnswer} answer @returns {HTMLElement[]}
 */
export function toolsOf(answer) {
  const copy = copyOf(answer);
  const again = iconButton("Ask again", AGAIN, "chat-again");
  again.dataset.does = "again";
  const { buttons, why } = ratingOf({ threadId: answer.thread_id, messageId: answer.message_id }, answer.rating);
  return [element("div", { class: "tools", role: "group", "aria-label": "This answer" }, copy.button, again, ...buttons, copy.said), why];
}
