import { feedbackOf } from "./chain.js";
import { Problem } from "./client.js";
import { CannotGoOn } from "./look.js";
import { PHASES } from "./phases.js";
import { emptyView, reduceView } from "./view.js";

/** @import { Feedback } from "../types/wire" */
/** @import { Context, Notice, Run, View, ViewEvent, World } from "../types/run" */

/** @param {string} id @param {number} tabId @param {string} goal @param {string | null} sessionId @returns {Run} */
export function newRun(id, tabId, goal, sessionId) {
  return {
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

/** @param {unknown} error @returns {{text: string, notice: Notice | null}} what to tell the person */
function inWords(error) {
  if (error instanceof CannotGoOn) return { text: error.message, notice: null };
  if (error instanceof Problem && (error.status === 401 || error.status === 403)) {
    const text = "The server does not accept this API key.";
    return { text, notice: { kind: "auth", text, button: { label: "Open settings", does: "settings" } } };
  }
  if (error instanceof Problem) return { text: error.message, notice: null };
  const text = `Something went wrong in the extension: ${error instanceof Error ? error.message : error}`;
  return { text, notice: null };
}

/**
 * What to report of a run that the person stopped and lets go on: an action that had begun may or
 * may not have happened, one that had not did not.
 *
 * @param {Run} run @returns {Feedback}
 */
function feedbackAfterStop(run) {
  if (!run.chain) return run.feedback;
  const told = feedbackOf(run.chain);
  const previousUrl = run.urlBefore;
  if (run.chain.intent) {
    const error = { code: "CUT_OFF", message: "The person stopped while this was under way" };
    return { ...told, previousUrl, lastActionId: run.chain.intent, lastActionStatus: "unknown", lastActionError: error };
  }
  if (run.chain.results.length > 0) return { ...told, previousUrl };
  const error = { code: "STOPPED", message: "The person stopped before this action" };
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
    this.run.view = reduceView(this.run.view, event);
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
    try {
      for (let phase = PHASES[this.run.phase]; phase; phase = PHASES[this.run.phase]) {
        await phase(ctx);
      }
    } catch (error) {
      if (!ctx.signal.aborted) await this.fail(error);
    } finally {
      if (this.#driver === ctx) this.#driver = null;
    }
  }

  /** @param {unknown} error ends the run with what is to be told about it */
  async fail(error) {
    const { text, notice } = inWords(error);
    const state = error instanceof CannotGoOn ? "interrupted" : "failed";
    await this.#end(state, text, notice);
  }

  /** @param {"failed" | "interrupted"} state @param {string} text @param {Notice | null} notice */
  async #end(state, text, notice) {
    this.run.phase = "ended";
    this.show({ type: "ended", state, result: text, at: this.#world.now(), notice });
    await this.#world.journal.save(this.run);
  }

  /** Something outside changed: what rests looks again now. */
  wake() {
    this.#wake();
  }

  /**
   * Ends the run at once; what is under way in the page is not undone.
   *
   * @param {string} [reason] when it was not the person who stopped it
   */
  async stop(reason) {
    if (!this.live) return;
    this.#abort.abort();
    await this.#end("interrupted", reason ?? "", reason ? null : STOPPED);
    if (this.run.taskId) {
      await this.#world.cancel(await this.#world.journal.settings(), this.run.taskId);
    }
  }

  /** Takes up a run that was stopped: the page is looked at afresh. */
  async resume() {
    if (this.live || this.view.state !== "interrupted") return;
    this.run.feedback = feedbackAfterStop(this.run);
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
