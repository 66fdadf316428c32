import { element } from "../element.js";
import { documentPills } from "./pills.js";

/** @import { ChatStatus } from "../../types/chat" */

export const LEAST_MS = 300; // UI: a line is read, so it stays at least so long

/**
 * Shows what a turn does, one status after another, each for at least `LEAST_MS`: steps that take no
 * time are seen too.
 *
 * @param {(status: ChatStatus | null) => void} show null clears
 * @param {(ms: number) => Promise<unknown>} [wait]
 */
export function createStatusLine(show, wait = (ms) => new Promise((done) => setTimeout(done, ms))) {
  /** Ends when all that was said has been shown. @type {Promise<unknown>} */
  let shown = Promise.resolve();
  let turn = 0;

  return {
    /** @param {ChatStatus} status */
    say(status) {
      const mine = turn;
      shown = shown.then(async () => {
        if (mine !== turn) return;
        show(status);
        await wait(LEAST_MS);
      });
    },
    /** Clears the line once all was shown. */
    async end() {
      const mine = turn;
      await shown;
      if (mine === turn) show(null);
    },
    /** Clears it at once: another conversation is shown. */
    drop() {
      turn += 1;
      shown = Promise.resolve();
      show(null);
    },
  };
}

const NEAR_END = 48; // px: who has scrolled further up is reading, and stays there
const ABOVE = 8; // px left over what is brought into sight

/**
 * The lines of a conversation, with the one that says what is being done below them.
 *
 * @param {HTMLElement} view where it is shown @param {HTMLElement} scroll the box that scrolls it
 */
export function createTranscript(view, scroll) {
  const list = element("ol", { class: "chat", "data-testid": "chat-list" });
  const doing = element("div", { class: "reasoning", "data-testid": "chat-reasoning", hidden: "" });
  const isAtEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR_END;
  const isShown = () => view.offsetParent !== null;
  let atEnd = true;

  /** @param {HTMLElement} item @returns {number} where what it answers is at the top */
  const beginning = (item) => {
    const asked = item.previousElementSibling ?? item;
    return asked.getBoundingClientRect().top - scroll.getBoundingClientRect().top + scroll.scrollTop - ABOVE;
  };
  const toEnd = () => {
    scroll.scrollTop = scroll.scrollHeight;
  };
  scroll.addEventListener("scroll", () => isShown() && (atEnd = isAtEnd()));
  new ResizeObserver(() => isShown() && atEnd && toEnd()).observe(scroll); // a card that grows hides nothing

  return {
    toEnd,
    isEmpty: () => !list.hasChildNodes(),
    /** @param {HTMLElement} item a line of the person's own, or a small one */
    add(item) {
      if (!list.isConnected) view.replaceChildren(list, doing);
      const follows = isShown() && (atEnd || item.classList.contains("person"));
      list.append(item);
      if (follows) toEnd();
    },
    /** @param {HTMLElement} item an answer: read from its beginning, below what it answers @param {HTMLElement | null} [draft] that it takes the place of: who reads along stays where they are */
    addAnswer(item, draft = null) {
      const follows = isShown() && atEnd;
      if (draft?.isConnected) draft.replaceWith(item);
      else this.add(item);
      if (follows) scroll.scrollTop = beginning(item);
    },
    /** @param {HTMLElement} item has grown: its end is followed until its beginning would be out of sight */
    grown(item) {
      if (isShown() && atEnd) scroll.scrollTop = Math.min(scroll.scrollHeight, beginning(item));
    },
    /** Takes away what the person said last, and all below it. */
    dropLast() {
      const asked = [...list.children].findLast((item) => item.classList.contains("person"));
      while (asked && list.lastChild !== asked) list.lastChild?.remove();
      asked?.remove();
    },
    /** @param {HTMLElement[]} items all of a conversation */
    fill(items) {
      list.replaceChildren(...items);
      view.replaceChildren(list, doing);
      toEnd();
    },
    /** @param {Node} node stands in the place of a conversation */
    instead(node) {
      list.replaceChildren();
      view.replaceChildren(node);
    },
    /** @param {ChatStatus | null} status */
    doing(status) {
      doing.hidden = !status;
      if (!status) return doing.replaceChildren();
      const query = status.web_query ? [element("q", { dir: "auto" }, status.web_query)] : [];
      const found = status.docs_found?.length ? [element("span", { class: "pills", "data-testid": "chat-found" }, ...documentPills(status.docs_found))] : [];
      doing.replaceChildren(element("span", { class: "now" }, status.message), ...query, ...found);
      if (isShown() && atEnd) toEnd();
    },
  };
}
