/** Before what cannot be undone. */

import { h } from "./dom.js";

/** @param {string} question @param {string} yes what the button says @param {string} [keep] what the other one says @returns {Promise<boolean>} */
export function confirmed(question, yes, keep = "Keep it") {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { "aria-labelledby": "confirm-title" },
      h("form", { method: "dialog" },
        h("p", { id: "confirm-title" }, question),
        h("div", { class: "buttons" }, h("button", { value: "no" }, keep), h("button", { value: "yes", class: "danger" }, yes))),
    );
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes");
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
