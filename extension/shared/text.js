/** Short texts for people, and other programs' words made safe to show. */

const MAX_NAME = 60;
// Characters that reverse, hide or break the text beside them: control characters, directional marks, zero-width characters.
const INVISIBLE = /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** @param {number} count @param {string} noun in the singular @returns {string} "1 page", "1,200 pages" */
export const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** @param {string} text @param {number} max characters @returns {string} */
export const shorten = (text, max) => (text.length <= max ? text : `${text.slice(0, max - 1).trimEnd()}…`);

/** @param {string} text @param {number} max characters @returns {string} on one line */
export const oneLine = (text, max) => shorten(text.replace(/\s+/g, " ").trim(), max);

/** @param {string} name what another assistant calls itself @returns {string} on one line */
export const displayName = (name) => oneLine(name.replace(INVISIBLE, " "), MAX_NAME) || "An unnamed assistant";

/** @param {string} goal what another assistant asks for @returns {string} in full, with its line breaks: a yes allows all of it */
export const displayGoal = (goal) => goal.replace(/\r\n?/g, "\n").replace(INVISIBLE, (found) => (found === "\n" ? found : " ")).trim();
