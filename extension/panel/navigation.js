import { byId, element } from "./element.js";

/** What the panel's middle shows. @typedef {"run" | "sessions" | "session" | "sites" | "recipes" | "knowledge" | "chat" | "conversations"} Room */
/** A room with a tab of its own, from which the others are visited. @typedef {"run" | "chat"} Home */

/** @type {Room} */
let shown = "run";
/** @type {Home} */
let home = "run";
/** @type {((name: Room, stay: boolean) => void)[]} */
const listeners = [];

/** @returns {Room} */
export const currentRoom = () => shown;

/** @param {(name: Room, stay: boolean) => void} listener called when a room is shown, after the focus moved into it or was told to `stay` */
export const onRoomShown = (listener) => void listeners.push(listener);

/** Leaves a room for the tab that it was visited from. */
export const goBack = () => showRoom(home);

/**
 * Shows a room and moves the focus into it: to its heading, or to where one writes.
 *
 * @param {Room} name @param {{stay?: boolean}} [how] `stay` leaves the focus where it is
 */
export function showRoom(name, { stay = false } = {}) {
  shown = name;
  if (name === "run" || name === "chat") home = name;
  for (const section of document.querySelectorAll("[data-room]")) {
    /** @type {HTMLElement} */ (section).hidden = /** @type {HTMLElement} */ (section).dataset.room !== name;
  }
  document.body.dataset.shown = name; // what stands around the middle is there by it
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
 * The head of a room: the way back, its title, and what can be done there.
 *
 * @param {string} title @param {() => void} back @param {Node[]} actions
 */
export function roomHeader(title, back, ...actions) {
  const leave = element("button", { type: "button", class: "icon back", "aria-label": "Back" });
  leave.addEventListener("click", back);
  return element("div", { class: "head" }, leave, element("h2", { tabindex: "-1", dir: "auto" }, title), ...actions);
}
