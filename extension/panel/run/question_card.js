import { canBeLookedUp, lookUpWords, questionParts } from "../../shared/question_text.js";
import { approvalFacts, singleChoice, multipleChoice, renderChosen, approvalButtons } from "./question_options.js";
import { button, byId, element } from "../element.js";
import { handleOptionKey } from "../option_keys.js";
import { offerNotifications } from "../notification_permission.js";
import { countdown, siteOf } from "../format.js";

/** @import { View } from "../../types/run" */
/** @import { InterruptEvent } from "../../types/wire" */

/**
 * The card's callbacks. `write` moves the focus to the answer box, `lookUp` searches the documents for these words.
 * @typedef {{answer: (value: string | string[] | null, text: string) => void, choose: (chosen: string[]) => void,
 *   again: () => void, leave: () => void, handBack: () => void, write: () => void, lookUp?: (words: string) => void}} CardActions
 */

/** @type {Record<InterruptEvent["kind"], string>} */
const KINDS = { approval: "Needs your approval", clarification: "A question", disambiguation: "Which one" };

/** @param {InterruptEvent} question whether it takes a written answer; an approval is always a button press */
export const takesWords = ({ kind, expectedInput }) => kind !== "approval" && expectedInput !== "yes_no";

/** @param {string} what @param {string} url */
const aboutLine = (what, url) => element("p", { class: "about" }, [what, siteOf(url)].filter(Boolean).join(" · "));

/** @param {InterruptEvent} question the question, and the requested fields below it, one per line */
function questionPart(question) {
  const { sentence, needs } = questionParts(question);
  const heading = element("h2", { id: "question", dir: "auto" }, sentence);
  if (question.kind === "approval") return [heading, ...approvalFacts(question)];
  if (needs.length === 0) return [heading];
  return [heading, element("ul", { id: "needs", class: "needs" }, ...needs.map((line) => element("li", { dir: "auto" }, line)))];
}

/** @param {InterruptEvent} question @param {CardActions} deeds @returns {Node[]} its answer buttons */
function optionsOf(question, deeds) {
  if (!takesWords(question)) return [approvalButtons(question, deeds)];
  if (!question.options?.length) return [];
  return [question.expectedInput === "multi_choice" ? multipleChoice(question, deeds) : singleChoice(question, deeds)];
}

/** @param {InterruptEvent} question @param {CardActions} deeds */
function lookUpOf(question, { lookUp }) {
  if (!lookUp || !canBeLookedUp(question)) return [];
  const look = button("Look it up in the documents", () => lookUp(lookUpWords(question)), { class: "quiet", "data-testid": "assist-look-up" });
  return [element("p", { class: "look-up" }, look)];
}

/** @param {InterruptEvent} question @param {string} url @param {CardActions} deeds @returns {Node[]} */
function questionCard(question, url, deeds) {
  const cancel = button("Cancel", () => deeds.answer(null, ""), { "data-testid": "assist-cancel", title: "End the task without an answer" });
  const hint = element("p", { class: "said", id: "assist-hint", "data-testid": "assist-hint", role: "alert" });
  const away = element("p", { class: "away", id: "assist-away", "data-testid": "assist-away", hidden: "" }, "The server is not responding. Your answer will be sent when it is back.");
  const end = element("div", { class: "end" }, element("span", { class: "left", id: "expires" }), cancel);
  const wish = element("p", { class: "wish", id: "wish" });
  const site = question.approval?.site ? "" : url; // an approval names its own site
  return [aboutLine(KINDS[question.kind] ?? "A question", site), ...questionPart(question), ...optionsOf(question, deeds), hint, away, end, ...lookUpOf(question, deeds), wish];
}

/** @param {InterruptEvent} question that expired @param {string} url @param {CardActions} deeds @returns {Node[]} */
function lapsedCard(question, url, { again, leave }) {
  const { sentence } = questionParts(question);
  return [
    aboutLine("Time is up", url),
    element("h2", { id: "question", dir: "auto" }, sentence),
    element("p", { class: "over" }, "Nobody answered in time, so nothing more was done."),
    element("div", { class: "buttons" }, button("Ask again", again, { class: "primary", "data-testid": "assist-again" }), button("Dismiss", leave, { "data-testid": "assist-leave" })),
  ];
}

/** @param {string} url @param {CardActions} deeds @returns {Node[]} */
function heldCard(url, { handBack }) {
  return [
    aboutLine("You are in control", url),
    element("h2", { id: "question" }, "Do what you need to do on the page, then hand back."),
    element("div", { class: "buttons" }, button("Hand back", handBack, { class: "primary", "data-testid": "hand-back" })),
  ];
}

/** @param {View} view @returns {{id: string, kind: string}} the card to show; id is "" for none */
function cardOf({ question, lapsed, held }) {
  if (question) return { id: question.hitlId, kind: question.kind };
  if (lapsed) return { id: `${lapsed.hitlId}/lapsed`, kind: "lapsed" };
  return held ? { id: "held", kind: "held" } : { id: "", kind: "" };
}

/** @param {View} view @param {CardActions} deeds @returns {Node[]} */
function cardContents({ question, lapsed, url }, deeds) {
  if (question) return questionCard(question, url, deeds);
  return lapsed ? lapsedCard(lapsed, url, deeds) : heldCard(url, deeds);
}

/**
 * Updates the card above the input; its content is built once per question.
 *
 * @param {View} view @param {CardActions} deeds @returns {boolean} whether another card is shown now
 */
export function renderCard(view, deeds) {
  const card = byId("assist");
  const { id, kind } = cardOf(view);
  const isNew = (card.dataset.id ?? "") !== id;
  card.hidden = !id;
  if (isNew) {
    card.dataset.id = id;
    card.dataset.kind = kind;
    card.replaceChildren(...(id ? cardContents(view, deeds) : []));
    const { question } = view;
    const write = question && takesWords(question) ? deeds.write : undefined;
    card.onkeydown = (event) => handleOptionKey(event, [...card.querySelectorAll(/** @type {"button"} */ (".option"))], { approval: question?.kind === "approval", write });
  }
  if (!view.question) return isNew;
  if (isNew) void offerNotifications(byId("wish"));
  renderChosen(card, view.chosen ?? []);
  byId("assist-hint").textContent = view.hint ?? "";
  byId("assist-away").hidden = !view.away;
  renderCountdown(view, Date.now());
  return isNew;
}

/** @param {KeyboardEvent} event moves the focus from the goal box up to the card, if there is one */
export function moveIntoCard(event) {
  const first = byId("assist").querySelector(".option:enabled, button.primary:enabled");
  if (!(first instanceof HTMLElement)) return;
  first.focus();
  event.preventDefault();
}

/** @param {View} view @param {number} now */
export function renderCountdown({ question, until }, now) {
  const left = document.getElementById("expires");
  const end = until ?? Date.parse(question?.expiresAt ?? "");
  if (left && end) left.textContent = end > now ? `${countdown(end - now)} left` : "Time is up";
}
