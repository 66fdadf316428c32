import { newRun } from "./run/loop.js";
import { reduceView } from "./run/view.js";

/** @import { ActiveTask, InterruptEvent, Settings } from "../types/wire" */
/** @import { LossCause, Notice, Run, World } from "../types/run" */
/** @typedef {ReturnType<typeof import("./journal.js").createJournal>} Journal */
/**
 * @typedef {Pick<World, "now" | "uuid"> & {journal: Pick<Journal, "lost" | "lose" | "found" | "dismiss" | "dismissed" | "settings" | "sessionId">,
 *   task: (settings: Settings, sessionId: string, url: string) => Promise<ActiveTask | null>}} OffersWorld
 */

const KEPT_MS = 24 * 3600_000; // how long the server answers a repeated request
const GOAL_CHARS = 60;
const LARGEST_TREE = 2_000; // CONTRACT: nodes of one tree, so ids assigned in one observation

/** @type {Record<LossCause, string>} */
const CAUSES = {
  tab: "The tab was closed",
  browser: "The browser was closed",
  extension: "Tabwright was restarted",
  elsewhere: "The extension lost the task",
};

/** @param {string} goal @param {LossCause} cause @returns {Notice} */
export function offerNotice(goal, cause) {
  const short = goal.length > GOAL_CHARS ? `${goal.slice(0, GOAL_CHARS - 1).trimEnd()}…` : goal;
  return {
    kind: "info",
    text: `${CAUSES[cause]} while “${short}” was running. Continue here?`,
    button: { label: "Continue", does: "continue" },
    also: { label: "Dismiss", does: "dismiss" },
  };
}

/** @param {string} url @returns {{page: string, site: string} | null} null for what is not a web page */
function placeOf(url) {
  if (!URL.canParse(url) || !/^https?:/.test(url)) return null;
  const { origin, pathname } = new URL(url);
  return { page: origin + pathname, site: origin };
}

/** Whether two addresses differ only in query and fragment. @param {string} a @param {string} b */
export function samePage(a, b) {
  const page = placeOf(a)?.page;
  return page !== undefined && page === placeOf(b)?.page;
}

/**
 * The run to offer at this address: the newest on the same page, else the newest on the same site.
 *
 * @param {Run[]} lost @param {string} url @returns {Run | null}
 */
export function bestFor(lost, url) {
  const here = placeOf(url);
  if (!here) return null;
  const newest = [...lost].sort((a, b) => (b.savedAt ?? 0) - (a.savedAt ?? 0));
  const on = (/** @type {"page" | "site"} */ part) => newest.find((run) => placeOf(run.view.url)?.[part] === here[part]);
  return on("page") ?? on("site") ?? null;
}

/** @param {Run} run @param {InterruptEvent} question its open question, from the server @param {string} createdAt @returns {Run} */
function withQuestion(run, question, createdAt) {
  const at = Date.parse(question.askedAt ?? createdAt);
  const until = Date.parse(question.expiresAt ?? "") || null;
  const view = { ...run.view, startedAt: Date.parse(createdAt) || at };
  return { ...run, told: true, phase: "assist", view: reduceView(view, { type: "question", event: question, until, at }) };
}

/**
 * What can be continued: runs that lost their tab, and tasks that only the server knows.
 *
 * @param {OffersWorld} world
 */
export function createOffers(world) {
  const { journal } = world;

  /** @returns {Promise<Run[]>} the recent ones; older ones are deleted */
  async function recentRuns() {
    const lost = await journal.lost();
    const old = lost.filter((run) => world.now() - (run.savedAt ?? 0) > KEPT_MS);
    if (old.length > 0) await journal.found(old);
    return lost.filter((run) => !old.includes(run));
  }

  /** @param {string} url @param {ReadonlySet<string>} held @returns {Promise<Run | null>} for a task that the server still has */
  async function fromServer(url, held) {
    const [settings, sessionId] = await Promise.all([journal.settings(), journal.sessionId()]);
    if (!settings.apiKey || !sessionId || !placeOf(url)) return null;
    const task = await world.task(settings, sessionId, url);
    if (!task || held.has(task.taskId) || (await journal.dismissed()).includes(task.taskId)) return null;
    const run = newRun(world.uuid(), -1, task.query, sessionId);
    const { pendingActionId } = task;
    // A pending action may have been carried out by whichever client worked on the task before.
    const feedback = pendingActionId ? { lastActionId: pendingActionId, lastActionStatus: /** @type {const} */ ("unknown") } : {};
    const nextId = 1 + LARGEST_TREE * (task.currentStepIndex + 2); // past every id of the task's looks so far
    const known = { ...run, taskId: task.taskId, nextId, feedback, lost: /** @type {const} */ ("elsewhere"), view: { ...run.view, goal: task.query, url } };
    return task.pendingInterrupt ? withQuestion(known, task.pendingInterrupt, task.createdAt) : known;
  }

  return {
    /** Stores a run whose tab is gone. @param {Run} run @param {LossCause} cause */
    lose: (run, cause) => journal.lose({ ...run, lost: cause }),

    /**
     * What can be continued in a tab that shows this address.
     *
     * @param {string} url @param {ReadonlySet<string>} held ids of the tasks that runs of other tabs have
     * @returns {Promise<Run | null>}
     */
    async find(url, held) {
      const free = (await recentRuns()).filter((run) => !run.taskId || !held.has(run.taskId));
      return bestFor(free, url) ?? fromServer(url, held);
    },

    /** The run was continued. @param {Run} run */
    removeOffer: (run) => journal.found([run]),

    /** The person dismissed the offer. @param {Run} run */
    async dismiss(run) {
      await journal.found([run]);
      if (run.taskId) await journal.dismiss(run.taskId);
    },
  };
}
