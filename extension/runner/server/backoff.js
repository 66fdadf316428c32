import { Problem } from "./client.js";

const FIRST_MS = 500;
const MOST_MS = 30_000;
const SERVER_FAULTS = 6; // retries after a 500: it may pass while a server restarts, but not forever

/** @param {number} tries failed attempts so far, from 0 */
export function delayMs(tries) {
  return Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(tries, 10));
}

/**
 * What to do after a request failed.
 *
 * @param {unknown} error a `Problem`, or anything else for a lost connection
 * @param {number} tries failed attempts so far, from 0
 * @returns {{again: false, problem: Problem} | {again: true, delayMs: number, busy: boolean}}
 */
export function afterFailure(error, tries) {
  if (!(error instanceof Problem)) return { again: true, delayMs: delayMs(tries), busy: false };
  const waits = error.status === 429 || error.status === 503 || error.code === "TASK_BUSY";
  if (waits) {
    const asked = error.retryAfterMs ?? delayMs(tries);
    return { again: true, delayMs: Math.max(asked, FIRST_MS), busy: error.status !== 503 };
  }
  if (error.status >= 500 && tries < SERVER_FAULTS) {
    return { again: true, delayMs: delayMs(tries), busy: false };
  }
  return { again: false, problem: error };
}
