/** What this person asked operators for, kept in this browser: a run and an answer do not change by it. */

/** @import { Review } from "../types/review" */
/** What an operator is asked to look at. @typedef {{taskId: string} | {threadId: string, messageId: string}} Subject */
/** @typedef {{subject: string, review: Review}} Kept */

const KEY = "opinions";
const MOST = 100; // older ones can be asked for again, and are then answered as they stand

/** @param {Subject} subject */
const nameOf = (subject) => ("taskId" in subject ? `task/${subject.taskId}` : `chat/${subject.threadId}/${subject.messageId}`);

/** @returns {Promise<Kept[]>} the newest last */
async function all() {
  const { opinions } = /** @type {{opinions?: Kept[]}} */ (await chrome.storage.local.get(KEY));
  return opinions ?? [];
}

/** @param {Subject} subject @returns {Promise<Review | null>} as it stood when it was asked for */
export async function keptOpinion(subject) {
  const name = nameOf(subject);
  return (await all()).find((one) => one.subject === name)?.review ?? null;
}

/** @param {Subject} subject @param {Review} review */
export async function keepOpinion(subject, review) {
  const name = nameOf(subject);
  const others = (await all()).filter((one) => one.subject !== name);
  await chrome.storage.local.set({ [KEY]: [...others, { subject: name, review }].slice(-MOST) });
}
