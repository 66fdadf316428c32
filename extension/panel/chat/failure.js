import { element } from "../element.js";
import { NotAnswered } from "../server.js";

/** @import { NoticeButton } from "../../types/run" */
/** @typedef {import("../notice.js").Press} Press */

/** @param {string} label @param {() => void} press @param {Record<string, string>} [attributes] */
function button(label, press, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", press);
  return made;
}

/** @param {unknown} error @returns {import("../../types/run").Notice} */
const noticeOf = (error) => (error instanceof NotAnswered ? error.notice : { kind: "error", text: error instanceof Error ? error.message : String(error) });

/**
 * What went wrong in one sentence, with what can be done about it.
 *
 * @param {unknown} error @param {{retry: () => void, press: Press}} given
 */
export function failureItem(error, { retry, press }) {
  const notice = noticeOf(error);
  const item = element("li", { class: "failed", "data-testid": "chat-failed" }, element("p", { role: "alert" }, notice.text));
  const again = button("Retry", () => {
    item.remove();
    retry();
  }, { "data-testid": "chat-retry" });
  const other = notice.button && notice.button.does !== "retry" ? [button(notice.button.label, () => press(/** @type {NoticeButton} */ (notice.button), notice))] : [];
  item.append(element("div", { class: "buttons" }, ...other, again));
  return item;
}
