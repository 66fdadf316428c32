/** What can be mentioned, as the menu lists it. */

import { labelOf } from "./message_model.js";

/** @import { Mention } from "./message_model.js" */

/** What the server offers. @typedef {{documents?: {id: string, title: string, set?: string}[], sets?: {id: string, label: string, documents?: number}[], actions?: {id: string, label: string}[], web?: {available: boolean, reason?: string | null}}} Offered */
/** A line of the menu; `closed` says why it cannot be chosen. @typedef {{mention: Mention, hint: string, closed: string}} Offer */
/** @typedef {{heading: string, offers: Offer[]}} Group */

const LONGEST_QUERY = 80; // characters: who writes more after the @ does not look for a title

/** @param {string} text as it is compared: case, accents and runs of space do not count */
export const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();

/**
 * What is being mentioned where the caret is.
 *
 * @param {string} before the text before the caret, in its line
 * @returns {{at: number, query: string} | null} where the @ stands, and what is typed after it; an address as in
 *   a@b.example mentions nothing
 */
export function mentionAt(before) {
  const at = before.lastIndexOf("@");
  if (at < 0) return null;
  const query = before.slice(at + 1);
  if (query.length > LONGEST_QUERY || /^\s|\n/.test(query)) return null;
  return /[\p{Script=Latin}\p{N}._%+-]$/u.test(before.slice(0, at)) ? null : { at, query };
}

/** @param {string} query @param {string[]} names @returns {boolean} whether each word that was typed begins a word of the names */
export function fits(query, ...names) {
  const words = folded(names.join(" ")).split(/[^\p{L}\p{N}]+/u);
  return folded(query).split(/[^\p{L}\p{N}]+/u).every((typed) => words.some((word) => word.startsWith(typed)));
}

/** @param {Mention["category"]} category @param {string} id @param {string} label @param {string} [hint] @param {string} [closed] @returns {Offer} */
const offer = (category, id, label, hint = "", closed = "") => ({ mention: { category, id, label: labelOf(label) || id }, hint, closed });

/** @param {number} count */
const counted = (count) => `${count.toLocaleString("en")} document${count === 1 ? "" : "s"}`;

/** @param {Offered} offered @returns {Group[]} all of it, in the order of the menu */
function groupsOf({ documents = [], sets = [], actions = [], web }) {
  const search = web ? [offer("web", "web", "Web", "Search the web too", web.available ? "" : web.reason || "Not set up on this server")] : [];
  return [
    { heading: "Documents", offers: documents.map(({ id, title, set }) => offer("document", id, title, set && set !== "default" ? set : "")) },
    { heading: "Sets", offers: sets.map(({ id, label, documents: count }) => offer("set", id, label, count === undefined ? "" : counted(count))) },
    { heading: "Actions", offers: actions.map(({ id, label }) => offer("action", id, label)) },
    { heading: "Web", offers: search },
  ];
}

/**
 * The menu's lines. What the server found for just this query it has chosen by its own, more forgiving rules;
 * of an earlier answer only what fits is shown until the next one comes.
 *
 * @param {Offered} offered @param {string} query @param {{fresh: boolean}} [how]
 * @returns {Group[]} those with something in them
 */
export function groupsFor(offered, query, { fresh } = { fresh: false }) {
  const found = (/** @type {Offer} */ { mention, hint }) => (fresh && (mention.category === "document" || mention.category === "set")) || fits(query, mention.label, mention.id, mention.category === "web" ? hint : "");
  return groupsOf(offered).map(({ heading, offers }) => ({ heading, offers: offers.filter(found) })).filter(({ offers }) => offers.length > 0);
}
