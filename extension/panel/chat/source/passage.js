import { button, element } from "../../element.js";
import { hostOf, sourceLink, whereIn } from "../answer/citations.js";
import { showParts } from "./parts.js";
import { withExactPlace, createDocumentReader } from "./document_reader.js";

/** @import { Citation } from "../../../types/chat" */
/** @import { Fail } from "./parts.js" */
/**
 * `ask` reads the server at a path, and raises an error with its `code`; `fail` shows later errors; `titled` is told the
 * document's title, and returns whether it is still wanted. `current`: show the newest version, whatever was cited.
 *
 * @typedef {{ask: (path: string) => Promise<any>, fail: Fail, titled: (title: string) => boolean, current?: boolean}} Given
 */

const GONE = "This document was deleted. This is what it said.";
const CUT = "This passage is no longer in the document. This is what it said.";
const MOVED = "The document was updated since. This is the passage now.";
const REPLACED = "A later version replaces this passage.";

/** @param {string} text */
const line = (text) => (text ? [element("p", { class: "where", dir: "auto" }, text)] : []);

/** @param {Citation} citation its words, when they cannot be shown in their place */
export const quoteBlock = ({ quote }) => (quote ? [element("blockquote", { dir: "auto", "data-testid": "source-quote" }, quote)] : []);

/** @param {string} text @param {Record<string, string>} [attributes] */
const noteLine = (text, attributes = {}) => element("p", { class: "told", role: "status", "data-testid": "source-told", ...attributes }, text);

/** @param {HTMLElement} body @param {Citation} citation */
function showWeb(body, citation) {
  const link = sourceLink(citation.url, null);
  if (link) {
    link.textContent = "Open the page";
    link.className = "open";
  }
  body.replaceChildren(...line(hostOf(citation.url)), ...quoteBlock(citation), ...(link ? [link] : []));
}

/** @param {Citation} citation @param {number} version the document's current one @param {string} then */
function stateOf({ version: cited }, version, then) {
  if (!cited || version <= cited) return then;
  if (then === CUT) return `This is version ${cited}. Version ${version} is current, and no longer says this.`;
  return `This was cited from version ${cited}. Version ${version} is current, and still says it.`;
}

/**
 * Shows the source of a citation: the passage marked in its document, or the words that were saved.
 *
 * @param {HTMLElement} body @param {Citation} citation @param {Given} given @returns {Promise<void>} raises the errors of `ask`, except for a document that is gone
 */
export async function showPassage(body, citation, { ask, fail, titled, current = false }) {
  if (citation.kind === "web") return showWeb(body, citation);
  const read = createDocumentReader(citation.document_id, ask);
  body.replaceChildren(noteLine("Opening the document…", { class: "hint" }), ...quoteBlock(citation));
  let found;
  try {
    found = await read.find(citation);
  } catch (error) {
    if (/** @type {{code?: string}} */ (error).code !== "NOT_FOUND") throw error;
    return body.replaceChildren(...line(whereIn(citation)), noteLine(GONE), ...quoteBlock(citation));
  }
  const { at, moved } = found;
  const { title, url, version } = read.about();
  if (!titled(title)) return;
  const link = sourceLink(url, citation.page);
  const head = (/** @type {Citation} */ one) => [...line(whereIn(one)), ...(link ? [link] : [])];
  if (at < 0 && !current) {
    const open = button(version ? `Open version ${version}` : "Open the document", () => showPassage(body, citation, { ask, fail, titled, current: true }).then(() => body.focus(), (error) => fail(body, error, () => open.click())), { "data-testid": "source-current" });
    return body.replaceChildren(...head(citation), noteLine(stateOf(citation, version, CUT)), ...quoteBlock(citation), open);
  }
  const then = at < 0 ? `This is version ${version}, which is current.` : stateOf(citation, version, read.parts[at].supersededBy ? REPLACED : moved ? MOVED : "");
  const shown = at < 0 ? { ...citation, version, page: null, rows: [] } : withExactPlace(citation, read.parts[at]);
  body.replaceChildren(element("div", { class: "placed" }, ...head(shown), ...(then ? [noteLine(then)] : [])));
  await showParts(body, read, { at: at < 0 ? read.under(citation.heading_path) : at, quote: at < 0 ? "" : citation.quote, fail });
}
