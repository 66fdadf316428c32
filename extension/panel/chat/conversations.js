import { button, element, onEscape } from "../element.js";
import { deletionCard, relativeTime, removeRow, renderPages } from "../list.js";
import { askServer, errorText, openServer } from "../server.js";

/** @import { Conversation } from "../../types/chat" */
/** @typedef {import("../notice.js").Press} Press */
/** @typedef {{open: (threadId: string) => void, gone: (threadId: string) => void, current: string | null, press: Press}} GivenConversations */

const UNTITLED = "Untitled";
const LONGEST = 200; // characters of a title
const SAVED_MS = 30_000; // for creating and downloading a file

/** @param {string} threadId */
const pathOf = (threadId) => `/api/chat/conversations/${encodeURIComponent(threadId)}`;

/** @param {Conversation} one @param {{done: (title: string) => void, undone: () => void}} then */
function renameForm({ thread_id: id, title }, { done, undone }) {
  const input = element("input", { type: "text", "aria-label": "Title", dir: "auto", maxlength: String(LONGEST), "data-testid": "chat-rename-input" });
  input.value = title;
  const problem = element("p", { class: "said", role: "alert" });
  const form = element("form", { class: "rename" }, element("div", { class: "row" }, input, element("button", { type: "submit" }, "Save")), problem);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wanted = input.value.trim();
    if (!wanted || wanted === title) return undone();
    try {
      await askServer(pathOf(id), { method: "PATCH", body: { title: wanted } });
      done(wanted);
    } catch (error) {
      problem.textContent = errorText(error);
    }
  });
  onEscape(form, undone);
  queueMicrotask(() => input.select());
  return form;
}

/** Downloads a conversation. @param {Conversation} one @param {"docx" | "md"} form */
async function save({ thread_id: id, title }, form) {
  const answer = await openServer(`${pathOf(id)}/export?format=${form}`, { signal: AbortSignal.timeout(SAVED_MS) });
  const url = URL.createObjectURL(await answer.blob());
  element("a", { href: url, download: `${title || UNTITLED}.${form}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), SAVED_MS);
}

/** Asks for the download format. @param {Conversation} one @param {() => void} undone */
function saveMenu(one, undone) {
  const problem = element("p", { class: "said", role: "alert" });
  const as = (/** @type {"docx" | "md"} */ form) => () => save(one, form).then(undone, (error) => (problem.textContent = errorText(error)));
  const word = button("Word", as("docx"), { "data-testid": "chat-save-docx" });
  const buttons = element("div", { class: "buttons" }, word, button("Markdown", as("md"), { "data-testid": "chat-save-md" }), button("Cancel", undone));
  const box = element("div", { class: "saving", role: "group", "aria-label": "Save the conversation as" }, buttons, problem);
  onEscape(box, undone);
  queueMicrotask(() => word.focus());
  return box;
}

/** @param {Conversation} one @param {GivenConversations} given @param {(row: HTMLElement) => void} took */
function row(one, { open, gone, current }, took) {
  const { thread_id: id, message_count: count } = one;
  const name = element("span", { class: "title", dir: "auto", title: one.title }, one.title || UNTITLED);
  const meta = element("span", { class: "meta" }, element("span", {}, count === 1 ? "1 message" : `${count} messages`), relativeTime(one.updated_at));
  const opener = element("button", { type: "button", class: "opener", "data-testid": "chat-conversation", ...(id === current ? { "aria-current": "true" } : {}) }, name, meta);
  opener.addEventListener("click", () => open(id));
  const item = element("li", { "data-id": id });
  const undone = (/** @type {HTMLElement} */ back) => {
    item.replaceChildren(opener, tools);
    back.focus();
  };
  const rename = button("Rename", () => {
    const done = (/** @type {string} */ title) => {
      one = { ...one, title };
      name.textContent = name.title = title;
      undone(rename);
    };
    item.replaceChildren(renameForm(one, { done, undone: () => undone(rename) }));
  }, { class: "quiet", "data-testid": "chat-rename" });
  const remove = button("Delete", () => {
    const done = () => {
      gone(id);
      took(item);
    };
    const name = one.title || UNTITLED;
    const what = { question: `Delete “${name}”? This cannot be undone.`, label: `Delete ${name}`, path: pathOf(id), testId: "chat-delete-yes" };
    item.replaceChildren(opener, deletionCard(what, { done, undone: () => undone(remove) }));
  }, { class: "quiet", "data-testid": "chat-delete" });
  const exported = button("Export", () => {
    item.replaceChildren(opener, saveMenu(one, () => undone(exported)));
  }, { class: "quiet", "data-testid": "chat-export" });
  const tools = element("div", { class: "tools" }, rename, exported, remove);
  item.append(opener, tools);
  return item;
}

/**
 * Fills a box with the conversations, page by page.
 *
 * @param {HTMLElement} box @param {GivenConversations} given
 */
export function renderConversations(box, given) {
  const list = element("ul", { class: "conversations", "data-testid": "chat-conversations" });
  const none = element("p", { class: "hint", tabindex: "-1" }, "No conversations yet.");
  const emptied = () => {
    box.replaceChildren(none);
    none.focus();
  };
  return renderPages(box, {
    list,
    none,
    press: given.press,
    testId: "more-conversations",
    async load(query) {
      const { conversations, next_cursor: cursor } = /** @type {{conversations: Conversation[], next_cursor?: string | null}} */ (await askServer(`/api/chat/conversations${query}`));
      return { rows: conversations.map((one) => row(one, given, (item) => removeRow(item, "button", emptied))), cursor };
    },
  });
}
