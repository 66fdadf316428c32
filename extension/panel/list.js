import { button, element, onEscape } from "./element.js";
import { ago } from "./format.js";
import { renderNotice } from "./notice.js";
import { askServer, errorText, NotAnswered } from "./server.js";

/** @import { Press } from "./notice.js" */

/** @param {string} iso @returns {HTMLElement} a relative time, with the exact one on hover */
export function relativeTime(iso) {
  const when = new Date(iso);
  return element("time", { datetime: iso, title: when.toLocaleString() }, ago(Date.now() - when.getTime()));
}

/**
 * Shows an error in place of the content.
 *
 * @param {HTMLElement} box @param {unknown} error @param {Press} press
 */
export function renderFailure(box, error, press) {
  const notice = error instanceof NotAnswered ? error.notice : { kind: /** @type {const} */ ("error"), text: `Something went wrong: ${error}` };
  const card = element("section", { class: "notice" });
  renderNotice(card, notice, press);
  box.replaceChildren(card);
}

/**
 * Fills a box with a list that the server gives page by page.
 *
 * @param {HTMLElement} box
 * @param {{list: HTMLElement, none: HTMLElement, load: (query: string) => Promise<{rows: HTMLElement[], cursor?: string | null}>, press: Press, testId: string}} given
 *   `none` is shown for an empty list, `testId` names the button that loads more
 */
export async function renderPages(box, { list, none, load, press, testId }) {
  /** @type {string | null} */
  let cursor = null;
  const more = button("Show older", async () => {
    const first = list.children.length;
    await loadPage().catch((error) => renderFailure(box, error, press));
    list.children[first]?.querySelector("button")?.focus();
  }, { class: "more", "data-testid": testId });
  async function loadPage() {
    const page = await load(cursor ? `?cursor=${encodeURIComponent(cursor)}` : "");
    cursor = page.cursor ?? null;
    list.append(...page.rows);
    more.hidden = !cursor;
  }
  box.replaceChildren(element("p", { class: "hint", role: "status" }, "Loading…"));
  try {
    await loadPage();
    box.replaceChildren(...(list.hasChildNodes() ? [list, more] : [none]));
  } catch (error) {
    renderFailure(box, error, press);
  }
}

/** Removes a row; the focus moves to the next one. @param {HTMLElement} row @param {string} focusable in a row @param {() => void} emptied called after the last one */
export function removeRow(row, focusable, emptied) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  if (next) /** @type {HTMLElement | null} */ (next.querySelector(focusable))?.focus();
  else emptied();
}

/**
 * Asks before deleting something on the server.
 *
 * @param {{question: string, label: string, path: string, testId: string}} what @param {{done: () => void, undone: () => void}} then @returns {HTMLElement}
 */
export function deletionCard({ question, label, path, testId }, { done, undone }) {
  const sentence = element("p", { dir: "auto" }, question);
  const yes = button("Delete permanently", async () => {
    yes.disabled = true;
    try {
      await askServer(path, { method: "DELETE" });
      done();
    } catch (error) {
      yes.disabled = false;
      sentence.setAttribute("role", "alert");
      sentence.textContent = errorText(error);
    }
  }, { class: "danger", "data-testid": testId });
  const no = button("Keep it", undone);
  const box = element("div", { class: "sure", role: "group", "aria-label": label }, sentence, element("div", { class: "buttons" }, no, yes));
  onEscape(box, undone);
  queueMicrotask(() => no.focus());
  return box;
}
