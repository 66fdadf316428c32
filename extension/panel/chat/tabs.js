import { byId } from "../element.js";
import { lazyPart, showLoadFailure, loadStylesheet } from "../lazy_part.js";
import { showRoom, onRoomShown, currentRoom } from "../navigation.js";

/** @import { Home } from "../navigation.js" */
/** @import { ChatGiven } from "./chat.js" */

const KEY = "panelTab"; // in storage: the tab shown last
const SHEETS = ["chat/chat.css", "chat/answer/prose.css", "chat/input/input.css", "chat/source/source.css"];
const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
/** @type {{id: string, home: Home}[]} */
const TABS = [{ id: "tab-do", home: "run" }, { id: "tab-ask", home: "chat" }];

/** @param {string} key @param {number} at @returns {number | null} the index of the tab to go to */
export function tabAfter(key, at, count = TABS.length) {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return key in STEPS ? (at + STEPS[key] + count) % count : null;
}

/** Makes the tabs work: one is selected, arrows move between them, and the last one is shown again. */
export async function startTabs() {
  onRoomShown((name) => {
    if (!TABS.some(({ home }) => home === name)) return;
    for (const { id, home } of TABS) {
      byId(id).setAttribute("aria-selected", String(home === name));
      byId(id).tabIndex = home === name ? 0 : -1;
    }
    void chrome.storage.local.set({ [KEY]: name });
  });
  for (const [at, { id, home }] of TABS.entries()) {
    byId(id).addEventListener("click", () => showRoom(home));
    byId(id).addEventListener("keydown", (event) => {
      const to = tabAfter(event.key, at);
      if (to === null) return;
      event.preventDefault();
      showRoom(TABS[to].home, { stay: true });
      byId(TABS[to].id).focus();
    });
  }
  const stored = await chrome.storage.local.get(KEY);
  if (stored[KEY] === "chat") showRoom("chat");
}

/** @param {boolean} waits whether an agent's question waits behind the other tab */
export function markWaiting(waits) {
  const tab = byId("tab-do");
  tab.toggleAttribute("data-waits", waits);
  tab.setAttribute("aria-label", waits ? "Do, a question waits" : "Do");
}

/**
 * The Ask tab, loaded when it is first shown; presses in the meantime are handled when it is there.
 *
 * @param {ChatGiven} given
 */
export function chatLater(given) {
  const chat = lazyPart(
    async () => {
      const [{ createChat }] = await Promise.all([import("./chat.js"), ...SHEETS.map(loadStylesheet)]);
      return createChat(given);
    },
    () => showLoadFailure(byId("chat-view")),
  );
  onRoomShown((name, stay) => {
    if (name !== "chat") return;
    const isNew = chat.here() === null;
    const held = document.activeElement;
    chat.use((part) => {
      part.entered();
      // The input was not there yet when it should have got the focus. If the focus moved on since, it stays there.
      if (isNew && !stay && currentRoom() === "chat" && [held, document.body].includes(document.activeElement)) part.focus();
    });
  });
  byId("chat-send").addEventListener("click", () => chat.use((part) => part.send()));
  byId("chat-new").addEventListener("click", () => chat.use((part) => part.anew()));
  byId("chat-list").addEventListener("click", () => chat.use((part) => part.conversations()));
  return chat;
}
