import { element } from "../element.js";
import { askServer } from "../server.js";

/** @import { DocumentName } from "../../types/chat" */

/** @param {string} text @param {() => void} press @param {Record<string, string>} [attributes] */
function button(text, press, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
}

/** @param {DocumentName[]} documents @returns {string[]} what can be said of them */
export function examplesOf([first, second]) {
  if (!first) return [];
  const both = second && second.title !== first.title;
  return [`Summarize ${first.title}`, both ? `Compare ${first.title} with ${second.title}` : `What does ${first.title} say about deadlines?`];
}

/**
 * What stands where nothing was said yet.
 *
 * @param {{fill: (text: string) => void, knowledge: () => void}} given `fill` writes an example into the input
 */
export async function emptyState({ fill, knowledge }) {
  const { documents } = /** @type {{documents: DocumentName[]}} */ (await askServer("/api/knowledge/documents?limit=2"));
  if (documents.length === 0) {
    const add = button("Add documents", knowledge, { class: "primary", "data-testid": "chat-add-documents" });
    return element("div", { class: "empty" }, element("p", {}, "There are no documents to ask yet."), add);
  }
  const examples = examplesOf(documents).map((text) => button(text, () => fill(text), { class: "example", dir: "auto", "data-testid": "chat-example" }));
  return element("div", { class: "empty" }, element("p", {}, "Ask your documents, or have them summarized, compared or checked."), ...examples);
}
