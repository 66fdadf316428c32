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

/** What is said beside a step; a good step says nothing. @type {Record<Mark, string>} */
export const MARK_WORDS = {
  pending: "",
  done: "",
  verified: "",
  retried: "Retried",
  failed: "Failed",
  unknown: "Not sure",
};

/** The first word of what is about to be done, and what it is once it was. @type {Record<string, string>} */
const DONE = {
  Check: "Checked", Choose: "Chose", Clear: "Cleared", Click: "Clicked", Close: "Closed", Confirm: "Confirmed", Drag: "Dragged", Empty: "Emptied",
  Enter: "Typed", Fill: "Filled", Focus: "Focused", Go: "Went", Load: "Loaded", Open: "Opened", Page: "Paged", Pick: "Picked",
  Press: "Pressed", Put: "Put", Reload: "Reloaded", Scroll: "Scrolled", Select: "Selected", Search: "Searched", Tick: "Ticked",
  Turn: "Turned", Type: "Typed", Uncheck: "Unchecked", Upload: "Uploaded", Use: "Used", Wait: "Waited",
};

/** @param {string} text @param {Mark} mark @returns {string} "Open the menu", and "Opened the menu" once it is done */
export function toldStep(text, mark) {
  if (mark !== "done" && mark !== "verified") return text;
  const [first = ""] = text.split(" ", 1);
  return first in DONE ? DONE[first] + text.slice(first.length) : text;
}

/** @param {number} ms @returns {string} "0.4 s", "12 s", "3 min 5 s" */
export function duration(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** @param {number} ms time left @returns {string} "4:07" */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {number} usd @returns {string} */
export function cost(usd) {
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** @param {string} url @returns {string} */
export function siteOf(url) {
  if (!URL.canParse(url)) return "";
  const { host, protocol } = new URL(url);
  return /^https?:$/.test(protocol) ? host : "Not a web page";
}

/** @param {View} view @param {number} now @returns {string[]} time, cost, model */
export function footer(view, now) {
  if (view.startedAt === null) return [];
  return [duration((view.endedAt ?? now) - view.startedAt), cost(view.costUsd), view.model];
}
