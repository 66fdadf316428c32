import { element } from "../../element.js";
import { askServer } from "../../server.js";
import { createMentions } from "./mentions.js";
import { cleanText, LONGEST, piecesOfTiptap, messageOf, textOf } from "./message_model.js";
import { caretToEnd, fragmentOf, insert, piecesIn, select } from "./editable.js";

/** @import { ChatInput, OutgoingMessage } from "../../../types/chat" */
/** @import { Piece } from "./message_model.js" */

const TOO_LONG = `Messages are limited to ${LONGEST.toLocaleString("en")} characters. Add a longer text as a document and mention it.`;

/** @param {string} query @returns {Promise<any>} the server's suggestions */
const fetchMentions = (query) => askServer(`/api/chat/mentions?${new URLSearchParams({ query })}`);

/** @returns {HTMLElement} */
const makeBox = () =>
  element("div", {
    class: "chat-box", role: "textbox", "aria-multiline": "true", "aria-label": "Message", contenteditable: "true", tabindex: "0",
    dir: "auto", spellcheck: "true", "data-testid": "chat-input", "data-empty": "",
  });

/** @param {HTMLElement} box @returns {DocumentFragment | null} the selected content */
function selectedIn(box) {
  const selection = getSelection();
  if (!selection?.rangeCount || !box.contains(selection.anchorNode)) return null;
  return selection.getRangeAt(0).cloneContents();
}

/**
 * Inserts pasted or dropped content as plain text; content copied here keeps its mentions.
 *
 * @param {HTMLElement} box @param {(sentence: string) => void} say
 */
function receive(box, say) {
  /** The last copied content, and its text on the clipboard. @type {{text: string, pieces: Piece[]}} */
  let copied = { text: "", pieces: [] };

  /** @param {string} text @param {number} replaced number of characters that it replaces */
  function take(text, replaced) {
    const held = textOf(piecesIn(box)).length - replaced;
    if (text.length + held > LONGEST) return say(TOO_LONG);
    insert(text === copied.text ? copied.pieces : [text]);
  }

  /** @param {ClipboardEvent} event */
  function copy(event) {
    const fragment = selectedIn(box);
    if (!fragment?.childNodes.length || !event.clipboardData) return;
    const pieces = piecesIn(fragment);
    copied = { text: textOf(pieces), pieces };
    event.clipboardData.setData("text/plain", copied.text);
    event.preventDefault();
    if (event.type === "cut") document.execCommand("delete");
  }

  box.addEventListener("copy", copy);
  box.addEventListener("cut", copy);
  box.addEventListener("paste", (event) => {
    event.preventDefault();
    const text = cleanText(event.clipboardData?.getData("text/plain") ?? "");
    const selected = selectedIn(box);
    if (text) take(text, selected ? textOf(piecesIn(selected)).length : 0);
    else say("Only text can be pasted here. Add files under Knowledge and mention them.");
  });
  box.addEventListener("dragstart", (event) => event.preventDefault());
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    const text = cleanText(event.dataTransfer?.getData("text/plain") ?? "");
    const range = document.caretRangeFromPoint(event.clientX, event.clientY);
    if (!text || !range || !box.contains(range.startContainer)) return;
    box.focus();
    select(range);
    take(text, 0);
  });
  // The text has no formatting, and its lines end with breaks.
  box.addEventListener("beforeinput", (event) => /^format|^insert(Paragraph|Ordered|Unordered|Horizontal|Link)/.test(event.inputType) && event.preventDefault());
}

/**
 * The message box, with mentions as pills.
 *
 * @param {HTMLElement} host an empty element @param {(message: OutgoingMessage) => void} onSend @returns {ChatInput}
 */
export function chatInput(host, onSend) {
  const box = makeBox();
  const hint = element("p", { class: "chat-said", role: "alert", "data-testid": "chat-input-said" });
  host.classList.add("chat-input");
  host.append(box, hint);
  const mentioning = createMentions(host, box, fetchMentions);
  const isOff = () => box.getAttribute("aria-disabled") === "true";
  const say = (/** @type {string} */ sentence) => void (hint.textContent = sentence);

  function changed() {
    const text = textOf(piecesIn(box));
    box.toggleAttribute("data-empty", text === "" || text === "\n");
    say("");
  }

  function send() {
    if (isOff()) return;
    const message = messageOf(piecesIn(box));
    if (message.message.length > LONGEST) say(TOO_LONG);
    else if (message.message) onSend(message);
  }

  /** @param {Piece[]} pieces replace the whole text, as an edit that can be undone */
  function replaceAll(pieces) {
    mentioning.close();
    if (document.activeElement !== box || isOff()) {
      box.replaceChildren(fragmentOf(pieces));
      return changed();
    }
    const range = document.createRange();
    range.selectNodeContents(box);
    select(range);
    if (pieces.length > 0) insert(pieces);
    else document.execCommand("delete");
    changed();
  }

  function openMentions() {
    box.focus();
    const range = getSelection()?.rangeCount ? getSelection()?.getRangeAt(0) : undefined;
    if (!range || !box.contains(range.startContainer)) caretToEnd(box);
    const node = getSelection()?.anchorNode;
    const before = node instanceof Text ? node.data.slice(0, getSelection()?.anchorOffset) : "";
    insert([/\S$/.test(before) ? " @" : "@"]);
  }

  receive(box, say);
  box.addEventListener("input", (event) => {
    changed();
    if (!(/** @type {InputEvent} */ (event).isComposing)) mentioning.look({ opens: true });
  });
  box.addEventListener("compositionend", () => mentioning.look({ opens: true }));
  box.addEventListener("blur", () => mentioning.close());
  document.addEventListener("selectionchange", () => document.activeElement === box && mentioning.look({ opens: false }));
  box.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || mentioning.takes(event)) return; // 229: the key belongs to an input method
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    if (!event.repeat) send();
  });

  return {
    focus: () => {
      const wasIn = document.activeElement === box;
      box.focus();
      if (!wasIn) caretToEnd(box);
    },
    setDisabled(disabled) {
      box.contentEditable = String(!disabled);
      box.toggleAttribute("data-off", disabled);
      if (disabled) box.setAttribute("aria-disabled", "true");
      else box.removeAttribute("aria-disabled");
      if (disabled) mentioning.close();
    },
    setPlaceholder(text) {
      box.dataset.placeholder = text;
      if (!mentioning.isOpen()) box.setAttribute("aria-placeholder", text);
    },
    fill: (given) => replaceAll(typeof given === "string" ? (given ? [cleanText(given)] : []) : piecesOfTiptap(given)),
    value: () => messageOf(piecesIn(box)),
    submit: send,
    clear: () => replaceAll([]),
    openMentions,
  };
}
