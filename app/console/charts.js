/** Charts, each with the same numbers as a table beside it. */

import { h } from "./dom.js";
import { empty } from "./states.js";
import { table } from "./table.js";

/** @typedef {{label: string, values: (number | null)[], color?: string, dash?: number[], mark?: string, line?: boolean}} Series */
/**
 * @typedef {object} Spec
 * @property {string} title
 * @property {string} unit said on the axis of the values
 * @property {string} along said on the axis of the labels
 * @property {string[]} labels
 * @property {Series[]} series
 * @property {"bar" | "line" | "across"} shape `across`: bars from left to right, for names
 * @property {(value: number) => string} format a value in words
 * @property {(value: number) => string} [tick] on the axis, where that is another
 * @property {number} [top] of the values' axis
 * @property {number} [least] how far the axis goes at least
 */

/** @type {Set<{chart: any, draw: () => void}>} those that are shown */
const shown = new Set();

/** @param {string} name of a colour of the theme */
const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => shown.forEach(({ draw }) => draw()));

/** @param {Series} one @param {Spec} spec */
function dataset(one, spec) {
  const color = ink(one.color ?? "accent");
  const isLine = one.line ?? spec.shape === "line";
  return {
    type: isLine ? "line" : "bar",
    label: one.label,
    data: one.values,
    backgroundColor: color,
    borderColor: color,
    borderWidth: isLine ? 2 : 0,
    borderDash: one.dash ?? [],
    pointStyle: one.mark ?? "circle",
    pointRadius: one.mark === "none" ? 0 : 3,
    maxBarThickness: 28,
    spanGaps: true,
    clip: false,
  };
}

/** @param {Spec} spec @param {boolean} ofValues */
function axis(spec, ofValues) {
  const text = ofValues ? spec.unit : spec.along;
  const ticks = { color: ink("muted"), maxRotation: 0, autoSkipPadding: 12 };
  return {
    beginAtZero: ofValues,
    max: ofValues ? spec.top : undefined,
    suggestedMax: ofValues ? spec.least : undefined,
    title: { display: true, text, color: ink("muted") },
    grid: { color: ofValues ? ink("line") : "transparent" },
    border: { color: ink("line") },
    ticks: ofValues ? { ...ticks, maxTicksLimit: 5, callback: (/** @type {number} */ value) => (spec.tick ?? spec.format)(value) } : { ...ticks, callback: shortened },
  };
}

/** @this {any} @param {number} value */
function shortened(value) {
  const text = String(this.getLabelForValue(value));
  return text.length > 18 ? `${text.slice(0, 17)}…` : text;
}

/** @param {Spec} spec */
function options(spec) {
  const lies = spec.shape === "across";
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    indexAxis: lies ? "y" : "x",
    scales: { x: axis(spec, lies), y: axis(spec, !lies) },
    plugins: {
      legend: { display: spec.series.length > 1, position: "bottom", labels: { color: ink("text"), usePointStyle: true } },
      tooltip: {
        callbacks: { label: (/** @type {any} */ at) => `${at.dataset.label}: ${at.raw === null ? "no data" : spec.format(at.raw)}` },
      },
    },
  };
}

/** @param {HTMLCanvasElement} canvas @param {Spec} spec @param {AbortSignal} signal until when it is shown */
function paint(canvas, spec, signal) {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  const type = spec.shape === "line" ? "line" : "bar";
  const data = () => ({ labels: spec.labels, datasets: spec.series.map((one) => dataset(one, spec)) });
  const chart = new Chart(canvas, { type, data: data(), options: options(spec) });
  const draw = () => {
    chart.data = data();
    chart.options = options(spec);
    chart.update("none");
  };
  const one = { chart, draw };
  shown.add(one);
  signal.addEventListener("abort", () => (chart.destroy(), shown.delete(one)), { once: true });
}

/**
 * @param {Spec} spec @param {AbortSignal} signal
 * @param {{columns?: import("./table.js").Column<number>[], count?: number}} [more] of the table, by the row's number; it may have more rows
 */
export function figure(spec, signal, { columns, count = spec.labels.length } = {}) {
  if (spec.series.every(({ values }) => values.every((value) => value === null)))
    return h("section", {}, h("h2", {}, spec.title), empty("There is no data for this period yet."));
  const canvas = h("canvas", { role: "img", "aria-label": `${spec.title}: a chart of the table beside it`, tabindex: null });
  const all = Array.from({ length: count }, (_, index) => index);
  const rows = columns ? all : all.filter((index) => spec.series.some(({ values }) => values[index] !== null));
  /** @type {import("./table.js").Column<number>[]} */
  const plain = spec.series.map((one) => ({
    label: one.label,
    numeric: true,
    cell: (index) => worded(one.values[index] ?? null, spec),
  }));
  const made = table({
    caption: spec.title,
    compact: true,
    columns: columns ?? [{ label: spec.along, head: true, cell: (index) => spec.labels[index] }, ...plain],
    rows,
  });
  const box = h("div", { class: "canvas", "data-shape": spec.shape }, canvas);
  if (spec.shape === "across") box.style.height = `${Math.max(120, 64 + 32 * spec.labels.length)}px`;
  queueMicrotask(() => signal.aborted || paint(canvas, spec, signal)); // it is measured where it stands
  return h("section", { class: "figure" }, h("h2", {}, spec.title), h("div", { class: "beside" }, box, made));
}

/** @param {number | null} value @param {Spec} spec */
const worded = (value, spec) => (value === null ? h("span", { class: "none" }, "–") : spec.format(value));
