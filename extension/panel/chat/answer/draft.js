import { element } from "../../element.js";
import { citationButton } from "./sources.js";

/** @import { ChatClaim, OpenSource } from "../../../types/chat" */

const REFUSED = "not supported so far";

/** @param {string} text shown where a finished answer says how well it is supported */
export const uncheckedNote = (text) => element("p", { class: "foot" }, element("span", { class: "support", "data-level": "none" }, text));

/** One claim, updated in place. @param {OpenSource} open */
function claimPart(open) {
  const words = document.createTextNode("");
  const after = element("span", { class: "after" });
  const part = element("span", { class: "claim", dir: "auto" }, words, after);
  let shown = "";
  return {
    part,
    /** @param {ChatClaim} claim */
    update({ text, state, reason, citations }) {
      words.data = text;
      part.dataset.state = state;
      const now = JSON.stringify([state, citations]);
      if (now === shown) return;
      shown = now;
      const refused = state === "unsupported" ? [element("span", { class: "refused", title: reason }, ` (${REFUSED})`)] : [];
      after.replaceChildren(...refused, ...citations.flatMap((one) => ["\u00a0", citationButton(one, open)]));
    },
  };
}

/**
 * An answer being written, styled differently from one that was checked.
 *
 * @param {{show: (item: HTMLElement) => void, grown: (item: HTMLElement) => void, open: OpenSource}} given
 */
export function createDraft({ show, grown, open }) {
  /** @type {HTMLElement | null} */
  let item = null;
  let words = element("p");
  /** @type {ReturnType<typeof claimPart>[]} */
  let claims = [];

  function begin() {
    words = element("p");
    claims = [];
    item = element("li", { class: "answer draft", "aria-busy": "true", "data-testid": "chat-draft" }, element("div", { class: "prose" }, words), uncheckedNote("Not checked yet"));
    show(item);
    return item;
  }

  return {
    /** @param {ChatClaim} claim @returns {boolean} whether it is the first */
    update(claim) {
      const isFirst = !item;
      const at = item ?? begin();
      while (claims.length < claim.number) {
        const made = claimPart(open);
        words.append(...(claims.length > 0 ? [" "] : []), made.part);
        claims.push(made);
      }
      claims[claim.number - 1].update(claim);
      grown(at);
      return isFirst;
    },
    /** @returns {HTMLElement | null} its element, to be replaced by the answer */
    take() {
      const taken = item;
      item = null;
      return taken;
    },
    /** Removes it. */
    drop() {
      this.take()?.remove();
    },
  };
}
