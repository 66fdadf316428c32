/** What is remembered between the queue and its records, for as long as the page lives. */

/** @import { Location, Outcome } from "../types/api" */
/** @typedef {{outcome: Outcome | "", notes: string}} Draft */

/** @type {{location: Location, ids: string[], last: string, place: string, operator: {name: string, role: string, team: string} | null}} */
const memory = { location: "pending", ids: [], last: "", place: "#/review", operator: null };
/** @type {Map<string, Draft>} */
const drafts = new Map();

export const remembered = () => memory;

/** @param {Location} location @param {string[]} ids those that are shown, in order */
export function remember(location, ids) {
  [memory.location, memory.ids, memory.place] = [location, ids, globalThis.location.hash];
}

/** @param {string} id that is looked at now */
export const lookAt = (id) => void (memory.last = id);

/** The next one of the list, or the one before. @param {string} id @param {number} by @returns {string | undefined} */
export function beside(id, by) {
  const at = memory.ids.indexOf(id);
  return at < 0 ? undefined : memory.ids[at + by];
}

/** Takes a record that was decided out of the list. @param {string} id @returns {string | undefined} the one that comes up */
export function decided(id) {
  const next = beside(id, 1) ?? beside(id, -1);
  if (memory.location === "pending") memory.ids = memory.ids.filter((one) => one !== id);
  drafts.delete(id);
  return next;
}

/** @param {string} id @returns {Draft} what was written of it and not sent */
export function draftOf(id) {
  const draft = drafts.get(id) ?? { outcome: "", notes: "" };
  drafts.set(id, draft);
  return draft;
}
