import { sourceLink } from "../chat/answer/citations.js";
import { element } from "../element.js";
import { deletionCard, relativeTime, removeRow, renderFailure } from "../list.js";
import { askServer } from "../server.js";
import { plural } from "../../shared/text.js";

/** @typedef {import("../notice.js").Press} Press */
/** @typedef {{id: string, title: string, type: string, source: string, url?: string | null, scope: string, phase?: string | null, pages: number, chunks: number, notes: string[], ingestedAt: string}} Document */

const PAGE = 30;
const TYPING_MS = 250;

/** @param {Document} one its type in words */
function kindOf({ type, phase, pages }) {
  if (phase === "post-interaction") return "Opened on a page";
  const name = type === "html" ? "Page" : type.toUpperCase();
  return pages > 1 ? `${name}, ${plural(pages, "page")}` : name;
}

/** @param {Document} one @param {() => void} gone */
function row(one, gone) {
  const { title, chunks, ingestedAt, scope, source, notes, url } = one;
  const remove = element("button", { type: "button", "data-testid": "knowledge-delete" }, "Delete");
  const link = sourceLink(url, null);
  const buttons = element("div", { class: "buttons" }, ...(link ? [link] : []), remove);
  const about = element("p", { class: "hint source", dir: "auto" }, source);
  const inside = element("div", { class: "inside" }, about, ...notes.map((note) => element("p", { class: "note" }, note)), buttons);
  const meta = element("span", { class: "meta" }, element("span", {}, kindOf(one)), element("span", {}, plural(chunks, "passage")), ...(scope === "public" ? [element("span", {}, "public")] : []), relativeTime(ingestedAt));
  const name = element("span", { class: "title", dir: "auto", title }, title);
  const box = element("details", {}, element("summary", {}, name, meta), inside);
  remove.addEventListener("click", () => {
    const undone = () => {
      buttons.hidden = false;
      asked.remove();
      remove.focus();
    };
    const question = `Delete “${title}”? Everything made from it is deleted too. This cannot be undone.`;
    const path = `/api/knowledge/documents/${encodeURIComponent(one.id)}`;
    const asked = deletionCard({ question, label: `Delete ${title}`, path, testId: "knowledge-delete-yes" }, { done: gone, undone });
    buttons.hidden = true;
    inside.append(asked);
  });
  return element("li", { "data-testid": "knowledge-document", "data-id": one.id }, box);
}

/**
 * The documents, newest first.
 *
 * @param {{press: Press}} given
 */
export function documentsSection({ press }) {
  const filter = element("input", { type: "text", id: "knowledge-filter", "aria-label": "Find a document by its title", placeholder: "Find by title or address", autocomplete: "off", dir: "auto" });
  const list = element("ul", { class: "documents", "data-testid": "knowledge-documents" });
  const more = element("button", { type: "button", class: "more" }, "Show older");
  const empty = element("p", { class: "hint" });
  const box = element("div", {}, element("p", { class: "hint", role: "status" }, "Loading…"));
  const title = element("h3", { tabindex: "-1" }, "Documents");
  /** @type {string | null} */
  let cursor = null;
  let asked = 0;

  /** @param {boolean} further */
  async function loadPage(further) {
    const mine = (asked += 1);
    const q = filter.value.trim();
    const query = new URLSearchParams({ limit: String(PAGE), ...(q ? { q } : {}), ...(further && cursor ? { cursor } : {}) });
    const { documents, nextCursor } = /** @type {{documents: Document[], nextCursor?: string | null}} */ (await askServer(`/api/knowledge/documents?${query}`));
    if (mine !== asked) return;
    cursor = nextCursor ?? null;
    const rows = documents.map((one) => {
      const made = row(one, () => removeRow(made, "summary", () => void refresh().then(() => title.focus())));
      return made;
    });
    if (further) list.append(...rows);
    else list.replaceChildren(...rows);
    more.hidden = !cursor;
    filter.hidden = !q && list.children.length < 2;
    empty.hidden = list.children.length > 0;
    empty.textContent = q ? "No document has that title." : "No documents yet. Add a file, a link or this page, and Tabwright will consult it before it acts.";
    if (!box.contains(list)) box.replaceChildren(list, empty, more);
  }

  /** @param {boolean} [further] */
  async function refresh(further = false) {
    try {
      await loadPage(further);
    } catch (error) {
      renderFailure(box, error, (pressed, notice) => (pressed.does === "retry" ? void refresh() : press(pressed, notice)));
    }
  }

  let timer = 0;
  filter.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void refresh(), TYPING_MS);
  });
  more.addEventListener("click", async () => {
    const first = list.children.length;
    await refresh(true);
    list.children[first]?.querySelector("summary")?.focus();
  });
  return { part: element("section", { "aria-label": "Documents" }, title, filter, box), refresh };
}
