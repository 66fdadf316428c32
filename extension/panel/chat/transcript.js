import { element } from "../element.js";
import { documentPills } from "./items.js";

/** @import { ChatStatus } from "../../types/chat" */

export const LEAST_MS = 300; // UI: long enough to read a line

/**
 * Shows a turn's statuses one after another, each for at least `LEAST_MS`, so that quick steps are
 * visible too.
 *
 * @param {(status: ChatStatus | null) => void} show null clears
 * @param {(ms: number) => Promise<unknown>} [wait]
 */
export function createStatusLine(show, wait = (ms) => new Promise((done) => setTimeout(done, ms))) {
  /** Resolves when all statuses have been shown. @type {Promise<unknown>} */
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
    /** Clears the line after all statuses have been shown. */
    async end() {
      const mine = turn;
      await shown;
      if (mine === turn) show(null);
    },
    /** Clears it at once, for another conversation. */
    drop() {
      turn += 1;
      shown = Promise.resolve();
      show(null);
    },
  };
}

const NEAR_END = 48; // px: a reader who has scrolled further up stays there
const ABOVE = 8; // px kept above an item that is scrolled into view

/**
 * The lines of a conversation, with the current status below them.
 *
 * @param {HTMLElement} view holds the lines @param {HTMLElement} scroll the box that scrolls it
 */
export function createTranscript(view, scroll) {
  const list = element("ol", { class: "chat", "data-testid": "chat-list" });
  const doing = element("div", { class: "reasoning", "data-testid": "chat-reasoning", hidden: "" });
  const isAtEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR_END;
  const isShown = () => view.offsetParent !== null;
  let atEnd = true;

  /** @param {HTMLElement} item @returns {number} the scroll position with its question at the top */
  const beginning = (item) => {
    const asked = item.previousElementSibling ?? item;
    return asked.getBoundingClientRect().top - scroll.getBoundingClientRect().top + scroll.scrollTop - ABOVE;
  };
  const scrollToEnd = () => {
    scroll.scrollTop = scroll.scrollHeight;
  };
  scroll.addEventListener("scroll", () => isShown() && (atEnd = isAtEnd()));
  new ResizeObserver(() => isShown() && atEnd && scrollToEnd()).observe(scroll); // a growing card covers nothing

  return {
    toEnd: scrollToEnd,
    isEmpty: () => !list.hasChildNodes(),
    /** @param {HTMLElement} item the person's message, or a small line */
    add(item) {
      if (!list.isConnected) view.replaceChildren(list, doing);
      const follows = isShown() && (atEnd || item.classList.contains("person"));
      list.append(item);
      if (follows) scrollToEnd();
    },
    /** @param {HTMLElement} item an answer, shown from its beginning @param {HTMLElement | null} [draft] that it replaces: a reader stays where they are */
    addAnswer(item, draft = null) {
      const follows = isShown() && atEnd;
      if (draft?.isConnected) draft.replaceWith(item);
      else this.add(item);
      if (follows) scroll.scrollTop = beginning(item);
    },
    /** @param {HTMLElement} item has grown: its end stays in view until its beginning would scroll out */
    grown(item) {
      if (isShown() && atEnd) scroll.scrollTop = Math.min(scroll.scrollHeight, beginning(item));
    },
    /** Removes the person's last message and everything below it. */
    dropLast() {
      const asked = [...list.children].findLast((item) => item.classList.contains("person"));
      while (asked && list.lastChild !== asked) list.lastChild?.remove();
      asked?.remove();
    },
    /** @param {HTMLElement[]} items the whole conversation */
    fill(items) {
      list.replaceChildren(...items);
      view.replaceChildren(list, doing);
      scrollToEnd();
    },
    /** @param {Node} node shown in place of a conversation */
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
      if (isShown() && atEnd) scrollToEnd();
    },
  };
}
