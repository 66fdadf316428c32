import { button, element } from "../element.js";
import { withPlaceholders } from "../run/recipe_offer.js";
import { askServer } from "../server.js";
import { renderFailure } from "../list.js";
import { siteOf } from "../format.js";
import { plural } from "../../shared/text.js";

/** @typedef {import("../notice.js").Press} Press */
/** @typedef {{name: string, label: string, secret?: boolean, required?: boolean}} Parameter */
/** @typedef {{id: string, title: string, domain: string, startUrl: string, goal: string, parameters: Parameter[], steps: {description: string}[], runs: number, failures: number}} Recipe */
/** @typedef {{recipeId: string, values: Record<string, string>}} RecipeCall */
/** @typedef {(goal: string, recipe: RecipeCall) => void} Replay */

/** The button's label before its second press: a deleted recipe cannot be restored. */
const SURE = "Delete permanently";

/**
 * What the recipe will do, in words, without secrets.
 *
 * @param {Recipe} recipe @param {Record<string, string>} values
 */
export function goalOf({ goal, parameters }, values) {
  const shown = new Map(parameters.map(({ name, secret }) => [name, secret ? "••••••" : (values[name] ?? "")]));
  return goal.replace(/\{([^{}]+)\}/g, (whole, name) => shown.get(name) ?? whole);
}

/** @param {Recipe} recipe the number and success of its runs */
function recordText({ steps, runs, failures }) {
  const parts = [plural(steps.length, "step")];
  if (runs > 0) parts.push(failures > 0 ? `${plural(runs, "run")}, ${failures} failed` : plural(runs, "run"));
  return parts.join(" · ");
}

/** @param {Recipe} recipe @param {Parameter} parameter */
function field({ id }, { name, label, secret, required }) {
  const key = `recipe-${id}-${name}`;
  const words = required === false ? `${label || name} (optional)` : label || name;
  const kind = { type: secret ? "password" : "text", autocomplete: "off", ...(required === false ? {} : { required: "" }) };
  const input = element("input", { id: key, name, dir: "auto", "data-testid": "recipe-value", ...kind });
  return element("div", { class: "field" }, element("label", { for: key }, words), input);
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} the filled-in fields */
function valuesOf(form) {
  const written = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(written.filter(([, value]) => value !== ""));
}

/** @param {Recipe} recipe @param {{here: boolean, replay: Replay, remove: () => void}} given */
function row(recipe, { here, replay, remove }) {
  const run = element("button", { type: "submit", class: "primary", "data-testid": "recipe-run" }, "Run");
  const forget = button("Delete", () => (forget.textContent === SURE ? remove() : (forget.textContent = SURE)), { "data-testid": "recipe-delete" });
  forget.addEventListener("blur", () => (forget.textContent = "Delete"));
  const where = element("p", { class: "hint" }, here ? "Runs on the page in this tab." : `Open ${recipe.domain} in this tab to run it.`);
  run.toggleAttribute("disabled", !here);
  const form = element("form", {}, ...recipe.parameters.map((one) => field(recipe, one)), where, element("div", { class: "buttons" }, run, forget));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = valuesOf(form);
    replay(goalOf(recipe, values), { recipeId: recipe.id, values });
  });
  const title = element("span", { class: "title", dir: "auto", title: recipe.title }, ...withPlaceholders(recipe.title));
  const meta = element("span", { class: "meta" }, element("span", { class: "where" }, recipe.domain), element("span", {}, recordText(recipe)));
  const box = element("details", { "data-testid": "recipe" }, element("summary", {}, title, meta), form);
  box.addEventListener("toggle", () => box.open && (form.querySelector("input") ?? (here ? run : forget)).focus());
  return element("li", {}, box);
}

/** How to make a recipe, shown while there are none. @param {() => void} leave */
function emptyState(leave) {
  const begin = element("button", { type: "button", class: "primary" }, "Start a task");
  begin.addEventListener("click", leave);
  const how = "No recipes yet. When a task is done, save it as a recipe to run it again with other values and without a model.";
  return element("div", { class: "none" }, element("p", { class: "hint" }, how), begin);
}

/**
 * Fills a box with the team's recipes, those of the tab's site first.
 *
 * @param {HTMLElement} box @param {{url: string, replay: Replay, press: Press, leave: () => void}} given
 */
export async function renderRecipes(box, { url, replay, press, leave }) {
  const reload = () => renderRecipes(box, { url, replay, press, leave });
  /** @param {Recipe} recipe */
  const remove = async ({ id }) => {
    try {
      await askServer(`/api/recipes/${encodeURIComponent(id)}`, { method: "DELETE" });
      await reload();
      /** @type {HTMLElement | null} */ (box.querySelector("summary, button"))?.focus();
    } catch (error) {
      renderFailure(box, error, press);
    }
  };
  box.replaceChildren(element("p", { class: "hint", role: "status" }, "Loading…"));
  try {
    const { recipes } = /** @type {{recipes: Recipe[]}} */ (await askServer("/api/recipes"));
    const site = siteOf(url);
    const sorted = [...recipes].sort((one, other) => Number(other.domain === site) - Number(one.domain === site));
    const rows = sorted.map((recipe) => row(recipe, { here: recipe.domain === site, replay, remove: () => void remove(recipe) }));
    box.replaceChildren(rows.length > 0 ? element("ul", { class: "recipes", "data-testid": "recipes" }, ...rows) : emptyState(leave));
  } catch (error) {
    renderFailure(box, error, press);
  }
}
