import { byId } from "../element.js";
import { lazyPart, showLoadFailure, loadStylesheet } from "../lazy_part.js";
import { showRoom, onRoomShown, currentRoom } from "../navigation.js";

/** @import { Home } from "../navigation.js" */
/** @import { ChatGiven } from "./chat.js" */

const KEY = "panelTab"; // the one that was shown last
const SHEETS = ["chat/chat.css", "chat/answer/prose.css", "chat/input/input.css", "chat/source/source.css"];
const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
/** @type {{id: string, home: Home}[]} */
const TABS = [{ id: "tab-do", home: "run" }, { id: "tab-ask", home: "chat" }];

/** @param {string} key @param {number} at @returns {number | null} which tab it leads to */
export function tabAfter(key, at, count = TABS.length) {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return key in STEPS ? (at + STEPS[key] + count) % count : null;
}

/** Shows the tabs for what they are: one is chosen, arrows move between them, and what was shown last is shown again. */
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
  const kept = await chrome.storage.local.get(KEY);
  if (kept[KEY] === "chat") showRoom("chat");
}

/** @param {boolean} waits a question of the agent, while the other tab is shown */
export function markWaiting(waits) {
  const tab = byId("tab-do");
  tab.toggleAttribute("data-waits", waits);
  tab.setAttribute("aria-label", waits ? "Do, a question waits" : "Do");
}

/**
 * The conversation, which is loaded when its tab is first shown; what is pressed there meanwhile is done once it is here.
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
      // The box to write in was not there yet, when the focus was to go into it. Who went elsewhere meanwhile stays there.
      if (isNew && !stay && currentRoom() === "chat" && [held, document.body].includes(document.activeElement)) part.focus();
    });
  });
  byId("chat-send").addEventListener("click", () => chat.use((part) => part.send()));
  byId("chat-new").addEventListener("click", () => chat.use((part) => part.anew()));
  byId("chat-list").addEventListener("click", () => chat.use((part) => part.conversations()));
  return chat;
}
