/** Tables: numbers to the right, and on a phone a card a row. */

import { h } from "./dom.js";

/** @import { Child } from "./dom.js" */
/**
 * @template T
 * @typedef {{label: string, cell: (row: T) => Child, numeric?: boolean, head?: boolean, wide?: boolean, end?: boolean, foot?: Child}} Column
 * `head`: names its row; `wide`: takes the room that is left; `end`: holds buttons; `foot`: below the column
 */

/**
 * @template T
 * @param {{caption: string, columns: Column<T>[], rows: T[], rowClass?: string, compact?: boolean}} made
 * `compact`: stays a table on a phone, in a box that scrolls
 */
export function table({ caption, columns, rows, compact = false }) {
  const body = h("tbody", { role: "rowgroup" }, rows.map((row) => line(columns, row)));
  const feet = columns.some(({ foot }) => foot !== undefined);
  const made = h(
    "table",
    { role: "table", class: compact ? "compact" : "cards" },
    h("caption", { class: "unseen" }, caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(headOf))),
    body,
    feet ? h("tfoot", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(footOf))) : null,
  );
  return compact ? h("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" }, made) : made;
}

/** @param {Column<any>} column */
const headOf = ({ label, numeric, wide, end }) =>
  h("th", { role: "columnheader", scope: "col", class: end ? "end" : kind(numeric, wide) }, label);

/** @param {Column<any>} column @param {number} index */
const footOf = ({ foot, numeric, label }, index) =>
  index === 0 ? h("th", { role: "rowheader", scope: "row" }, foot ?? "") : h("td", { role: "cell", class: kind(numeric), "data-label": label }, foot ?? "");

/** @param {boolean} [numeric] @param {boolean} [wide] */
const kind = (numeric, wide) => (numeric ? "number" : wide ? "wide" : null);

/** @template T @param {Column<T>[]} columns @param {T} row */
export const line = (columns, row) =>
  h(
    "tr",
    { role: "row" },
    columns.map(({ label, cell, numeric, head, wide }) =>
      head
        ? h("th", { role: "rowheader", scope: "row", class: kind(numeric, wide), "data-label": label }, cell(row))
        : h("td", { role: "cell", class: kind(numeric, wide), "data-label": label }, cell(row)),
    ),
  );
