import { byId, element } from "../element.js";
import { back, enter, onEnter, room, roomHead } from "../rooms.js";
import { askServer } from "../server.js";
import { createConversation } from "./conversation.js";
import { renderConversations } from "./conversations.js";
import { emptyState } from "./empty.js";
import { createHanding } from "./handing.js";
import { chatInput } from "./input/input.js";
import { openThread } from "./kept.js";
import { openSource } from "./source/source.js";

/** @import { ChatQuestion } from "../../types/chat" */
/** @import { Press } from "../notice.js" */
/** @import { Places } from "./seams.js" */

/** What stands in the empty input. */
const ASK = "Ask your documents; @ mentions one";

/** @param {ChatQuestion | null} question */
const invitation = (question) => (question ? (question.interrupt_type === "text_input" ? "Your answer" : "Or ask something else") : ASK);

/**
 * The tab of the conversation: its lines, the question that waits, the input, and the list of conversations.
 *
 * @param {{press: Press, knowledge: () => void, places: Omit<Places, "showAsk">}} given `knowledge` shows the room of the documents
 */
export function createChat({ press, knowledge, places }) {
  const button = /** @type {HTMLButtonElement} */ (byId("chat-send"));
  const isShown = () => room() === "chat";
  const input = chatInput(byId("chat-host"), { onSend: (said) => conversation.send(said) });
  const handing = createHanding({ ...places, showAsk });
  byId("chat-handing").replaceWith(handing.card);
  let loaded = false;

  const conversation = createConversation({
    view: byId("chat-view"),
    scroll: byId("scroll"),
    cardBox: byId("chat-card"),
    input,
    open: openSource,
    handing,
    press,
    emptied: () => emptyState({ fill: write, knowledge }),
    say: (text) => (byId("announce").textContent = text),
    isShown,
    onBusy(busy) {
      button.textContent = busy ? "Stop" : "Ask";
      button.dataset.testid = busy ? "chat-stop" : "chat-send";
      button.classList.toggle("primary", !busy);
    },
    asked: (question) => input.setPlaceholder(invitation(question)),
  });
  input.setPlaceholder(ASK);

  /** @param {string} text */
  function write(text) {
    input.fill(text);
    input.focus();
  }

  /** @param {string} [message] */
  function showAsk(message) {
    enter("chat");
    if (message) write(message);
  }

  async function stop() {
    const thread = conversation.thread();
    if (!conversation.isBusy() || !thread) return;
    conversation.stopped();
    await askServer(`/api/chat/conversations/${encodeURIComponent(thread)}/stop`, { method: "POST" }).catch(() => undefined);
  }

  /** @param {string | null} threadId */
  function openConversation(threadId) {
    loaded = true;
    enter("chat");
    void conversation.load(threadId);
  }

  function conversations() {
    const box = element("div");
    const fresh = element("button", { type: "button", class: "primary" }, "New conversation");
    fresh.addEventListener("click", () => openConversation(null));
    byId("room-conversations").replaceChildren(roomHead("Conversations", back, fresh), box);
    enter("conversations");
    const gone = (/** @type {string} */ threadId) => threadId === conversation.thread() && void conversation.load(null);
    void renderConversations(box, { open: openConversation, gone, current: conversation.thread(), press: (pressed, notice) => (pressed.does === "retry" ? conversations() : press(pressed, notice)) });
  }

  async function reload() {
    if (loaded) await conversation.load(await openThread());
  }

  onEnter((name) => {
    if (name !== "chat") return;
    if (loaded) return conversation.toEnd();
    loaded = true;
    void reload();
  });
  button.addEventListener("click", () => {
    if (conversation.isBusy()) return void stop();
    input.submit();
    input.focus();
  });
  byId("chat-host").addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" && !input.value().message && conversation.enterCard()) event.preventDefault();
  });
  byId("chat-new").addEventListener("click", () => openConversation(null));
  byId("chat-list").addEventListener("click", conversations);

  return { focus: input.focus, reload, stop, showAsk, isBusy: conversation.isBusy, changed: handing.changed };
}
