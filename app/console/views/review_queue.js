/** The queue: by location, filtered, the newest first, walked through with the keyboard. */

import { get } from "../api.js";
import { announce, h, said } from "../dom.js";
import { keyed } from "../keyed.js";
import { repeat } from "../repeat.js";
import { to } from "../router.js";
import { empty, failure, loading, staleness, told } from "../states.js";
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
  { label: "What", head: true, wide: true, cell: (one) => h("div", { class: "goal" }, h("a", { href: to("review", one.id), class: "clamp", "data-record": one.id }, said(nameOf(one))), h("span", { class: "hint cut" }, said(one.issue.site || "no web page"))) },
  { label: "Why", cell: (one) => said(reasonsOf(one), { class: "clamp" }) },
  { label: "Confidence", cell: confidenceChip },
  { label: "Impact", cell: impactChip },
  { label: "For", cell: (one) => said(one.origin.user, { class: "cut" }) },
  location === "pending" ? { label: "Submitted", numeric: true, cell: (one) => moment(one.submitted_at_ms) } : { label: "Decided by", cell: (one) => said(one.review?.operator.name ?? "–", { class: "cut" }) },
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
  const { line: stale, tell } = staleness();
  const [box, tabs] = [h("div", {}, loading()), h("div", { class: "tabs", role: "navigation", "aria-label": "Location" })];
  const shape = columns(location);
  const made = table({ caption: "Records, newest first", columns: shape, rows: [] });
  made.classList.add("queue");
  const rowsOf = /** @type {HTMLElement} */ (made.querySelector("tbody"));
  const more = h("button", { type: "button", class: "more", onclick: () => void older() }, "Show older");
  /** @type {ReviewRecord[]} */
  let rows = [];
  /** @type {string | null} */
  let cursor = null;
  let [round, heard] = [0, ""];
  let sites = (/** @type {string[]} */ _) => {};

  const ask = (/** @type {string | null} */ from) => /** @type {Promise<RecordsPage>} */ (get("review", { location, limit: PAGE, cursor: from }, signal));
  const links = () => [.../** @type {NodeListOf<HTMLElement>} */ (rowsOf.querySelectorAll("a[data-record]"))];

  function draw() {
    const shown = rows.filter((one) => fits(one, filters));
    keyed(rowsOf, shown, (one) => one.id, (one) => line(shape, one));
    remember(location, shown.map(({ id }) => id));
    sites([...new Set(rows.map(({ issue }) => issue.site ?? "").filter(Boolean))].sort());
    more.hidden = !cursor;
    const found = isFiltered(filters) ? `${shown.length} of ${counted(rows.length, "record")}${cursor ? " looked at" : ""}` : counted(rows.length, "record");
    if (found !== heard) announce((heard = found));
    if (shown.length) return box.replaceChildren(made, more);
    if (isFiltered(filters) && rows.length) return box.replaceChildren(empty(cursor ? `None of the newest ${number(rows.length)} fits.` : "No record fits.", cursor ? { label: "Look through older ones", press: () => void older() } : { label: "Show all records", press: () => (globalThis.location.hash = `#/review?location=${location}&`) }));
    box.replaceChildren(nothing(location, all));
  }

  function take(/** @type {RecordsPage} */ page) {
    drawTabs(tabs, location, page.depths);
    return page;
  }

  async function begin() {
    const mine = ++round;
    try {
      const page = take(await ask(null));
      if (mine !== round) return;
      [rows, cursor] = [page.records, page.nextCursor];
      tell(null);
      draw();
      focusOn(remembered().last);
    } catch (error) {
      if (!signal.aborted && mine === round) box.replaceChildren(failure(error, () => void begin()));
    }
  }

  async function older() {
    more.disabled = true;
    try {
      const page = await ask(cursor);
      rows = joined(rows, page.records);
      cursor = page.nextCursor;
      draw();
    } catch (error) {
      if (!signal.aborted) announce(told(error));
    } finally {
      more.disabled = false;
    }
  }

  /** The newest again: new ones come first, those that were decided go. */
  async function look() {
    const mine = round;
    const page = take(await ask(null));
    if (mine !== round) return;
    const oldest = page.records.at(-1);
    const kept = page.nextCursor && oldest ? rows.filter((one) => placeOf(one) <= placeOf(oldest)) : [];
    if (rows.length <= page.records.length) cursor = page.nextCursor;
    rows = joined(page.records, kept);
    draw();
  }

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

  return { box, tabs, stale, tell, begin, look, draw, move, sites: (/** @type {typeof sites} */ given) => void (sites = given) };
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
  if (location !== "pending") return empty(`Nothing was ${location} yet.`, { label: "Show what waits", press: () => (globalThis.location.hash = "#/review") });
  return empty(all ? "Nothing waits: what the agent is unsure of, or what matters much, appears here." : "Nothing of yours waits for an operator.", { label: "Show tasks", press: () => (globalThis.location.hash = to("tasks")) });
}

/** @param {ReviewRecord[]} first @param {ReviewRecord[]} then @returns {ReviewRecord[]} each once */
function joined(first, then) {
  const there = new Set(first.map(({ id }) => id));
  return [...first, ...then.filter(({ id }) => !there.has(id))];
}
