import { element, onEscape } from "./element.js";
import { askServer, errorText } from "./server.js";

/** @import { Review, ReviewReason, ReviewRecord } from "../types/review" */

/** The reviews requested from this browser; requesting one does not change the run or the answer. */

/** What an operator is asked to look at. @typedef {{taskId: string} | {threadId: string, messageId: string}} Subject */
/** @typedef {{subject: string, review: Review}} Kept */

const KEY = "opinions";
const MOST = 100; // requesting an older one again returns its current state

/** @param {Subject} subject */
const nameOf = (subject) => ("taskId" in subject ? `task/${subject.taskId}` : `chat/${subject.threadId}/${subject.messageId}`);

/** @returns {Promise<Kept[]>} newest last */
async function storedOpinions() {
  const { opinions } = /** @type {{opinions?: Kept[]}} */ (await chrome.storage.local.get(KEY));
  return opinions ?? [];
}

/** @param {Subject} subject @returns {Promise<Review | null>} as it was when it was requested */
async function storedOpinion(subject) {
  const name = nameOf(subject);
  return (await storedOpinions()).find((one) => one.subject === name)?.review ?? null;
}

/** @param {Subject} subject @param {Review} review */
async function storeOpinion(subject, review) {
  const name = nameOf(subject);
  const others = (await storedOpinions()).filter((one) => one.subject !== name);
  await chrome.storage.local.set({ [KEY]: [...others, { subject: name, review }].slice(-MOST) });
}

/** @type {Record<ReviewReason, string>} */
const WHY = {
  low_confidence: "low confidence",
  conflicting_evidence: "conflicting evidence",
  high_impact: "high impact, or hard to undo",
  asked_for: "you asked for a second opinion",
};

const DECIDED = { approved: "approved this", rejected: "rejected this" };
const LONGEST_NOTE = 2_000; // characters

/** @param {ReviewRecord} record @returns {Review} */
export const reviewOf = ({ id, origin, review }) => ({ id, reasons: origin?.reasons ?? [], status: review?.decision ?? "pending", notes: review?.notes, operator: review?.operator?.name });

/** @param {Review} review @returns {string} on one line */
export function reviewWords({ status, reasons, notes, operator }) {
  const why = (reasons ?? []).map((reason) => WHY[reason]).filter(Boolean).join("; ");
  if (status === "pending") return `An operator will review this${why ? ` (${why})` : ""}.`;
  const who = operator ? `An operator, ${operator},` : "An operator";
  return `${who} ${DECIDED[status]}${notes ? `: ${notes}` : "."}`;
}

/** @param {Review} review @returns {HTMLElement} */
export function reviewLine(review) {
  const words = element("span", { dir: "auto" }, reviewWords(review));
  const reference = element("span", { class: "reference" }, review.id);
  return element("p", { class: "review", "data-status": review.status, "data-testid": "review" }, words, reference);
}

/** @param {Review} review @returns {Promise<Review>} in its current state, or as last known if the server does not answer */
async function fetchReview(review) {
  const path = `/api/review/${encodeURIComponent(review.id)}`;
  return askServer(path).then(({ record }) => reviewOf(record), () => review);
}

/**
 * A line about a review: as last known, then in its current state.
 *
 * @param {Review} review @returns {HTMLElement}
 */
export function liveReviewLine(review) {
  let line = reviewLine(review);
  const box = element("div", {}, line);
  if (review.status === "pending") {
    void fetchReview(review).then((now) => {
      if (now.status === "pending") return;
      const fresh = reviewLine(now);
      line.replaceWith(fresh);
      line = fresh;
    });
  }
  return box;
}

/** @param {Subject} subject @param {string} note @returns {Promise<Review>} raises `NotAnswered` */
async function requestOpinion(subject, note) {
  const body = { ...subject, ...(note ? { note } : {}) };
  const { record } = /** @type {{record: ReviewRecord}} */ (await askServer("/api/review", { method: "POST", body }));
  return reviewOf(record);
}

let made = 0; // field ids must be unique

/** @param {Subject} subject @param {(review: Review) => void} showRequested @param {() => void} leave */
function noteForm(subject, showRequested, leave) {
  const id = `opinion-${(made += 1)}`;
  const note = element("textarea", { id, dir: "auto", maxlength: String(LONGEST_NOTE), "data-testid": "opinion-note" });
  const send = element("button", { type: "submit", class: "primary", "data-testid": "opinion-ask" }, "Ask an operator");
  const cancel = element("button", { type: "button" }, "Cancel");
  const problem = element("p", { class: "said", role: "alert" });
  const form = element("form", {}, element("label", { for: id }, "What should they look at? (optional)"), note, element("div", { class: "buttons" }, send, cancel), problem);
  cancel.addEventListener("click", leave);
  onEscape(form, leave);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    problem.textContent = "";
    try {
      showRequested(await requestOpinion(subject, note.value.trim()));
    } catch (error) {
      problem.textContent = errorText(error, "Could not send");
      send.disabled = false;
    }
  });
  return { form, note };
}

/**
 * The review of an answer or run: its state if one was requested, else the button that requests it.
 *
 * @param {Subject} subject @param {Review | null | undefined} review @returns {HTMLElement}
 */
export function opinionPart(subject, review) {
  const box = element("div", { class: "opinion", "data-testid": "opinion" });
  if (review) {
    box.append(liveReviewLine(review));
    return box;
  }
  const button = element("button", { type: "button", class: "quiet", "data-testid": "opinion-open" }, "Get a second opinion");
  const leave = () => {
    box.replaceChildren(button);
    button.focus();
  };
  const showRequested = (/** @type {Review} */ now) => {
    void storeOpinion(subject, now);
    const line = reviewLine(now);
    line.setAttribute("tabindex", "-1");
    line.setAttribute("role", "status");
    box.replaceChildren(line);
    line.focus();
  };
  button.addEventListener("click", () => {
    const { form, note } = noteForm(subject, showRequested, leave);
    box.replaceChildren(form);
    note.focus();
  });
  box.append(button);
  void storedOpinion(subject).then((kept) => kept && button.isConnected && box.replaceChildren(liveReviewLine(kept)));
  return box;
}

/**
 * Updates the review shown below a run; built once for each task.
 *
 * @param {HTMLElement} place @param {string | null} taskId null while there is nothing to review @param {Review | null | undefined} review
 */
export function renderOpinion(place, taskId, review) {
  const state = taskId ? JSON.stringify([taskId, review]) : "";
  if ((place.dataset.was ?? "") === state) return;
  place.dataset.was = state;
  place.hidden = taskId === null;
  place.replaceChildren(...(taskId === null ? [] : [opinionPart({ taskId }, review)]));
}
