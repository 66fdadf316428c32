import { element } from "../../element.js";

/** @import { Comparison, ComparedSide } from "../../../types/chat" */

const COLUMNS = 3; // in a narrow panel, tables with this many columns become lists of cards
const SAME = "same";

/** The links for a citation number. @typedef {(marker: number) => Node[]} Cite */

/** @param {ParentNode} root labels each table cell with its column, for narrow layouts without a head */
export function labelCells(root) {
  for (const table of root.querySelectorAll("table")) {
    const heads = [...table.querySelectorAll("thead th")].map((one) => one.textContent ?? "");
    if (heads.length < COLUMNS) continue;
    table.classList.add("stacks");
    for (const row of table.querySelectorAll("tbody tr")) [...row.children].slice(1).forEach((cell, at) => cell.setAttribute("data-label", heads[at + 1]));
  }
}

/** @param {ParentNode} root an audit's answer, whose rows have their verdict in the second cell */
export function markVerdicts(root) {
  for (const cell of root.querySelectorAll("tbody td:nth-child(2)")) cell.setAttribute("data-verdict", cell.querySelector("strong")?.textContent ?? "");
}

/** @param {ComparedSide | null} side @param {"del" | "ins" | "mark"} tag for the words that the other side lacks @param {string} label @param {Cite} cite */
function cellOf(side, tag, label, cite) {
  if (!side) return element("td", { "data-label": label, "data-none": "" }, element("span", { class: "unseen" }, "Nothing"));
  const words = side.words.map(({ text, changed }) => (changed ? element(tag, {}, text) : text));
  return element("td", { "data-label": label, dir: "auto" }, ...words, ...side.markers.flatMap((one) => ["\u00a0", ...cite(one)]));
}

/** @param {string[]} names of the columns */
const headOf = (names) => element("thead", {}, element("tr", {}, ...names.map((one) => element("th", { scope: "col", dir: "auto" }, one))));

/** @param {HTMLElement} table @param {string} label */
const framed = (table, label) => element("div", { class: "wide", role: "region", "aria-label": label, tabindex: "0" }, table);

/** @param {Comparison["sections"][number]} section of two documents @param {string[]} titles @param {Cite} cite */
function sideBySide({ heading, told, rows }, titles, cite) {
  const lines = rows.map((sides) => {
    const differs = sides.some((side) => !side || side.words.some(({ changed }) => changed));
    return element("tr", differs ? {} : { "data-kind": SAME }, ...sides.map((side, at) => cellOf(side, at ? "ins" : "del", titles[at], cite)));
  });
  const items = told.map(({ kind, text, doubted }) => element("li", { dir: "auto" }, element("strong", {}, kind), `: ${text}`, ...(doubted ? [" ", element("em", {}, "(doubted)")] : [])));
  const list = items.length > 0 ? [element("ul", {}, ...items)] : [];
  const table = element("table", { class: "stacks two" }, headOf(titles), element("tbody", {}, ...lines));
  return element("section", {}, element("h4", { dir: "auto" }, heading || titles[1]), ...list, framed(table, `${heading}, side by side`));
}

/** @param {Comparison} comparison of three or more documents @param {string[]} titles @param {Cite} cite */
function matrix({ sections }, titles, cite) {
  const lines = sections.flatMap(({ heading, rows }) =>
    rows.map((sides) => element("tr", {}, element("th", { scope: "row", dir: "auto" }, heading), ...sides.map((side, at) => cellOf(side, "mark", titles[at], cite)))),
  );
  const table = element("table", { class: "stacks matrix" }, headOf(["Section", ...titles]), element("tbody", {}, ...lines));
  table.style.setProperty("--columns", String(titles.length + 1));
  return framed(table, "What each document says");
}

/**
 * The compared documents side by side, with the differences marked.
 *
 * @param {Comparison} comparison @param {Cite} cite @returns {HTMLElement} collapsed at first
 */
export function comparisonPart(comparison, cite) {
  const titles = comparison.documents.map(({ title }) => title);
  const { sections, left } = comparison;
  const of = sections.length === 1 ? "1 section" : `${sections.length} sections`;
  const pair = titles.length === 2;
  const name = pair ? `Side by side, ${of}` : `What each document says, ${of}`;
  const shown = pair ? sections.map((one) => sideBySide(one, titles, cite)) : [matrix(comparison, titles, cite)];
  const rest = left > 0 ? [element("p", { class: "hint" }, left === 1 ? "One more section differs but is too long to show here." : `${left} more sections differ but are too long to show here.`)] : [];
  return element("details", { class: "compared prose", "data-testid": "chat-beside" }, element("summary", {}, name), ...shown, ...rest);
}
