import { element } from "./element.js";
import { fileChoice } from "./file_choice.js";
import { pairingForm } from "./pairing_form.js";

/** @import { Notice, NoticeButton } from "../types/run" */
/** @typedef {(button: NoticeButton, notice: Notice) => void} Press */

/** What stands between a notice's sentence and its buttons, by kind. @type {Record<string, (notice: Notice) => Node>} */
const PARTS = {
  "first-run": () => pairingForm(),
  auth: () => pairingForm(),
  file: fileChoice,
};

/** @param {Notice} notice @returns {NoticeButton[]} */
const buttonsOf = ({ button, also }) => [button, also].filter((one) => one !== undefined);

/**
 * Fills a box with a notice: a sentence, and what can be done about it.
 *
 * @param {HTMLElement} box @param {Notice | null} notice @param {Press} press
 */
export function fillNotice(box, notice, press) {
  const state = JSON.stringify(notice);
  if (box.dataset.was === state) return;
  box.dataset.was = state;
  box.dataset.kind = notice?.kind ?? "";
  box.hidden = !notice;
  box.replaceChildren();
  if (!notice) return;
  box.append(element("p", { role: "status" }, notice.text));
  const part = PARTS[notice.kind]?.(notice);
  if (part) box.append(part);
  const buttons = buttonsOf(notice).map((one, index) => {
    const made = element("button", { type: "button", ...(index === 0 && !part ? { class: "primary" } : {}) }, one.label);
    made.addEventListener("click", () => press(one, notice));
    return made;
  });
  if (buttons.length > 0) box.append(element("div", { class: "buttons" }, ...buttons));
}
