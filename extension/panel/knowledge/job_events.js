import { send } from "../../shared/server.js";
import { storedSettings } from "../../shared/settings.js";
import { createSseParser } from "../../shared/sse.js";
import { askServer } from "../server.js";

/** @import { Job } from "../../types/learning" */

const AGAIN_MS = 1_000;
const POLL_MS = 2_000;
const STREAMS = 2; // of the six connections that a browser has to a server

/** @param {Job} job */
export const hasEnded = ({ status }) => status === "completed" || status === "failed" || status === "cancelled";

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} jobId @param {(job: Job) => void} told @returns {Promise<boolean>} whether it was told to its end */
async function streamed(jobId, told) {
  const settings = await storedSettings();
  const headers = { Authorization: `Bearer ${settings.apiKey}`, Accept: "text/event-stream" };
  const response = await send(settings, `/api/knowledge/jobs/${encodeURIComponent(jobId)}/events`, { headers });
  if (!response.ok || !response.body) return false;
  let isOver = false;
  const parser = createSseParser((data) => {
    const event = JSON.parse(data);
    isOver ||= event.type === "done";
    told(event);
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (value) parser.push(value);
    if (done) return isOver;
  }
}

/**
 * Follows jobs to their end: the first few by their events, the others by asking now and then.
 *
 * @param {(job: Job) => void} told
 */
export function createFollowing(told) {
  /** @type {Map<string, "stream" | "poll">} */
  const followed = new Map();
  let isPolling = false;

  /** @param {Job} job */
  function tell(job) {
    if (hasEnded(job)) followed.delete(job.jobId);
    told(job);
  }

  /** @param {string} jobId */
  async function stream(jobId) {
    while (followed.has(jobId)) {
      const whole = await streamed(jobId, tell).catch(() => false);
      if (whole || !followed.has(jobId)) return;
      await pause(AGAIN_MS);
      await askServer(`/api/knowledge/jobs/${encodeURIComponent(jobId)}`).then(tell, () => undefined);
    }
  }

  async function poll() {
    if (isPolling) return;
    isPolling = true;
    while ([...followed.values()].includes("poll")) {
      await pause(POLL_MS);
      const { jobs } = await askServer("/api/knowledge/jobs?limit=100").catch(() => ({ jobs: [] }));
      for (const job of /** @type {Job[]} */ (jobs)) if (followed.get(job.jobId) === "poll") tell(job);
    }
    isPolling = false;
  }

  return {
    /** @param {string} jobId */
    follow(jobId) {
      if (followed.has(jobId)) return;
      const streams = [...followed.values()].filter((how) => how === "stream").length;
      followed.set(jobId, streams < STREAMS ? "stream" : "poll");
      void (streams < STREAMS ? stream(jobId) : poll());
    },
  };
}
