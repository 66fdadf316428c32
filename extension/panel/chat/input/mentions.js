import { createMenu } from "./mention_menu.js";
import { groupsFor, mentionAt } from "./offers.js";
import { insert, select } from "./editable.js";

/** @import { Mention } from "./message_model.js" */
/** @import { Offered } from "./offers.js" */
/** Where something is being mentioned: the @ stands at `at` of the text. @typedef {{node: Text, at: number, query: string}} Place */

const TYPING_MS = 120;

/** @param {HTMLElement} box @returns {Place | null} where the caret mentions something */
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

/** @param {HTMLElement} box @param {HTMLElement[]} others goes: there is one action at most; the caret stays behind the new one */
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

/** @param {HTMLElement} box @param {Place} place @param {Mention} mention takes the place of what was typed */
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
const reasonOf = (error) => (error instanceof Error && error.message ? error.message : "The server does not answer.");

/**
 * The menu that `@` opens: it follows what is typed, asks the server a little after the last key, and shows
 * nothing of an answer that comes too late.
 *
 * @param {HTMLElement} host @param {HTMLElement} box @param {(query: string) => Promise<Offered>} mentions
 */
export function createMentioning(host, box, mentions) {
  /** @type {Place | null} */
  let place = null;
  /** What was put away, and stays so while it is only gone on with. @type {Place | null} */
  let away = null;
  /** @type {{query: string, offered: Offered} | null} */
  let answer = null;
  /** @type {{query: string, reason: string} | null} */
  let failure = null;
  let timer = 0;
  let asked = 0;

  const menu = createMenu(host, box, ({ mention }) => {
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
    else if (failure?.query === query) menu.say(`This could not be looked up: ${failure.reason}`);
    else if (!fresh) menu.say("Looking…");
    else if (/\s/.test(query)) putAway(query);
    else menu.say(query ? `Nothing fits “${query}”.` : "There is nothing to mention yet.");
  }

  /** @param {string} query what begins with it opens nothing, here */
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

    /** Follows the caret. @param {{opens: boolean}} how whether the menu may open: it does as something is typed */
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

    /** @param {KeyboardEvent} event @returns {boolean} whether the key was the menu's */
    takes(event) {
      if (!menu.isOpen()) return false;
      const took = keyDoes(event);
      if (!took) return false;
      event.preventDefault();
      event.stopPropagation(); // Escape would end the run, or leave the room
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
    return menu.take() || (key === "Enter" && waits); // what is still looked for is not sent as it is
  }
}
