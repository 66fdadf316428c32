/** What corrections taught, by site. */

import { h, bdi } from "../dom.js";
import { number, when } from "../words.js";
import { forgettable } from "./forgettable.js";

/** @import { Shown, Skill } from "../types/api" */

/** @param {HTMLElement} body @param {Shown} shown */
export const showSkills = (body, shown) =>
  forgettable(body, shown, {
    path: "skills",
    of: (page) => page.skills,
    caption: "Skills, most recently used first",
    none: "No skills yet. A correction that helps becomes a skill.",
    ask: (/** @type {Skill} */ skill) => `Forget what was learned for “${skill.goal || skill.domain}” on ${skill.domain}?`,
    forget: "Forget",
    may: () => shown.me.role !== "user",
    columns: [
      { label: "Site and goal", head: true, wide: true, cell: (skill) => h("div", { class: "goal" }, bdi(skill.goal || "Any goal", { class: "clamp" }), h("span", { class: "hint cut" }, bdi(skill.domain))) },
      { label: "When", cell: ({ failedState: { elementDescription, action, errorType } }) => h("span", {}, bdi(elementDescription || action), h("span", { class: "hint" }, " ", errorType)) },
      { label: "Then", cell: ({ successfulAction: { strategy, elementDescription } }) => h("span", {}, bdi(strategy), h("span", { class: "hint" }, " ", bdi(elementDescription))) },
      { label: "Helped", numeric: true, cell: (skill) => `${number(skill.successCount)} of ${number(skill.successCount + skill.failureCount)}` },
      { label: "Last used", numeric: true, cell: (skill) => when(skill.lastUsed) },
    ],
  });
