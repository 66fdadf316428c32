import { element } from "../element.js";
import { askServer, errorText } from "../server.js";

/** @param {string} words @returns {(Node | string)[]} a title with its placeholders highlighted */
export const withPlaceholders = (words) =>
  words.split(/(\{[^{}]+\})/).map((part) => (/^\{.+\}$/.test(part) ? element("var", {}, part.slice(1, -1).replaceAll("_", " ")) : part));

/**
 * The offer to keep a finished task as a recipe; the result replaces it.
 *
 * @param {HTMLElement} box @param {string | null} taskId null if there is nothing to keep
 * @param {() => void} show opens the recipes
 */
export function renderRecipeOffer(box, taskId, show) {
  if (box.dataset.task === (taskId ?? "")) return;
  box.dataset.task = taskId ?? "";
  box.hidden = taskId === null;
  box.replaceChildren();
  if (taskId === null) return;
  const button = element("button", { type: "button", "data-testid": "save-recipe" }, "Save as recipe");
  const status = element("p", { class: "said", role: "status" });
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const { title } = await askServer("/api/recipes", { method: "POST", body: { taskId } });
      status.replaceChildren("Saved as “", ...withPlaceholders(title), "”.");
      const open = element("button", { type: "button" }, "Show recipes");
      open.addEventListener("click", show);
      button.remove();
      box.append(open);
      open.focus();
    } catch (error) {
      status.textContent = errorText(error, "Could not save");
      button.disabled = false;
    }
  });
  box.append(button, status);
}
