import { byId } from "./element.js";
import { renderCountdown, renderQuestion } from "./question.js";
import { connectRunner } from "./runner.js";
import { isLive, render, renderFooter } from "./view.js";

/** @import { Settings } from "../types/wire" */
/** @import { Notice, View } from "../types/run" */
/** @import { Situation } from "./situation.js" */

const HEALTH_MS = 3_000;
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

/** @param {string} serverUrl */
function isUp(serverUrl) {
  const address = `${serverUrl.replace(/\/+$/, "")}/healthz`;
  return fetch(address, { signal: AbortSignal.timeout(HEALTH_MS) }).then((answer) => answer.ok, () => false);
}

/** @param {number} tabId @returns {Promise<Situation>} */
async function survey(tabId) {
  const stored = /** @type {{settings?: Partial<Settings>}} */ (await chrome.storage.local.get("settings"));
  const { serverUrl = "http://127.0.0.1:8787", apiKey = "" } = stored.settings ?? {};
  const { url = "" } = await chrome.tabs.get(tabId).catch(() => ({ url: "" }));
  const web = /^https?:/.test(url);
  const permitted = web && (await chrome.permissions.contains({ origins: [`${new URL(url).origin}/*`] }));
  const serverUp = apiKey ? await isUp(serverUrl) : null;
  return { hasKey: Boolean(apiKey), serverUrl, serverUp, url, permitted };
}

async function look() {
  if (tab === null) return;
  const looked = tab;
  const found = await survey(looked);
  if (looked !== tab) return;
  situation = found;
  if (shown) show(shown);
}

/** @param {string | string[] | null} value @param {string} text */
const answer = (value, text) => runner?.send("answer", { value, text });

/** @param {View} view */
function show(view) {
  const before = shown;
  shown = view;
  render(view, before, situation, press);
  renderQuestion(view.question, answer);
  if (before && isLive(before) && !isLive(view)) {
    if (document.hasFocus()) goal.focus();
    void look();
  }
}

/** @param {string} origin must be called in the person's own click or key press */
async function grant(origin) {
  await chrome.permissions.request({ origins: [`${origin}/*`] }).catch(() => false);
  await look();
}

/** @param {Notice} notice */
function press({ button }) {
  if (button?.does === "settings") void chrome.runtime.openOptionsPage();
  else if (button?.does === "grant" && button.origin) void grant(button.origin);
  else if (button?.does === "continue") runner?.send("continue");
  else if (shown && isLive(shown)) runner?.send("retry");
  else void look();
}

async function run() {
  const text = goal.value.trim();
  if (!text || !runner || (shown && isLive(shown))) return;
  // First thing in the key press, or Chrome does not take it for the person's own.
  if (situation && !situation.permitted && /^https?:/.test(situation.url)) await grant(new URL(situation.url).origin);
  runner.send("run", { goal: text });
  goal.value = "";
}

/** @param {number} tabId shows that tab's run from now on */
function attach(tabId) {
  if (tab === tabId) return;
  tab = tabId;
  shown = null;
  situation = null;
  runner?.close();
  runner = connectRunner(tabId, show);
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
  void run();
});
goal.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void run();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && shown && isLive(shown)) runner?.send("stop");
});
byId("stop").addEventListener("click", () => runner?.send("stop"));
byId("example").addEventListener("click", () => {
  goal.value = "Click the first link";
  goal.focus();
});
chrome.storage.onChanged.addListener((changes) => changes.settings && void look());
chrome.permissions.onAdded.addListener(() => void look());
chrome.tabs.onUpdated.addListener((tabId, change) => {
  if (tabId === tab && (change.url || change.status === "complete")) void look();
});
setInterval(() => {
  if (!shown || !isLive(shown)) return;
  renderFooter(shown, Date.now());
  renderCountdown(shown.question, Date.now());
}, 1000);

goal.focus();
if (fixedTab) attach(fixedTab);
else void followWindow();
