import { button, byId, element } from "../element.js";
import { askServer } from "../server.js";
import { takesWords } from "../run/question_card.js";
import { fillLazily, showLoadFailure } from "../lazy_part.js";
import { goBack, showRoom, currentRoom, roomHeader } from "../navigation.js";
import { createConversation } from "./conversation.js";
import { createHandoff } from "./handoff.js";
import { chatInput } from "./input/input.js";
import { storedThread } from "./threads.js";

/** @import { ChatQuestion, DocumentName, OpenSource } from "../../types/chat" */
/** @import { Press } from "../notice.js" */
/** @import { InterruptEvent } from "../../types/wire" */

/**
 * Replaces the text of a box and focuses it, so that the person's own text comes back
 * with Undo.
 *
 * @param {HTMLTextAreaElement} box @param {string} text
 */
function replaceText(box, text) {
  box.focus();
  box.select();
  if (!document.execCommand("insertText", false, text)) box.value = text;
}

/** @param {DocumentName[]} documents @returns {string[]} examples of questions about them */
export function examplesOf([first, second]) {
  if (!first) return [];
  const both = second && second.title !== first.title;
  return [`Summarize ${first.title}`, both ? `Compare ${first.title} with ${second.title}` : `What does ${first.title} say about deadlines?`];
}

/**
 * The content of an empty conversation.
 *
 * @param {{fill: (text: string) => void, knowledge: () => void}} given `fill` puts an example into the input
 */
export async function emptyState({ fill, knowledge }) {
  const { documents } = /** @type {{documents: DocumentName[]}} */ (await askServer("/api/knowledge/documents?limit=2"));
  if (documents.length === 0) {
    const add = button("Add documents", knowledge, { class: "primary", "data-testid": "chat-add-documents" });
    return element("div", { class: "empty" }, element("p", {}, "There are no documents to ask yet."), add);
  }
  const examples = examplesOf(documents).map((text) => button(text, () => fill(text), { class: "example", dir: "auto", "data-testid": "chat-example" }));
  return element("div", { class: "empty" }, element("p", {}, "Ask your documents, or have them summarized, compared or checked."), ...examples);
}

/**
 * `knowledge` opens the documents, `goal` is the agent's text box, `question` the agent's open question.
 * @typedef {{press: Press, knowledge: () => void, goal: HTMLTextAreaElement, question: () => InterruptEvent | null}} ChatGiven
 */

/** The input's placeholder. */
const ASK = "Ask your documents, or type @ to mention one";

/** @param {ChatQuestion | null} question */
const invitation = (question) => (question ? (question.interrupt_type === "text_input" ? "Your answer" : "Or ask something else") : ASK);

/** @type {OpenSource} */
function openSource(citation, given) {
  import("./source/source.js").then(
    (source) => source.openSource(citation, given),
    (error) => {
      console.warn(error);
      const place = element("div");
      given.origin.closest("li.answer")?.append(place);
      showLoadFailure(place);
    },
  );
}

/**
 * The Ask tab: the conversation's lines, the open question, the input, and the list of conversations.
 *
 * @param {ChatGiven} given
 */
export function createChat({ press, knowledge, goal, question }) {
  const button = /** @type {HTMLButtonElement} */ (byId("chat-send"));
  const isShown = () => currentRoom() === "chat";
  const input = chatInput(byId("chat-host"), (message) => conversation.send(message));
  const handing = createHandoff({ showDo, showAsk, question, answer });
  byId("chat-handing").replaceWith(handing.card);
  handing.changed();
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
    showRoom("chat");
    if (message) write(message);
  }

  /** Shows the agent's tab. @param {string} [text] for its text box */
  function showDo(text) {
    showRoom("run");
    if (text) replaceText(goal, text);
  }

  /** @param {string} text */
  function answer(text) {
    const asked = question();
    showDo(asked && takesWords(asked) ? text : "");
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
    showRoom("chat");
    void conversation.load(threadId);
  }

  function conversations() {
    const box = element("div");
    const fresh = element("button", { type: "button", class: "primary" }, "New conversation");
    fresh.addEventListener("click", () => openConversation(null));
    byId("room-conversations").replaceChildren(roomHeader("Conversations", goBack, fresh), box);
    showRoom("conversations");
    const clearIfOpen = (/** @type {string} */ threadId) => threadId === conversation.thread() && void conversation.load(null);
    /** @type {Press} */
    const retryOrPress = (pressed, notice) => (pressed.does === "retry" ? conversations() : press(pressed, notice));
    void fillLazily(box, import("./conversations.js"), ({ renderConversations }) => renderConversations(box, { open: openConversation, gone: clearIfOpen, current: conversation.thread(), press: retryOrPress }));
  }

  async function reload() {
    if (loaded) await conversation.load(storedThread());
  }

  /** Called when the room is shown. */
  function focusOnEntry() {
    if (loaded) return conversation.toEnd();
    loaded = true;
    void reload();
  }

  /** Called when the button beside the input is pressed. */
  function send() {
    if (conversation.isBusy()) return void stop();
    input.submit();
    input.focus();
  }

  byId("chat-host").addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" && !input.value().message && conversation.enterCard()) event.preventDefault();
  });

  return { entered: focusOnEntry, send, conversations, anew: () => openConversation(null), focus: input.focus, reload, stop, showAsk, isBusy: conversation.isBusy, changed: handing.changed };
}
