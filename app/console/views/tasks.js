/** Tasks: those under way and those that were, found by words, status, person and day. */

import { get } from "../api.js";
import { announce, h, bdi } from "../dom.js";
import { keyed } from "../keyed.js";
import { repeat } from "../repeat.js";
import { keepFilters, to } from "../router.js";
import { createPagedList } from "../paged_list.js";
import { empty } from "../states.js";
import { line, table } from "../table.js";
import { counted, money, number, siteOf, statusChip, when } from "../words.js";

/** @import { Shown, TaskRow } from "../types/api" */
/** @typedef {{q: string, status: string, user: string, from: string, to: string}} Filters */

const PAGE = 30;
const LOOK_MS = 3_000;
const TYPING_MS = 300;
const PHONE = 768; // px: narrower ones begin with the list
const STATUSES = [["", "All"], ["under_way", "Running"], ["awaiting_user", "Waiting for a person"], ["completed", "Done"], ["failed", "Failed"], ["interrupted", "Stopped"]];

/** @type {import("../table.js").Column<TaskRow>[]} */
const COLUMNS = [
  { label: "Goal", head: true, wide: true, cell: goal },
  { label: "Status", cell: (task) => statusChip(task.status) },
  { label: "Person", cell: (task) => bdi(task.userId, { class: "cut" }) },
  { label: "Steps", numeric: true, cell: (task) => number(task.steps) },
  { label: "Cost", numeric: true, cell: ({ usage }) => (usage.costKnown === false ? `over ${money(usage.costUsd, 4)}` : money(usage.costUsd, 4)) },
  { label: "Started", numeric: true, cell: (task) => when(task.createdAt) },
];

/** @param {TaskRow} task */
function goal(task) {
  return h("div", { class: "goal" }, h("a", { href: to("task", task.taskId), class: "clamp" }, bdi(task.query)), h("span", { class: "hint cut" }, bdi(siteOf(task.url) || "no web page")));
}

/** @param {Filters} filters */
function queryOf({ q, status, user, from, to: until }) {
  const end = until ? new Date(new Date(`${until}T00:00`).getTime() + 86_400_000) : null;
  return { q: q.trim(), status, user: user.trim(), from: from ? new Date(`${from}T00:00`).toISOString() : "", to: end?.toISOString() ?? "" };
}

/** @param {HTMLElement} body @param {Shown} shown */
export async function showTasks(body, { me, query, signal }) {
  /** @type {Filters} */
  const filters = { q: "", status: "", user: "", from: "", to: "" };
  for (const name of /** @type {(keyof Filters)[]} */ (Object.keys(filters))) filters[name] = query.get(name) ?? "";
  const list = createList(filters, signal);
  const form = filterForm(filters, me.role !== "user", () => void list.begin());
  body.replaceChildren(form, list.stale, list.box);
  await list.begin();
  await repeat(LOOK_MS, signal, list.look, list.tell);
}

/** @param {Filters} filters @param {AbortSignal} signal */
function createList(filters, signal) {
  const made = table({ caption: "Tasks, newest first", columns: COLUMNS, rows: [] });
  const body = /** @type {HTMLElement} */ (made.querySelector("tbody"));
  /** @type {ReturnType<typeof createPagedList<TaskRow>>} */
  const list = createPagedList({
    load: async (cursor) => {
      const page = await get("tasks", { ...queryOf(filters), limit: PAGE, cursor }, signal);
      return { rows: page.tasks, next: page.nextCursor };
    },
    idOf: (task) => task.taskId,
    placeOf: (task) => task.createdAt,
    draw,
    begun: () => announce(list.hasMore() ? `More than ${list.rows().length} tasks` : counted(list.rows().length, "task")),
    signal,
  });

  function draw() {
    const [rows, { box, more }] = [list.rows(), list];
    keyed(body, rows, (task) => task.taskId, (task) => line(COLUMNS, task));
    more.hidden = !list.hasMore();
    if (rows.length) return box.replaceChildren(made, more);
    if (list.hasMore()) return box.replaceChildren(h("p", { class: "hint" }, "No match among the newest tasks."), more);
    const filtered = Object.values(filters).some((one) => one !== "");
    if (filtered) return box.replaceChildren(empty("No matching tasks.", { label: "Show all tasks", press: () => (location.hash = "#/tasks?") }));
    return box.replaceChildren(empty("No tasks yet. They appear here when someone runs a goal in the extension."));
  }

  return list;
}

/** @param {Filters} filters changed as it is filled in @param {boolean} others whether those of others are seen @param {() => void} changed */
function filterForm(filters, others, changed) {
  let timer = 0;
  const set = (/** @type {keyof Filters} */ name) => (/** @type {Event} */ event) => {
    filters[name] = /** @type {HTMLInputElement} */ (event.target).value;
    keepFilters(filters);
    clearTimeout(timer);
    timer = setTimeout(changed, event.type === "input" ? TYPING_MS : 0);
  };
  const field = (/** @type {keyof Filters} */ name, /** @type {string} */ label, /** @type {Record<string, unknown>} */ more) =>
    h("div", { class: "field", "data-field": name }, h("label", { for: `f-${name}` }, label), h("input", { id: `f-${name}`, value: filters[name], ...more }));
  const choice = h("select", { id: "f-status", onchange: set("status") }, STATUSES.map(([value, label]) => h("option", { value, selected: value === filters.status }, label)));
  return h(
    "form",
    { class: "filters", role: "search", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    field("q", "Words of the goal", { type: "search", maxlength: "200", oninput: set("q") }),
    h("div", { class: "field" }, h("label", { for: "f-status" }, "Status"), choice),
    h("details", { class: "rest", open: innerWidth >= PHONE || Boolean(filters.user || filters.from || filters.to) },
      h("summary", {}, "More filters"),
      h("div", { class: "filters" },
        others ? field("user", "Person", { type: "search", maxlength: "128", oninput: set("user") }) : null,
        field("from", "From", { type: "date", onchange: set("from") }),
        field("to", "Until", { type: "date", onchange: set("to") }))),
  );
}
