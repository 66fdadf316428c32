/** Filters of the queue, over what is loaded of it, and the form that sets them. */

import { h } from "../dom.js";
import { keepFilters } from "../router.js";
import { REASONS } from "./review_words.js";

/** @import { Location, ReviewRecord } from "../types/api" */
/** @typedef {{q: string, site: string, reason: string, confidence: string, impact: string}} Filters */

const TYPING_MS = 200;
const PHONE = 768; // px: narrower ones begin with the list
const LEVELS = [["", "Any"], ["low", "Low"], ["medium", "Medium"], ["high", "High"]];
const IMPACTS = [["", "Any"], ["high", "High"], ["normal", "Normal"]];

/** @param {URLSearchParams} query @returns {Filters} */
export function filtersOf(query) {
  const read = (/** @type {string} */ name) => query.get(name) ?? "";
  return { q: read("q"), site: read("site"), reason: read("reason"), confidence: read("confidence"), impact: read("impact") };
}

/** @param {Filters} filters */
export const isFiltered = (filters) => Object.values(filters).some((one) => one.trim() !== "");

/** @param {ReviewRecord} record @param {Filters} filters every word of `q` has to be somewhere in it */
export function fits(record, { q, site, reason, confidence, impact }) {
  const { issue, investigation, origin } = record;
  if (site && issue.site !== site) return false;
  if (reason && !origin.reasons.includes(reason)) return false;
  if (confidence && investigation.confidence !== confidence) return false;
  if (impact && investigation.impact !== impact) return false;
  const words = q.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return true;
  const text = textOf(record);
  return words.every((word) => text.includes(word));
}

/** @param {ReviewRecord} record what its words are looked for in */
function textOf({ id, issue, investigation, recommendation, origin, why_escalated, submitter, review }) {
  const { what_checked, evidence, candidate_root_cause } = investigation;
  const all = [id, ...Object.values(issue), ...what_checked, ...evidence, candidate_root_cause, ...Object.values(recommendation), origin.user, origin.told, why_escalated, submitter.name, review?.notes, review?.operator.name];
  return all.filter(Boolean).join("\n").toLocaleLowerCase();
}

/** @param {Filters} filters changed as it is filled in @param {Location} location @param {() => void} changed */
export function filterForm(filters, location, changed) {
  let timer = 0;
  const set = (/** @type {keyof Filters} */ name) => (/** @type {Event} */ event) => {
    filters[name] = /** @type {HTMLInputElement} */ (event.target).value;
    keepFilters({ location: location === "pending" ? "" : location, ...filters });
    clearTimeout(timer);
    timer = setTimeout(changed, event.type === "input" ? TYPING_MS : 0);
  };
  const options = (/** @type {keyof Filters} */ name, /** @type {string[][]} */ of) => of.map(([value, label]) => h("option", { value, selected: value === filters[name] }, label));
  const choice = (/** @type {keyof Filters} */ name, /** @type {string} */ label, /** @type {string[][]} */ of) =>
    h("div", { class: "field" }, h("label", { for: `f-${name}` }, label), h("select", { id: `f-${name}`, onchange: set(name) }, options(name, of)));
  const words = h("input", { id: "f-q", type: "search", maxlength: "200", value: filters.q, oninput: set("q") });
  const site = choice("site", "Site", [["", "Any"], ...(filters.site ? [[filters.site, filters.site]] : [])]);
  const named = Object.entries(REASONS);
  const made = h(
    "form",
    { class: "filters", role: "search", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    h("div", { class: "field", "data-field": "q" }, h("label", { for: "f-q" }, "Words"), words),
    h("details", { class: "rest", open: innerWidth >= PHONE || [filters.site, filters.reason, filters.confidence, filters.impact].some(Boolean) },
      h("summary", {}, "More filters"),
      h("div", { class: "filters" }, site, choice("reason", "Reason", [["", "Any"], ...named]), choice("confidence", "Confidence", LEVELS), choice("impact", "Impact", IMPACTS))),
  );
  let known = "";
  /** @param {string[]} found the sites there are */
  const sites = (found) => {
    const all = [...new Set([...found, ...(filters.site ? [filters.site] : [])])];
    if (all.join("\n") === known) return;
    known = all.join("\n");
    site.querySelector("select")?.replaceChildren(...options("site", [["", "Any"], ...all.map((one) => [one, one])]));
  };
  return { made, sites, focus: () => words.focus() };
}
