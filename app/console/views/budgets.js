/** What may be spent, and by whom. */

import { get, send } from "../api.js";
import { announce, h, bdi } from "../dom.js";
import { errorText } from "../states.js";
import { table } from "../table.js";
import { money, when } from "../words.js";

/** @import { Budgets, Limit, Shown } from "../types/api" */

const SCOPES = /** @type {const} */ ([["tenant", "Whole tenant", "a month"], ["user", "Each person", "a month"], ["task", "Each task", "its lifetime"]]);
const WARN_AT = 0.8;

/** @param {HTMLElement} body @param {Shown} shown */
export async function showBudgets(body, { me, signal, again }) {
  /** @type {Budgets} */
  const budgets = await get("budgets", {}, signal);
  const parts = [spentTable(budgets)];
  if (me.role === "admin") parts.push(editor(budgets, again));
  body.replaceChildren(...parts);
}

/** @param {Budgets} budgets */
function spentTable({ tenant, user, users, task, spent, updatedAt }) {
  const used = spent ?? { month: "", tenantUsd: 0, users: {} };
  const names = [...new Set([...Object.keys(used.users), ...Object.keys(users)])].sort();
  /** @type {{who: string, person?: boolean, spent: number | null, limit: Limit | null}[]} */
  const rows = [
    { who: "Whole tenant", spent: used.tenantUsd, limit: tenant },
    ...names.map((name) => ({ who: name, person: true, spent: used.users[name] ?? 0, limit: users[name] ?? user })),
    { who: "Each task", spent: null, limit: task },
  ];
  return h(
    "section",
    {},
    h("h2", {}, `Spent${used.month ? ` in ${used.month}` : ""}`),
    table({
      caption: "Spending this month against each budget",
      rows,
      columns: [
        { label: "Who", head: true, wide: true, cell: ({ who, person }) => (person ? bdi(who, { class: "cut" }) : who) },
        { label: "Spent", numeric: true, cell: (row) => (row.spent === null ? "–" : money(row.spent, 2)) },
        { label: "Limit", numeric: true, cell: ({ limit }) => (limit ? money(limit.limitUsd, 2) : "none") },
        { label: "Used", cell: used_ },
      ],
    }),
    updatedAt ? h("p", { class: "hint" }, "Changed ", when(updatedAt)) : null,
  );
}

/** @param {{spent: number | null, limit: Limit | null, who: string}} row */
function used_({ spent, limit, who }) {
  if (spent === null || !limit) return h("span", { class: "none" }, "–");
  const share = limit.limitUsd > 0 ? spent / limit.limitUsd : 1;
  const state = share >= 1 ? "used up" : share >= limit.warnAt ? "warning" : "";
  return h("span", { class: "used" }, h("meter", { min: "0", max: "1", low: limit.warnAt, high: "0.9999", optimum: "0", value: Math.min(1, share), "aria-label": `Used by ${who}` }), ` ${Math.round(100 * share)} % ${state}`);
}

/** @param {Budgets} budgets @param {() => void} again */
function editor(budgets, again) {
  const problem = h("p", { class: "bad", role: "alert" });
  const rows = SCOPES.map(([scope, label, per]) => limitRow(label, `for ${per}`, budgets[scope]));
  const people = h("div", { class: "limits" });
  const addPerson = (/** @type {string} */ name, /** @type {Limit | null} */ limit) => people.append(personRow(name, limit));
  for (const [name, limit] of Object.entries(budgets.users)) addPerson(name, limit);
  const form = h(
    "form",
    { novalidate: true, class: "budgets" },
    h("div", { class: "limits" }, rows.map(({ row }) => row)),
    h("h3", {}, "People with a limit of their own"),
    people,
    h("button", { type: "button", onclick: () => (addPerson("", null), /** @type {HTMLElement} */ (people.lastElementChild?.querySelector("input")).focus()) }, "Add a person"),
    problem,
    h("button", { class: "primary" }, "Save budgets"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      await send("PUT", "budgets", wanted(rows, people));
      announce("Budgets saved");
      again();
    } catch (error) {
      problem.textContent = error instanceof RangeError ? error.message : errorText(error);
    }
  });
  return h("section", {}, h("h2", {}, "Limits"), h("p", { class: "hint" }, "Leave a limit empty for none. People are warned at the given share; at the limit the agent stops and asks."), form);
}

/** @param {{read: () => Limit | null}[]} rows @param {HTMLElement} people raises `RangeError` with what is wrong */
function wanted(rows, people) {
  const made = Object.fromEntries(SCOPES.map(([scope], index) => [scope, rows[index].read()]));
  /** @type {Record<string, Limit>} */
  const users = {};
  for (const row of people.children) {
    const name = /** @type {HTMLInputElement} */ (row.querySelector("[name=person]")).value.trim();
    const limit = readLimit(row, name || "a person");
    if (!name && !limit) continue;
    if (!name) throw new RangeError("Enter the person the limit is for.");
    if (!limit) throw new RangeError(`Enter a limit for ${name}, or remove the row.`);
    users[name] = limit;
  }
  return { ...made, users };
}

let made = 0;

/** @param {string} label @param {string} hint @param {Limit | null} limit */
function limitRow(label, hint, limit) {
  const row = h("fieldset", {}, h("legend", {}, label, h("span", { class: "hint" }, ` ${hint}`)), fields(limit));
  return { row, read: () => readLimit(row, label) };
}

/** @param {string} name @param {Limit | null} limit */
function personRow(name, limit) {
  const id = `limit-${++made}`;
  const row = h("fieldset", {}, h("legend", { class: "unseen" }, name || "Another person"),
    h("div", { class: "field" }, h("label", { for: id }, "Person"), h("input", { id, name: "person", maxlength: "128", value: name })),
    fields(limit),
    h("button", { type: "button", class: "small", "aria-label": `Remove ${name || "this person"}`, onclick: () => row.remove() }, "Remove"));
  return row;
}

/** @param {Limit | null} limit */
function fields(limit) {
  const [usd, warn] = [`limit-${++made}`, `limit-${++made}`];
  return [
    h("div", { class: "field" }, h("label", { for: usd }, "Limit (USD)"), h("input", { id: usd, name: "usd", inputmode: "decimal", value: limit ? String(limit.limitUsd) : "", placeholder: "None" })),
    h("div", { class: "field" }, h("label", { for: warn }, "Warn at (%)"), h("input", { id: warn, name: "warn", inputmode: "numeric", value: String(Math.round(100 * (limit?.warnAt ?? WARN_AT))) })),
  ];
}

/** @param {Element} row @param {string} name @returns {Limit | null} raises `RangeError` with what is wrong */
function readLimit(row, name) {
  const [usd, warn] = ["usd", "warn"].map((one) => /** @type {HTMLInputElement} */ (row.querySelector(`[name=${one}]`)).value.trim().replace(",", "."));
  if (!usd) return null;
  const [limitUsd, share] = [Number(usd), Number(warn || "80") / 100];
  if (!(limitUsd > 0) || limitUsd > 1e9) throw new RangeError(`${name}: enter the limit in dollars, above 0.`);
  if (!(share > 0 && share <= 1)) throw new RangeError(`${name}: enter the warning as a share from 1 to 100 %.`);
  return { limitUsd, warnAt: share };
}
