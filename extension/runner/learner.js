import { Refusal } from "../shared/messages.js";
import { plural } from "../shared/text.js";

/** @import { Job, Learning, LearningWorld } from "../types/learning" */

/** @typedef {(path: string, what?: {method?: string, body?: object}) => Promise<any>} Server */

const FIRST_MS = 150; // most captures are processed in 0.1 s
const SLOWEST_MS = 2_000;
const LONGEST_MS = 300_000; // behind a long queue; the job itself continues
const MOST_LOOKS = 20; // documents of one address that are checked for replaced passages
const ENDED = new Set(["completed", "failed", "cancelled"]);

/**
 * @param {Server} server @param {string} jobId @param {(ms: number) => Promise<void>} sleep
 * @returns {Promise<Job>} once it has ended or the wait timed out
 */
export async function waitForJob(server, jobId, sleep) {
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
 * The number of passages of the same address that a new capture replaced.
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
 * The outcome of learning something, in a sentence.
 *
 * @param {Server} server @param {Job} job @param {string} name of what was learned @param {boolean} cut whether it was too long
 * @returns {Promise<{said: string, failed: boolean}>}
 */
export async function learnOutcome(server, job, name, cut) {
  const rest = cut ? " It was too long, so only the first part was learned." : "";
  if (job.status === "failed" || job.errors.length > 0) {
    return { said: `“${name}” could not be learned: ${job.errors[0]?.reason ?? job.reason ?? "the server gave no reason"}`, failed: true };
  }
  if (job.status !== "completed") return { said: `“${name}” is queued.`, failed: false };
  if (job.progress.unchanged > 0 || job.documents.length === 0) return { said: `“${name}” contains nothing new.`, failed: false };
  const replaced = await replacedBy(server, job.documents[0]).catch(() => 0);
  return { said: `Learned “${name}”: ${plural(job.progress.chunks, "passage")}${replaced > 0 ? `, ${replaced} replaced` : ""}.${rest}`, failed: false };
}

/** @typedef {{documentId: string, view: Learning}} Watched */

const ALWAYS = "learnAlways"; // storage key: pages where whatever is opened is learned without asking
const MOST_ALWAYS = 100;
const MOST_OFFERS = 5;
const READY_MS = 15_000;
const QUIET_MS = 500;
const LOOK_MS = 150;
const CAPTURE_MS = 20_000; // a page of 60,000 elements takes two seconds

/** @param {string} url @returns {string} the page without query and fragment */
const placeOf = (url) => (URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : "");

/** @param {number} tabId @returns {Learning} */
const nothing = (tabId) => ({ tabId, on: false, busy: false, said: "", failed: false, offers: [], always: false });

/** @param {unknown} error @returns {string} */
function inWords(error) {
  if (error instanceof Refusal && error.code === "NO_PERMISSION") return "Tabwright needs permission to read this page.";
  return error instanceof Error ? error.message : String(error);
}

/**
 * Learns pages on request. What is opened on them afterwards is offered by name and leaves the page only with the person's consent.
 *
 * @param {LearningWorld} world
 */
export function createLearner({ pages, ask, server, publish, sleep }) {
  /** @type {Map<number, Watched>} */
  const tabs = new Map();

  /** @param {number} tabId */
  const view = (tabId) => tabs.get(tabId)?.view ?? nothing(tabId);

  /** @param {number} tabId @param {Partial<Learning>} change */
  function show(tabId, change) {
    const watched = tabs.get(tabId) ?? { documentId: "", view: nothing(tabId) };
    watched.view = { ...watched.view, ...change };
    tabs.set(tabId, watched);
    publish(watched.view);
  }

  /** @returns {Promise<string[]>} */
  const places = async () => (await ask("storage.get", { keys: [ALWAYS] }))[ALWAYS] ?? [];

  /** @param {import("../types/run").PageClient} page */
  async function settled(page) {
    for (let waited = 0; waited < READY_MS; waited += LOOK_MS) {
      const { readyState, domQuietMs } = await page.request("quiet");
      if (readyState === "complete" && domQuietMs >= QUIET_MS) return;
      await sleep(LOOK_MS);
    }
  }

  /** @param {number} tabId a tab that may still be loading @returns {Promise<import("../types/run").PageClient>} */
  async function pageOf(tabId) {
    for (let waited = 0; ; waited += LOOK_MS) {
      try {
        return await pages.page(tabId);
      } catch (error) {
        const isEarly = !(error instanceof Refusal) || error.code === "PAGE_NOT_READY";
        if (!isEarly || waited > READY_MS) throw error;
        await sleep(LOOK_MS);
      }
    }
  }

  /** Starts offering what is opened in the tab. @param {number} tabId @returns {Promise<import("../types/run").PageClient>} */
  async function watch(tabId) {
    const page = await pageOf(tabId);
    await ask("page.learn", { tabId });
    await page.request("learn", { on: true });
    const watched = tabs.get(tabId) ?? { documentId: "", view: nothing(tabId) };
    tabs.set(tabId, Object.assign(watched, { documentId: page.documentId }));
    return page;
  }

  /** @param {number} tabId @param {any} captured @param {string} name */
  async function send(tabId, { html, url, phase, triggerAction, container, cut }, name) {
    show(tabId, { busy: true, said: `Learning “${name}”…`, failed: false });
    const watched = tabs.get(tabId);
    const opened = { ...(triggerAction ? { triggerAction } : {}), ...(container ? { container } : {}) };
    const { jobId } = await server("/api/knowledge/ingest", { method: "POST", body: { html, url, phase, ...opened } });
    const came = await learnOutcome(server, await waitForJob(server, jobId, sleep), name, cut);
    // A success is not shown beside the next page, on which nothing is being learned.
    if (came.failed || tabs.get(tabId) === watched) show(tabId, { busy: false, ...came });
  }

  /** @param {number} tabId @param {() => Promise<unknown>} work */
  async function tried(tabId, work) {
    try {
      await work();
    } catch (error) {
      show(tabId, { busy: false, said: inWords(error), failed: true });
    }
  }

  /** @param {number} tabId @param {string} key */
  const without = (tabId, key) => view(tabId).offers.filter((offer) => offer.key !== key);

  /** Learns the page as it is, and then offers what is opened on it. @param {number} tabId */
  const learn = (tabId) =>
    tried(tabId, async () => {
      show(tabId, { busy: true, said: "Reading the page…", failed: false });
      const page = await pageOf(tabId);
      await settled(page);
      await watch(tabId);
      const captured = await page.request("capture", {}, CAPTURE_MS);
      const always = (await places()).includes(placeOf(page.url));
      show(tabId, { on: true, always, offers: [] });
      await send(tabId, captured, captured.title || "this page");
    });

  /** Learns one offer. @param {number} tabId @param {string} key */
  const take = (tabId, key) =>
    tried(tabId, async () => {
      const offer = view(tabId).offers.find((one) => one.key === key);
      show(tabId, { offers: without(tabId, key) });
      const captured = await pages.known(tabId)?.request("opened", { key });
      if (!captured) throw new Error("The page is gone, along with what was opened on it.");
      await send(tabId, captured, offer?.name ?? captured.name);
    });

  /** @param {number} tabId @param {string} key */
  async function skip(tabId, key) {
    show(tabId, { offers: without(tabId, key) });
    await pages.known(tabId)?.request("forget", { key }).catch(() => undefined);
  }

  /** Learns whatever is opened on this page, on this computer. @param {number} tabId @param {boolean} wanted */
  async function setAlways(tabId, wanted) {
    const place = placeOf(pages.known(tabId)?.url ?? "");
    if (!place) return;
    const others = (await places()).filter((one) => one !== place);
    await ask("storage.set", { items: { [ALWAYS]: (wanted ? [...others, place] : others).slice(-MOST_ALWAYS) } });
    show(tabId, { always: wanted });
    if (wanted) for (const { key } of view(tabId).offers) await take(tabId, key);
  }

  /** @param {number} tabId */
  async function end(tabId) {
    const { always } = view(tabId);
    if (always) await setAlways(tabId, false);
    await pages.known(tabId)?.request("learn", { on: false }).catch(() => undefined);
    tabs.delete(tabId);
    publish(nothing(tabId));
  }

  /** Resumes learning if the tab's page is one that is always learned. @param {number} tabId */
  async function attached(tabId) {
    const known = view(tabId).on ? [] : await places();
    if (known.length === 0) return;
    const { url } = await ask("tab.get", { tabId }).catch(() => ({ url: "" }));
    if (!known.includes(placeOf(url))) return;
    await watch(tabId).then(() => show(tabId, { on: true, always: true }), () => undefined);
  }

  /** A new document ends the learning of the old one. @param {number} tabId @param {string} documentId */
  function arrived(tabId, documentId) {
    const watched = tabs.get(tabId);
    if (!watched?.documentId || watched.documentId === documentId) return;
    tabs.delete(tabId);
    publish(nothing(tabId));
  }

  /** @param {number} tabId whose page has loaded @param {boolean} shown in a panel: nothing is learned unseen */
  async function loaded(tabId, shown) {
    arrived(tabId, pages.known(tabId)?.documentId ?? "");
    if (shown) await attached(tabId);
  }

  pages.listen("opened", (tabId, { opened }) => {
    const { on, always, offers } = view(tabId);
    if (!on) return;
    show(tabId, { offers: [...offers.filter(({ name }) => name !== opened.name), opened].slice(-MOST_OFFERS) });
    if (always) void take(tabId, opened.key);
  });
  pages.listen("hello", (tabId, { frameId, page }) => {
    if (frameId === 0) arrived(tabId, page.documentId);
  });

  return { view, learn, take, skip, setAlways, end, attached, loaded };
}
