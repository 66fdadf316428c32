import { MOST_BYTES, pickedFiles } from "../shared/picked_files.js";
import { element } from "./element.js";

/** @import { Notice } from "../types/run" */

/**
 * The picker for a file that the run waits for. Only a person can open it; the picked file reaches the
 * runner through the extension's own storage.
 *
 * @param {Notice} notice with `file` @returns {HTMLElement}
 */
export function fileChoice({ file }) {
  const picker = element("input", { type: "file", hidden: "", "data-testid": "file-input", "aria-label": `File '${file?.name}'` });
  const choose = element("button", { type: "button", class: "primary", "data-testid": "file-choose" }, "Choose file…");
  const cancel = element("button", { type: "button", "data-testid": "file-cancel" }, "Continue without it");
  const problem = element("p", { role: "alert", hidden: "" });

  /** @param {File | null} picked */
  async function storeFile(picked) {
    if (!file) return;
    for (const button of [choose, cancel]) button.disabled = true;
    await pickedFiles.put(file.tabId, { name: file.name, file: picked });
  }

  choose.addEventListener("click", () => picker.click());
  cancel.addEventListener("click", () => void storeFile(null));
  picker.addEventListener("change", () => {
    const picked = picker.files?.[0];
    const tooLarge = picked !== undefined && picked.size > MOST_BYTES;
    problem.hidden = !tooLarge;
    problem.textContent = tooLarge ? `'${picked.name}' is larger than ${MOST_BYTES / 1024 / 1024} MB. Choose a smaller one.` : "";
    if (picked && !tooLarge) void storeFile(picked);
  });
  return element("div", {}, element("div", { class: "buttons" }, choose, cancel), picker, problem);
}
