/**
 * Where the conversation meets its input box, its sources and the agent: what each side may count on.
 *
 * `input/input.js` exports `chatInput(host, given): ChatInput`, `source/source.js` exports
 * `openSource: OpenSource`, `handing.js` exports `createHanding(places): Handing`.
 */

/** @import { ChatAnswer, Citation, Said } from "../../types/chat" */
/** @import { InterruptEvent } from "../../types/wire" */

/**
 * What the input box is given: who finds what can be mentioned, what is done with what was said, and what
 * hears each change of the text.
 *
 * @typedef {{mentions?: (query: string) => Promise<any>, onSend: (said: Said) => void, onText?: (text: string) => void}} InputGiven
 */

/**
 * The box where a person writes. `host` is an empty element that it fills; Enter sends, Shift+Enter breaks the
 * line. `submit` sends as Enter does. It stays as it is after `onSend`: who takes what was said calls `clear()`. Disabled it sends nothing and
 * takes no words. `fill` replaces the text, also by a document of TipTap,
 * `openMentions` opens the menu of mentions as `@` does and takes the focus.
 *
 * @typedef {{focus(): void, setDisabled(disabled: boolean): void, setPlaceholder(text: string): void, fill(text: string | object): void,
 *   value(): Said, submit(): void, clear(): void, openMentions(): void}} ChatInput
 */

/** Shows the passage in its document; `origin` is what was pressed, and takes the focus back; `current`: the document as it is now. @typedef {(citation: Citation, given: {origin: HTMLElement, current?: boolean}) => void} OpenSource */

/**
 * What the two tabs can be asked to do: show "Do" with a goal written but not run, show "Ask" with a message
 * written but not sent, say which question of the agent waits, and put an answer into the agent's answer box.
 *
 * @typedef {{showDo: (goal?: string) => void, showAsk: (message?: string) => void, question: () => InterruptEvent | null, answer: (text: string) => void}} Places
 */

/**
 * `under` makes the buttons beneath an answer, `changed` is called when the agent's question comes or goes;
 * `card` is shown above the chat's input, hidden while there is nothing to say.
 *
 * @typedef {{under: (answer: ChatAnswer) => Node[], changed: () => void, card: HTMLElement}} Handoff
 */

export {};
