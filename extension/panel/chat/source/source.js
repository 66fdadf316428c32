import { element } from "../../element.js";
import { askServer } from "../../server.js";
import { renderFailure } from "../../list.js";
import { quoteBlock, showPassage } from "./passage.js";

/** @import { OpenSource } from "../../../types/chat" */
/** @import { Fail } from "./parts.js" */

/** The part of the panel that stays usable beside a sheet: the bar with the stop button. */
const STAYS = ".bar, [role=status], script";
const GOES_ON = "#stop, #pause";

/** Closes the open sheet. @type {(() => void) | null} */
let closeOpen = null;

/** Makes everything else inert. @returns {() => void} undoes it */
function closeOff() {
  const off = [...document.body.children].filter((one) => !one.matches(STAYS) && !one.hasAttribute("inert"));
  for (const one of off) one.setAttribute("inert", "");
  return () => off.forEach((one) => one.removeAttribute("inert"));
}

/**
 * A sheet over the conversation with a back button; the panel's bar stays above it. Escape closes it, and the
 * focus returns to where it was opened.
 *
 * @param {string} title @param {{origin: HTMLElement}} given
 * @returns {{body: HTMLElement, heading: HTMLElement, isOpen: () => boolean}}
 */
function openSheet(title, { origin }) {
  closeOpen?.();
  const giveBack = closeOff();
  const heading = element("h2", { id: "source-title", tabindex: "-1", dir: "auto" }, title);
  const leave = element("button", { type: "button", class: "icon back", "aria-label": "Back", title: "Back (Escape)" });
  const body = element("div", { class: "source-body", tabindex: "-1" });
  const sheet = element("section", { class: "source", role: "dialog", "aria-labelledby": "source-title", "data-testid": "source" }, element("div", { class: "head" }, leave, heading), body);
  const bar = document.querySelector(".bar");

  /** @param {boolean} [stays] the focus does not return */
  function close(stays = false) {
    sheet.remove();
    giveBack();
    closeOpen = null;
    document.removeEventListener("keydown", onKey, true);
    bar?.removeEventListener("click", onBar);
    if (!stays && origin.isConnected) origin.focus();
  }
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation(); // it would also stop the run
    event.preventDefault();
    close();
  }
  /** @param {Event} event a press in the bar that leads elsewhere closes the sheet */
  function onBar({ target }) {
    if (target instanceof Element && !target.closest(GOES_ON)) close(true);
  }

  document.addEventListener("keydown", onKey, true);
  bar?.addEventListener("click", onBar);
  leave.addEventListener("click", () => close());
  closeOpen = close;
  document.body.append(sheet);
  sheet.style.top = `${bar?.getBoundingClientRect().bottom ?? 0}px`;
  heading.focus();
  return { body, heading, isOpen: () => sheet.isConnected };
}

/** @type {Fail} */
const fail = (box, error, again) => renderFailure(box, error, ({ does }) => (does === "settings" ? void chrome.runtime.openOptionsPage() : again()));

/** @type {OpenSource} shows the source of a citation: the passage in its document, or the words of a web page */
export function openSource(citation, { origin, current }) {
  const { body, heading, isOpen } = openSheet(citation.title || citation.label, { origin });
  const titled = (/** @type {string} */ title) => {
    heading.textContent = title || citation.title;
    return isOpen();
  };
  const show = () =>
    showPassage(body, citation, { ask: askServer, fail, titled, current }).catch((error) => {
      if (!isOpen()) return;
      const box = element("div");
      fail(box, error, show);
      body.replaceChildren(box, ...quoteBlock(citation));
    });
  void show();
}
