/** What a section says when it has nothing to show: one sentence, and one button where there is something to do. */

import { Problem } from "./api.js";
import { h } from "./dom.js";

export const loading = () => h("p", { class: "loading" }, "Loading…");

/** @param {string} text @param {{label: string, press: () => void}} [next] */
export const empty = (text, next) =>
  h("div", { class: "nothing" }, h("p", {}, text), next ? h("button", { type: "button", onclick: next.press }, next.label) : null);

/** @param {unknown} error @returns {string} one sentence */
export function errorText(error) {
  if (!(error instanceof Problem)) return "Something went wrong in the console.";
  if (error.status === 0) return "The server is not responding. This page may be out of date.";
  if (error.code === "CONSENT_NEEDS_BROWSER") return "Only the user can allow this, in the panel of their browser.";
  if (error.status === 403) return "Your role does not allow this.";
  if (error.status === 404 && error.message === "Not Found") return "This server does not have this section.";
  return error.message.endsWith(".") ? error.message : `${error.message}.`;
}

/** @param {unknown} error @param {() => void} again */
export const failure = (error, again) =>
  h("div", { class: "nothing", role: "alert" }, h("p", {}, errorText(error)), h("button", { type: "button", onclick: again }, "Try again"));

/** A line above what is shown while it cannot be brought up to date. */
export function staleness() {
  const line = h("p", { class: "stale", role: "status", hidden: true });
  /** @param {Problem | null} problem */
  const show = (problem) => {
    line.hidden = problem === null;
    line.textContent = problem ? errorText(problem) : "";
  };
  return { line, tell: show };
}
