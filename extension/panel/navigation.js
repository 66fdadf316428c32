import { byId, element } from "./element.js";

/** The rooms of the panel. @typedef {"run" | "sessions" | "session" | "sites" | "recipes" | "knowledge" | "chat" | "conversations"} Room */
/** The rooms with a tab of their own, from which the others are opened. @typedef {"run" | "chat"} Home */

/** @type {Room} */
let shown = "run";
/** @type {Home} */
let home = "run";
/** @type {((name: Room, stay: boolean) => void)[]} */
const listeners = [];

/** @returns {Room} */
export const currentRoom = () => shown;

/** @param {(name: Room, stay: boolean) => void} listener called when a room is shown, after the focus moved into it, or did not if `stay` */
export const onRoomShown = (listener) => void listeners.push(listener);

/** Leaves a room for the tab it was opened from. */
export const goBack = () => showRoom(home);

/**
 * Shows a room and moves the focus into it: to its text box or its heading.
 *
 * @param {Room} name @param {{stay?: boolean}} [how] `stay` leaves the focus where it is
 */
export function showRoom(name, { stay = false } = {}) {
  shown = name;
  if (name === "run" || name === "chat") home = name;
  for (const section of document.querySelectorAll("[data-room]")) {
    /** @type {HTMLElement} */ (section).hidden = /** @type {HTMLElement} */ (section).dataset.room !== name;
  }
  document.body.dataset.shown = name; // the style sheet shows header and footer by it
  byId("ask").hidden = name !== "run";
  byId("tabs").hidden = name !== home;
  byId("history").setAttribute("aria-pressed", String(name === "sessions" || name === "session"));
  byId("site").setAttribute("aria-pressed", String(name === "sites"));
  byId("recipes").setAttribute("aria-pressed", String(name === "recipes"));
  byId("knowledge").setAttribute("aria-pressed", String(name === "knowledge"));
  byId("scroll").scrollTop = 0;
  if (!stay) focusIn(name);
  for (const listener of listeners) listener(name, stay);
}

/** @param {Room} name */
function focusIn(name) {
  const box = { run: "#goal-input", chat: "#chat-host [tabindex='0']" }[/** @type {string} */ (name)] ?? `[data-room="${name}"] h2`;
  /** @type {HTMLElement | null} */ (document.querySelector(box))?.focus();
}

/**
 * The head of a room: back button, title and actions.
 *
 * @param {string} title @param {() => void} back @param {Node[]} actions
 */
export function roomHeader(title, back, ...actions) {
  const leave = element("button", { type: "button", class: "icon back", "aria-label": "Back" });
  leave.addEventListener("click", back);
  return element("div", { class: "head" }, leave, element("h2", { tabindex: "-1", dir: "auto" }, title), ...actions);
}
