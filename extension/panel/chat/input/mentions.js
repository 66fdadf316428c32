import { labelOf } from "./message_model.js";
import { createMentionMenu } from "./mention_menu.js";
import { insert, select } from "./editable.js";
import { plural } from "../../../shared/text.js";

/** @import { Mention } from "./message_model.js" */

/** The mention menu: what it lists and how it follows the caret. */



/** The server's suggestions. @typedef {{documents?: {id: string, title: string, set?: string}[], sets?: {id: string, label: string, documents?: number}[], actions?: {id: string, label: string}[], web?: {available: boolean, reason?: string | null}}} Offered */
/** A menu item; `closed` says why it cannot be chosen. @typedef {{mention: Mention, hint: string, closed: string}} Offer */
/** @typedef {{heading: string, offers: Offer[]}} Group */

const LONGEST_QUERY = 80; // characters: a longer text after the @ is no search for a title

/** @param {string} text normalized for comparison: case, accents and repeated spaces do not count */
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();

/**
 * The mention being typed at the caret.
 *
 * @param {string} before the text before the caret, on its line
 * @returns {{at: number, query: string} | null} the position of the @ and the text after it; an address such as
 *   a@b.example is no mention
 */
export function mentionAt(before) {
  const at = before.lastIndexOf("@");
  if (at < 0) return null;
  const query = before.slice(at + 1);
  if (query.length > LONGEST_QUERY || /^\s|\n/.test(query)) return null;
  return /[\p{Script=Latin}\p{N}._%+-]$/u.test(before.slice(0, at)) ? null : { at, query };
}

/** @param {string} query @param {string[]} names @returns {boolean} whether each typed word is the start of a word in the names */
export function matchesQuery(query, ...names) {
  const words = folded(names.join(" ")).split(/[^\p{L}\p{N}]+/u);
  return folded(query).split(/[^\p{L}\p{N}]+/u).every((typed) => words.some((word) => word.startsWith(typed)));
}

/** @param {Mention["category"]} category @param {string} id @param {string} label @param {string} [hint] @param {string} [closed] @returns {Offer} */
const offer = (category, id, label, hint = "", closed = "") => ({ mention: { category, id, label: labelOf(label) || id }, hint, closed });

/** @param {Offered} offered @returns {Group[]} everything, in menu order */
function groupsOf({ documents = [], sets = [], actions = [], web }) {
  const search = web ? [offer("web", "web", "Web", "Search the web too", web.available ? "" : web.reason || "Not set up on this server")] : [];
  return [
    { heading: "Documents", offers: documents.map(({ id, title, set }) => offer("document", id, title, set && set !== "default" ? set : "")) },
    { heading: "Sets", offers: sets.map(({ id, label, documents: count }) => offer("set", id, label, count === undefined ? "" : plural(count, "document"))) },
    { heading: "Actions", offers: actions.map(({ id, label }) => offer("action", id, label)) },
    { heading: "Web", offers: search },
  ];
}

/**
 * The menu's items. The server's results for exactly this query are shown as they are, since it matches more loosely;
 * results for an earlier query are filtered until the next answer arrives.
 *
 * @param {Offered} offered @param {string} query @param {{fresh: boolean}} [how]
 * @returns {Group[]} without empty ones
 */
export function groupsFor(offered, query, { fresh } = { fresh: false }) {
  const found = (/** @type {Offer} */ { mention, hint }) => (fresh && (mention.category === "document" || mention.category === "set")) || matchesQuery(query, mention.label, mention.id, mention.category === "web" ? hint : "");
  return groupsOf(offered).map(({ heading, offers }) => ({ heading, offers: offers.filter(found) })).filter(({ offers }) => offers.length > 0);
}

/** Where a mention is being typed: the @ is at `at` of the text. @typedef {{node: Text, at: number, query: string}} Place */

const TYPING_MS = 120;

/** @param {HTMLElement} box @returns {Place | null} the mention at the caret */
function placeIn(box) {
  const selection = getSelection();
  const node = selection?.anchorNode;
  if (!selection?.isCollapsed || !(node instanceof Text) || !box.contains(node)) return null;
  const before = node.data.slice(0, selection.anchorOffset);
  const line = before.lastIndexOf("\n") + 1;
  const found = mentionAt(before.slice(line));
  return found && { node, at: line + found.at, query: found.query };
}

/** @param {HTMLElement} box @returns {HTMLElement[]} */
const actionsIn = (box) => [...box.querySelectorAll("[data-category=action]")].filter((one) => one instanceof HTMLElement);

/** Removes the other actions, since a message has at most one. @param {HTMLElement} box @param {HTMLElement[]} others */
function removeActions(box, others) {
  const fresh = actionsIn(box).find((one) => !others.includes(one));
  for (const one of others.filter(({ isConnected }) => isConnected)) {
    const range = document.createRange();
    range.selectNode(one);
    const after = one.nextSibling;
    if (after instanceof Text && after.data.startsWith(" ")) range.setEnd(after, 1);
    select(range);
    document.execCommand("delete");
  }
  const behind = fresh?.nextSibling;
  const range = document.createRange();
  if (behind instanceof Text) range.setStart(behind, Math.min(1, behind.length));
  else if (fresh) range.setStartAfter(fresh);
  else return;
  range.collapse(true);
  select(range);
}

/** @param {HTMLElement} box @param {Place} place @param {Mention} mention replaces the typed text */
function put(box, { node, at, query }, mention) {
  const range = document.createRange();
  const end = Math.min(at + 1 + query.length, node.length);
  range.setStart(node, at);
  range.setEnd(node, end);
  select(range);
  const others = mention.category === "action" ? actionsIn(box) : [];
  insert(/^\s/.test(node.data.slice(end)) ? [mention] : [mention, " "]);
  if (others.length > 0) removeActions(box, others);
}

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error && error.message ? error.message : "The server is not responding.");

/**
 * The menu that `@` opens: it follows the typing, asks the server shortly after the last key, and ignores
 * answers that come too late.
 *
 * @param {HTMLElement} host @param {HTMLElement} box @param {(query: string) => Promise<Offered>} mentions
 */
export function createMentions(host, box, mentions) {
  /** @type {Place | null} */
  let place = null;
  /** The place where the menu was closed; it stays closed while typing continues there. @type {Place | null} */
  let away = null;
  /** @type {{query: string, offered: Offered} | null} */
  let answer = null;
  /** @type {{query: string, reason: string} | null} */
  let failure = null;
  let timer = 0;
  let asked = 0;

  const menu = createMentionMenu(host, box, ({ mention }) => {
    if (place) put(box, place, mention);
    close();
  });

  function close() {
    clearTimeout(timer);
    asked += 1;
    place = null;
    menu.close();
  }

  function render() {
    if (!place) return;
    const { query } = place;
    const fresh = answer?.query === query;
    const groups = answer ? groupsFor(answer.offered, query, { fresh }) : [];
    if (groups.length > 0) menu.show(groups);
    else if (failure?.query === query) menu.say(`Could not search: ${failure.reason}`);
    else if (!fresh) menu.say("Searching…");
    else if (/\s/.test(query)) putAway(query);
    else menu.say(query ? `Nothing matches “${query}”.` : "Nothing to mention yet.");
  }

  /** @param {string} query a longer query does not open the menu again here */
  function putAway(query) {
    away = place && { ...place, query };
    close();
  }

  /** @param {string} query */
  async function ask(query) {
    const mine = (asked += 1);
    try {
      const offered = await mentions(query);
      if (mine !== asked) return;
      answer = { query, offered };
      failure = null;
    } catch (error) {
      if (mine !== asked) return;
      failure = { query, reason: reasonOf(error) };
    }
    render();
  }

  /** @param {Place} now */
  const isAway = ({ node, at, query }) => away !== null && away.node === node && away.at === at && query.startsWith(away.query);

  return {
    isOpen: menu.isOpen,
    close,

    /** Follows the caret. @param {{opens: boolean}} how `opens`: whether the menu may open, as it does on typing */
    look({ opens }) {
      const now = placeIn(box);
      if (!now) away = null;
      if (!now || isAway(now) || (!opens && !place)) return close();
      const same = place !== null && place.query === now.query && menu.isOpen();
      place = now;
      if (same) return;
      render();
      clearTimeout(timer);
      if (answer?.query !== now.query || failure) timer = window.setTimeout(() => void ask(now.query), TYPING_MS);
    },

    /** @param {KeyboardEvent} event @returns {boolean} whether the menu handled the key */
    takes(event) {
      if (!menu.isOpen()) return false;
      const took = keyDoes(event);
      if (!took) return false;
      event.preventDefault();
      event.stopPropagation(); // Escape would otherwise stop the run or leave the room
      return true;
    },
  };

  /** @param {KeyboardEvent} event */
  function keyDoes({ key, shiftKey }) {
    if (key === "ArrowDown" || key === "ArrowUp") return menu.move(key === "ArrowDown" ? 1 : -1);
    if (key === "Escape") {
      putAway("");
      return true;
    }
    if (shiftKey || (key !== "Enter" && key !== "Tab")) return false;
    const waits = place !== null && answer?.query !== place.query && failure?.query !== place.query;
    return menu.take() || (key === "Enter" && waits); // a mention still being looked up is not sent as it is
  }
}
