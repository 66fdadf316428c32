import { renderMarkdown } from "./answer/markdown.js";
import { takesWords } from "../run/question_card.js";
import { button, element } from "../element.js";
import { questionLine, canBeLookedUp } from "../../shared/question_text.js";

/** @import { ChatAnswer, Handoff, Places } from "../../types/chat" */

/** Extracts from an answer its plain text and the shortest cited statement. */



const LONGEST_GOAL = 2_000; // characters of a goal
const LONGEST_ANSWER = 1_000;
const BLOCKS = "p, li, td, th, h3, h4, h5, h6, blockquote, pre";
const MARK = "\ue000"; // stands in for a citation marker while sentences are split
const MARKS = /(\ue000[\ue000\s]*)/;
const ENDING = [".", "!", "?", "。", "！", "？", "…"];
const CLOSING = ['"', "”", "’", ")"];
const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** @param {string} text @param {number} most @returns {string} cut at a word boundary */
function cutTo(text, most) {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const space = cut.search(/\s\S*$/);
  return `${cut.slice(0, space > most / 2 ? space : undefined).trimEnd()}…`;
}

/** @param {string} text */
const tidy = (text) => text.replace(/\s+/g, " ").replace(/ ([.,;:!?])/g, "$1").trim();

/** @param {string} markdown @returns {Element[]} its blocks; text without a block counts as one */
function blocksOf(markdown) {
  const made = renderMarkdown(markdown);
  for (const node of [...made.childNodes]) {
    if (node.nodeType !== Node.TEXT_NODE || !node.nodeValue?.trim()) continue;
    const block = document.createElement("p");
    node.replaceWith(block);
    block.append(node);
  }
  return [...made.querySelectorAll(BLOCKS)];
}

/** @param {Element} block without nested blocks, and with `mark` for each citation marker @param {string} mark */
function ownText(block, mark) {
  const copy = /** @type {Element} */ (block.cloneNode(true));
  for (const inner of copy.querySelectorAll(`${BLOCKS}, ul, ol, table`)) inner.remove();
  for (const marker of copy.querySelectorAll("sup")) marker.replaceWith(mark);
  return tidy(copy.textContent ?? "");
}

/** @param {string} markdown @returns {string} its text, one line per block, without citation markers and formatting */
export function goalText(markdown) {
  /** @type {string[]} */
  const lines = [];
  /** @type {Element | null} */
  let row = null;
  for (const block of blocksOf(markdown)) {
    const text = ownText(block, "");
    const now = block.closest("tr");
    if (!text) continue;
    if (now && now === row) lines[lines.length - 1] += `, ${text}`;
    else lines.push(text);
    row = now;
  }
  return cutTo(lines.join("\n"), LONGEST_GOAL);
}

/** @param {string} words @returns {number} where the punctuation that ends a sentence begins; the length if there is none */
function endOf(words) {
  let at = words.length;
  while (CLOSING.includes(words[at - 1])) at -= 1;
  const end = at;
  while (ENDING.includes(words[at - 1])) at -= 1;
  return at < end ? at : words.length;
}

/** @param {string} text @returns {string} with citation markers moved before the end of their sentence, so that they stay with it */
function withMarksInside(text) {
  const pieces = text.split(MARKS); // text and markers alternate
  let made = "";
  for (let at = 0; at < pieces.length; at += 2) {
    const [words, marks = ""] = [pieces[at].trimEnd(), pieces[at + 1]];
    const end = endOf(words);
    made += marks && end < words.length ? `${words.slice(0, end)}${marks}${words.slice(end)} ` : pieces[at] + marks;
  }
  return made;
}

/** @param {Element} block @returns {string[]} its sentences with a citation */
function citedIn(block) {
  const text = withMarksInside(ownText(block, MARK));
  return [...sentences.segment(text)].map(({ segment }) => segment).filter((one) => one.includes(MARK)).map((one) => tidy(one.replaceAll(MARK, "")));
}

/**
 * @param {Pick<ChatAnswer, "response" | "citations">} answer
 * @returns {string} the shortest sentence or table cell with a citation; else the shortest quote; empty if nothing is cited
 */
export function shortestCitedText({ response, citations }) {
  if (!citations?.length) return "";
  const cited = blocksOf(response).flatMap(citedIn);
  const texts = cited.length > 0 ? cited : citations.map(({ quote }) => tidy(quote));
  const [shortest = ""] = texts.filter((one) => /[\p{L}\p{N}]/u.test(one)).sort((a, b) => a.length - b.length);
  return cutTo(shortest, LONGEST_ANSWER);
}

/**
 * Passes text between the conversation and the agent. It sends and runs nothing: it only fills text
 * boxes, and the person decides.
 *
 * @param {Places} places @returns {Handoff}
 */
export function createHandoff(places) {
  const words = element("p", { class: "asks", dir: "auto" });
  const back = button("Back to the task", () => places.showDo(), { class: "quiet", "data-testid": "chat-handing-back" });
  const card = element("section", { class: "handing", "aria-label": "The agent’s question", "data-testid": "chat-handing", hidden: "" }, words, back);
  const status = element("span", { class: "hint", role: "status" });
  /** The "answer the agent" buttons below the answers. @type {WeakRef<HTMLElement>[]} */
  let answers = [];

  const isWaiting = () => canBeLookedUp(places.question());

  function changed() {
    const question = places.question();
    const open = question !== null && canBeLookedUp(question);
    card.hidden = !open;
    words.textContent = open ? `The agent asks: ${questionLine(question)}` : "";
    answers = answers.filter((one) => one.deref());
    status.remove();
    for (const one of answers) one.deref()?.toggleAttribute("hidden", !open);
  }

  return {
    card,
    changed,
    under(answer) {
      const goal = button("Use as a goal", () => {
        const question = places.question();
        if (!question || !takesWords(question)) return places.showDo(goalText(answer.response));
        status.textContent = "The agent is waiting for an answer first.";
        goal.after(status);
      }, { class: "quiet", "data-testid": "chat-use-goal" });
      const value = shortestCitedText(answer);
      if (!value) return [goal];
      const reply = button("Use as the answer", () => void (isWaiting() && places.answer(value)), { class: "quiet", "data-testid": "chat-use-answer" });
      reply.title = `Writes “${value}” into the agent’s question`;
      reply.hidden = !isWaiting();
      answers.push(new WeakRef(reply));
      return [reply, goal];
    },
  };
}
