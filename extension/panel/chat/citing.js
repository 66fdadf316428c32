/** @import { Citation } from "../../types/chat" */

const LONGEST_WORD = 24; // what is longer may be parted from its number
const SIGNS_AFTER = /^[.,;:!?)\]”"»…]+/;

/** @param {string} text @returns {string} its last word and the space after it, or what space a longer word leaves over */
function lastWord(text) {
  const letters = text.trimEnd();
  const word = letters.slice(-LONGEST_WORD - 1).split(/\s/).at(-1) ?? "";
  const space = text.slice(letters.length);
  return word.length > LONGEST_WORD ? space.slice(1) : word + space;
}

/**
 * A number stands in one line with the word before it and the sign after it.
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
 * Puts what `make` makes in the place of each marker that has a citation; of others their brackets are shown.
 *
 * @param {ParentNode} root as `renderMarkdown` made it @param {Citation[]} citations @param {(citation: Citation) => Node} make
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

/** @param {Citation} citation where it stands, as it is said aloud and on hover: "Handbook 2026, page 41, Returns" */
export function placeOf({ kind, title, label, url }) {
  return kind === "web" ? [title || label, hostOf(url)].filter(Boolean).join(", ") : label || title;
}

/** @param {Citation} citation @param {string} title where in the document: "page 41 · Returns › Refunds" */
export function whereIn({ page, page_end: end, heading_path: path }, title) {
  const pages = page ? (end && end !== page ? `pages ${page}–${end}` : `page ${page}`) : "";
  return [pages, (path ?? []).filter((one) => one !== title).join(" › ")].filter(Boolean).join(" · ");
}
