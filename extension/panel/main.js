import { createAnswering } from "./answering.js";
import { moveIntoCard, renderCard, renderCountdown, takesWords } from "./card.js";
import { createChat } from "./chat/chat.js";
import { lookUpWords } from "./chat/looking_up.js";
import { markWaiting, startTabs } from "./chat/tabs.js";
import { byId } from "./element.js";
import { createConsent } from "./delegations.js";
import { createKnowledge } from "./knowledge.js";
import { renderLearning } from "./learning.js";
import { offerRecipe } from "./recipes.js";
import { renderOpinion } from "./reviews.js";
import { rewrite } from "./rewriting.js";
import { createRoomers } from "./roomers.js";
import { back, enter, room } from "./rooms.js";
import { connectRunner } from "./runner.js";
import { survey } from "./survey.js";
import { isLive, render, renderFooter } from "./view.js";

/** @import { Learning } from "../types/learning" */
/** @import { View } from "../types/run" */
/** @import { Press } from "./notice.js" */
/** @import { Situation } from "./situation.js" */

const fixedTab = Number(new URLSearchParams(location.search).get("tabId")) || null;
const goal = /** @type {HTMLTextAreaElement} */ (byId("goal-input"));

/** @type {ReturnType<typeof connectRunner> | null} */
let runner = null;
/** @type {View | null} */
let shown = null;
/** @type {Situation | null} */
let situation = null;
/** @type {number | null} */
let tab = null;
/** The text of the notice that the person put away or saw to. */
let dismissed = "";

const live = () => shown !== null && isLive(shown);

async function look() {
  if (tab === null) return;
  const looked = tab;
  const found = await survey(looked);
  if (looked !== tab) return;
  situation = found;
  consent.moved();
  if (shown) show(shown);
}

const consent = createConsent(byId("delegation"), {
  url: () => situation?.url ?? "",
  send: (kind, message) => runner?.send(kind, message),
  left: () => goal.focus(),
});

/** @type {import("./card.js").CardDeeds} */
const deeds = {
  answer: (value, text) => runner?.send("answer", { value, text }),
  choose: (chosen) => runner?.send("choose", { chosen }),
  again: () => runner?.send("continue"),
  leave: () => dismiss(""),
  handBack: () => runner?.send("hand-back"),
  write: () => goal.focus(),
  lookUp: (question) => chat.showAsk(lookUpWords(question)),
};
const answering = createAnswering({ box: goal, label: byId("goal-label"), button: byId("run") }, (text) => deeds.answer(text, text));

/** @param {View} view the card, and the focus where its question is answered: on nothing where a yes would be pressed */
function showCard(view) {
  const isNew = renderCard(view, deeds);
  const isFree = answering.update(view);
  const isWriting = document.activeElement === goal && goal.value !== "";
  if (!isNew || !isFree || isWriting || room() !== "run") return;
  if (view.question?.options?.length) byId("assist").focus();
  else goal.focus();
}

/** @param {View} view */
function show(view) {
  const before = shown;
  shown = view;
  const follow = render(view, before, situation, { press, dismissed });
  showCard(view);
  markWaiting(view.question !== null);
  if (view.question?.hitlId !== before?.question?.hitlId) chat.changed();
  const isNew = !view.replays && view.steps.some(({ action }) => action);
  offerRecipe(byId("keep"), view.state === "completed" && isNew ? (view.taskId ?? null) : null, rooms.recipes);
  const isOver = view.state === "completed" || view.state === "failed" || Boolean(view.review);
  renderOpinion(byId("opinion"), isOver && !isLive(view) ? (view.taskId ?? null) : null, view.review);
  follow();
  const code = document.getElementById("pair-code");
  if (code && !before?.goal && document.activeElement === goal && !goal.value) code.focus();
  if (before && isLive(before) && !isLive(view)) {
    if (document.hasFocus() && room() === "run") goal.focus();
    void look();
  }
}

/** @param {string} origin must be called in the person's own click or key press */
async function grant(origin) {
  await chrome.permissions.request({ origins: [`${origin}/*`] }).catch(() => false);
  await look();
}

/** @param {string} text of a notice that need not be shown again */
function dismiss(text) {
  dismissed = text;
  runner?.send("dismiss");
  if (shown) show(shown);
}

/** @type {Press} */
function press({ does, origin }, notice) {
  if (does === "settings") void chrome.runtime.openOptionsPage();
  else if (does === "grant" && origin) void grant(origin);
  else if (does === "continue") runner?.send("continue");
  else if (does === "hand-back") void begin(shown?.goal ?? "", { continueFrom: shown?.taskId });
  else if (does === "dismiss") dismiss(notice.text);
  else if (live()) runner?.send("retry");
  else void look();
}

const rooms = createRoomers({
  press,
  site: () => shown?.url || situation?.url || "",
  clear: (invitation) => {
    byId("invitation").textContent = invitation;
    runner?.send("clear");
  },
  replay: (text, recipe) => {
    if (live()) return;
    enter("run");
    void begin(text, { recipe });
  },
});

/** @param {string} url must be called in the person's own click or key press */
async function permit(url) {
  if (/^https?:/.test(url)) await grant(new URL(url).origin);
}

/** @param {string} url learns a page that only a browser can read: in a tab of its own, which is shown */
async function openAndLearn(url) {
  const asked = runner;
  await permit(url);
  const { id } = await chrome.tabs.create({ url });
  asked?.send("learn", { elsewhere: id });
}

const knowledge = createKnowledge(/** @type {HTMLElement} */ (document.querySelector("[data-room=knowledge]")), {
  press,
  url: () => shown?.url || situation?.url || "",
  learn: async () => {
    const asked = runner;
    if (situation && !situation.permitted) await permit(situation.url);
    asked?.send("learn");
  },
  open: (url) => void openAndLearn(url),
});

const chat = createChat({
  press,
  knowledge: () => void knowledge.show(),
  places: {
    showDo: (text) => {
      enter("run");
      if (text) rewrite(goal, text);
    },
    question: () => shown?.question ?? null,
    answer: (text) => {
      enter("run");
      if (shown?.question && takesWords(shown.question)) rewrite(goal, text);
    },
  },
});

/** What was learned last, so that the list shows it. */
let learned = "";

/** @param {Learning} learning */
function showLearning(learning) {
  renderLearning(byId("learning"), learning, (kind, message) => runner?.send(kind, message));
  const news = learning.busy ? "" : learning.said;
  if (news && news !== learned && room() === "knowledge") knowledge.changed();
  learned = news;
}

/**
 * Begins a run in the tab that is shown; must be called in the person's own click or key press.
 *
 * @param {string} text the goal @param {object} [how] a recipe to replay, or the task to go on from
 */
async function begin(text, how = {}) {
  const asked = runner;
  if (!asked) return;
  // First thing in the key press, or Chrome does not take it for the person's own.
  if (situation && !situation.permitted) await permit(situation.url);
  if (runner !== asked) {
    goal.value ||= text; // another tab is shown by now, for which it was not said
    return;
  }
  dismissed = "";
  asked.send("run", { goal: text, ...how });
}

async function run() {
  const text = goal.value.trim();
  if (!text || !runner || live()) return;
  goal.value = ""; // at once: what is written from here on is kept
  await begin(text);
}

/** @param {number} tabId shows that tab's run from now on */
function attach(tabId) {
  if (tab === tabId) return;
  tab = tabId;
  shown = null;
  situation = null;
  runner?.close();
  runner = connectRunner(tabId, { view: show, learning: showLearning, asking: consent.show });
  void look();
}

async function followWindow() {
  const { id: windowId } = await chrome.windows.getCurrent();
  chrome.tabs.onActivated.addListener((now) => now.windowId === windowId && attach(now.tabId));
  const [active] = await chrome.tabs.query({ active: true, windowId });
  if (active?.id) attach(active.id);
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!answering.submit()) void run();
});
goal.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "ArrowUp" && goal.value === "") moveIntoCard(event);
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  if (!event.repeat && !answering.submit()) void run(); // a key still held down sends nothing
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  if (room() === "chat" && chat.isBusy()) void chat.stop();
  else if (live()) runner?.send("stop");
  else if (room() !== "chat" && room() !== "run") back();
});
byId("stop").addEventListener("click", () => runner?.send("stop"));
byId("pause").addEventListener("click", () => runner?.send("pause"));
byId("site").addEventListener("click", () => (room() === "sites" ? back() : rooms.sites()));
byId("history").addEventListener("click", () => (room().startsWith("session") ? back() : rooms.sessions()));
byId("recipes").addEventListener("click", () => (room() === "recipes" ? back() : void rooms.recipes()));
byId("knowledge").addEventListener("click", () => (room() === "knowledge" ? back() : void knowledge.show()));
byId("settings").addEventListener("click", () => void chrome.runtime.openOptionsPage());
byId("example").addEventListener("click", () => {
  goal.value = "Click the first link";
  goal.focus();
});
chrome.storage.onChanged.addListener((changes) => {
  if (!changes.settings) return;
  // Whatever was wrong with the old key or address is no longer so.
  if (!live()) dismissed = shown?.notice?.text ?? "";
  void look();
  void chat.reload();
  if (room() === "sessions") rooms.sessions();
});
for (const event of [chrome.permissions.onAdded, chrome.permissions.onRemoved]) {
  event.addListener(() => {
    void look();
    if (room() === "sites") rooms.sites();
  });
}
chrome.tabs.onUpdated.addListener((tabId, change) => {
  if (tabId === tab && (change.url || change.status === "complete")) void look();
});
setInterval(() => {
  if (!shown || !live()) return;
  renderFooter(shown, Date.now());
  renderCountdown(shown, Date.now());
}, 1000);

goal.focus();
void startTabs();
if (fixedTab) attach(fixedTab);
else void followWindow();
