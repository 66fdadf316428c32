/** What models and searches cost: today, this month, and by what. */

import { download, get, open } from "../api.js";
import { figure } from "../charts.js";
import { announce, h, bdi } from "../dom.js";
import { keepFilters, to } from "../router.js";
import { empty, errorText } from "../states.js";
import { digitsFor, money, named, number } from "../words.js";

/** @import { Budgets, Shown, Summary, SumRow } from "../types/api" */

const DAY_MS = 86_400_000;
const PERIODS = [["month", "This month"], ["7", "Last 7 days"], ["30", "Last 30 days"], ["90", "Last 90 days"]];
const MOST_SHOWN = 12; // of what a chart compares; the table has all

/** Days and months are those of the bill, in UTC. @param {number} at */
const dayOf = (at) => new Date(at).toISOString().slice(0, 10);

/** @param {string} period @param {number} [now] */
function span(period, now = Date.now()) {
  const today = Date.parse(dayOf(now));
  const from = period === "month" ? Date.parse(`${dayOf(now).slice(0, 7)}-01`) : today - (Number(period) - 1) * DAY_MS;
  return { from: new Date(from).toISOString(), to: new Date(today + DAY_MS).toISOString() };
}

/** @param {HTMLElement} body @param {Shown} shown */
export async function showCost(body, shown) {
  const { query, me } = shown;
  const period = PERIODS.some(([value]) => value === query.get("period")) ? String(query.get("period")) : "month";
  const ask = (/** @type {string} */ groupBy, /** @type {string} */ over) => get("usage/summary", { groupBy, ...span(over) }, shown.signal);
  /** @type {Summary[]} */
  const [byDay, byAction, byModel, byUser, today, month] = await Promise.all([
    ask("day", period), ask("actionType", period), ask("model", period), ask("user", period), ask("day", "1"), ask("day", "month"),
  ]);
  /** @type {Budgets | null} */
  const budgets = await get("budgets", {}, shown.signal).catch(() => null);
  const pick = (/** @type {Event} */ event) => {
    keepFilters({ period: /** @type {HTMLSelectElement} */ (event.target).value });
    dispatchEvent(new HashChangeEvent("hashchange"));
  };
  const choice = h("select", { id: "period", onchange: pick }, PERIODS.map(([value, label]) => h("option", { value, selected: value === period }, label)));
  body.replaceChildren(
    tiles(today, month, budgets, me.userId),
    h("div", { class: "filters" }, h("div", { class: "field" }, h("label", { for: "period" }, "Period"), choice), exports(period)),
    ...(byDay.total.calls ? charts(shown.signal, period, byDay, byAction, byModel, me.role === "user" ? null : byUser) : [empty("No spending in this period.")]),
  );
}

/** @param {Summary} today @param {Summary} month @param {Budgets | null} budgets @param {string} user */
function tiles(today, month, budgets, user) {
  const limit = budgets?.tenant ?? null;
  const mine = budgets ? (budgets.users[user] ?? budgets.user) : null;
  return h(
    "div",
    { class: "tiles" },
    tile("Today", money(today.total.costUsd), counted(today.total.calls)),
    tile("This month", money(month.total.costUsd), `${counted(month.total.calls)}, ${number(month.total.totalTokens)} tokens`),
    limit ? against("Tenant budget", budgets?.spent?.tenantUsd ?? month.total.costUsd, limit) : null,
    mine ? against("Your budget", budgets?.spent?.users[user] ?? 0, mine) : null,
    limit || mine ? null : tile("Budget", "None", h("a", { href: to("budgets") }, "Budgets")),
    month.total.unpricedCalls ? tile("Without a price", number(month.total.unpricedCalls), "calls to models without a price, counted as $0") : null,
  );
}

/** @param {number} calls */
const counted = (calls) => `${number(calls)} ${calls === 1 ? "call" : "calls"}`;

/** What calls without a price cost is not known, and is not shown as nothing. @param {SumRow} row @param {number} digits */
function cost({ costUsd, unpricedCalls }, digits) {
  if (!unpricedCalls) return money(costUsd, digits);
  return costUsd ? `over ${money(costUsd, digits)}` : "no price";
}

/** @param {string} name @param {string} value @param {import("../dom.js").Child} hint @param {import("../dom.js").Child} [more] */
const tile = (name, value, hint, more) => h("div", { class: "tile" }, h("p", { class: "hint" }, name), h("p", { class: "figures" }, value), more, h("p", { class: "hint" }, hint));

/** @param {string} name @param {number} spent @param {{limitUsd: number, warnAt: number}} limit */
function against(name, spent, { limitUsd, warnAt }) {
  const share = limitUsd > 0 ? spent / limitUsd : 1;
  const state = share >= 1 ? "used up" : share >= warnAt ? "nearly used up" : "within";
  const meter = h("meter", { min: "0", max: "1", low: warnAt, high: "0.9999", optimum: "0", value: Math.min(1, share), "aria-label": `${name}: ${Math.round(100 * share)} % used` });
  return tile(name, `${money(spent)} of ${money(limitUsd)}`, `${Math.round(100 * share)} % this month: ${state}`, meter);
}

/** @param {string} period */
function exports(period) {
  const line = h("p", { class: "bad", role: "alert" });
  const save = (/** @type {() => Promise<void>} */ work, done = "Saved") => async () => {
    line.textContent = "";
    await work().then(() => announce(done), (error) => (line.textContent = errorText(error)));
  };
  const month = h("input", { id: "statement-month", type: "month", value: dayOf(Date.now()).slice(0, 7), max: dayOf(Date.now()).slice(0, 7) });
  const csv = save(() => download("usage/logs", { ...span(period), format: "csv" }, "text/csv", `usage-${period}.csv`));
  const name = (/** @type {string} */ ending) => `statement-${month.value}.${ending}`;
  const print = save(() => open("usage/statement", { month: month.value, format: "html" }, name("html")), "Opened");
  const sheet = save(() => download("usage/statement", { month: month.value }, "text/csv", name("csv")));
  return [
    h("button", { type: "button", onclick: csv }, "Export calls as CSV"),
    h("div", { class: "field" }, h("label", { for: "statement-month" }, "Statement for"), month),
    h("button", { type: "button", onclick: print }, "Printable statement"),
    h("button", { type: "button", onclick: sheet }, "Statement as CSV"),
    line,
  ];
}

/** @param {AbortSignal} signal @param {string} period @param {Summary} byDay @param {Summary} byAction @param {Summary} byModel @param {Summary | null} byUser */
function charts(signal, period, byDay, byAction, byModel, byUser) {
  const digits = digitsFor(byDay.total.costUsd);
  const format = (/** @type {number} */ usd) => money(usd, usd === 0 ? 2 : digits);
  const days = everyDay(byDay, period);
  const tick = (/** @type {number} */ usd) => `$${usd.toLocaleString("en", { maximumFractionDigits: 6 })}`;
  const spec = { unit: "Cost (US dollars)", format, tick };
  const day = figure(
    { ...spec, title: "By day", along: "Day (UTC)", shape: "bar", labels: days.map(({ key }) => key), series: [{ label: "Cost", values: days.map(({ costUsd }) => costUsd) }] },
    signal,
    { columns: columns("Day", days, byDay.total, digits) },
  );
  const across = (/** @type {string} */ title, /** @type {string} */ along, /** @type {Summary} */ found, /** @type {(key: string) => string} */ name) => {
    const rows = [...found.rows].sort((one, other) => other.costUsd - one.costUsd).map((row) => ({ ...row, key: name(row.key) }));
    const drawn = rows.slice(0, MOST_SHOWN);
    return figure(
      { ...spec, title, along, shape: "across", labels: drawn.map(({ key }) => key), series: [{ label: "Cost", values: drawn.map(({ costUsd }) => costUsd) }] },
      signal,
      { columns: columns(along, rows, found.total, digits), count: rows.length },
    );
  };
  return [
    day,
    across("By type of work", "Type", byAction, named),
    across("By model", "Model", byModel, (key) => key || "–"),
    byUser ? across("By person", "Person", byUser, (key) => key || "–") : null,
  ].filter((one) => one !== null);
}

/** A day without a call is a day of no cost. @param {Summary} found @param {string} period @returns {SumRow[]} */
function everyDay(found, period) {
  const there = new Map(found.rows.map((row) => [row.key, row]));
  const none = Object.fromEntries(Object.keys(found.total).map((name) => [name, 0]));
  const days = [];
  const { from } = span(period);
  for (let at = Date.parse(from); at <= Date.now(); at += DAY_MS) {
    const key = dayOf(at);
    days.push(there.get(key) ?? /** @type {SumRow} */ (/** @type {unknown} */ ({ ...none, key })));
  }
  return days;
}

/** @param {string} label @param {SumRow[]} rows @param {SumRow} total @param {number} digits @returns {import("../table.js").Column<number>[]} */
function columns(label, rows, total, digits) {
  const numbers = (/** @type {string} */ name, /** @type {(row: SumRow) => string} */ cell) => ({ label: name, numeric: true, cell: (/** @type {number} */ index) => cell(rows[index]), foot: cell(total) });
  return [
    { label, head: true, cell: (index) => bdi(rows[index].key), foot: "Total" },
    numbers("Cost", (row) => cost(row, digits)),
    numbers("Calls", ({ calls }) => number(calls)),
    numbers("Tokens", ({ totalTokens }) => number(totalTokens)),
    numbers("Failed", ({ failedCalls }) => number(failedCalls)),
  ];
}
