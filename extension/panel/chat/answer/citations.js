import { element } from "../../element.js";

/** @import { Citation } from "../../../types/chat" */

const LONGEST_WORD = 24; // a longer word may be separated from its number
const SIGNS_AFTER = /^[.,;:!?)\]”"»…]+/;

/** @param {string} text @returns {string} its last word and the space after it; only the space if the word is longer */
function lastWord(text) {
  const letters = text.trimEnd();
  const word = letters.slice(-LONGEST_WORD - 1).split(/\s/).at(-1) ?? "";
  const space = text.slice(letters.length);
  return word.length > LONGEST_WORD ? space.slice(1) : word + space;
}

/**
 * Keeps a number on one line with the word before it and the punctuation after it.
 *
 * @param {Node} number in its place
 */
function keepTogether(number) {
  const { previousSibling: before, nextSibling: after } = number;
  const glued = before instanceof HTMLElement && before.className === "together" && !before.dataset.ended;
  const box = glued ? before : document.createElement("span");
  box.className = "together";
  if (!glued) {
    /** @type {ChildNode} */ (number).replaceWith(box);
    if (before instanceof Text) {
      const word = lastWord(before.data);
      before.data = before.data.slice(0, before.data.length - word.length);
      const letters = word.trimEnd();
      box.append(letters === word ? word : `${letters}\u00a0`);
    }
  }
  box.append(number);
  const signs = after instanceof Text ? SIGNS_AFTER.exec(after.data)?.[0] : "";
  if (!signs) return;
  box.append(signs);
  box.dataset.ended = "";
  /** @type {Text} */ (after).data = /** @type {Text} */ (after).data.slice(signs.length);
}

/**
 * Replaces each marker that has a citation with what `make` returns; others show their brackets.
 *
 * @param {ParentNode} root from `renderMarkdown` @param {Citation[]} citations @param {(citation: Citation) => Node} make
 */
export function markCitations(root, citations, make) {
  const known = new Map(citations.map((one) => [one.marker, one]));
  for (const marker of root.querySelectorAll("sup")) {
    const citation = marker.closest("a") ? undefined : known.get(Number(marker.textContent));
    if (!citation) {
      marker.replaceWith(`[${marker.textContent}]`);
      continue;
    }
    const made = make(citation);
    marker.replaceWith(made);
    keepTogether(made);
  }
}

/** @param {string | null} url */
export const hostOf = (url) => (url && URL.canParse(url) ? new URL(url).host : "");

/** @param {string | null | undefined} url @param {number | null | undefined} page */
export function sourceLink(url, page) {
  if (!url || !/^https?:/.test(url)) return null;
  const address = page && /\.pdf$/i.test(new URL(url).pathname) ? `${url.split("#", 1)[0]}#page=${page}` : url;
  return element("a", { href: address, target: "_blank", rel: "noreferrer" }, "Open the source");
}

/** @param {Citation} citation its label for screen readers and tooltips: "Handbook 2026, version 2, page 41, Returns" */
export const placeOf = (citation) => [citation.title || citation.label, ...(citation.kind === "web" ? [hostOf(citation.url)] : placesIn(citation))].filter(Boolean).join(", ");

/** @param {Citation} citation @returns {string[]} version, page or rows, and headings */
function placesIn({ title, version, page, page_end: end, rows, heading_path: path }) {
  const of = (/** @type {string} */ one, /** @type {number | null | undefined} */ first, /** @type {number | null | undefined} */ last) => (first ? (last && last !== first ? `${one}s ${first}–${last}` : `${one} ${first}`) : "");
  return [of("version", version, null), of("page", page, end), (path ?? []).filter((one) => one !== title).join(" › "), of("row", rows?.[0], rows?.at(-1))].filter(Boolean);
}

/** @param {Citation} citation its place in the document: "version 2 · page 41 · Returns › Refunds" */
export const whereIn = (citation) => placesIn(citation).join(" · ");

/** @param {Citation} citation a warning shown before it is opened: "Version 3 is current", or "" */
export const supersededBy = ({ version, current_version: current }) => (version && current && current > version ? `Version ${current} is current` : "");
