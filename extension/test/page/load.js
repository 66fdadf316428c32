import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";
import { LEARN_FILES, PAGE_FILES } from "../../page/manifest.js";

/**
 * The page scripts in a document without layout, as far as they go without one (all but the shell).
 * @param {string} [html]
 */
export function load(html = "") {
  const { window } = new JSDOM(html, { runScripts: "outside-only", url: "http://page.test/" });
  window.Element.prototype.checkVisibility = isDisplayed;
  for (const file of [...PAGE_FILES, ...LEARN_FILES].filter((name) => name !== "page/main.js")) {
    window.eval(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
  }
  const page = /** @type {PageNamespace} */ (window.eval("globalThis.__tabwright"));
  const one = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (window.document.querySelector(selector));
  return { window, document: window.document, page, one };
}

/** What jsdom lacks. @this {Element} */
function isDisplayed() {
  const view = /** @type {Window} */ (this.ownerDocument.defaultView);
  for (let el = /** @type {Element | null} */ (this); el; el = el.parentElement) {
    const { display, visibility } = view.getComputedStyle(el);
    if (display === "none" || (el === this && visibility === "hidden")) return false;
  }
  return true;
}

/** Values made in the window are of its own classes; a copy compares equal. @template T @param {T} value @returns {T} */
export const plain = (value) => JSON.parse(JSON.stringify(value));
