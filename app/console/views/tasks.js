/** Tasks: those under way and those that were, found by words, status, person and day. */

import { get } from "../api.js";
import { announce, h, said } from "../dom.js";
import { keyed } from "../keyed.js";
import { repeat } from "../repeat.js";
import { keepFilters, to } from "../router.js";
import { empty, failure, loading, staleness, told } from "../states.js";
import { line, table } from "../table.js";
import { counted, money, number, siteOf, statusChip, when } from "../words.js";

/** @import { Shown, TaskRow } from "../types/api" */
/** @typedef {{q: string, status: string, user: string, from: string, to: string}} Filters */

const PAGE = 30;
const LOOK_MS = 3_000;
const TYPING_MS = 300;
const PHONE = 768; // px: narrower ones begin with the list
const STATUSES = [["", "All"], ["under_way", "Under way"], ["awaiting_user", "Waiting for a person"], ["completed", "Done"], ["failed", "Failed"], ["interrupted", "Stopped"]];

/** @type {import("../table.js").Column<TaskRow>[]} */
const COLUMNS = [
  { label: "Goal", head: true, wide: true, cell: goal },
  { label: "Status", cell: (task) => statusChip(task.status) },
  { label: "Person", cell: (task) => said(task.userId, { class: "cut" }) },
  { label: "Steps", numeric: true, cell: (task) => number(task.steps) },
  { label: "Cost", numeric: true, cell: ({ usage }) => (usage.costKnown === false ? `over ${money(usage.costUsd, 4)}` : money(usage.costUsd, 4)) },
  { label: "Started", numeric: true, cell: (task) => when(task.createdAt) },
];

/** @param {TaskRow} task */
function goal(task) {
  return h("div", { class: "goal" }, h("a", { href: to("task", task.taskId), class: "clamp" }, said(task.query)), h("span", { class: "hint cut" }, said(siteOf(task.url) || "no web page")));
}

/** @param {Filters} filters */
function asked({ q, status, user, from, to: until }) {
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
  const { line: stale, tell } = staleness();
  const box = h("div", {}, loading());
  /** @type {TaskRow[]} */
  let rows = [];
  /** @type {string | undefined} */
  let cursor;
  let round = 0;
  const made = table({ caption: "Tasks, newest first", columns: COLUMNS, rows: [] });
  const rowsOf = /** @type {HTMLElement} */ (made.querySelector("tbody"));
  const more = h("button", { type: "button", class: "more", onclick: () => void older() }, "Show older");
  const again = () => void begin();

  const ask = (/** @type {string | undefined} */ from) => get("tasks", { ...asked(filters), limit: PAGE, cursor: from }, signal);

  function draw() {
    keyed(rowsOf, rows, (task) => task.taskId, (task) => line(COLUMNS, task));
    more.hidden = !cursor;
    if (rows.length || cursor) return box.replaceChildren(...(rows.length ? [made, more] : [h("p", { class: "hint" }, "Nothing among the newest tasks."), more]));
    const filtered = Object.values(filters).some((one) => one !== "");
    if (filtered) return box.replaceChildren(empty("No task fits.", { label: "Show all tasks", press: () => (location.hash = "#/tasks?") }));
    return box.replaceChildren(empty("No task yet: the first one appears here when someone runs a goal in the extension."));
  }

  async function begin() {
    const mine = ++round;
    try {
      const found = await ask(undefined);
      if (mine !== round) return;
      [rows, cursor] = [found.tasks, found.nextCursor];
      tell(null);
      draw();
      announce(cursor ? `More than ${rows.length} tasks` : counted(rows.length, "task"));
    } catch (error) {
      if (!signal.aborted && mine === round) box.replaceChildren(failure(error, again));
    }
  }

  async function older() {
    const mine = round;
    more.disabled = true;
    try {
      const found = await ask(cursor);
      if (mine !== round) return;
      rows = joined(rows, found.tasks);
      cursor = found.nextCursor;
      draw();
    } catch (error) {
      if (!signal.aborted) announce(told(error));
    } finally {
      more.disabled = false;
    }
  }

  /** The newest again: new ones come first, those under way move on. */
  async function look() {
    const mine = round;
    const found = await ask(undefined);
    if (mine !== round) return;
    const oldest = found.tasks.at(-1)?.createdAt ?? "";
    const kept = found.nextCursor ? rows.filter((task) => task.createdAt <= oldest) : [];
    if (rows.length <= found.tasks.length) cursor = found.nextCursor;
    rows = joined(found.tasks, kept);
    draw();
  }

  return { box, stale, tell, begin, look };
}

/** @param {TaskRow[]} first @param {TaskRow[]} then @returns {TaskRow[]} each once */
function joined(first, then) {
  const there = new Set(first.map((task) => task.taskId));
  return [...first, ...then.filter((task) => !there.has(task.taskId))];
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
