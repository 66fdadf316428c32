import { element } from "../element.js";
import { STATUS_WORDS } from "../format.js";
import { relativeTime, renderPages } from "../list.js";
import { askServer } from "../server.js";

/** @typedef {{sessionId: string, title: string, createdAt: string, updatedAt: string, taskCount: number, status?: string | null}} Session */
/** @typedef {import("../notice.js").Press} Press */

/** @param {Session} session @param {(session: Session) => void} open @param {boolean} current */
function row(session, open, current) {
  const tasks = session.taskCount === 1 ? "1 task" : `${session.taskCount} tasks`;
  const state = session.status ?? "";
  const opener = element(
    "button",
    { type: "button", "data-testid": "session", ...(current ? { "aria-current": "true" } : {}) },
    element("span", { class: "title", dir: "auto", title: session.title }, session.title || "Untitled"),
    element("span", { class: "meta" }, element("span", { class: "state", "data-state": state }, STATUS_WORDS[state] ?? "No task"), element("span", {}, tasks), relativeTime(session.updatedAt)),
  );
  opener.addEventListener("click", () => open(session));
  return element("li", {}, opener);
}

/**
 * Fills a box with the earlier sessions, page by page.
 *
 * @param {HTMLElement} box
 * @param {{open: (session: Session) => void, current: string | null, press: Press}} given
 */
export function renderSessions(box, { open, current, press }) {
  const list = element("ul", { class: "sessions", "data-testid": "sessions" });
  const none = element("p", { class: "hint" }, "No sessions yet. Your tasks will be listed here.");
  return renderPages(box, {
    list,
    none,
    press,
    testId: "more-sessions",
    async load(query) {
      const { sessions, nextCursor } = /** @type {{sessions: Session[], nextCursor?: string | null}} */ (await askServer(`/api/sessions${query}`));
      return { rows: sessions.map((session) => row(session, open, session.sessionId === current)), cursor: nextCursor };
    },
  });
}
