import { byId, element } from "./element.js";

/** What the panel's middle shows. @typedef {"run" | "sessions" | "session" | "sites" | "recipes" | "knowledge"} Room */

/** @type {Room} */
let shown = "run";

/** @returns {Room} */
export const room = () => shown;

/**
 * Shows a room and moves the focus into it: to its heading, or to the goal box.
 *
 * @param {Room} name
 */
export function enter(name) {
  shown = name;
  for (const section of document.querySelectorAll("[data-room]")) {
    /** @type {HTMLElement} */ (section).hidden = /** @type {HTMLElement} */ (section).dataset.room !== name;
  }
  byId("ask").hidden = name !== "run";
  byId("history").setAttribute("aria-pressed", String(name === "sessions" || name === "session"));
  byId("site").setAttribute("aria-pressed", String(name === "sites"));
  byId("recipes").setAttribute("aria-pressed", String(name === "recipes"));
  byId("knowledge").setAttribute("aria-pressed", String(name === "knowledge"));
  if (name === "run") byId("goal-input").focus();
  else /** @type {HTMLElement | null} */ (document.querySelector(`[data-room="${name}"] h2`))?.focus();
  byId("scroll").scrollTop = 0;
}

/**
 * The head of a room: the way back, its title, and what can be done there.
 *
 * @param {string} title @param {() => void} back @param {Node[]} actions
 */
export function roomHead(title, back, ...actions) {
  const leave = element("button", { type: "button", class: "icon back", "aria-label": "Back" });
  leave.addEventListener("click", back);
  return element("div", { class: "head" }, leave, element("h2", { tabindex: "-1", dir: "auto" }, title), ...actions);
}
