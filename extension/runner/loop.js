import { feedbackOf } from "./chain.js";
import { CannotGoOn } from "./look.js";
import { leaveNothing } from "./outside.js";
import { PHASES } from "./phases.js";
import { inWords } from "./problems.js";
import { emptyView, reduceView } from "./view.js";

/** @import { Feedback } from "../types/wire" */
/** @import { Beginning, Context, Notice, Run, View, ViewEvent, World } from "../types/run" */

/**
 * @param {string} id @param {number} tabId @param {string} goal @param {string | null} sessionId
 * @param {Beginning} [how] a recipe or an earlier task says what is to be done, and `goal` only what is shown
 * @returns {Run}
 */
export function newRun(id, tabId, goal, sessionId, { recipe, continueFrom } = {}) {
  const beginning = { ...(recipe ? { recipe } : {}), ...(continueFrom ? { continueFrom } : {}) };
  return {
    ...(recipe || continueFrom ? { beginning, told: true } : {}),
    id,
    tabId,
    at: tabId,
    phase: "observe",
    goal,
    taskId: null,
    sessionId,
    nextId: 1,
    chain: null,
    feedback: {},
    documentId: null,
    urlBefore: "",
    openers: [],
    view: emptyView(tabId),
  };
}

/**
 * What to report of a run that was stopped or cut off and goes on: an action that had begun may or
 * may not have happened, one that had not did not. The page is looked at afresh, so nothing is said
 * of what was witnessed before; a question that was not answered for sure is asked again.
 *
 * @param {Run} run @returns {Feedback}
 */
function feedbackAfterStop(run) {
  const { clientObservations: _witnessed, hitlResponse: _answer, ...kept } = run.feedback;
  if (!run.chain) return kept;
  const who = run.lost ? "Tabwright was cut off" : "The person stopped";
  const told = feedbackOf(run.chain);
  const previousUrl = run.urlBefore;
  if (run.chain.intent) {
    const error = { code: "CUT_OFF", message: `${who} while this was under way` };
    return { ...told, previousUrl, lastActionId: run.chain.intent, lastActionStatus: "unknown", lastActionError: error };
  }
  if (run.chain.results.length > 0) return { ...told, previousUrl };
  const error = { code: "STOPPED", message: `${who} before this action` };
  return { previousUrl, lastActionId: run.chain.items[0]?.actionId, lastActionStatus: "failure", lastActionError: error };
}

/** @type {Notice} */
const STOPPED = {
  kind: "info",
  text: "Stopped. Nothing more is done.",
  button: { label: "Continue", does: "continue" },
};

/** One run, carried out phase by phase; all that it needs to go on is in its journal. */
export class RunLoop {
  #world;
  #abort = new AbortController();
  #wake = () => {};
  /** What drives the run now; one that was stopped may still be unwinding. @type {Context | null} */
  #driver = null;

  /** @param {Run} run @param {World} world */
  constructor(run, world) {
    this.run = run;
    this.#world = world;
  }

  /** @returns {View} */
  get view() {
    return this.run.view;
  }

  get live() {
    return this.run.phase !== "ended";
  }

  /** @param {ViewEvent} event */
  show(event) {
    this.run.view = { ...reduceView(this.run.view, event), taskId: this.run.taskId };
    this.#world.publish(this.run.view);
  }

  /** @returns {Context} */
  #context() {
    const { signal } = this.#abort;
    return {
      run: this.run,
      world: this.#world,
      signal,
      show: (event) => signal.aborted || this.show(event),
      save: () => this.#world.journal.save(this.run),
      rest: (ms) => this.#rest(ms, signal),
    };
  }

  /** @param {number} ms @param {AbortSignal} signal */
  async #rest(ms, signal) {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await this.#world.sleep(ms, AbortSignal.any([signal, woken.signal])).catch(() => undefined);
    signal.throwIfAborted();
  }

  /** Goes on until the run waits for the person or has ended. */
  async drive() {
    if (this.#driver) return;
    const ctx = this.#context();
    this.#driver = ctx;
    this.#keepTab(true);
    try {
      for (let phase = PHASES[this.run.phase]; phase; phase = PHASES[this.run.phase]) {
        await phase(ctx);
      }
    } catch (error) {
      if (!ctx.signal.aborted) await this.fail(error);
    } finally {
      if (this.#driver === ctx) this.#driver = null;
      if (!this.live) this.#keepTab(false);
      if (!this.live) await leaveNothing(ctx);
    }
  }

  /** @param {boolean} keep while a run works in it, Chrome may not discard its tab to save memory */
  #keepTab(keep) {
    this.#world.ask("tab.keep", { tabId: this.run.at, keep }).catch(() => undefined);
  }

  /** @param {unknown} error ends the run with what is to be told about it */
  async fail(error) {
    const { text, notice } = inWords(error);
    const state = error instanceof CannotGoOn ? "interrupted" : "failed";
    this.#show(state, text, notice);
    await this.#world.journal.save(this.run);
  }

  /** @param {"failed" | "interrupted"} state @param {string} text @param {Notice | null} notice */
  #show(state, text, notice) {
    this.run.phase = "ended";
    this.#keepTab(false);
    this.show({ type: "ended", state, result: text, at: this.#world.now(), notice });
  }

  /** Something outside changed: what rests looks again now. */
  wake() {
    this.#wake();
  }

  /**
   * Ends the run at once; what is under way in the page is not undone.
   *
   * @param {string} [reason] when it was not the person who stopped it
   * @param {() => Promise<void>} [keep] writes the run down in another way than under its tab
   */
  async stop(reason, keep = () => this.#world.journal.save(this.run)) {
    if (!this.live) return;
    this.#abort.abort();
    this.#show("interrupted", reason ?? "", reason ? null : STOPPED);
    await keep();
    if (this.run.taskId) {
      await this.#world.cancel(await this.#world.journal.settings(), this.run.taskId);
    }
  }

  /** @param {Notice} notice the run was cut off, and asks whether to go on */
  async park(notice) {
    this.run.lost = "extension";
    this.#show("interrupted", "", notice);
    await this.#world.journal.save(this.run);
  }

  /** Takes up a run that was stopped: the page is looked at afresh. */
  async resume() {
    if (this.live || this.view.state !== "interrupted") return;
    this.run.feedback = feedbackAfterStop(this.run);
    this.run.lost = undefined;
    this.run.chain = null;
    this.run.phase = "observe";
    this.#abort = new AbortController();
    this.#driver = null;
    this.show({ type: "continued" });
    await this.#world.journal.save(this.run);
    await this.drive();
  }

  /**
   * Answers the question that the run waits with; null cancels it.
   *
   * @param {string | string[] | null} value @param {string} text the answer in words
   */
  async answer(value, text) {
    const question = this.view.question;
    if (this.run.phase !== "assist" || !question) return;
    const type = value === null ? "cancel" : question.interruptType;
    this.run.feedback = { hitlResponse: { hitlId: question.hitlId, type, value } };
    this.run.phase = "observe";
    this.show({ type: "answered", text, at: this.#world.now() });
    await this.#world.journal.save(this.run);
    await this.drive();
  }
}
