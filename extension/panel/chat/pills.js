import { element } from "../element.js";

/** @import { DocumentName, MentionLabel } from "../../types/chat" */

/** @param {string} label @param {string} [kind] @returns {HTMLElement} the pill of a document, set or action */
export const pill = (label, kind = "document") => element("span", { class: "pill", "data-kind": kind, dir: "auto", title: label }, label);

/** @param {(string | MentionLabel)[]} parts @returns {Node[]} */
export const withPills = (parts) => parts.map((part) => (typeof part === "string" ? document.createTextNode(part) : pill(part.label, part.kind)));

const MOST = 3; // more would cover the text beside them

/** @param {DocumentName[]} documents @returns {Node[]} the first few, and the number of the others */
export function documentPills(documents) {
  const shown = documents.slice(0, MOST).map(({ title }) => pill(title));
  const rest = documents.slice(MOST);
  const more = element("span", { class: "more-pills", title: rest.map(({ title }) => title).join("\n") }, `and ${rest.length} more`);
  return rest.length > 0 ? [...shown, more] : shown;
}
