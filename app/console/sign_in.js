/** The way in: a key, which stays in this tab. */

import { h } from "./dom.js";
import { errorText } from "./states.js";

/** @param {string} why @param {(given: string) => Promise<void>} enter raises a `Problem` for an invalid key */
export function signIn(why, enter) {
  const field = h("input", { id: "key", type: "password", required: true, autocomplete: "off", spellcheck: "false", maxlength: "512", "aria-describedby": "key-hint said" });
  const line = h("p", { id: "said", class: "bad", role: "alert" }, why);
  const button = h("button", { class: "primary" }, "Sign in");
  const form = h(
    "form",
    { novalidate: true },
    h("label", { for: "key" }, "API key"),
    field,
    h("p", { id: "key-hint", class: "hint" }, "Create one with ", h("code", {}, "tabwright key create"), ". It is kept in this tab and forgotten when you close it."),
    line,
    button,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = field.value.trim();
    if (!given) {
      line.textContent = "Enter an API key.";
      return field.focus();
    }
    button.disabled = true;
    line.textContent = "";
    try {
      await enter(given);
    } catch (error) {
      const wrong = /** @type {{status?: number}} */ (error).status === 401;
      line.textContent = wrong ? "Invalid API key. Check it, or ask an admin for a new one." : errorText(error);
      field.select();
    } finally {
      button.disabled = false;
    }
  });
  return h("main", { class: "alone" }, h("h1", {}, "Tabwright console"), form);
}
