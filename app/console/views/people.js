/** Questions to people: those that wait, to be answered here, and those that were. */

import { get } from "../api.js";
import { announce, h, bdi } from "../dom.js";
import { keyed } from "../keyed.js";
import { repeat } from "../repeat.js";
import { to } from "../router.js";
import { empty, staleness } from "../states.js";
import { line, table } from "../table.js";
import { counted, named, when } from "../words.js";
import { questionCard } from "./question.js";

/** @import { Asked, Shown } from "../types/api" */

const LOOK_MS = 3_000;
const PAGE = 30;

/** @type {import("../table.js").Column<Asked>[]} */
const COLUMNS = [
  { label: "Question", head: true, wide: true, cell: (one) => h("div", { class: "goal" }, h("a", { href: to("task", one.taskId), class: "clamp" }, bdi(one.message)), h("span", { class: "hint cut" }, bdi(one.goal))) },
  { label: "Outcome", cell: (one) => (one.result ? named(one.result.decision) : named(one.status)) },
  { label: "Answer", cell: (one) => bdi(answerOf(one), { class: "cut" }) },
  { label: "By", cell: (one) => bdi(one.result?.by || "–", { class: "cut" }) },
  { label: "Asked", numeric: true, cell: (one) => when(one.createdAt) },
];

/** @param {Asked} one */
function answerOf({ result, options }) {
  if (!result) return "–";
  const labels = result.selected.map((id) => options.find((option) => option.id === id)?.label ?? id);
  return labels.join(", ") || result.text || "–";
}

/** @param {HTMLElement} body @param {Shown} shown */
export async function showPeople(body, { signal }) {
  const { line: stale, tell } = staleness();
  const waiting = h("div", { class: "questions" });
  const nobody = empty("No open questions.");
  const past = table({ caption: "Past questions", columns: COLUMNS, rows: [] });
  const none = h("p", { class: "hint" }, "No questions yet.");
  let known = -1;

  async function look() {
    const all = (await get("hitl", { status: "all", limit: PAGE }, signal)).items;
    const open = /** @type {Asked[]} */ ((await get("hitl", { status: "pending" }, signal)).items);
    keyed(waiting, open, (one) => one.hitlId, (one) => questionCard(one, { linked: true, answered: () => setTimeout(() => void look().catch(() => {}), 1_500) }), (one) => one.hitlId);
    const over = all.filter((/** @type {Asked} */ one) => one.status !== "pending");
    keyed(/** @type {Element} */ (past.querySelector("tbody")), over, (one) => one.hitlId, (one) => line(COLUMNS, one));
    nobody.hidden = open.length > 0;
    past.hidden = over.length === 0;
    none.hidden = over.length > 0;
    if (open.length > known) announce(open.length ? `${counted(open.length, "question")} waiting` : "");
    known = open.length;
  }

  await look();
  body.replaceChildren(stale, h("h2", {}, "Waiting"), nobody, waiting, h("h2", {}, "Past"), none, past);
  await repeat(LOOK_MS, signal, look, tell);
}
