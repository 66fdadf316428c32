import { button, element, iconButton } from "../../element.js";
import { askServer, errorText } from "../../server.js";

/** @import { Rating } from "../../../types/chat" */

const UP = "M5.5 7 8 2.5c1 0 1.7.7 1.5 1.8L9.2 6.5h3c.9 0 1.5.8 1.3 1.6l-1 4.2c-.2.7-.7 1.2-1.5 1.2H5.5zM2.5 7h3v6.5h-3z";
const DOWN = "M5.5 9 8 13.5c1 0 1.7-.7 1.5-1.8L9.2 9.5h3c.9 0 1.5-.8 1.3-1.6l-1-4.2c-.2-.7-.7-1.2-1.5-1.2H5.5zM2.5 9h3V2.5h-3z";
const LONGEST = 2_000; // characters of a comment
const ASKED = { up: "What was good about it? (optional)", down: "What was wrong with it? (optional)" };

let made = 0; // field ids must be unique

/**
 * Thumbs up and down with a field for a comment. A press is sent at once.
 *
 * @param {{threadId: string, messageId: string}} subject @param {Rating | null | undefined} given the rating so far
 * @returns {{buttons: HTMLElement[], why: HTMLElement}}
 */
export function ratingOf({ threadId, messageId }, given) {
  const path = `/api/chat/conversations/${encodeURIComponent(threadId)}/messages/${encodeURIComponent(messageId)}/rating`;
  const why = element("div", { class: "why", hidden: "", "data-testid": "rating-why" });
  let rating = given ?? null;
  const thumbs = {
    up: iconButton("Good answer", UP, "rating-up", () => void press("up")),
    down: iconButton("Bad answer", DOWN, "rating-down", () => void press("down")),
  };

  function mark() {
    for (const [thumb, button] of Object.entries(thumbs)) button.setAttribute("aria-pressed", String(rating?.rating === thumb));
  }

  /** @param {Node[]} nodes shown below the thumbs */
  function show(...nodes) {
    why.replaceChildren(...nodes);
    why.hidden = nodes.length === 0;
  }

  /** @param {string} text @param {string} role */
  const line = (text, role) => element("p", { class: "said", role }, text);

  /** @param {"up" | "down"} thumb @param {string} comment @returns {Promise<boolean>} whether it was saved */
  async function keep(thumb, comment) {
    const before = rating;
    rating = { rating: thumb, comment };
    mark();
    try {
      rating = await askServer(path, { method: "PUT", body: { rating: thumb, comment } });
      return true;
    } catch (error) {
      rating = before;
      mark();
      show(line(errorText(error, "Could not send"), "alert"));
      return false;
    }
  }

  /** @param {"up" | "down"} thumb */
  async function press(thumb) {
    if (rating?.rating === thumb && !why.hidden) return show();
    const comment = rating?.rating === thumb ? rating.comment : "";
    if (rating?.rating === thumb || (await keep(thumb, comment))) show(form(thumb, comment));
  }

  /** @param {"up" | "down"} thumb @param {string} comment */
  function form(thumb, comment) {
    const id = `rating-${(made += 1)}`;
    const words = element("textarea", { id, dir: "auto", maxlength: String(LONGEST), "data-testid": "rating-comment" });
    words.value = comment;
    const leave = () => {
      show();
      thumbs[thumb].focus();
    };
    const close = button("Close", leave);
    const send = element("button", { type: "submit", class: "primary", "data-testid": "rating-send" }, "Send");
    const box = element("form", {}, element("label", { for: id }, ASKED[thumb]), words, element("div", { class: "buttons" }, send, close));
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      leave();
    });
    box.addEventListener("submit", async (event) => {
      event.preventDefault();
      send.disabled = true;
      if (!(await keep(thumb, words.value.trim()))) return;
      show(line("Thank you. Operators can read your feedback.", "status"));
      thumbs[thumb].focus();
    });
    return box;
  }

  mark();
  return { buttons: [thumbs.up, thumbs.down], why };
}
