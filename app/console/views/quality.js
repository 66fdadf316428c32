/** How well it goes: the KPIs against their targets, and over time. */

import { get } from "../api.js";
import { figure } from "../charts.js";
import { h } from "../dom.js";
import { keepFilters } from "../router.js";
import { empty } from "../states.js";
import { table } from "../table.js";
import { duration, number, when } from "../words.js";

/** @import { Bin, Kpi, Kpis, KpiSeries, Rated, Shown } from "../types/api" */

const DAY_MS = 86_400_000;
const PERIODS = [["30", "Last 30 days", "day"], ["7", "Last 7 days", "day"], ["90", "Last 90 days", "week"], ["365", "Last year", "month"]];
/** @type {Record<string, [string, string]>} */
const STATES = { ok: ["✓", "On target"], below_target: ["↓", "Off target"], alert: ["!", "Alert"], no_data: ["–", "No data"] };
const DASHES = [[], [6, 4], [2, 3], [8, 3, 2, 3]];
const MARKS = ["circle", "rect", "triangle", "rectRot"];
const COLORS = ["accent", "good", "warn", "bad"];
/** The lines of the chart, by the KPI's key. */
const SHARES = [["task_completion_rate", "Tasks completed"], ["verification_success_rate", "Actions verified"], ["correction_success_rate", "Corrections that helped"]];

/** @param {Kpi} kpi @param {number | null} value */
function worded({ unit }, value) {
  if (value === null) return h("span", { class: "none" }, "–");
  if (unit === "ratio") return `${(100 * value).toFixed(1)} %`;
  if (unit === "percent") return `${value.toFixed(1)} %`;
  if (unit === "seconds") return duration(1000 * value);
  if (unit === "days") return `${value.toFixed(1)} days`;
  return Number.isInteger(value) ? number(value) : value.toFixed(3);
}

/** @param {HTMLElement} body @param {Shown} shown */
export async function showQuality(body, { query, signal }) {
  const [days, , bucket] = PERIODS.find(([value]) => value === query.get("period")) ?? PERIODS[0];
  const until = new Date();
  const over = { from: new Date(until.getTime() - Number(days) * DAY_MS).toISOString(), to: until.toISOString() };
  /** @type {[Kpis, KpiSeries | null, { ratings: Rated[] }]} */
  const [kpis, series, { ratings }] = await Promise.all([
    get("metrics/kpis", over, signal),
    get("metrics/kpis/series", { ...over, bucket }, signal).catch(() => null),
    get("metrics/ratings", over, signal).catch(() => ({ ratings: [] })),
  ]);
  const pick = (/** @type {Event} */ event) => {
    keepFilters({ period: /** @type {HTMLSelectElement} */ (event.target).value });
    dispatchEvent(new HashChangeEvent("hashchange"));
  };
  const choice = h("select", { id: "period", onchange: pick }, PERIODS.map(([value, label]) => h("option", { value, selected: value === days }, label)));
  const rows = [...(kpis.table ?? []), ...(kpis.review?.targets ?? [])];
  body.replaceChildren(
    h("div", { class: "filters" }, h("div", { class: "field" }, h("label", { for: "period" }, "Period"), choice)),
    ...(kpis.warnings ?? []).map((one) => h("p", { class: "stale" }, one)),
    h("h2", {}, "Against targets"),
    rows.length ? kpiTable(rows) : empty("This server does not list its KPIs yet."),
    ...overTime(series, signal),
    calibration(kpis, signal),
    ...thoughtOf(ratings),
  );
}

/** @param {Kpi[]} rows */
const kpiTable = (rows) =>
  table({
    caption: "KPIs, each with its target",
    rows,
    columns: [
      { label: "KPI", head: true, wide: true, cell: (kpi) => h("div", { class: "goal" }, h("span", { title: kpi.meaning ?? null }, kpi.metric), h("span", { class: "hint" }, kpi.feature)) },
      { label: "Value", numeric: true, cell: (kpi) => worded(kpi, kpi.value) },
      { label: "Target", numeric: true, cell: (kpi) => kpi.targetText || "–" },
      { label: "Alert", numeric: true, cell: (kpi) => kpi.alertText || "–" },
      { label: "State", cell: ({ state }) => h("span", { class: "chip", "data-state": state }, h("span", { "aria-hidden": "true" }, STATES[state]?.[0] ?? "·"), STATES[state]?.[1] ?? state) },
      { label: "Sample", numeric: true, cell: ({ count }) => number(count) },
    ],
  });

/** What people think of answers of the chat. @param {Rated[]} ratings */
function thoughtOf(ratings) {
  if (!ratings.length) return [];
  const columns = [
    { label: "When", cell: (/** @type {Rated} */ { ratedAt }) => when(ratedAt) },
    { label: "Thumb", cell: (/** @type {Rated} */ { rating }) => (rating === "up" ? "Up" : "Down") },
    { label: "Comment", wide: true, cell: (/** @type {Rated} */ { comment }) => comment || "–" },
  ];
  return [h("h2", {}, "Feedback on answers"), table({ caption: "Feedback on answers, newest first", rows: ratings, columns })];
}

/** @param {number} value */
const percent = (value) => `${value.toFixed(0)} %`;

/** @param {KpiSeries | null} series @param {AbortSignal} signal */
function overTime(series, signal) {
  if (!series?.points.length) return [];
  const along = { day: "Day", week: "Week from", month: "Month from" }[series.bucket] ?? "From";
  const labels = series.points.map(({ from }) => from.slice(0, 10));
  const of = (/** @type {string} */ key, times = 1) => series.points.map(({ values }) => (values[key] == null ? null : times * Number(values[key])));
  const line = (/** @type {string} */ key, /** @type {string} */ label, /** @type {number} */ index) => ({ label, values: of(key, 100), color: COLORS[index], dash: DASHES[index], mark: MARKS[index] });
  const shares = { unit: "Share (%)", along, labels, shape: /** @type {const} */ ("line"), format: percent, top: 100 };
  const score = (/** @type {number} */ value) => value.toFixed(3);
  return [
    figure({ ...shares, title: "Completion, verification and correction", series: SHARES.map(([key, label], index) => line(key, label, index)) }, signal),
    figure({ ...shares, title: "Satisfaction with answers", series: [line("user_satisfaction", "Thumbs up", 1)] }, signal),
    figure({ ...shares, title: "Calibration over time", series: [line("predicted", "Predicted to succeed", 1), line("observed", "Succeeded", 0)] }, signal),
    figure({ title: "Error of predictions", unit: "Brier score (0 is best)", along, labels, shape: "line", format: score, least: 0.25, tick: (value) => value.toFixed(2), series: [{ label: "Brier score", values: of("brier") }] }, signal),
  ];
}

/** What was predicted against what came, over all kinds of actions. @param {Kpis} kpis @param {AbortSignal} signal */
function calibration({ predictions }, signal) {
  const bins = joined(predictions.byKind.flatMap(({ bins }) => bins));
  if (!bins.length) return h("section", {}, h("h2", {}, "Predicted and observed"), empty("No prediction could be checked in this period."));
  return figure(
    {
      title: "Predicted and observed", unit: "Succeeded (%)", along: "Predicted confidence", shape: "bar", format: percent, top: 100,
      labels: bins.map(({ from, to }) => `${Math.round(100 * from)}–${Math.round(100 * to)} %`),
      series: [
        { label: "Observed", values: bins.map(({ observed }) => 100 * observed) },
        { label: "Predicted", values: bins.map(({ predicted }) => 100 * predicted), color: "muted", line: true, dash: [4, 4], mark: "rect" },
      ],
    },
    signal,
  );
}

/** @param {Bin[]} bins of all kinds @returns {Bin[]} one for each range, weighted by how many there were */
function joined(bins) {
  /** @type {Map<number, Bin>} */
  const all = new Map();
  for (const one of bins) {
    const there = all.get(one.from);
    if (!there) {
      all.set(one.from, { ...one });
      continue;
    }
    const count = there.count + one.count;
    const mean = (/** @type {"predicted" | "observed"} */ name) => (there[name] * there.count + one[name] * one.count) / count;
    all.set(one.from, { ...there, predicted: mean("predicted"), observed: mean("observed"), count });
  }
  return [...all.values()].sort((one, other) => one.from - other.from);
}
