import { element } from "../element.js";

/** @import { DocumentName, MentionLabel } from "../../types/chat" */

/** @param {string} label @param {string} [kind] @returns {HTMLElement} a name that stands for a thing */
export const pill = (label, kind = "document") => element("span", { class: "pill", "data-kind": kind, dir: "auto", title: label }, label);

/** @param {(string | MentionLabel)[]} parts @returns {Node[]} */
export const withPills = (parts) => parts.map((part) => (typeof part === "string" ? document.createTextNode(part) : pill(part.label, part.kind)));

const MOST = 3; // more would hide what they stand beside

/** @param {DocumentName[]} documents @returns {Node[]} the first few, and how many more */
export function documentPills(documents) {
  const shown = documents.slice(0, MOST).map(({ title }) => pill(title));
  const rest = documents.slice(MOST);
  const more = element("span", { class: "more-pills", title: rest.map(({ title }) => title).join("\n") }, `and ${rest.length} more`);
  return rest.length > 0 ? [...shown, more] : shown;
}
