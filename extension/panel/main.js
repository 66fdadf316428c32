import { chatLater, markWaiting, startTabs } from "./chat/tabs.js";
import { byId } from "./element.js";
import { lazyPart, showLoadFailure, loadStylesheet } from "./lazy_part.js";
import { createRooms } from "./rooms_ui.js";
import { goBack, showRoom, currentRoom } from "./navigation.js";
import { connectRunner } from "./runner_port.js";
import { readSituation } from "./run/situation.js";
import { isLive, render, renderFooter } from "./run/view.js";

/** @import { Learning } from "../types/learning" */
/** @import { View } from "../types/run" */
/** @import { Press } from "./notice.js" */
/** @import { Situation } from "./run/situation.js" */

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
/** The text of the notice that the person dismissed or resolved. */
let dismissed = "";

const live = () => shown !== null && isLive(shown);

async function refreshSituation() {
  if (tab === null) return;
  const looked = tab;
  const found = await readSituation(looked);
  if (looked !== tab) return;
  situation = found;
  consent.here()?.moved();
  if (shown) show(shown);
}

const consent = lazyPart(
  async () => {
    const [{ createDelegationCard }] = await Promise.all([import("./run/delegation_card.js"), loadStylesheet("run/delegation_card.css")]);
    return createDelegationCard(byId("delegation"), {
      url: () => situation?.url ?? "",
      send: (kind, message) => runner?.send(kind, message),
      left: () => goal.focus(),
    });
  },
  () => showLoadFailure(byId("delegation")),
);

/** @type {import("./run/question_card.js").CardActions} */
const cardActions = {
  answer: (value, text) => runner?.send("answer", { value, text }),
  choose: (chosen) => runner?.send("choose", { chosen }),
  again: () => runner?.send("continue"),
  leave: () => dismiss(""),
  handBack: () => runner?.send("hand-back"),
  write: () => goal.focus(),
  lookUp: (words) => {
    showRoom("chat");
    chat.use((part) => part.showAsk(words));
  },
};
const answering = lazyPart(
  async () => {
    const { createAnswerBox } = await import("./run/answer_box.js");
    return createAnswerBox({ box: goal, label: byId("goal-label"), button: byId("run") }, cardActions);
  },
  () => showLoadFailure(byId("assist")),
);

/** What can be done with a finished run. */
const ending = lazyPart(
  async () => {
    const [{ renderRecipeOffer }, { renderOpinion }] = await Promise.all([import("./run/recipe_offer.js"), import("./reviews.js")]);
    return { renderRecipeOffer, renderOpinion };
  },
  () => showLoadFailure(byId("opinion")),
);

/** @param {View} view @param {() => void} follow keeps the newest line in view */
function showEnding(view, follow) {
  const taskId = view.taskId ?? null;
  const isNew = !view.replays && view.steps.some(({ action }) => action);
  const isOver = view.state === "completed" || view.state === "failed" || Boolean(view.review);
  const savable = view.state === "completed" && isNew ? taskId : null;
  const reviewable = isOver && !isLive(view) ? taskId : null;
  ending.when(savable !== null || reviewable !== null, ({ renderRecipeOffer, renderOpinion }) => {
    renderRecipeOffer(byId("keep"), savable, rooms.recipes);
    renderOpinion(byId("opinion"), reviewable, view.review);
    follow();
  });
}

/** Moves the focus to the pairing code when the panel has nothing else to offer. */
function focusCode() {
  const code = document.getElementById("pair-code");
  if (code && !shown?.goal && document.activeElement === goal && !goal.value) code.focus();
}

/** @param {View} view */
function show(view) {
  const before = shown;
  shown = view;
  const follow = render(view, before, situation, { press, dismissed, whole: focusCode });
  answering.when(Boolean(view.question || view.lapsed || view.held), (part) => part.show(view));
  markWaiting(view.question !== null);
  if (view.question?.hitlId !== before?.question?.hitlId) chat.here()?.changed();
  showEnding(view, follow);
  follow();
  if (before && isLive(before) && !isLive(view)) {
    if (document.hasFocus() && currentRoom() === "run") goal.focus();
    void refreshSituation();
  }
}

/** @param {string} origin must be called from a click or key press of the person */
async function grant(origin) {
  await chrome.permissions.request({ origins: [`${origin}/*`] }).catch(() => false);
  await refreshSituation();
}

/** @param {string} text of a notice that should not be shown again */
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
  else void refreshSituation();
}

const rooms = createRooms({
  press,
  site: () => shown?.url || situation?.url || "",
  clear: (invitation) => {
    byId("invitation").textContent = invitation;
    runner?.send("clear");
  },
  replay: (text, recipe) => {
    if (live()) return;
    showRoom("run");
    void begin(text, { recipe });
  },
  learn: async () => {
    const asked = runner;
    if (situation && !situation.permitted) await allowSite(situation.url);
    asked?.send("learn");
  },
  open: (url) => void openAndLearn(url),
});

/** @param {string} url must be called from a click or key press of the person */
async function allowSite(url) {
  if (/^https?:/.test(url)) await grant(new URL(url).origin);
}

/** Learns a page that only a browser can read, in a visible tab of its own. @param {string} url */
async function openAndLearn(url) {
  const asked = runner;
  await allowSite(url);
  const { id } = await chrome.tabs.create({ url });
  asked?.send("learn", { elsewhere: id });
}

const chat = chatLater({ press, knowledge: rooms.knowledge, goal, question: () => shown?.question ?? null });

const learningPart = lazyPart(() => import("./run/learning_bar.js"), () => showLoadFailure(byId("learning")));

/** When a page was last learned, so that the document list is refreshed. */
let learned = "";

/** @param {Learning} learning */
function showLearning(learning) {
  learningPart.when(learning.on || learning.said !== "", ({ renderLearningBar }) => renderLearningBar(byId("learning"), learning, (kind, message) => runner?.send(kind, message)));
  const news = learning.busy ? "" : learning.said;
  if (news && news !== learned && currentRoom() === "knowledge") rooms.learned();
  learned = news;
}

/**
 * Begins a run in the current tab; must be called from a click or key press of the person.
 *
 * @param {string} text the goal @param {object} [how] a recipe to replay, or the task to continue from
 */
async function begin(text, how = {}) {
  const asked = runner;
  if (!asked) return;
  // Must come first, or Chrome does not count it as the person's own action.
  if (situation && !situation.permitted) await allowSite(situation.url);
  if (runner !== asked) {
    goal.value ||= text; // another tab is shown by now: the goal was not meant for it
    return;
  }
  dismissed = "";
  asked.send("run", { goal: text, ...how });
}

async function run() {
  const text = goal.value.trim();
  if (!text || !runner || live()) return;
  goal.value = ""; // at once: anything typed from here on is kept
  await begin(text);
}

/** Sends the text of the goal box: as an answer if a question is open, even if its card is not shown yet. */
function send() {
  if (shown?.question) answering.use((part) => void part.submit());
  else if (!answering.here()?.submit()) void run();
}

/** @param {number} tabId shows that tab's run from now on */
function attach(tabId) {
  if (tab === tabId) return;
  tab = tabId;
  shown = null;
  situation = null;
  runner?.close();
  runner = connectRunner(tabId, { view: show, learning: showLearning, asking: (asking) => consent.when(asking.length > 0, (part) => part.show(asking)) });
  void refreshSituation();
}

async function followWindow() {
  const { id: windowId } = await chrome.windows.getCurrent();
  chrome.tabs.onActivated.addListener((now) => now.windowId === windowId && attach(now.tabId));
  const [active] = await chrome.tabs.query({ active: true, windowId });
  if (active?.id) attach(active.id);
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
goal.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "ArrowUp" && goal.value === "") answering.here()?.enter(event);
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  if (!event.repeat) send(); // a held key sends nothing
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  if (currentRoom() === "chat" && chat.here()?.isBusy()) void chat.here()?.stop();
  else if (live()) runner?.send("stop");
  else if (currentRoom() !== "chat" && currentRoom() !== "run") goBack();
});
byId("stop").addEventListener("click", () => runner?.send("stop"));
byId("pause").addEventListener("click", () => runner?.send("pause"));
byId("site").addEventListener("click", () => (currentRoom() === "sites" ? goBack() : rooms.sites()));
byId("history").addEventListener("click", () => (currentRoom().startsWith("session") ? goBack() : rooms.sessions()));
byId("recipes").addEventListener("click", () => (currentRoom() === "recipes" ? goBack() : void rooms.recipes()));
byId("knowledge").addEventListener("click", () => (currentRoom() === "knowledge" ? goBack() : rooms.knowledge()));
byId("settings").addEventListener("click", () => void chrome.runtime.openOptionsPage());
byId("example").addEventListener("click", () => {
  goal.value = "Click the first link";
  goal.focus();
});
chrome.storage.onChanged.addListener((changes) => {
  if (!changes.settings) return;
  // Problems with the old key or address no longer apply.
  if (!live()) dismissed = shown?.notice?.text ?? "";
  void refreshSituation();
  void chat.here()?.reload();
  if (currentRoom() === "sessions") rooms.sessions();
});
for (const event of [chrome.permissions.onAdded, chrome.permissions.onRemoved]) {
  event.addListener(() => {
    void refreshSituation();
    if (currentRoom() === "sites") rooms.sites();
  });
}
chrome.tabs.onUpdated.addListener((tabId, change) => {
  if (tabId === tab && (change.url || change.status === "complete")) void refreshSituation();
});
setInterval(() => {
  if (!shown || !live()) return;
  renderFooter(shown, Date.now());
  answering.here()?.count(shown, Date.now());
}, 1000);

goal.focus();
void startTabs();
if (fixedTab) attach(fixedTab);
else void followWindow();
