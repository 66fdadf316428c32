import { feedbackAfterStop, feedbackAtTakeOver } from "./chain.js";
import { answerLine, CANCELLED, CANCELLED_ELSEWHERE } from "../../shared/question_text.js";
import { CannotContinue } from "./look.js";
import { cleanUp } from "./side_effects.js";
import { PHASES } from "./phases.js";
import { problemText } from "../server/problems.js";
import { emptyView, reduceView } from "./view.js";
import { PersonWait } from "./person_wait.js";

/** @import { InterruptEvent } from "../../types/wire" */
/** @import { Context, Notice, Run, Start, View, ViewEvent, World } from "../../types/run" */

/**
 * @param {string} id @param {number} tabId @param {string} goal @param {string | null} sessionId
 * @param {Start} [how] a recipe or an earlier task; `goal` is then only shown
 * @returns {Run}
 */
export function newRun(id, tabId, goal, sessionId, { recipe, continueFrom, delegationId, askedBy } = {}) {
  const beginning = { ...(recipe ? { recipe } : {}), ...(continueFrom ? { continueFrom } : {}), ...(delegationId ? { delegationId } : {}) };
  return {
    ...(recipe || continueFrom || delegationId ? { beginning } : {}),
    ...(recipe || continueFrom ? { told: true } : {}),
    ...(delegationId ? { delegationId, askedBy } : {}),
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

/** @type {Notice} */
const STOPPED = {
  kind: "info",
  text: "Stopped. Nothing more will be done.",
  button: { label: "Continue", does: "continue" },
};

const ACT_MS = 3_000; // how long a takeover waits for the running action
const LOOK_MS = 50;

/** One run, executed phase by phase. All it needs to resume is in the journal. */
export class RunLoop {
  #world;
  #abort = new AbortController();
  #wake = () => {};
  /** The context of the current driver; a stopped one may still be unwinding. @type {Context | null} */
  #driver = null;

  /** @param {Run} run @param {World} world */
  constructor(run, world) {
    this.run = run;
    this.#world = world;
    this.wait = new PersonWait(this, world);
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
      rest: (ms) => this.#sleep(ms, signal),
    };
  }

  /** @param {number} ms @param {AbortSignal} signal */
  async #sleep(ms, signal) {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await this.#world.sleep(ms, AbortSignal.any([signal, woken.signal])).catch(() => undefined);
    signal.throwIfAborted();
  }

  /** Runs until the run waits for the person or has ended. */
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
      if (this.#driver === ctx) {
        this.#driver = null;
        if (this.run.phase === "assist" || this.run.phase === "paused") this.wait.begin();
      }
      if (!this.live) this.#keepTab(false);
      if (!this.live) await cleanUp(ctx);
    }
  }

  /** Forbids Chrome to discard the tab while the run works in it. @param {boolean} keep */
  #keepTab(keep) {
    this.#world.ask("tab.keep", { tabId: this.run.at, keep }).catch(() => undefined);
  }

  /** Ends the run with an error. @param {unknown} error */
  async fail(error) {
    const { text, notice } = problemText(error);
    const state = error instanceof CannotContinue ? "interrupted" : "failed";
    this.#show(state, text, notice);
    await this.#world.journal.save(this.run);
  }

  /** @param {"failed" | "interrupted"} state @param {string} text @param {Notice | null} notice */
  #show(state, text, notice) {
    this.run.phase = "ended";
    this.#keepTab(false);
    this.show({ type: "ended", state, result: text, at: this.#world.now(), notice });
  }

  /** Something outside changed: a resting phase checks again now. */
  wake() {
    this.#wake();
  }

  /**
   * Ends the run at once. A running action in the page is not undone.
   *
   * @param {string} [reason] if it was not the person who stopped it
   * @param {() => Promise<void>} [keep] stores the run elsewhere than under its tab
   */
  async stop(reason, keep = () => this.#world.journal.save(this.run)) {
    if (!this.live) return;
    await this.#end(() => this.#show("interrupted", reason ?? "", reason ? null : STOPPED), keep);
    await this.#reportStopped();
  }

  /** @param {() => void} shown shows how it ended @param {() => Promise<void>} [keep] */
  async #end(shown, keep = () => this.#world.journal.save(this.run)) {
    this.#abort.abort();
    this.wait.end();
    if (this.run.phase === "paused") void this.#world.takeover?.end(this.run.at).catch(() => undefined);
    this.run.phase = "ended";
    shown();
    this.#keepTab(false);
    await keep();
  }

  async #reportStopped() {
    if (!this.run.taskId) return;
    await this.#world.cancel(await this.#world.journal.settings(), this.run.taskId);
  }

  /** Parks an interrupted run. @param {Notice} notice asks whether to continue */
  async park(notice) {
    this.run.lost = "extension";
    this.#show("interrupted", "", notice);
    await this.#world.journal.save(this.run);
  }

  /** Continues a stopped run with a new observation of the page. */
  async resume() {
    if (this.live || this.view.state !== "interrupted") return;
    this.run.feedback = feedbackAfterStop(this.run);
    this.run.lost = undefined;
    this.run.chain = null;
    this.show({ type: "continued" });
    await this.#releaseTask();
    await this.#lookAgain();
  }

  /** Hands the task back to the server. */
  async #releaseTask() {
    const { run } = this;
    if (run.held && run.taskId) await this.#world.reportTakeover?.(await this.#world.journal.settings(), run.taskId, "resume");
    delete run.held;
  }

  /** Continues with an observation, as a new driver: an earlier one may still be unwinding. */
  async #lookAgain() {
    this.run.phase = "observe";
    this.#abort = new AbortController();
    this.#driver = null;
    await this.#world.journal.save(this.run);
    await this.drive();
  }

  /** @returns {InterruptEvent | null} the open question */
  get #question() {
    return this.run.phase === "assist" ? this.view.question : null;
  }

  /**
   * Answers the open question; null cancels it.
   *
   * @param {string | string[] | null} value @param {string} text the answer in words
   */
  async answer(value, text) {
    const question = this.#question;
    if (!question) return;
    const line = answerLine(question, value, text);
    if (value === null) return this.#endWithAnswer(line, CANCELLED, () => this.#reportStopped());
    this.run.asked = { question, until: this.view.until ?? null };
    this.run.feedback = { hitlResponse: { hitlId: question.hitlId, type: question.interruptType, value } };
    await this.continueRun(line);
  }

  /** Continues after a question whose answer the server has or gets now. @param {string} line the timeline's line about it */
  async continueRun(line) {
    if (!this.#question) return;
    this.wait.end();
    this.show({ type: "answered", line, at: this.#world.now() });
    this.run.phase = "observe";
    await this.#world.journal.save(this.run);
    await this.drive();
  }

  /** @param {string} line @param {string} result @param {() => Promise<void>} [tell] */
  async #endWithAnswer(line, result, tell) {
    await this.#end(() => {
      this.show({ type: "answered", line, at: this.#world.now() });
      this.#show("interrupted", result, null);
    });
    await tell?.();
  }

  /** The question was cancelled, or its task ended, in another client. */
  async endElsewhere() {
    if (this.#question) await this.#endWithAnswer("Cancelled elsewhere", CANCELLED_ELSEWHERE);
  }

  /** The question has expired: nothing is done, and the person may ask again. */
  async expire() {
    const question = this.#question ?? this.run.asked?.question;
    if (!question) return;
    delete this.run.asked;
    await this.#end(() => this.show({ type: "lapsed", question, at: this.#world.now() }));
  }

  /** The person takes over. A running action gets a moment to finish. */
  async pause() {
    const { run } = this;
    if (!this.live || this.view.state !== "running" || run.phase === "paused") return;
    const deadline = this.#world.now() + ACT_MS;
    const { signal } = this.#abort;
    while (run.phase === "act" && run.chain?.intent && this.#world.now() < deadline) {
      await this.#world.sleep(LOOK_MS, signal).catch(() => undefined);
    }
    if (!this.live || this.view.state !== "running" || signal.aborted) return;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#driver = null;
    run.phase = "paused";
    const feedback = await feedbackAtTakeOver(this.#context()).catch(() => feedbackAfterStop(run));
    if (run.phase !== "paused") return; // stopped meanwhile
    Object.assign(run, { held: true, feedback, chain: null });
    this.show({ type: "held" });
    await this.#world.journal.save(run);
    this.wait.begin();
    if (run.taskId) await this.#world.reportTakeover?.(await this.#world.journal.settings(), run.taskId, "pause");
  }

  /** The person hands back: the page is observed again, and what they did is reported. */
  async handBack() {
    const { run } = this;
    if (run.phase !== "paused") return;
    run.phase = "observe";
    this.wait.end();
    const actions = (await this.#world.takeover?.end(run.at).catch(() => [])) ?? [];
    if (run.taskId) run.feedback = { ...run.feedback, handBack: { actions } };
    this.show({ type: "handed", acts: actions, at: this.#world.now() });
    await this.#releaseTask();
    if (this.live) await this.#lookAgain();
  }
}
