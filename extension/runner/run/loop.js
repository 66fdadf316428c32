import { feedbackAfterStop, feedbackAtTakeOver } from "./stop_feedback.js";
import { answerLine, CANCELLED, CANCELLED_ELSEWHERE } from "../../shared/question_text.js";
import { CannotGoOn } from "./look.js";
import { cleanUp } from "./side_effects.js";
import { PHASES } from "./phases.js";
import { problemText } from "../server/problems.js";
import { emptyView, reduceView } from "./view.js";
import { PersonWait } from "./person_wait.js";

/** @import { InterruptEvent } from "../../types/wire" */
/** @import { Context, Notice, Run, Start, View, ViewEvent, World } from "../../types/run" */

/**
 * @param {string} id @param {number} tabId @param {string} goal @param {string | null} sessionId
 * @param {Start} [how] a recipe or an earlier task says what is to be done, and `goal` only what is shown
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

const ACT_MS = 3_000; // an act under way when the person takes over is waited for so long
const LOOK_MS = 50;

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
      if (this.#driver === ctx) {
        this.#driver = null;
        if (this.run.phase === "assist" || this.run.phase === "paused") this.wait.begin();
      }
      if (!this.live) this.#keepTab(false);
      if (!this.live) await cleanUp(ctx);
    }
  }

  /** @param {boolean} keep while a run works in it, Chrome may not discard its tab to save memory */
  #keepTab(keep) {
    this.#world.ask("tab.keep", { tabId: this.run.at, keep }).catch(() => undefined);
  }

  /** @param {unknown} error ends the run with what is to be told about it */
  async fail(error) {
    const { text, notice } = problemText(error);
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
    await this.#end(() => this.#show("interrupted", reason ?? "", reason ? null : STOPPED), keep);
    await this.#tellStopped();
  }

  /** @param {() => void} shown says how it ended @param {() => Promise<void>} [keep] */
  async #end(shown, keep = () => this.#world.journal.save(this.run)) {
    this.#abort.abort();
    this.wait.end();
    if (this.run.phase === "paused") void this.#world.takeover?.end(this.run.at).catch(() => undefined);
    this.run.phase = "ended";
    shown();
    this.#keepTab(false);
    await keep();
  }

  async #tellStopped() {
    if (!this.run.taskId) return;
    await this.#world.cancel(await this.#world.journal.settings(), this.run.taskId);
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
    this.show({ type: "continued" });
    await this.#letGo();
    await this.#lookAgain();
  }

  /** The server may work on the task again. */
  async #letGo() {
    const { run } = this;
    if (run.held && run.taskId) await this.#world.reportTakeover?.(await this.#world.journal.settings(), run.taskId, "resume");
    delete run.held;
  }

  /** Goes on with a look at the page, as a new driver: an earlier one may still be unwinding. */
  async #lookAgain() {
    this.run.phase = "observe";
    this.#abort = new AbortController();
    this.#driver = null;
    await this.#world.journal.save(this.run);
    await this.drive();
  }

  /** @returns {InterruptEvent | null} the question that the run waits with */
  get #question() {
    return this.run.phase === "assist" ? this.view.question : null;
  }

  /**
   * Answers the question that the run waits with; null cancels it.
   *
   * @param {string | string[] | null} value @param {string} text the answer in words
   */
  async answer(value, text) {
    const question = this.#question;
    if (!question) return;
    const line = answerLine(question, value, text);
    if (value === null) return this.#giveUp(line, CANCELLED, () => this.#tellStopped());
    this.run.asked = { question, until: this.view.until ?? null };
    this.run.feedback = { hitlResponse: { hitlId: question.hitlId, type: question.interruptType, value } };
    await this.goOn(line);
  }

  /** @param {string} line what came of the question, as the timeline says it: the server knows the answer, or is told it now */
  async goOn(line) {
    if (!this.#question) return;
    this.wait.end();
    this.show({ type: "answered", line, at: this.#world.now() });
    this.run.phase = "observe";
    await this.#world.journal.save(this.run);
    await this.drive();
  }

  /** @param {string} line @param {string} result @param {() => Promise<void>} [tell] */
  async #giveUp(line, result, tell) {
    await this.#end(() => {
      this.show({ type: "answered", line, at: this.#world.now() });
      this.#show("interrupted", result, null);
    });
    await tell?.();
  }

  /** The question was cancelled, or its task ended, at another door. */
  async endElsewhere() {
    if (this.#question) await this.#giveUp("Cancelled elsewhere", CANCELLED_ELSEWHERE);
  }

  /** Time is up: nothing is done, and the person may have it asked again. */
  async lapse() {
    const question = this.#question ?? this.run.asked?.question;
    if (!question) return;
    delete this.run.asked;
    await this.#end(() => this.show({ type: "lapsed", question, at: this.#world.now() }));
  }

  /** The person takes over: what is under way is ended first, within reason. */
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

  /** The person hands back: the page is looked at afresh, and what they did is told. */
  async handBack() {
    const { run } = this;
    if (run.phase !== "paused") return;
    run.phase = "observe";
    this.wait.end();
    const actions = (await this.#world.takeover?.end(run.at).catch(() => [])) ?? [];
    if (run.taskId) run.feedback = { ...run.feedback, handBack: { actions } };
    this.show({ type: "handed", acts: actions, at: this.#world.now() });
    await this.#letGo();
    if (this.live) await this.#lookAgain();
  }
}
