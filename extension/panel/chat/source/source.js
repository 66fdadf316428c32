import { element } from "../../element.js";
import { sourceLink } from "../../knowledge_search.js";
import { NotAnswered } from "../../server.js";
import { showFailure } from "../../sessions.js";
import { hostOf, whereIn } from "../citing.js";
import { showParts } from "./parts.js";
import { reading } from "./reading.js";
import { openSheet } from "./sheet.js";

/** @import { Citation } from "../../../types/chat" */
/** @import { OpenSource } from "../seams.js" */
/** @typedef {ReturnType<typeof openSheet>} Sheet */

const GONE = "This document was deleted. This is what it said.";
const CUT = "This passage is no longer in the document. This is what it said.";
const MOVED = "The document was read again since. This is where it says so now.";
const REPLACED = "This passage was replaced since by what was read later.";

/** @param {string} text */
const line = (text) => (text ? [element("p", { class: "where", dir: "auto" }, text)] : []);

/** @param {Citation} citation its words, where they cannot be shown in their place */
const quoted = ({ quote }) => (quote ? [element("blockquote", { dir: "auto", "data-testid": "source-quote" }, quote)] : []);

/** @param {string} text @param {Record<string, string>} [attributes] */
const told = (text, attributes = {}) => element("p", { class: "told", role: "status", "data-testid": "source-told", ...attributes }, text);

/** @param {Sheet} sheet @param {Citation} citation */
function showWeb({ body }, citation) {
  const link = sourceLink(citation.url, null);
  if (link) {
    link.textContent = "Open the page";
    link.className = "open";
  }
  body.replaceChildren(...line(hostOf(citation.url)), ...quoted(citation), ...(link ? [link] : []));
}

/** @param {Sheet} sheet @param {Citation} citation */
async function showDocument(sheet, citation) {
  const { body, heading } = sheet;
  const read = reading(citation.document_id);
  body.replaceChildren(told("Opening the document…", { class: "hint" }), ...quoted(citation));
  const { at, moved } = await read.find(citation);
  if (!sheet.isOpen()) return;
  const { title, url } = read.about();
  heading.textContent = title || citation.title;
  const link = sourceLink(url, citation.page);
  const head = [...line(whereIn(citation, title)), ...(link ? [link] : [])];
  if (at < 0) return body.replaceChildren(...head, told(CUT), ...quoted(citation));
  const state = read.parts[at].supersededBy ? REPLACED : moved ? MOVED : "";
  body.replaceChildren(...head, ...(state ? [told(state)] : []));
  showParts(body, read, { at, quote: citation.quote });
}

/** @param {Sheet} sheet @param {Citation} citation @param {unknown} error */
function showTrouble(sheet, citation, error) {
  if (!sheet.isOpen()) return;
  if (error instanceof NotAnswered && error.code === "NOT_FOUND") return sheet.body.replaceChildren(told(GONE), ...quoted(citation));
  const box = element("div");
  showFailure(box, error, ({ does }) => (does === "settings" ? void chrome.runtime.openOptionsPage() : show(sheet, citation)));
  sheet.body.replaceChildren(box, ...quoted(citation));
}

/** @param {Sheet} sheet @param {Citation} citation */
function show(sheet, citation) {
  if (citation.kind === "web") showWeb(sheet, citation);
  else showDocument(sheet, citation).catch((error) => showTrouble(sheet, citation, error));
}

/** @type {OpenSource} shows what a citation stands on: the passage in its document, or the words of a page */
export function openSource(citation, given) {
  show(openSheet(citation.title || citation.label, given), citation);
}
