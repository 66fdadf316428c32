import { NotAnswered } from "../server.js";
import { answerItem, stoppedItem } from "./answer/answer.js";
import { createQuestionCard } from "./question_card.js";
import { askTurn, CutOff, messageTurn, replacementTurn, resumeTurn } from "./client.js";
import { createDraft } from "./answer/draft.js";
import { noteItem, failureItem, messageItem, skeleton } from "./items.js";
import { fetchHistory, storeThread, storeTurn, waitForHistory, storedTurn } from "./threads.js";
import { createStatusLine, createTranscript } from "./transcript.js";
import { createQuestionEdit } from "./question_edit.js";
import { answeredLine, storedMessageItem, hasEndedSince, isRunning, lastMessage, LEFT_LINE, historyItems, unansweredMessage } from "./history.js";

/** @import { ChatEnd, ChatHistory, ChatInput, ChatLine, ChatNews, ChatQuestion, Handoff, OpenSource, OutgoingMessage } from "../../types/chat" */
/** @import { Press } from "../notice.js" */
/** @import { Turn } from "./client.js" */

/**
 * The elements and callbacks of a conversation. `emptied` makes the content of an empty conversation, `say` announces to
 * screen readers, `isShown` tells whether the tab is visible, `onBusy` is called when a turn begins or ends, `asked` when a question appears or goes.
 *
 * @typedef {{view: HTMLElement, scroll: HTMLElement, cardBox: HTMLElement, input: ChatInput, open: OpenSource, handing: Handoff, press: Press,
 *   emptied: () => Promise<HTMLElement>, say: (text: string) => void, isShown: () => boolean, onBusy: (busy: boolean) => void, asked: (question: ChatQuestion | null) => void}} Around
 */
const GONE = ["HITL_NOT_PENDING", "HITL_EXPIRED"]; // the question is no longer open
/** @param {string} message */
const statusOf = (message) => ({ type: /** @type {const} */ ("status"), node: "", message, thread_id: "" });
const STILL = statusOf("Still working on it…");
const NO_ANSWER = "This was not answered.";

/** @param {Around} around the open conversation and its turns */
export function createConversation({ view, scroll, cardBox, input, open, handing, press, emptied, say, isShown, onBusy, asked }) {
  const transcript = createTranscript(view, scroll);
  const reasoning = createStatusLine(transcript.doing);
  const draft = createDraft({ show: transcript.add, grown: transcript.grown, open });
  const editing = createQuestionEdit(input, () => fetchLastMessage());
  const card = createQuestionCard(cardBox, { answer: (value, label) => answer(value, label), cancel, write: () => input.focus() });
  /** @type {string | null} */
  let thread = null;
  let shown = 0; // increases with each conversation shown: results for an earlier one are dropped
  let busy = false;
  let loading = false;
  let sendsOnceLoaded = false;
  let stopping = false;
  let tagging = false; // the person answers the next question with a mention

  /** @param {boolean} now */
  function setBusy(now) {
    busy = now;
    if (!now) stopping = false;
    view.toggleAttribute("data-busy", now);
    input.setDisabled(now);
    card.setBusy(now);
    onBusy(now);
  }

  /** @param {ChatQuestion | null} question */
  function showQuestion(question) {
    card.show(question);
    asked(question);
  }

  /** Shows a question; the focus goes to its card or the input, never to a button. @param {ChatQuestion} question */
  function showOpenQuestion(question) {
    showQuestion(question);
    say(`Question: ${question.message}`);
    const words = question.interrupt_type === "text_input";
    if (isShown() && words && tagging) input.openMentions();
    else if (isShown() && words) input.focus();
    else if (isShown()) card.focus();
    if (words) tagging = false;
  }

  /** @param {ChatEnd} end @param {Turn} turn */
  function finish(end, turn) {
    if (end.type === "error" && end.stopped) return halt(end.response ?? "");
    if (end.type === "error") return fail(new NotAnswered({ kind: "error", text: end.message }), turn);
    setBusy(false);
    showQuestion(null);
    turn.taken?.();
    const written = draft.take();
    if (end.type === "interrupt" || end.cancelled) written?.remove();
    if (end.type === "interrupt") return showOpenQuestion(end);
    if (end.cancelled) return refocus();
    const item = answerItem(end, { open, handing });
    transcript.addAnswer(item, written);
    say(`Answer: ${item.querySelector(".prose")?.textContent?.slice(0, 400)}`);
    refocus();
  }

  /** The input is disabled while a turn runs: it gets the focus back afterwards, unless the person moved on. */
  function refocus() {
    if (isShown() && (document.activeElement === document.body || document.activeElement === null)) input.focus();
  }

  /** @param {string} text the draft's text when the person stopped it */
  function halt(text) {
    setBusy(false);
    transcript.addAnswer(text ? stoppedItem(text) : noteItem("Stopped"), draft.take());
    showQuestion(null);
    say("Stopped");
    refocus();
  }

  /** @param {unknown} error @param {Turn} turn */
  function fail(error, turn) {
    if (stopping) return halt("");
    setBusy(false);
    draft.drop();
    transcript.add(failureItem(error, { retry: () => void run(turn), press }));
    turn.failed?.();
    refocus();
  }

  /** @param {ChatNews} news of the running turn */
  function showNews(news) {
    if (news.type === "status") return reasoning.say(news);
    if (news.type === "claim") return void (draft.update(news) && say("The answer is being written"));
    draft.drop();
    reasoning.say(statusOf(news.message));
    say(news.message);
  }

  /** @param {Turn} turn */
  async function run(turn) {
    const mine = shown;
    const isMine = () => mine === shown;
    setBusy(true);
    try {
      if (!turn.again) await storeTurn(turn);
      const end = await askTurn(turn.path, turn.body, (news) => isMine() && showNews(news));
      await reasoning.end();
      if (isMine()) finish(end, turn);
    } catch (error) {
      if (!isMine()) return;
      await reasoning.end();
      if (error instanceof NotAnswered && GONE.includes(error.code)) {
        await load(thread);
        if (error.code !== GONE[0]) return;
        return transcript.add(noteItem("That question was already closed"));
      }
      const found = error instanceof CutOff && !stopping ? await fetchAfterCut(turn).catch(() => null) : null;
      if (isMine() && found) await show(found, !turn.again);
      else if (isMine()) fail(error, turn);
    }
  }

  /** Loads the conversation after a broken connection. @param {Turn} turn @returns {Promise<ChatHistory | null>} null when no longer wanted */
  async function fetchAfterCut({ body }) {
    if (!thread) return null;
    const history = await fetchHistory(thread);
    return history.running || hasEndedSince(history, body) ? history : null;
  }

  /** @param {ChatHistory} history @param {boolean} [listens] to a running turn that this browser began */
  async function show(history, listens = true) {
    const mine = shown;
    draft.drop();
    const items = historyItems(history, { open, handing });
    if (items.length === 0 && !history.running) return startEmpty();
    transcript.fill(items);
    showQuestion(null);
    setBusy(history.running);
    if (history.pending_interrupt) return showOpenQuestion(history.pending_interrupt);
    const lost = unansweredMessage(history);
    if (lost) transcript.add(failureItem(new Error(NO_ANSWER), { retry: () => send(lost, false), press }));
    if (!history.running) return refocus();
    const begun = listens && (await storedTurn(history.thread_id));
    if (mine !== shown) return;
    if (begun && isRunning(history, begun.body)) return run({ ...begun, again: true });
    reasoning.say(STILL);
    const settled = await waitForHistory(history.thread_id, () => mine === shown).catch((error) => error);
    if (mine !== shown || !settled) return;
    await reasoning.end();
    if (settled instanceof Error) return retryAction(settled);
    await show(settled);
    const last = settled.messages.at(-1);
    if (last?.role === "assistant") say(`Answer: ${last.content.slice(0, 400)}`);
  }

  /** @param {unknown} error shown in place of the conversation */
  function retryAction(error) {
    setBusy(false);
    transcript.fill([failureItem(error, { retry: () => void load(thread), press })]);
  }

  async function startEmpty() {
    const mine = shown;
    setBusy(false);
    showQuestion(null);
    const made = await emptied().catch((error) => error);
    if (mine !== shown || !transcript.isEmpty()) return;
    if (made instanceof HTMLElement) transcript.instead(made);
    else retryAction(made);
    refocus();
  }

  /** @param {string | null | Promise<string | null>} opened the conversation to show, or none */
  async function load(opened) {
    const mine = (shown += 1);
    loading = true;
    sendsOnceLoaded = false;
    editing.stop();
    reasoning.drop();
    draft.drop();
    setBusy(false);
    showQuestion(null);
    const threadId = await opened;
    if (mine !== shown) return;
    thread = threadId;
    await storeThread(threadId);
    if (mine !== shown) return;
    transcript.instead(skeleton());
    const history = threadId && (await fetchHistory(threadId).catch((error) => error));
    if (mine !== shown) return;
    loading = false;
    if (history instanceof Error) return retryAction(history);
    const showing = history ? show(history) : startEmpty();
    // A question that appeared after the text was written is not answered by it.
    if (sendsOnceLoaded && !card.question()) input.submit();
    await showing;
  }

  /** @param {OutgoingMessage} message @param {boolean} [written] just now, and still in the input */
  function send(message, written = true) {
    if (busy) return;
    if (loading) return void (sendsOnceLoaded = true); // the text stays in the input until then
    if (written && editing.isOpen()) return void askAgain(message);
    const question = card.question();
    if (question?.interrupt_type === "text_input") return answer(message.message, message.message, message);
    if (question) skipQuestion(question);
    showQuestion(null);
    if (written) input.clear();
    if (!thread) void storeThread((thread = crypto.randomUUID()));
    if (written) transcript.add(messageItem(message));
    void run(messageTurn(thread, message));
  }

  /**
   * Asks the last question again, or `message` in its place; the earlier answer disappears.
   *
   * @param {OutgoingMessage} [message]
   */
  async function askAgain(message) {
    const mine = shown;
    const asked = await fetchLastMessage();
    if (!asked || busy || mine !== shown) return;
    editing.stop();
    showQuestion(null);
    transcript.dropLast();
    transcript.add(message ? messageItem(message) : storedMessageItem(asked));
    void run(replacementTurn(thread, asked.id, message));
  }

  /** @returns {Promise<ChatLine | undefined>} the server's copy; reports an error if there is none */
  async function fetchLastMessage() {
    try {
      return thread ? lastMessage(await fetchHistory(thread)) : undefined;
    } catch (error) {
      transcript.add(failureItem(error, { retry: () => void load(thread), press }));
      return undefined;
    }
  }

  view.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement | null} */ (event.target instanceof Element ? event.target.closest("[data-does]") : null);
    if (!button || busy) return;
    if (button.dataset.does === "edit") void editing.toggle(button);
    else if (button.dataset.does === "again") void askAgain();
  });

  /** @param {ChatQuestion} question whose answer was refused */
  function skipQuestion(question) {
    transcript.add(noteItem(question.message));
    transcript.add(noteItem(LEFT_LINE, "cancelled"));
  }

  /** @param {string} value @param {string} label @param {OutgoingMessage} [message] the message, if the answer was written */
  function answer(value, label, message) {
    const question = card.question();
    if (!question || busy) return;
    tagging = value === "tag_docs" && question.interrupt_type === "retrieval_low";
    if (message) input.clear();
    const taken = () => {
      transcript.add(noteItem(question.message));
      transcript.add(noteItem(answeredLine(label), "answer"));
    };
    const failed = () => message && input.fill(/** @type {object} */ (message.tiptap_json) ?? message.message);
    const { tiptap_json, tagged_doc_ids } = message ?? {};
    const written = message ? { tiptap_json, tagged_doc_ids } : {};
    void run({ ...resumeTurn(thread, question, question.interrupt_type, { value, ...written }), taken, failed });
  }

  function cancel() {
    const question = card.question();
    if (question && !busy) void run({ ...resumeTurn(thread, question, "cancel", { value: null }), taken: () => skipQuestion(question) });
  }

  return {
    load,
    send,
    thread: () => thread,
    isBusy: () => busy,
    /** A failure after this was caused by the person's own stop. */
    stopped: () => (stopping = busy),
    enterCard: card.enter,
    toEnd: transcript.toEnd,
  };
}
