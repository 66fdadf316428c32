/** What the agent may do unasked. */

import { get, send } from "../api.js";
import { announce, h, said } from "../dom.js";
import { told } from "../states.js";

/** @import { Policy, Shown } from "../types/api" */

/** @param {HTMLElement} body @param {Shown} shown */
export async function showPolicy(body, { me, signal, again }) {
  /** @type {Policy} */
  const policy = await get("policy", {}, signal);
  body.replaceChildren(me.role === "admin" ? editor(policy, again) : facts(policy));
}

/** @param {string[]} sites @param {string} none */
const listed = (sites, none) => (sites.length ? h("ul", {}, sites.map((site) => h("li", {}, said(site)))) : none);

/** @param {Policy} policy */
const facts = ({ actionDomains, knowledgeDomains, approvals }) =>
  h(
    "dl",
    { class: "about" },
    h("div", {}, h("dt", {}, "Acts on"), h("dd", {}, listed(actionDomains, "every site that the browser grants"))),
    h("div", {}, h("dt", {}, "Documents for"), h("dd", {}, listed(knowledgeDomains, "every site"))),
    h("div", {}, h("dt", {}, "Asks first"), h("dd", {}, MODES[approvals.mode])),
    h("div", {}, h("dt", {}, "Never asks on"), h("dd", {}, listed(approvals.neverFor, "no site"))),
  );

/** @type {Record<string, string>} */
const MODES = {
  risky: "Before it deletes, pays, sends, publishes or grants",
  trust_goal: "The same, but for what the goal orders by name",
  always: "Before every change",
};

/** @param {string} id @param {string} label @param {string} hint @param {string[]} sites */
function area(id, label, hint, sites) {
  const field = h("textarea", { id, rows: "4", spellcheck: "false", "aria-describedby": `${id}-hint` });
  field.value = sites.join("\n");
  const read = () => field.value.split(/[\s,]+/).filter(Boolean);
  return { read, made: h("div", { class: "field" }, h("label", { for: id }, label), h("p", { id: `${id}-hint`, class: "hint" }, hint), field) };
}

/** @param {Policy} policy @param {() => void} again */
function editor({ actionDomains, knowledgeDomains, approvals }, again) {
  const problem = h("p", { class: "bad", role: "alert" });
  const acts = area("action-domains", "Acts on", "One site a line: host, *.host or host:port. With none it acts wherever the browser lets it; on any other site it asks first.", actionDomains);
  const reads = area("knowledge-domains", "Documents for", "The sites whose documents may be used.", knowledgeDomains);
  const never = area("never-for", "Never asks on", "Sites for trying out, where nobody is asked; * is every site.", approvals.neverFor);
  const mode = h("select", { id: "mode" }, Object.entries(MODES).map(([value, label]) => h("option", { value, selected: value === approvals.mode }, label)));
  const form = h("form", { class: "policy" }, acts.made, reads.made, h("div", { class: "field" }, h("label", { for: "mode" }, "Asks first"), mode), never.made, problem, h("button", { class: "primary" }, "Save policy"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      await send("PUT", "policy", { actionDomains: acts.read(), knowledgeDomains: reads.read(), approvals: { mode: mode.value, neverFor: never.read() } });
      announce("The policy is saved");
      again();
    } catch (error) {
      problem.textContent = told(error);
    }
  });
  return form;
}
