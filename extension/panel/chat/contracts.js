/**
 * The interfaces between the conversation, its input box, its sources and the agent.
 *
 * `input/input.js` exports `chatInput(host, given): ChatInput`, `source/source.js` exports
 * `openSource: OpenSource`, `handoff.js` exports `createHandoff(places): Handoff`.
 */

/** @import { ChatAnswer, Citation, OutgoingMessage } from "../../types/chat" */
/** @import { InterruptEvent } from "../../types/wire" */

/**
 * Callbacks for the input box: `mentions` finds what can be mentioned, `onSend` takes the message, `onText`
 * is called on every change.
 *
 * @typedef {{mentions?: (query: string) => Promise<any>, onSend: (said: OutgoingMessage) => void, onText?: (text: string) => void}} InputGiven
 */

/**
 * The box where a person writes. `host` is an empty element that it fills; Enter sends, Shift+Enter breaks the
 * line. `submit` sends as Enter does. The text stays after `onSend` until the caller calls `clear()`. While disabled it sends nothing and
 * cannot be edited. `fill` replaces the text, also with a TipTap document;
 * `openMentions` opens the mention menu as `@` does and takes the focus.
 *
 * @typedef {{focus(): void, setDisabled(disabled: boolean): void, setPlaceholder(text: string): void, fill(text: string | object): void,
 *   value(): OutgoingMessage, submit(): void, clear(): void, openMentions(): void}} ChatInput
 */

/** Shows the passage in its document; `origin` is the pressed element, which gets the focus back; `current`: the newest version of the document. @typedef {(citation: Citation, given: {origin: HTMLElement, current?: boolean}) => void} OpenSource */

/**
 * What the two tabs offer each other: show "Do" with a goal that is filled in but not run, show "Ask" with a message
 * that is filled in but not sent, return the agent's open question, and fill in the agent's answer box.
 *
 * @typedef {{showDo: (goal?: string) => void, showAsk: (message?: string) => void, question: () => InterruptEvent | null, answer: (text: string) => void}} Places
 */

/**
 * `under` makes the buttons below an answer, `changed` is called when the agent's question appears or goes;
 * `card` is shown above the chat's input and hidden while it is empty.
 *
 * @typedef {{under: (answer: ChatAnswer) => Node[], changed: () => void, card: HTMLElement}} Handoff
 */

export {};
