/** Every section, in the order of the menu, and the role it takes. */

import { showBudgets } from "./views/budgets.js";
import { showCost } from "./views/cost.js";
import { showKeys } from "./views/keys.js";
import { showPassage } from "./views/passage.js";
import { showPeople } from "./views/people.js";
import { showPolicy } from "./views/policy.js";
import { showQuality } from "./views/quality.js";
import { showRecipes } from "./views/recipes.js";
import { showReview } from "./views/review.js";
import { showSkills } from "./views/skills.js";
import { showTask } from "./views/task.js";
import { showTasks } from "./views/tasks.js";

/** @import { Role, Shown } from "./types/api" */
/** @typedef {{name: string, title: string, role: Role, under?: string, hidden?: boolean, show: (body: HTMLElement, shown: Shown) => Promise<void>}} Section */

/** @type {Section[]} */
export const SECTIONS = [
  { name: "tasks", title: "Tasks", role: "user", show: showTasks },
  { name: "task", title: "Task", role: "user", under: "tasks", hidden: true, show: showTask },
  { name: "people", title: "People", role: "user", show: showPeople },
  { name: "review", title: "Review", role: "user", show: showReview },
  { name: "source", title: "Source", role: "user", under: "review", hidden: true, show: showPassage },
  { name: "cost", title: "Cost", role: "user", show: showCost },
  { name: "quality", title: "Quality", role: "operator", show: showQuality },
  { name: "skills", title: "Skills", role: "user", show: showSkills },
  { name: "recipes", title: "Recipes", role: "user", show: showRecipes },
  { name: "budgets", title: "Budgets", role: "user", show: showBudgets },
  { name: "keys", title: "Keys", role: "user", show: showKeys },
  { name: "policy", title: "Policy", role: "user", show: showPolicy },
];
