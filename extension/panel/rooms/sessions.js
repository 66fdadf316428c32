import { element } from "../element.js";
import { renderNotice } from "../notice.js";
import { askServer, NotAnswered } from "../server.js";
import { ago, STATUS_WORDS } from "../format.js";

/** @typedef {{sessionId: string, title: string, createdAt: string, updatedAt: string, taskCount: number, status?: string | null}} Session */
/** @typedef {import("../notice.js").Press} Press */

/** @param {string} iso @returns {HTMLElement} a relative time, with the exact one on hover */
export function relativeTime(iso) {
  const when = new Date(iso);
  return element("time", { datetime: iso, title: when.toLocaleString() }, ago(Date.now() - when.getTime()));
}

/** @param {Session} session @param {(session: Session) => void} open @param {boolean} current */
function row(session, open, current) {
  const tasks = session.taskCount === 1 ? "1 task" : `${session.taskCount} tasks`;
  const state = session.status ?? "";
  const button = element(
    "button",
    { type: "button", "data-testid": "session", ...(current ? { "aria-current": "true" } : {}) },
    element("span", { class: "title", dir: "auto", title: session.title }, session.title || "Untitled"),
    element("span", { class: "meta" }, element("span", { class: "state", "data-state": state }, STATUS_WORDS[state] ?? "No task"), element("span", {}, tasks), relativeTime(session.updatedAt)),
  );
  button.addEventListener("click", () => open(session));
  return element("li", {}, button);
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
 * Fills a box with the earlier sessions, page by page.
 *
 * @param {HTMLElement} box
 * @param {{open: (session: Session) => void, current: string | null, press: Press}} given
 */
export async function renderSessions(box, { open, current, press }) {
  const list = element("ul", { class: "sessions", "data-testid": "sessions" });
  const more = element("button", { type: "button", class: "more", "data-testid": "more-sessions" }, "Show older");
  /** @type {string | null} */
  let cursor = null;
  const page = async () => {
    const query = cursor ? `?cursor=${encodeURIComponent(cursor)}` : "";
    const { sessions, nextCursor } = /** @type {{sessions: Session[], nextCursor?: string | null}} */ (await askServer(`/api/sessions${query}`));
    cursor = nextCursor ?? null;
    list.append(...sessions.map((session) => row(session, open, session.sessionId === current)));
    more.hidden = !cursor;
    return sessions;
  };
  more.addEventListener("click", async () => {
    const first = list.children.length;
    await page().catch((error) => renderFailure(box, error, press));
    list.children[first]?.querySelector("button")?.focus();
  });
  box.replaceChildren(element("p", { class: "hint", role: "status" }, "Loading…"));
  try {
    const found = await page();
    box.replaceChildren(...(found.length > 0 ? [list, more] : [element("p", { class: "hint" }, "No sessions yet. Your tasks will be listed here.")]));
  } catch (error) {
    renderFailure(box, error, press);
  }
}
