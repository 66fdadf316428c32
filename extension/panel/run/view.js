import { byId, element } from "../element.js";
import { renderNotice } from "../notice.js";
import { createPacer } from "./pace.js";
import { renderPlan } from "./plan.js";
import { noticeFor } from "./situation.js";
import { currentRoom } from "../navigation.js";
import { renderSteps } from "./steps.js";
import { footer, siteOf, STATE_WORDS, stateWord } from "../format.js";

/** @import { Notice, View } from "../../types/run" */
/** @import { Press } from "../notice.js" */
/** @import { Situation } from "./situation.js" */

const NEAR_END = 48; // px: a reader who has scrolled further up stays there

/** Whether the newest line is in view, or was before the box shrank. */
let atEnd = true;

/** @param {HTMLElement} box */
const isAtEnd = (box) => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;

// A growing card or answer hides nothing; other rooms are read from the top.
const scroll = byId("scroll");
scroll.addEventListener("scroll", () => (atEnd = isAtEnd(scroll)));
new ResizeObserver(() => {
  if (currentRoom() === "run" && atEnd && !byId("timeline").contains(document.activeElement)) scroll.scrollTop = scroll.scrollHeight;
}).observe(scroll);

const pace = createPacer((text) => {
  const line = byId("thinking");
  line.textContent = text ?? "";
  line.hidden = !text;
});

/** @param {View} view */
export const isLive = (view) => view.state === "running" || view.state === "waiting";

/** @param {string} id @param {string | null} text an element without text is hidden */
function setText(id, text) {
  byId(id).textContent = text ?? "";
  byId(id).hidden = !text;
}

/** @param {string} [name] of the assistant that requested the run */
function renderAsker(name) {
  byId("asked-by").hidden = !name;
  byId("asked-by").replaceChildren(...(name ? ["Asked by ", element("bdi", {}, name)] : []));
}

/** Announces news to screen readers, once. @param {View} view @param {View | null} before */
function announce(view, before) {
  const step = view.steps.at(-1);
  const earlier = before?.steps.at(-1);
  const done = step && step.id !== earlier?.id ? [step.text] : [];
  const lines = [...done, ...turnOf(view, before)];
  if (lines.length > 0) byId("announce").replaceChildren(...lines.map((line) => element("p", {}, line)));
}

/** @param {View} view @param {View | null} before @returns {string[]} the run's news */
function turnOf(view, before) {
  let text = "";
  if (view.question && view.question.hitlId !== before?.question?.hitlId) text = `Question: ${view.question.message}`;
  else if (view.lapsed && !before?.lapsed) text = "Nobody answered in time, so nothing more was done.";
  else if (view.held && !before?.held) text = "You are in control. Hand back when you are done.";
  else if (before && view.state !== before.state && !isLive(view)) text = `${STATE_WORDS[view.state]}. ${view.result ?? ""}`;
  return text ? [text] : [];
}

/** @param {View} view @param {number} now */
export function renderFooter(view, now) {
  byId("usage").replaceChildren(...footer(view, now).map((part) => element("span", { title: part }, part)));
}

/** Updates state, site and stop button, which stay visible in every room. @param {View} view @param {Situation | null} situation */
function renderBar(view, situation) {
  const live = isLive(view);
  const status = byId("status");
  status.dataset.state = view.state;
  status.textContent = stateWord(view);
  const url = view.url || situation?.url || "";
  byId("site").textContent = siteOf(url) || "No page";
  byId("site").title = `${url}\nSites Tabwright can use`.trim();
  byId("stop").toggleAttribute("disabled", !live);
  byId("pause").hidden = view.state !== "running";
  for (const id of ["recipes", "knowledge"]) byId(id).hidden = live; // no recipe can begin, and the bar is narrow
  byId("run").toggleAttribute("disabled", live);
}

/**
 * Keeps the newest line in view, unless the person has scrolled up or opened a step.
 *
 * @param {View} view @param {View | null} before @param {boolean} wasAtEnd
 */
function follow(view, before, wasAtEnd) {
  const news = (/** @type {View | null} */ of) => JSON.stringify([of?.steps.length, of?.result, of?.notice, of?.question?.hitlId, of?.lapsed?.hitlId, of?.held]);
  const grew = news(view) !== news(before);
  if (currentRoom() === "run" && grew && wasAtEnd && !byId("timeline").contains(document.activeElement)) scroll.scrollTop = scroll.scrollHeight;
}

/**
 * Updates the whole panel.
 *
 * @param {View} view @param {View | null} before the previous view
 * @param {Situation | null} situation @param {{press: Press, dismissed: string, whole: () => void}} notices the handler of their buttons, the dismissed text, and a callback for when a notice is complete
 * @returns {() => void} keeps the newest line in view; to be called when the question is rendered too
 */
export function render(view, before, situation, { press, dismissed, whole }) {
  const live = isLive(view);
  const wasAtEnd = !before || isAtEnd(scroll);
  renderBar(view, situation);
  const notice = noticeFor(view, situation, dismissed);
  byId("empty").hidden = view.goal !== "" || notice !== null;
  setText("goal", view.goal);
  renderAsker(view.askedBy);
  renderPlan(view.plan, view.parts ?? []);
  renderSteps(byId("timeline"), view.steps, view.startedAt);
  // The current activity is already in the timeline, as its first open step.
  const doing = view.steps.find(({ mark }) => mark === "pending")?.text;
  const stuck = view.notice !== null && !["frames", "info", "model"].includes(view.notice.kind);
  pace.say(live && !stuck && view.thinking !== doing ? view.thinking : null);
  byId("timeline").toggleAttribute("data-live", view.state === "running");
  setText("result", view.result);
  byId("result").dataset.state = view.state;
  renderNotice(byId("notice"), notice, press, whole);
  renderFooter(view, Date.now());
  announce(view, before);
  return () => follow(view, before, wasAtEnd);
}
