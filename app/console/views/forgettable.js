/** A list of what was learned, page by page, of which each can be forgotten. */

import { get, send } from "../api.js";
import { confirmed } from "../confirm.js";
import { announce, h } from "../dom.js";
import { empty, errorText } from "../states.js";
import { line, table } from "../table.js";

/** @import { Shown } from "../types/api" */

const PAGE = 50;

/**
 * @template {{id: string}} T
 * @param {HTMLElement} body @param {Shown} shown
 * @param {{path: string, of: (page: any) => T[], caption: string, none: string, ask: (one: T) => string, forget: string,
 *   may: () => boolean, columns: import("../table.js").Column<T>[]}} what
 */
export async function forgettable(body, { signal }, what) {
  const problem = h("p", { class: "bad", role: "alert" });
  /** @param {T} one */
  const button = (one) => {
    const made = h("button", { type: "button", class: "small", "aria-label": `${what.forget}: ${what.ask(one)}` }, what.forget);
    made.addEventListener("click", () => void forget(one, made));
    return made;
  };
  /** @type {import("../table.js").Column<T>[]} */
  const columns = what.may() ? [...what.columns, { label: what.forget, end: true, cell: (one) => h("div", { class: "buttons" }, button(one)) }] : what.columns;
  const made = table({ caption: what.caption, columns, rows: [] });
  const rows = /** @type {HTMLElement} */ (made.querySelector("tbody"));
  const more = h("button", { type: "button", class: "more", onclick: () => void next() }, "Show more");
  /** @type {string | undefined} */
  let cursor;

  /** @param {T} one @param {HTMLElement} from */
  async function forget(one, from) {
    problem.textContent = "";
    if (!(await confirmed(what.ask(one), what.forget))) return from.focus();
    try {
      await send("DELETE", `${what.path}/${encodeURIComponent(one.id)}`);
      from.closest("tr")?.remove();
      announce("Deleted");
      if (!rows.childElementCount && !cursor) body.replaceChildren(empty(what.none));
    } catch (error) {
      problem.textContent = errorText(error);
    }
  }

  async function next() {
    const found = await get(what.path, { limit: PAGE, cursor }, signal);
    cursor = found.nextCursor ?? undefined;
    rows.append(...what.of(found).map((one) => line(columns, one)));
    more.hidden = !cursor;
  }

  await next();
  body.replaceChildren(...(rows.childElementCount ? [problem, made, more] : [empty(what.none)]));
}
