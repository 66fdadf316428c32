import { Problem, REFUSED } from "./client.js";
import { CannotContinue } from "../run/look.js";

/** @import { Notice } from "../../types/run" */
/** @import { HandOver } from "../../types/wire" */

/** @type {Notice["button"]} */
const SETTINGS = { label: "Open settings", does: "settings" };

/** Messages used instead of the server's, which address client developers. @type {Record<string, string>} */
const BY_CODE = {
  REQUEST_ID_REUSED: "The server mixed up this request with another one. Start the task again.",
  TOO_LARGE: "This page is too large to send to the server.",
  TREE_TOO_LARGE: "This page has more controls than the server accepts.",
};

/** Messages used when the server sends none. @type {Record<number, string>} */
const BY_STATUS = {
  404: "There is no Tabwright server at this address, or it no longer knows the task.",
  409: "The task has ended, or is being worked on elsewhere.",
  413: "This page is too large to send to the server.",
  422: "The server does not understand this extension. One of them is out of date.",
  500: "The server failed several times in a row.",
};

/** @param {Problem} problem @returns {string} */
function words({ status, code, detail }) {
  return BY_CODE[code] ?? (detail || BY_STATUS[status] || `The server responded with status ${status}.`);
}

/**
 * The message for an error that ends a run.
 *
 * @param {unknown} error @returns {{text: string, notice: Notice | null}}
 */
export function problemText(error) {
  if (error instanceof CannotContinue) return { text: error.message, notice: null };
  if (error instanceof Problem && error.status === 401) {
    const text = "The server does not accept this API key.";
    return { text, notice: { kind: "auth", text, button: SETTINGS } };
  }
  if (error instanceof Problem && error.status === 403) {
    const text = `This API key may not do that${error.detail ? `: ${error.detail}` : "."}`;
    return { text, notice: { kind: "auth", text, button: SETTINGS } };
  }
  if (error instanceof Problem && error.code === REFUSED) return { text: error.detail, notice: { kind: "auth", text: error.detail, button: SETTINGS } };
  if (error instanceof Problem) return { text: words(error), notice: handOverNotice(error.handOver) };
  const text = `Something went wrong in the extension: ${error instanceof Error ? error.message : error}`;
  return { text, notice: null };
}

/** @param {HandOver | null} [offer] a step the person may do, after which Tabwright continues @returns {Notice | null} */
export function handOverNotice(offer) {
  if (!offer) return null;
  const also = /** @type {const} */ ({ label: "Dismiss", does: "dismiss" });
  return { kind: "hand-over", text: offer.message, button: { label: "I did it, continue", does: "hand-back" }, also };
}

/** @param {number} ms */
const soon = (ms) => (ms < 1000 ? "in a moment" : `in ${Math.round(ms / 1000)} s`);

/**
 * The notice shown until the same request is tried again.
 *
 * @param {unknown} error of the last try @param {string} server its address @param {number} ms until the next try
 * @returns {Notice}
 */
export function againNotice(error, server, ms) {
  const away = { status: 0, code: "" };
  const { status, code } = error instanceof Problem ? error : away;
  let what = `The server at ${server} is not responding`;
  if (code === "TASK_BUSY") what = "The server is busy with this task";
  else if (status === 429) what = "Too many requests in a minute; the server asks to wait";
  else if (status === 503) what = "The server is up, but something it needs is unavailable";
  else if (status >= 500) what = "The server failed";
  return { kind: "offline", text: `${what}; trying again ${soon(ms)}.`, button: { label: "Try now", does: "retry" } };
}
