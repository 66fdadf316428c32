import { element } from "../../element.js";
import { hostOf, placeOf, supersededBy, whereIn } from "./citations.js";

/** @import { Citation, OpenSource } from "../../../types/chat" */

const FEW = 4; // sources shown at first; a button shows the rest
const LONGEST = 60; // characters of a quote beside its title, about a line

/** @param {Citation} citation what distinguishes it from others of the same document: its place, or its words */
function besideTitle(citation) {
  if (citation.kind === "web") return citation.label || hostOf(citation.url);
  const quote = citation.quote.replace(/\s+/g, " ").trim();
  return [whereIn(citation), citation.page || citation.heading_path?.some((one) => one !== citation.title) ? "" : quote.length > LONGEST ? `“${quote.slice(0, LONGEST).trimEnd()}…”` : quote && `“${quote}”`].filter(Boolean).join(" · ");
}

/** @param {Citation} citation @param {OpenSource} open @param {string} text @param {Record<string, string>} attributes */
function opener(citation, open, text, attributes) {
  const button = element("button", { type: "button", "data-testid": "chat-citation", ...attributes }, text);
  button.addEventListener("click", () => open(citation, { origin: button }));
  return button;
}

/** @param {Citation} citation @param {OpenSource} open for a number in the text */
export function citationButton(citation, open) {
  const place = placeOf(citation);
  return opener(citation, open, String(citation.marker), { class: "cite", "aria-label": `Source ${citation.marker}: ${place}`, title: place, "data-kind": citation.kind });
}

/** @param {Citation} citation @param {OpenSource} open */
function row(citation, open) {
  const number = element("span", { class: "number" }, String(citation.marker));
  const name = opener(citation, open, citation.title || citation.label, { class: "quiet", dir: "auto", "data-testid": "chat-source", title: placeOf(citation) });
  const where = besideTitle(citation);
  return element("li", {}, number, element("span", { class: "place" }, name, ...(where ? [element("span", { class: "where", dir: "auto" }, where)] : []), ...current(citation, open)));
}

/** @param {Citation} citation @param {OpenSource} open a warning that it is of an older version, with a link to the newest */
function current(citation, open) {
  const superseded = supersededBy(citation);
  if (!superseded) return [];
  const button = element("button", { type: "button", class: "quiet", "data-testid": "chat-source-current" }, `Open version ${citation.current_version}`);
  button.addEventListener("click", () => open(citation, { origin: button, current: true }));
  return [element("span", { class: "superseded" }, superseded), button];
}

/** @param {string} name @param {Citation[]} citations @param {OpenSource} open @returns {Node[]} */
function group(name, citations, open) {
  if (citations.length === 0) return [];
  const list = element("ol", { class: "sources", "aria-label": name }, ...citations.map((one) => row(one, open)));
  const parts = [element("p", { class: "label" }, name), list];
  const hidden = [...list.children].slice(FEW);
  if (hidden.length < 2) return parts; // a button would take as much room as the one source
  const more = element("button", { type: "button", class: "quiet" }, `Show all ${citations.length}`);
  for (const one of hidden) one.toggleAttribute("hidden", true);
  more.addEventListener("click", () => {
    for (const one of hidden) one.removeAttribute("hidden");
    hidden[0].querySelector("button")?.focus();
    more.remove();
  });
  return [...parts, more];
}

/**
 * The sources of an answer: documents, then web pages.
 *
 * @param {Citation[]} citations @param {OpenSource} open @returns {Node[]}
 */
export const sourceLists = (citations, open) => [
  ...group("Sources", citations.filter(({ kind }) => kind !== "web"), open),
  ...group("From the web", citations.filter(({ kind }) => kind === "web"), open),
];
