/** Numbers, times and names in words. */

import { h } from "./dom.js";

/** @type {Record<string, string>} */
export const STATUS = {
  active: "Working", executing: "Working", awaiting_user: "Waiting", completed: "Done", failed: "Failed", interrupted: "Stopped",
};

/** The sign beside a status: colour is never the only one. @type {Record<string, string>} */
const SIGNS = { active: "◐", executing: "◐", awaiting_user: "?", completed: "✓", failed: "✕", interrupted: "■" };

/** @param {string} status */
export const statusChip = (status) =>
  h("span", { class: "chip", "data-state": status }, h("span", { "aria-hidden": "true" }, SIGNS[status] ?? "·"), STATUS[status] ?? status);

const whole = new Intl.NumberFormat("en");

/** @param {number} count */
export const number = (count) => whole.format(count);

/** @param {number} usd @param {number} [digits] after the point; the same down a column */
export function money(usd, digits) {
  if (digits === undefined) digits = usd !== 0 && Math.abs(usd) < 1 ? 4 : 2;
  if (usd > 0 && usd < 0.5 * 10 ** -digits) return `<$${(10 ** -digits).toFixed(digits)}`;
  return `${usd < 0 ? "−" : ""}$${Math.abs(usd).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** @param {number} total @returns {number} digits that fit a column with this sum */
export const digitsFor = (total) => (total >= 100 ? 2 : 4);

/** @param {number} ms */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const all = Math.round(seconds);
  if (all < 60) return `${all} s`;
  const minutes = Math.floor(all / 60);
  return minutes < 60 ? `${minutes} min ${all % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {number} ms time left */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {number} ms since then, below 0 for a time to come */
export function ago(ms) {
  const minutes = Math.floor(Math.abs(ms) / 60_000);
  if (minutes < 1) return ms < 0 ? "in a moment" : "just now";
  const days = Math.floor(minutes / 1440);
  const far = minutes < 60 ? `${minutes} min` : minutes < 1440 ? `${Math.floor(minutes / 60)} h` : days === 1 ? "1 day" : `${days} days`;
  return ms < 0 ? `in ${far}` : `${far} ago`;
}

const exactly = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** Relative, with the exact time on hover. @param {string | null | undefined} iso @param {string} [none] */
export function when(iso, none = "–") {
  if (!iso) return h("span", { class: "none" }, none);
  const at = new Date(iso);
  return h("time", { datetime: iso, title: exactly.format(at), tabindex: null }, ago(Date.now() - at.getTime()));
}

/** Keeps times true. */
export function refreshTimes() {
  for (const time of document.querySelectorAll("time[datetime]"))
    time.textContent = ago(Date.now() - Date.parse(time.getAttribute("datetime") ?? ""));
}

/** @param {string} url @returns {string} */
export const siteOf = (url) => (URL.canParse(url) && /^https?:/.test(url) ? new URL(url).host : "");

/** "SELF_CORRECTION" as "Self correction". @param {string} name */
export function named(name) {
  const words = name.replaceAll("_", " ").trim().toLowerCase();
  return words ? words[0].toUpperCase() + words.slice(1) : "–";
}

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
