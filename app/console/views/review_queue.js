/** The queue: by location, filtered, the newest first, walked through with the keyboard. */

import { get } from "../api.js";
import { announce, h, bdi } from "../dom.js";
import { keyed } from "../keyed.js";
import { repeat } from "../repeat.js";
import { to } from "../router.js";
import { createPagedList } from "../paged_list.js";
import { empty } from "../states.js";
import { line, table } from "../table.js";
import { counted, number } from "../words.js";
import { legend, listen } from "./review_keys.js";
import { filterForm, filtersOf, fits, isFiltered } from "./review_filters.js";
import { remember, remembered } from "./review_memory.js";
import { confidenceChip, impactChip, LOCATIONS, moment, nameOf, placeOf, reasonsOf } from "./review_words.js";

/** @import { Depths, Location, RecordsPage, ReviewRecord, Shown } from "../types/api" */

const PAGE = 50;
const LOOK_MS = 4_000;
const KEYS = /** @type {[string[], string][]} */ ([[["j", "k"], "down and up"], [["Enter"], "open"], [["/"], "filter by words"], [["1", "2", "3"], "waiting, approved, rejected"]]);

/** @param {Location} location @returns {import("../table.js").Column<ReviewRecord>[]} */
const columns = (location) => [
  { label: "What", head: true, wide: true, cell: (one) => h("div", { class: "goal" }, h("a", { href: to("review", one.id), class: "clamp", "data-record": one.id }, bdi(nameOf(one))), h("span", { class: "hint cut" }, bdi(one.issue.site || "no web page"))) },
  { label: "Why", cell: (one) => bdi(reasonsOf(one), { class: "clamp" }) },
  { label: "Confidence", cell: confidenceChip },
  { label: "Impact", cell: impactChip },
  { label: "For", cell: (one) => bdi(one.origin.user, { class: "cut" }) },
  location === "pending" ? { label: "Submitted", numeric: true, cell: (one) => moment(one.submitted_at_ms) } : { label: "Decided by", cell: (one) => bdi(one.review?.operator.name ?? "–", { class: "cut" }) },
  ...(location === "pending" ? [] : [{ label: "Decided", numeric: true, cell: (/** @type {ReviewRecord} */ one) => moment(placeOf(one)) }]),
];

/** @param {HTMLElement} body @param {Shown} shown */
export async function showQueue(body, { me, query, signal }) {
  const location = LOCATIONS.find(([name]) => name === query.get("location"))?.[0] ?? "pending";
  const filters = filtersOf(query);
  const list = createList(location, filters, me.role !== "user", signal);
  const form = filterForm(filters, location, () => list.draw());
  body.replaceChildren(list.tabs, form.made, list.stale, list.box, legend(KEYS));
  list.sites(form.sites);
  listen(signal, {
    ...Object.fromEntries([["j", 1], ["ArrowDown", 1], ["k", -1], ["ArrowUp", -1]].map(([key, by]) => [key, () => list.move(Number(by))])),
    ...Object.fromEntries(LOCATIONS.map(([name], index) => [String(index + 1), () => (globalThis.location.hash = `#/review?location=${name}`)])),
    "/": () => form.focus(),
  }, { Escape: () => list.move(0) });
  await list.begin();
  await repeat(LOOK_MS, signal, list.look, list.tell);
}

/** @param {Location} location @param {import("./review_filters.js").Filters} filters @param {boolean} all whether those of others are seen @param {AbortSignal} signal */
function createList(location, filters, all, signal) {
  const tabs = h("div", { class: "tabs", role: "navigation", "aria-label": "Location" });
  const shape = columns(location);
  const made = table({ caption: "Records, newest first", columns: shape, rows: [] });
  made.classList.add("queue");
  const body = /** @type {HTMLElement} */ (made.querySelector("tbody"));
  let announced = "";
  let sites = (/** @type {string[]} */ _) => {};
  /** @type {ReturnType<typeof createPagedList<ReviewRecord>>} */
  const list = createPagedList({
    load: async (cursor) => {
      const page = /** @type {RecordsPage} */ (await get("review", { location, limit: PAGE, cursor }, signal));
      drawTabs(tabs, location, page.depths);
      return { rows: page.records, next: page.nextCursor };
    },
    idOf: ({ id }) => id,
    placeOf,
    draw,
    begun: () => focusOn(remembered().last),
    signal,
  });
  const links = () => [.../** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll("a[data-record]"))];

  function draw() {
    const [rows, more, filtered] = [list.rows(), list.hasMore(), isFiltered(filters)];
    const shown = rows.filter((one) => fits(one, filters));
    keyed(body, shown, (one) => one.id, (one) => line(shape, one));
    remember(location, shown.map(({ id }) => id));
    sites([...new Set(rows.map(({ issue }) => issue.site ?? "").filter(Boolean))].sort());
    list.more.hidden = !more;
    const total = counted(rows.length, "record");
    const found = filtered ? `${shown.length} of ${total}${more ? " searched" : ""}` : total;
    if (found !== announced) announce((announced = found));
    if (shown.length) return list.box.replaceChildren(made, list.more);
    list.box.replaceChildren(filtered && rows.length ? noMatch(rows.length, more) : nothing(location, all));
  }

  /** @param {number} count @param {boolean} more */
  const noMatch = (count, more) =>
    more
      ? empty(`No match among the newest ${number(count)}.`, { label: "Search older records", press: () => void list.older() })
      : empty("No matching records.", { label: "Show all records", press: () => (globalThis.location.hash = `#/review?location=${location}&`) });

  /** The one that was looked at is where the reader goes on. */
  function focusOn(/** @type {string} */ id) {
    const link = links().find((one) => one.dataset.record === id);
    if (link && ["BODY", "H1"].includes(document.activeElement?.tagName ?? "")) link.focus();
  }

  /** @param {number} by 0: back to the list from a field */
  function move(by) {
    const all = links();
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = at < 0 ? all[by < 0 ? all.length - 1 : 0] : all[Math.min(all.length - 1, Math.max(0, at + by))];
    next?.focus();
  }

  return { ...list, tabs, draw, move, sites: (/** @type {typeof sites} */ given) => void (sites = given) };
}

/** @param {HTMLElement} tabs @param {Location} current @param {Depths | null} depths */
function drawTabs(tabs, current, depths) {
  keyed(tabs, [{ current, depths }], () => "tabs", () =>
    h("div", {},
      h("ul", {}, LOCATIONS.map(([name, title]) =>
        h("li", {}, h("a", { href: `#/review?location=${name}`, "aria-current": name === current ? "page" : null }, title, depths ? h("span", { class: "count" }, ` ${number(depths[name])}`) : null)))),
      depths?.oldest_ms ? h("p", { class: "hint" }, "The oldest was submitted ", moment(depths.oldest_ms)) : null));
}

/** @param {Location} location @param {boolean} all */
function nothing(location, all) {
  if (location !== "pending") return empty(`No ${location} records yet.`, { label: "Show waiting records", press: () => (globalThis.location.hash = "#/review") });
  return empty(all ? "Nothing is waiting. Records appear here when the agent is unsure or the impact is high." : "None of your tasks is waiting for an operator.", { label: "Show tasks", press: () => (globalThis.location.hash = to("tasks")) });
}
