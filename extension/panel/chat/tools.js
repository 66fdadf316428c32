import { element } from "../element.js";
import { ratingOf } from "./rating.js";

/** @import { ChatAnswer } from "../../types/chat" */

/**
 * What can be done with an answer: a row of small buttons, and what they open.
 *
 * @param {ChatAnswer} answer @returns {HTMLElement[]}
 */
export function toolsOf(answer) {
  const { buttons, why } = ratingOf({ threadId: answer.thread_id, messageId: answer.message_id }, answer.rating);
  return [element("div", { class: "tools", role: "group", "aria-label": "This answer" }, ...buttons), why];
}
