/** Tasks that can be done again without a model. */

import { h, bdi } from "../dom.js";
import { number, when } from "../words.js";
import { forgettable } from "./forgettable.js";

/** @import { Recipe, Shown } from "../types/api" */

/** @param {HTMLElement} body @param {Shown} shown */
export const showRecipes = (body, shown) =>
  forgettable(body, shown, {
    path: "recipes",
    of: (page) => page.recipes,
    caption: "Recipes, newest first",
    none: "No recipes yet. Save a completed task as a recipe in the extension.",
    ask: (/** @type {Recipe} */ recipe) => `Delete the recipe “${recipe.title}”?`,
    forget: "Delete",
    may: () => true,
    columns: [
      { label: "Recipe", head: true, wide: true, cell: (recipe) => h("div", { class: "goal" }, bdi(recipe.title, { class: "clamp" }), h("span", { class: "hint cut" }, bdi(recipe.domain))) },
      { label: "Steps", numeric: true, cell: (recipe) => number(recipe.steps.length) },
      { label: "Succeeded", numeric: true, cell: ({ runs, failures }) => `${number(runs - failures)} of ${number(runs)}` },
      { label: "Created", numeric: true, cell: (recipe) => when(recipe.createdAt) },
    ],
  });
