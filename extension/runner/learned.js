/** @import { Job } from "../types/learning" */
/** @typedef {(path: string, what?: {method?: string, body?: object}) => Promise<any>} Server */

const FIRST_MS = 150; // most captures take a tenth of a second
const SLOWEST_MS = 2_000;
const LONGEST_MS = 300_000; // behind a long queue; the job itself goes on
const MOST_LOOKS = 20; // documents of one address that are asked what was replaced in them
const ENDED = new Set(["completed", "failed", "cancelled"]);

/** @param {number} count @param {string} one */
const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

/**
 * @param {Server} server @param {string} jobId @param {(ms: number) => Promise<void>} sleep
 * @returns {Promise<Job>} once it has ended, or when it was waited for long enough
 */
export async function ended(server, jobId, sleep) {
  const path = `/api/knowledge/jobs/${encodeURIComponent(jobId)}`;
  let waited = 0;
  for (let pause = FIRST_MS; ; pause = Math.min(pause * 1.5, SLOWEST_MS)) {
    await sleep(pause);
    waited += pause;
    const job = /** @type {Job} */ (await server(path));
    if (ENDED.has(job.status) || waited > LONGEST_MS) return job;
  }
}

/**
 * How many passages of the same address a new capture took the place of.
 *
 * @param {Server} server @param {string} documentId @returns {Promise<number>}
 */
async function replacedBy(server, documentId) {
  const mine = await server(`/api/knowledge/documents/${encodeURIComponent(documentId)}?limit=1000`);
  const ids = new Set(mine.parts.map((/** @type {{chunkId: string}} */ part) => part.chunkId));
  const { documents } = await server(`/api/knowledge/documents?q=${encodeURIComponent(mine.source.slice(0, 200))}&limit=${MOST_LOOKS}`);
  const others = documents.filter((/** @type {{id: string, url?: string}} */ one) => one.id !== documentId && one.url === mine.url);
  const wholes = await Promise.all(others.map((/** @type {{id: string}} */ { id }) => server(`/api/knowledge/documents/${encodeURIComponent(id)}?limit=1000`)));
  return wholes.flatMap(({ parts }) => parts).filter((part) => ids.has(part.supersededBy)).length;
}

/**
 * What came of learning something, in a sentence.
 *
 * @param {Server} server @param {Job} job @param {string} name of what was learned @param {boolean} cut whether it was too long
 * @returns {Promise<{said: string, failed: boolean}>}
 */
export async function outcome(server, job, name, cut) {
  const rest = cut ? " It is long: the first part of it was taken." : "";
  if (job.status === "failed" || job.errors.length > 0) {
    return { said: `“${name}” could not be learned: ${job.errors[0]?.reason ?? job.reason ?? "the server does not say why"}`, failed: true };
  }
  if (job.status !== "completed") return { said: `“${name}” waits to be learned.`, failed: false };
  if (job.progress.unchanged > 0 || job.documents.length === 0) return { said: `“${name}” says nothing new.`, failed: false };
  const replaced = await replacedBy(server, job.documents[0]).catch(() => 0);
  return { said: `Learned “${name}”: ${counted(job.progress.chunks, "passage")}${replaced > 0 ? `, ${replaced} replaced` : ""}.${rest}`, failed: false };
}
