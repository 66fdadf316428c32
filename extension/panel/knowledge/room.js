import { sourceLink } from "../chat/answer/citations.js";
import { plainText } from "../chat/source/quotes.js";
import { button, element } from "../element.js";
import { relativeTime, renderFailure } from "../list.js";
import { askServer, NotAnswered } from "../server.js";
import { addSection } from "./add_form.js";
import { documentsSection } from "./documents.js";
import { jobsSection } from "./jobs.js";

/** @import { Press } from "../notice.js" */
/** The tab's address, the handler for notice buttons (`retry` shows the room again), and the functions that learn the tab's page or another.
 * @typedef {{url: () => string, press: Press, learn: () => void, open: (url: string) => void}} Given */
/** @typedef {{content: string, documentTitle: string, metadata: {documentId: string, url?: string | null, scope: string, headingPath: string[], page?: number | null, ingestedAt: string}, citation: {label: string}}} Passage */

const MOST = 6;

/** @param {Passage} passage */
function row({ content, documentTitle, metadata }) {
  const { headingPath, page, ingestedAt, scope, url } = metadata;
  const heading = headingPath.filter((one) => one !== documentTitle).at(-1);
  const place = [page ? `page ${page}` : "", heading ?? ""].filter(Boolean).join(", ");
  const link = sourceLink(url, page);
  const meta = element(
    "p", { class: "meta" },
    element("span", { class: "scope", "data-scope": scope }, scope === "organization" ? "Yours" : "Public"), relativeTime(ingestedAt), ...(link ? [link] : []),
  );
  const title = element("h3", { dir: "auto" }, element("span", { class: "title" }, documentTitle), ...(place ? [element("span", { class: "place" }, place)] : []));
  const text = element("p", { class: "passage", dir: "auto" }, plainText(content));
  const more = element("button", { type: "button", class: "quiet", "aria-expanded": "false" }, "More");
  more.addEventListener("click", () => {
    const open = text.toggleAttribute("data-whole");
    more.setAttribute("aria-expanded", String(open));
    more.textContent = open ? "Less" : "More";
  });
  const made = element("li", { "data-testid": "knowledge-result" }, title, text, more, meta);
  requestAnimationFrame(() => (more.hidden = text.scrollHeight <= text.clientHeight + 1));
  return made;
}

/** @param {{allowed: boolean, chunks: Passage[]}} found */
function resultsFor({ allowed, chunks }) {
  if (chunks.length > 0) return element("ol", { class: "found", "data-testid": "knowledge-results" }, ...chunks.map(row));
  const why = allowed ? "Nothing relevant was found." : "Nothing relevant was found. Your own documents are not used on this site, because the policy does not list it.";
  return element("p", { class: "hint", role: "status", "data-testid": "knowledge-results" }, why);
}

/**
 * A search box for the documents, and its results.
 *
 * @param {{url: () => string, press: Press}} given `url`: the tab's address
 */
function searchSection({ url, press }) {
  const input = element("input", { type: "text", id: "knowledge-query", placeholder: "How long can goods be returned?", autocomplete: "off", dir: "auto", "data-testid": "knowledge-search" });
  const clear = element("button", { type: "button", hidden: "" }, "Clear");
  const button = element("button", { type: "submit" }, "Ask");
  const form = element("form", { role: "search" }, element("label", { for: "knowledge-query" }, "Ask your documents"), element("div", { class: "row" }, input, button, clear));
  const box = element("div", { class: "answers", "aria-live": "polite" });
  let asked = 0;

  const ask = async () => {
    const query = input.value.trim();
    if (!query) return void input.focus();
    const mine = (asked += 1);
    box.replaceChildren(element("p", { class: "hint" }, "Searching your documents…"));
    const parameters = new URLSearchParams({ query, limit: String(MOST), ...(/^https?:/.test(url()) ? { url: url() } : {}) });
    try {
      const found = await askServer(`/api/knowledge/resolve?${parameters}`);
      if (mine === asked) box.replaceChildren(resultsFor(found));
    } catch (error) {
      if (mine === asked) renderFailure(box, error, (pressed, notice) => (pressed.does === "retry" ? void ask() : press(pressed, notice)));
    }
    clear.hidden = false;
  };
  const clearResults = () => {
    asked += 1;
    input.value = "";
    clear.hidden = true;
    box.replaceChildren();
    input.focus();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void ask();
  });
  clear.addEventListener("click", clearResults);
  return element("section", { class: "search", "aria-label": "Search" }, form, box);
}

/** @param {unknown} error the pairing form is shown in the run's room only */
function withoutPairing(error) {
  if (!(error instanceof NotAnswered) || !["first-run", "auth"].includes(error.notice.kind)) return error;
  return new NotAnswered({ ...error.notice, kind: "info" });
}

/**
 * The documents' room: search, add, list, delete. It is made once and keeps running
 * while another room is shown.
 *
 * @param {HTMLElement} room @param {Given} given
 */
export function createKnowledge(room, { url, press, learn, open }) {
  const documents = documentsSection({ press });
  const jobs = jobsSection({ changed: () => void documents.refresh(), open });
  const adding = addSection({ jobs, learn, room });
  const search = searchSection({ url, press });
  const parts = [search, adding, jobs.part, documents.part];

  async function show() {
    if (!room.hasChildNodes()) room.replaceChildren(...parts);
    try {
      await jobs.load();
      if (!room.contains(search)) room.replaceChildren(...parts);
      await documents.refresh();
    } catch (error) {
      renderFailure(room, withoutPairing(error), press);
    }
  }

  return { show, changed: () => void documents.refresh() };
}
