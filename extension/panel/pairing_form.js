import { NotPaired, pair } from "../options/pairing_code.js";
import { storeSettings, storedSettings } from "../shared/server.js";
import { element } from "./element.js";

/** @param {() => void} [onPaired] @returns {HTMLFormElement} the field for a pairing code */
export function pairingForm(onPaired = () => {}) {
  const input = element("input", {
    type: "text", id: "pair-code", "data-testid": "pair-code", placeholder: "ABCD-EFGH", required: "",
    autocomplete: "off", autocapitalize: "characters", spellcheck: "false", "aria-describedby": "pair-help pair-said",
  });
  const button = element("button", { type: "submit", class: "primary", "data-testid": "pair-submit" }, "Pair");
  const problem = element("p", { id: "pair-said", class: "said", role: "alert", "data-testid": "pair-said" });
  const help = element("p", { id: "pair-help", class: "hint" }, "Run ", element("code", {}, "tabwright pair"), " where the server runs, and paste the last line it prints.");
  const form = element("form", { class: "pair", novalidate: "" }, element("label", { for: "pair-code" }, "Pairing code"), element("div", { class: "row" }, input, button), problem, help);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    button.disabled = true;
    try {
      await storeSettings(await pair(input.value, (await storedSettings()).serverUrl));
      input.value = "";
      onPaired();
    } catch (error) {
      problem.textContent = error instanceof NotPaired ? error.message : String(error);
      input.focus();
    } finally {
      button.disabled = false;
    }
  });
  return form;
}
