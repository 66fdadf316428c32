import { sendWithKey, storedSettings } from "../../shared/server.js";
import { readEvents } from "../../shared/event_stream.js";
import { askServer } from "../server.js";
import { button, element } from "../element.js";
import { duration } from "../format.js";
import { plural } from "../../shared/text.js";

/** @import { Job } from "../../types/learning" */

const AGAIN_MS = 1_000;
const POLL_MS = 2_000;
const STREAMS = 2; // of a browser's six connections to a server

/** @param {Job} job */
const hasEnded = ({ status }) => status === "completed" || status === "failed" || status === "cancelled";

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} jobId @param {(job: Job) => void} told @returns {Promise<boolean>} whether the stream reached the job's end */
async function followStream(jobId, told) {
  const response = await sendWithKey(await storedSettings(), `/api/knowledge/jobs/${encodeURIComponent(jobId)}/events`, { accept: "text/event-stream" });
  if (!response.ok || !response.body) return false;
  return readEvents(response, (data) => {
    const event = JSON.parse(data);
    told(event);
    return event.type === "done";
  });
}

/**
 * Follows jobs to their end: the first few by event stream, the others by polling.
 *
 * @param {(job: Job) => void} told
 */
function createJobFollower(told) {
  /** @type {Map<string, "stream" | "poll">} */
  const followed = new Map();
  let isPolling = false;

  /** @param {Job} job */
  function report(job) {
    if (hasEnded(job)) followed.delete(job.jobId);
    told(job);
  }

  /** @param {string} jobId */
  async function followEvents(jobId) {
    while (followed.has(jobId)) {
      const whole = await followStream(jobId, report).catch(() => false);
      if (whole || !followed.has(jobId)) return;
      await pause(AGAIN_MS);
      await askServer(`/api/knowledge/jobs/${encodeURIComponent(jobId)}`).then(report, () => undefined);
    }
  }

  async function poll() {
    if (isPolling) return;
    isPolling = true;
    while ([...followed.values()].includes("poll")) {
      await pause(POLL_MS);
      const { jobs } = await askServer("/api/knowledge/jobs?limit=100").catch(() => ({ jobs: [] }));
      for (const job of /** @type {Job[]} */ (jobs)) if (followed.get(job.jobId) === "poll") report(job);
    }
    isPolling = false;
  }

  return {
    /** @param {string} jobId */
    follow(jobId) {
      if (followed.has(jobId)) return;
      const streams = [...followed.values()].filter((how) => how === "stream").length;
      followed.set(jobId, streams < STREAMS ? "stream" : "poll");
      void (streams < STREAMS ? followEvents(jobId) : poll());
    },
  };
}

/** @typedef {{row: HTMLElement, job: Job | null, fill: (job: Job) => void}} Line */

const DISMISSED = "jobsDismissed"; // in storage
const MOST_DISMISSED = 200;
const SHOWN = 20; // of the newest jobs
const NEEDS_BROWSER = "PAGE_NEEDS_BROWSER"; // knowledge/crawl/port.py
const MOST_FAILURES = 20; // listed of one job
const STATES = { queued: "Waiting", running: "Reading", completed: "Done", failed: "Failed", cancelled: "Cancelled" };

/** @param {number} bytes @returns {string} "940 bytes", "412 kB", "1.2 MB" */
export function sizeText(bytes) {
  if (bytes < 1_000) return plural(bytes, "byte");
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** @param {number} seconds estimated @returns {string} "9 s", "3 min 5 s" */
const remainingText = (seconds) => (seconds < 59.5 ? `${Math.max(1, Math.round(seconds))} s` : duration(seconds * 1_000));

/** @param {Job} job @returns {number | null} progress from 0 to 1; null if unknown */
export function completedShare({ status, progress }) {
  if (status === "completed") return 1;
  const { documents, failed, documentsTotal, bytes, bytesTotal } = progress;
  if (documentsTotal && documentsTotal > 1) return Math.min(1, (documents + failed) / documentsTotal);
  return bytesTotal ? Math.min(1, bytes / bytesTotal) : null;
}

/** @param {Job} job @returns {string[]} its progress in words */
export function progressTexts({ status, progress }) {
  const { documents, documentsTotal, chunks, bytes, failed, remainingSeconds } = progress;
  const read = documentsTotal && documentsTotal > 1 ? `${documents} of ${plural(documentsTotal, "document")}` : documents > 1 ? plural(documents, "document") : "";
  const parts = [STATES[status], read, chunks > 0 ? plural(chunks, "passage") : "", bytes > 0 ? sizeText(bytes) : "", failed > 0 && documents + failed > 1 ? `${failed} failed` : ""];
  if (status === "running" && remainingSeconds) parts.push(`${remainingText(remainingSeconds)} left`);
  return parts.filter(Boolean);
}

/** @param {Job} job the message after success */
export function successText({ source, progress, documents }) {
  if (progress.documents > 1) return `${source}: ${plural(progress.documents, "document")}, ${plural(progress.chunks, "passage")}.`;
  if (progress.unchanged > 0) return `${source} is already there, unchanged.`;
  return documents.length > 0 ? `Added ${source}: ${plural(progress.chunks, "passage")}.` : `${source} contains nothing new.`;
}

/** @param {Job} job @param {(url: string) => void} open @returns {Node[]} the pages that failed, and those skipped on purpose */
function failureLines({ errors, reason, status, progress, notes = [] }, open) {
  const lines = errors.slice(0, MOST_FAILURES).map(({ source, code, reason: said, advice }) => {
    const why = advice ? `${said.replace(/\.$/, "")}. ${advice}` : said;
    const words = element("span", { dir: "auto" }, progress.documents + progress.failed > 1 ? `${source}: ${why}` : why);
    const learn = code === NEEDS_BROWSER && /^https?:/.test(source) ? [button("Open and learn", () => open(source), { "data-testid": "knowledge-open" })] : [];
    return element("li", {}, words, ...learn);
  });
  if (lines.length === 0 && status === "failed") lines.push(element("li", {}, reason ?? "The server gave no reason."));
  if (progress.failed > lines.length) lines.push(element("li", {}, `and ${progress.failed - lines.length} more`));
  lines.push(...notes.map((note) => element("li", { dir: "auto" }, note)));
  return lines.length > 0 ? [element("ul", { class: "failures" }, ...lines)] : [];
}

/** @returns {Promise<string[]>} */
const dismissedJobs = async () => /** @type {{jobsDismissed?: string[]}} */ (await chrome.storage.local.get(DISMISSED)).jobsDismissed ?? [];

/** @param {string} jobId */
async function dismiss(jobId) {
  await chrome.storage.local.set({ [DISMISSED]: [...(await dismissedJobs()), jobId].slice(-MOST_DISMISSED) });
}

/**
 * The documents being added, and those that failed.
 *
 * @param {{changed: () => void, open: (url: string) => void}} given `changed`: called when documents were added
 */
export function jobsSection({ changed, open }) {
  const list = element("ul", { class: "jobs", "data-testid": "knowledge-jobs" });
  const status = element("p", { class: "said", role: "status" });
  /** @type {Map<string, Line>} */
  const lines = new Map();

  /** @param {string} name @param {() => void} stop @returns {Line} */
  function jobLine(name, stop) {
    const bar = element("progress", { max: "1", "aria-label": name });
    const words = element("p", { class: "meta" });
    const cancel = button("Cancel", stop, { "aria-label": `Cancel ${name}` });
    const rest = element("div");
    const row = element("li", { "data-testid": "knowledge-job" }, element("div", { class: "now" }, element("span", { class: "title", dir: "auto", title: name }, name), cancel), bar, words, rest);
    const fill = (/** @type {Job} */ job) => {
      const part = completedShare(job);
      if (part === null) bar.removeAttribute("value");
      else bar.value = part;
      bar.hidden = hasEnded(job);
      cancel.hidden = hasEnded(job);
      row.dataset.state = job.status;
      words.replaceChildren(...progressTexts(job).map((part) => element("span", {}, part)));
      if (hasEnded(job)) rest.replaceChildren(...failureLines(job, open), button("Dismiss", () => void showJob(job.jobId), { class: "quiet" }));
    };
    list.prepend(row);
    return { row, job: null, fill };
  }

  /** @param {string} jobId dismisses a line for good */
  async function showJob(jobId) {
    const next = lines.get(jobId)?.row.nextElementSibling;
    lines.get(jobId)?.row.remove();
    lines.delete(jobId);
    /** @type {HTMLElement | null | undefined} */ (next?.querySelector("button"))?.focus();
    await dismiss(jobId);
  }

  /** @param {string} jobId */
  const cancel = (jobId) => askServer(`/api/knowledge/jobs/${encodeURIComponent(jobId)}/cancel`, { method: "POST" }).then(update, () => undefined);

  /** @param {Job} job */
  function update(job) {
    const known = lines.get(job.jobId) ?? jobLine(job.source, () => void cancel(job.jobId));
    const was = known.job;
    if (was && hasEnded(was)) return;
    lines.set(job.jobId, { ...known, job });
    known.fill(job);
    if (!hasEnded(job)) return;
    if (job.progress.documents > 0) changed();
    if (job.status === "completed" && job.errors.length === 0 && (job.notes ?? []).length === 0) {
      status.textContent = successText(job);
      lines.delete(job.jobId);
      known.row.remove();
    } else status.textContent = `${job.source}: ${progressTexts(job).join(", ")}.`;
  }
  const following = createJobFollower(update);

  return {
    part: element("section", { "aria-label": "In progress" }, list, status),

    /** @param {string} text */
    say: (text) => (status.textContent = text),

    /** @param {Job} job just created, or its id and its subject */
    add(job) {
      update(job);
      if (!hasEnded(job)) following.follow(job.jobId);
    },

    /** A line for an upload that is not a job yet. @param {string} name @param {() => void} stop */
    waiting(name, stop) {
      const { row } = jobLine(name, stop);
      const bar = /** @type {HTMLProgressElement} */ (row.querySelector("progress"));
      const words = /** @type {HTMLElement} */ (row.querySelector(".meta"));
      return {
        /** @param {number} part 0..1 */
        tell: (part) => {
          bar.value = part;
          words.textContent = `Uploading, ${Math.round(part * 100)} %`;
        },
        /** @param {string} why */
        fail: (why) => {
          row.dataset.state = "failed";
          bar.remove();
          words.textContent = "Failed";
          row.querySelector("button")?.replaceWith(button("Dismiss", () => row.remove(), { class: "quiet" }));
          row.append(element("ul", { class: "failures" }, element("li", {}, why)));
          status.textContent = `${name}: ${why}`;
        },
        end: () => row.remove(),
      };
    },

    /** Loads the server's jobs: the running ones, and the failed ones that were not dismissed. */
    async load() {
      const [{ jobs }, put] = await Promise.all([askServer(`/api/knowledge/jobs?limit=${SHOWN}`), dismissedJobs()]);
      const left = /** @type {Job[]} */ (jobs).filter((job) => !put.includes(job.jobId) && !lines.has(job.jobId) && (!hasEnded(job) || job.status === "failed" || job.errors.length > 0 || (job.notes ?? []).length > 0));
      for (const job of left.reverse()) {
        const made = jobLine(job.source, () => void cancel(job.jobId));
        lines.set(job.jobId, { ...made, job });
        made.fill(job);
        if (!hasEnded(job)) following.follow(job.jobId);
      }
    },
  };
}
