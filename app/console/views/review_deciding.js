/** The decision on a record: made with notes and a name, or shown where it stands. */

import { Problem, send } from "../api.js";
import { announce, boxed, h, bdi } from "../dom.js";
import { errorText } from "../states.js";
import { decided, draftOf, remembered } from "./review_memory.js";
import { decisionChip, moment, nameOf, personOf } from "./review_words.js";

/** @import { Me, Outcome, ReviewRecord } from "../types/api" */
/** @typedef {{again: () => Promise<ReviewRecord>, next: (id: string | undefined) => void, back: () => void}} Ways `again`: the record as it stands; `next`: to the one that comes up, or to the list */

const LONGEST = { notes: 2_000, name: 200 }; // characters, as the server has it
const OUTCOMES = /** @type {[Outcome, string, string][]} */ ([["approved", "Approve", "a"], ["rejected", "Reject", "r"]]);
/** @type {Record<Outcome, string>} */
const DONE = { approved: "Approved", rejected: "Rejected" };

/** @param {ReviewRecord} record @param {Me} me @param {Ways} ways */
export function decisionForm(record, me, ways) {
  const draft = draftOf(record.id);
  const by = (remembered().operator ??= { name: me.userId, role: me.role, team: "" });
  const problem = h("p", { class: "bad", role: "alert" });
  const notes = h("textarea", { id: "d-notes", rows: "6", maxlength: LONGEST.notes, required: true, "aria-describedby": "d-hint" });
  notes.value = draft.notes;
  const who = { name: field("name", "Your name", by.name, true), role: field("role", "Your role", by.role, true), team: field("team", "Your team", by.team, false) };
  const radios = OUTCOMES.map(([value, label, key]) => choice(value, label, key, draft.outcome === value));
  const press = h("button", { class: "primary", "data-testid": "decide" });
  const form = h(
    "form",
    { "aria-labelledby": "d-title" },
    h("h2", { id: "d-title" }, "Decide"),
    h("fieldset", { class: "outcomes" }, h("legend", { class: "unseen" }, "Outcome"), radios.map(({ made }) => made)),
    h("div", { class: "field" }, h("label", { for: "d-notes" }, "Notes"), notes, h("p", { id: "d-hint", class: "hint" }, "The reason. The person sees it, and so does anyone who asks for something similar.")),
    who.name.made, who.role.made, who.team.made,
    problem,
    press,
  );
  const made = h("div", {}, form);
  let [busy, over] = [false, false];

  /** @returns {[string, HTMLElement] | null} what is missing, and where */
  function missing() {
    if (!draft.outcome) return ["Choose approve or reject", radios[0].input];
    if (!notes.value.trim()) return ["Enter notes to decide", notes];
    if (!who.name.input.value.trim()) return ["Enter your name to decide", who.name.input];
    return who.role.input.value.trim() ? null : ["Enter your role to decide", who.role.input];
  }

  function draw() {
    const lacks = missing();
    const verb = OUTCOMES.find(([value]) => value === draft.outcome)?.[1] ?? "";
    press.textContent = busy ? "Deciding…" : (lacks?.[0] ?? verb);
    press.setAttribute("aria-disabled", String(busy || lacks !== null));
  }

  function choose(/** @type {Outcome} */ outcome) {
    draft.outcome = outcome;
    for (const one of radios) one.input.checked = one.input.value === outcome;
    notes.focus();
    draw();
  }

  async function decide() {
    const lacks = missing();
    if (lacks) return lacks[1].focus();
    if (busy) return;
    busy = true;
    problem.textContent = "";
    draw();
    try {
      const body = { outcome: draft.outcome, notes: notes.value, operatorName: by.name, operatorRole: by.role, ...(by.team.trim() ? { operatorTeam: by.team } : {}) };
      await send("POST", `review/${encodeURIComponent(record.id)}/decision`, body);
      over = true;
      const next = decided(record.id);
      announce(`${DONE[/** @type {Outcome} */ (draft.outcome)]}. ${next ? "The next record is shown." : "There are no more records in the list."}`);
      ways.next(next);
    } catch (error) {
      if (error instanceof Problem && error.code === "ALREADY_REVIEWED") return void (await conflicted().catch((failed) => (problem.textContent = errorText(failed))));
      problem.textContent = errorText(error);
    } finally {
      busy = false;
      draw();
    }
  }

  const conflicted = async () => overtaken(await ways.again());
  const decidedElsewhere = (/** @type {ReviewRecord} */ now) => busy || over || overtaken(now);

  /** Somebody was quicker: their decision stands, and what was written here is not lost. @param {ReviewRecord} now */
  function overtaken(now) {
    if (!form.isConnected) return;
    const self = now.review?.operator.id === me.userId;
    const written = notes.value.trim();
    const next = decided(record.id);
    const press = h("button", { type: "button", class: "primary", onclick: () => ways.next(next) }, next ? "Next record" : "Back to the list");
    made.replaceChildren(
      h("p", { class: "stale", role: "alert" }, self ? "You already decided this elsewhere. That decision stands." : "Another operator decided first. Their decision stands, and yours was not saved."),
      decisionOf(now),
      written ? h("details", {}, h("summary", {}, "Your notes"), h("p", { class: "text" }, bdi(written))) : "",
      h("div", { class: "buttons" }, press),
    );
    press.focus();
  }

  form.addEventListener("submit", (event) => (event.preventDefault(), void decide()));
  form.addEventListener("input", () => {
    draft.notes = notes.value;
    Object.assign(by, { name: who.name.input.value, role: who.role.input.value, team: who.team.input.value });
    draw();
  });
  for (const { input } of radios) input.addEventListener("change", () => ((draft.outcome = /** @type {Outcome} */ (input.value)), draw()));
  draw();
  const open = (/** @type {Outcome} */ outcome) => () => form.isConnected && choose(outcome);
  return { made, decidedElsewhere, keys: { a: open("approved"), r: open("rejected") }, everywhere: { "Ctrl+Enter": () => void (form.isConnected && decide()) } };
}

/** @param {string} name @param {string} label @param {string} value @param {boolean} required */
function field(name, label, value, required) {
  const input = h("input", { id: `d-${name}`, maxlength: LONGEST.name, value, required, autocomplete: "off" });
  return { input, made: h("div", { class: "field" }, h("label", { for: `d-${name}` }, label, required ? null : h("span", { class: "hint" }, " (if it matters)")), input) };
}

/** @param {Outcome} value @param {string} label @param {string} key @param {boolean} checked */
function choice(value, label, key, checked) {
  const input = h("input", { type: "radio", name: "outcome", value, checked, "aria-keyshortcuts": key });
  return { input, made: h("label", { class: "outcome", "data-outcome": value }, input, label, h("kbd", { "aria-hidden": "true" }, key)) };
}

/** @param {ReviewRecord} record what was decided, by whom and why */
export function decisionOf(record) {
  const { review } = record;
  if (!review) return h("section", {});
  return h(
    "section",
    { class: "decision", "data-testid": "decision", "data-outcome": review.decision, "aria-label": `Decision on ${nameOf(record)}`.slice(0, 200) },
    h("h2", {}, "Decision"),
    h("p", {}, decisionChip(record)),
    h("p", { class: "text", ...boxed(review.notes) }, bdi(review.notes)),
    h("p", { class: "hint" }, "by ", personOf(review.operator), " · ", moment(review.reviewed_at_ms)),
  );
}
