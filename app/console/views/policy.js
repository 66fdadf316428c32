/** What the agent may do unasked, and which answers an operator looks at. */

import { get, send } from "../api.js";
import { announce, h, bdi } from "../dom.js";
import { errorText } from "../states.js";

/** @import { Policy, Shown } from "../types/api" */

/** @param {HTMLElement} body @param {Shown} shown */
export async function showPolicy(body, { me, signal, again }) {
  /** @type {Policy} */
  const policy = await get("policy", {}, signal);
  body.replaceChildren(me.role === "admin" ? editor(policy, again) : facts(policy));
}

/** @param {string[]} names @param {string} none */
const listed = (names, none) => (names.length ? h("ul", {}, names.map((name) => h("li", {}, bdi(name)))) : none);

/** @param {Policy} policy */
const facts = ({ actionDomains, knowledgeDomains, approvals, reviewedSets }) =>
  h(
    "dl",
    { class: "about" },
    h("div", {}, h("dt", {}, "Acts on"), h("dd", {}, listed(actionDomains, "every site the browser allows"))),
    h("div", {}, h("dt", {}, "Documents for"), h("dd", {}, listed(knowledgeDomains, "every site"))),
    h("div", {}, h("dt", {}, "Asks first"), h("dd", {}, MODES[approvals.mode])),
    h("div", {}, h("dt", {}, "Never asks on"), h("dd", {}, listed(approvals.neverFor, "no site"))),
    h("div", {}, h("dt", {}, "Reviews answers from"), h("dd", {}, listed(reviewedSets, "no document set"))),
  );

/** @type {Record<string, string>} */
const MODES = {
  risky: "Before it deletes, pays, sends, publishes or grants",
  trust_goal: "The same, except for what the goal asks for by name",
  always: "Before every change",
};

/** @param {string} id @param {string} label @param {string} hint @param {string[]} names @param {RegExp} between */
function area(id, label, hint, names, between = /[\s,]+/) {
  const field = h("textarea", { id, rows: "4", spellcheck: "false", "aria-describedby": `${id}-hint` });
  field.value = names.join("\n");
  const read = () => field.value.split(between).filter((name) => name.trim());
  return { read, made: h("div", { class: "field" }, h("label", { for: id }, label), h("p", { id: `${id}-hint`, class: "hint" }, hint), field) };
}

/** @param {Policy} policy @param {() => void} again */
function editor({ actionDomains, knowledgeDomains, approvals, reviewedSets }, again) {
  const problem = h("p", { class: "bad", role: "alert" });
  const acts = area("action-domains", "Acts on", "One site per line: host, *.host or host:port. On any other site it asks first. If empty, it acts wherever the browser allows it.", actionDomains);
  const reads = area("knowledge-domains", "Documents for", "The sites on which documents may be used.", knowledgeDomains);
  const never = area("never-for", "Never asks on", "Test sites, where nobody is asked; * means every site.", approvals.neverFor);
  const reviews = area("reviewed-sets", "Reviews answers from", "One document set per line. Every chat answer that cites a document of such a set is also sent to an operator.", reviewedSets, /\n/);
  const mode = h("select", { id: "mode" }, Object.entries(MODES).map(([value, label]) => h("option", { value, selected: value === approvals.mode }, label)));
  const form = h("form", { class: "policy" }, acts.made, reads.made, h("div", { class: "field" }, h("label", { for: "mode" }, "Asks first"), mode), never.made, reviews.made, problem, h("button", { class: "primary" }, "Save policy"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      await send("PUT", "policy", { actionDomains: acts.read(), knowledgeDomains: reads.read(), approvals: { mode: mode.value, neverFor: never.read() }, reviewedSets: reviews.read() });
      announce("Policy saved");
      again();
    } catch (error) {
      problem.textContent = errorText(error);
    }
  });
  return form;
}
