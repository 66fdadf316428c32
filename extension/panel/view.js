import { byId, element } from "./element.js";
import { createPace } from "./pace.js";
import { noticeFor } from "./situation.js";
import { renderPlan, renderTimeline } from "./timeline.js";
import { footer, siteOf, STATE_WORDS } from "./words.js";

/** @import { Notice, View } from "../types/run" */
/** @import { Situation } from "./situation.js" */

const pace = createPace((text) => {
  const line = byId("thinking");
  line.textContent = text ?? "";
  line.hidden = !text;
});

/** @param {View} view */
export const isLive = (view) => view.state === "running" || view.state === "waiting";

/** @param {string} id @param {string | null} text hides what has nothing to say */
function put(id, text) {
  byId(id).textContent = text ?? "";
  byId(id).hidden = !text;
}

/** @param {Notice | null} notice @param {(notice: Notice) => void} press */
function renderNotice(notice, press) {
  const box = byId("notice");
  const state = JSON.stringify(notice);
  if (box.dataset.was === state) return;
  box.dataset.was = state;
  box.dataset.kind = notice?.kind ?? "";
  box.hidden = !notice;
  box.replaceChildren();
  if (!notice) return;
  box.append(element("p", {}, notice.text));
  if (!notice.button) return;
  const button = element("button", { type: "button" }, notice.button.label);
  button.addEventListener("click", () => press(notice));
  box.append(button);
}

/** @param {View} view @param {View | null} before says what is new, once, to who listens */
function announce(view, before) {
  const step = view.steps.at(-1);
  const earlier = before?.steps.at(-1);
  let text = "";
  if (view.question && view.question.hitlId !== before?.question?.hitlId) text = view.question.message;
  else if (before && view.state !== before.state && !isLive(view)) text = `${STATE_WORDS[view.state]}. ${view.result ?? ""}`;
  else if (step && step.id !== earlier?.id) text = step.text;
  if (text) byId("announce").textContent = text;
}

/** @param {View} view @param {number} now */
export function renderFooter(view, now) {
  byId("usage").replaceChildren(...footer(view, now).map((part) => element("span", {}, part)));
}

/**
 * Brings the whole panel up to date.
 *
 * @param {View} view @param {View | null} before what was shown
 * @param {Situation | null} situation @param {(notice: Notice) => void} press
 */
export function render(view, before, situation, press) {
  const live = isLive(view);
  const status = byId("status");
  status.dataset.state = view.state;
  status.textContent = STATE_WORDS[view.state];
  byId("site").textContent = siteOf(view.url || situation?.url || "");
  byId("site").title = view.url || situation?.url || "";
  const notice = noticeFor(view, situation);
  byId("empty").hidden = view.goal !== "" || notice !== null;
  put("goal", view.goal);
  renderPlan(view.plan);
  renderTimeline(view);
  pace.say(live && !view.notice ? view.thinking : null);
  put("result", view.result);
  byId("result").dataset.state = view.state;
  renderNotice(notice, press);
  byId("stop").toggleAttribute("disabled", !live);
  byId("run").toggleAttribute("disabled", live);
  renderFooter(view, Date.now());
  announce(view, before);
  const grew = view.steps.length !== before?.steps.length || view.result !== before?.result || view.notice !== null;
  if (grew) byId("scroll").scrollTop = byId("scroll").scrollHeight;
}
