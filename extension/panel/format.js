/** @import { Mark, RunState, View } from "../types/run" */

/** One word for each state. @type {Record<RunState, string>} */
export const STATE_WORDS = {
  idle: "Ready",
  running: "Working",
  waiting: "Waiting",
  completed: "Done",
  failed: "Failed",
  interrupted: "Stopped",
};

/** @param {View} view @returns {string} */
export const stateWord = ({ state, held }) => (held ? "You are in control" : STATE_WORDS[state]);

/** The label of a step's mark; a step that went well has none. @type {Record<Mark, string>} */
export const MARK_WORDS = {
  pending: "",
  done: "",
  verified: "",
  retried: "Retried",
  failed: "Failed",
  unknown: "Not sure",
  talk: "",
  person: "",
};

/** The first verb of a planned step and its past form. @type {Record<string, string>} */
const DONE = {
  Check: "Checked", Choose: "Chose", Clear: "Cleared", Click: "Clicked", Close: "Closed", Confirm: "Confirmed", Drag: "Dragged", Empty: "Emptied",
  Enter: "Typed", Fill: "Filled", Focus: "Focused", Go: "Went", Load: "Loaded", Open: "Opened", Page: "Paged", Pick: "Picked",
  Press: "Pressed", Put: "Put", Reload: "Reloaded", Scroll: "Scrolled", Select: "Selected", Search: "Searched", Tick: "Ticked",
  Turn: "Turned", Type: "Typed", Uncheck: "Unchecked", Upload: "Uploaded", Use: "Used", Wait: "Waited",
};

/** @param {string} text @param {Mark} mark @returns {string} "Open the menu", or "Opened the menu" once it is done */
export function stepText(text, mark) {
  if (mark !== "done" && mark !== "verified") return text;
  const [first = ""] = text.split(" ", 1);
  return first in DONE ? DONE[first] + text.slice(first.length) : text;
}

/** @param {number} ms @returns {string} "0.4 s", "12 s", "3 min 5 s", "2 h 10 min" */
export function duration(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {number} seconds whole ones @returns {string} "4:07", "2:04:07" */
function clock(seconds) {
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** @param {number} ms time left @returns {string} "4:07" */
export const countdown = (ms) => clock(Math.max(0, Math.ceil(ms / 1000)));

/** @param {number} ms since the start @returns {string} for a narrow column: "0.4 s", "12 s", "4:07" */
export const timeOffset = (ms) => (ms < 59_500 ? duration(ms) : clock(Math.round(ms / 1000)));

/** @param {number} usd @returns {string} */
export function cost(usd) {
  if (usd > 0 && usd < 0.0001) return "<$0.0001";
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** @param {number} count @returns {string} "940 tokens", "12.3k tokens" */
export function tokens(count) {
  if (count === 1) return "1 token";
  return count < 10_000 ? `${count.toLocaleString("en")} tokens` : `${(count / 1000).toFixed(1)}k tokens`;
}

/** @param {number} ms since then @returns {string} "just now", "5 min ago", "2 h ago", "yesterday", "3 days ago" */
export function ago(ms) {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** The server's names for a task's status, in words. @type {Record<string, string>} */
export const STATUS_WORDS = {
  active: "Working",
  executing: "Working",
  awaiting_user: "Waiting",
  completed: "Done",
  failed: "Failed",
  interrupted: "Stopped",
};

/** @param {string} url @returns {string} */
export function siteOf(url) {
  if (!URL.canParse(url)) return "";
  const { host, protocol } = new URL(url);
  return /^https?:$/.test(protocol) ? host : "Not a web page";
}

/** The cost; an unknown cost is not shown as free. @param {View} view */
function spentOn({ costUsd, costKnown }) {
  if (costKnown !== false) return cost(costUsd);
  return costUsd > 0 ? `over ${cost(costUsd)}` : "cost not known";
}

/** @param {View} view @param {number} now @returns {string[]} time, tokens, cost, model */
export function footer(view, now) {
  if (view.startedAt === null) return [];
  return [duration((view.endedAt ?? now) - view.startedAt), tokens(view.tokens), spentOn(view), view.model];
}
