import { button, element, iconButton } from "../element.js";
import { NotAnswered } from "../server.js";
import { mentionsIn, pieces } from "./answer/wording.js";

/** @import { NoticeButton } from "../../types/run" */
/** @import { DocumentName, MentionLabel, OutgoingMessage } from "../../types/chat" */

/** @typedef {import("../notice.js").Press} Press */

/** @param {unknown} error @returns {import("../../types/run").Notice} */
const noticeOf = (error) => (error instanceof NotAnswered ? error.notice : { kind: "error", text: error instanceof Error ? error.message : String(error) });

/**
 * An error in one sentence, with the button that helps.
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

const PENCIL = "M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9 4.7 11.3 7"; // only on the last question
const LONG = 900; // characters: longer texts are collapsed

/** @param {string} text @param {MentionLabel[]} mentions @returns {HTMLElement} a message of the person */
export function personItem(text, mentions) {
  const words = element("p", { class: "words", dir: "auto" }, ...withPills(pieces(text, mentions)));
  const edit = iconButton("Edit the question", PENCIL, "chat-edit");
  edit.dataset.does = "edit";
  const item = element("li", { class: "person", "data-testid": "chat-person" }, words, edit);
  if (text.length <= LONG) return item;
  words.dataset.cut = "";
  const more = element("button", { type: "button", class: "quiet" }, "Show all");
  more.addEventListener("click", () => {
    delete words.dataset.cut;
    more.remove();
  });
  words.after(more);
  return item;
}

/** @param {OutgoingMessage} message */
export const messageItem = (message) => personItem(message.message, mentionsIn(message.tiptap_json));

/** @param {string} text a small line about a question, an answer or a stop @param {string} [kind] */
export const noteItem = (text, kind = "question") => element("li", { class: "then", "data-kind": kind, "data-testid": "chat-then", dir: "auto" }, text);

/** @returns {HTMLElement} placeholder rows while something loads */
export function skeleton() {
  const rows = ["person", "answer", "answer"].map((kind) => element("li", { class: `bone ${kind}`, "aria-hidden": "true" }));
  return element("ol", { class: "chat", "data-testid": "chat-skeleton", "aria-busy": "true", "aria-label": "Loading the conversation" }, ...rows);
}

/** @param {string} label @param {string} [kind] @returns {HTMLElement} the pill of a document, set or action */
export const pill = (label, kind = "document") => element("span", { class: "pill", "data-kind": kind, dir: "auto", title: label }, label);

/** @param {(string | MentionLabel)[]} parts @returns {Node[]} */
const withPills = (parts) => parts.map((part) => (typeof part === "string" ? document.createTextNode(part) : pill(part.label, part.kind)));

const MOST = 3; // more would cover the text beside them

/** @param {DocumentName[]} documents @returns {Node[]} the first few, and the number of the others */
export function documentPills(documents) {
  const shown = documents.slice(0, MOST).map(({ title }) => pill(title));
  const rest = documents.slice(MOST);
  const more = element("span", { class: "more-pills", title: rest.map(({ title }) => title).join("\n") }, `and ${rest.length} more`);
  return rest.length > 0 ? [...shown, more] : shown;
}
