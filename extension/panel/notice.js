import { element } from "./element.js";
import { fillLazily } from "./lazy_part.js";

/** @import { Notice, NoticeButton } from "../types/run" */
/** @typedef {(button: NoticeButton, notice: Notice) => void} Press */

/** The field for a pairing code. @param {HTMLElement} place */
const pairing = (place) => fillLazily(place, import("./pairing.js"), ({ pairingForm }) => place.replaceWith(pairingForm()));

/** Extra content between a notice's text and its buttons, by kind. @type {Record<string, (place: HTMLElement, notice: Notice) => Promise<unknown>>} */
const PARTS = {
  "first-run": pairing,
  auth: pairing,
  file: (place, notice) => fillLazily(place, import("./file_picker.js"), ({ fileChoice }) => place.replaceWith(fileChoice(notice))),
};

/** @param {Notice} notice @returns {NoticeButton[]} */
const buttonsOf = ({ button, also }) => [button, also].filter((one) => one !== undefined);

/**
 * Fills a box with a notice: its text and its buttons.
 *
 * @param {HTMLElement} box @param {Notice | null} notice @param {Press} press @param {() => void} [whole] called when the extra content is loaded
 */
export function renderNotice(box, notice, press, whole = () => {}) {
  const state = JSON.stringify(notice);
  if (box.dataset.was === state) return;
  box.dataset.was = state;
  box.dataset.kind = notice?.kind ?? "";
  box.hidden = !notice;
  box.replaceChildren();
  if (!notice) return;
  box.append(element("p", { role: "status" }, notice.text));
  const part = PARTS[notice.kind];
  const place = element("div");
  if (part) {
    box.append(place);
    void part(place, notice).then(whole);
  }
  const buttons = buttonsOf(notice).map((one, index) => {
    const made = element("button", { type: "button", ...(index === 0 && !part ? { class: "primary" } : {}) }, one.label);
    made.addEventListener("click", () => press(one, notice));
    return made;
  });
  if (buttons.length > 0) box.append(element("div", { class: "buttons" }, ...buttons));
}
