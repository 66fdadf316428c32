/** The words of another assistant, made fit to be shown: anything may stand in them. */

const LONGEST_NAME = 60;
// What reverses, hides or breaks the words beside it: controls, marks and isolates of direction, and what has no width.
const UNSEEN = /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** @param {string} text @param {number} most characters @returns {string} */
const bounded = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`);

/** @param {string} name what a client calls itself @returns {string} in one line */
export function displayName(name) {
  const bare = name.replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
  return bounded(bare, LONGEST_NAME) || "A client without a name";
}

/** @param {string} goal @returns {string} in its own lines, whole: it is what a yes lets happen */
export const displayGoal = (goal) => goal.replace(/\r\n?/g, "\n").replace(UNSEEN, (found) => (found === "\n" ? found : " ")).trim();
