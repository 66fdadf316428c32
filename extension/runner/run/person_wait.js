import { ANSWERED_ELSEWHERE } from "../../shared/question_text.js";
import { followTask } from "../server/task_events.js";

/** @import { InterruptEvent, TaskEvent } from "../../types/wire" */
/** @import { World } from "../../types/run" */
/** @typedef {import("./loop.js").RunLoop} RunLoop */

const LOOK_MS = 20_000; // between checks, so that an expiry during sleep is noticed soon after

const ENDED = new Set(["completed", "failed", "interrupted"]);

/**
 * A run while it waits for the person: with a question, or because they have taken over. It follows answers given elsewhere, expires the
 * question, and marks its options in the page.
 */
export class PersonWait {
  #loop;
  #world;
  #over = new AbortController();
  /** The question that was found settled once, without the answer. */
  #settled = "";

  /** @param {RunLoop} loop @param {World} world */
  constructor(loop, world) {
    this.#loop = loop;
    this.#world = world;
  }

  /** Starts waiting, also again after a restart. An expired question ends the run. */
  begin() {
    this.#over.abort();
    this.#over = new AbortController();
    const { signal } = this.#over;
    const { run, view } = this.#loop;
    if (run.phase === "assist") {
      this.drawMarks();
      void this.#expire(signal);
      if (view.question) void this.#notify(view.question);
    }
    if (run.phase === "paused") void this.#world.takeover?.begin(run.at).catch(() => undefined);
    const away = (/** @type {boolean} */ now) => this.#loop.view.away !== now && !signal.aborted && this.#loop.show({ type: "away", away: now });
    if (run.taskId) void followTask(this.#world, run.taskId, signal, { heard: (event) => this.#onEvent(event), away });
  }

  /** Ends the wait, for whatever reason. */
  end() {
    this.#over.abort();
    const { run } = this.#loop;
    void this.#world.highlighter?.clear(run.at).catch(() => undefined);
    if (!run.notified) return;
    delete run.notified;
    void this.#world.ask("notify.clear", { tabId: run.tabId }).catch(() => undefined);
  }

  /** Marks the question's options in the page; called again for a new document. */
  drawMarks() {
    const { run, view } = this.#loop;
    if (run.phase !== "assist" || !view.question) return;
    const { question } = view;
    void this.#world.highlighter?.show(run.at, question, (chosen) => this.#handleChoice(question, chosen)).catch(() => undefined);
  }

  /** @param {InterruptEvent} question @param {string[]} chosen ids of options, clicked in the page */
  #handleChoice(question, chosen) {
    if (this.#loop.view.question?.hitlId !== question.hitlId) return;
    const labels = (question.options ?? []).filter(({ id }) => chosen.includes(id)).map(({ label }) => label);
    if (question.expectedInput === "multi_choice") this.#loop.show({ type: "chosen", chosen });
    else if (labels.length === 1) void this.#loop.answer(chosen[0], labels[0]);
  }

  /** @param {string[]} chosen ids of options, chosen in the panel; not the answer yet */
  choose(chosen) {
    const { run, view } = this.#loop;
    if (run.phase !== "assist" || view.question?.expectedInput !== "multi_choice") return;
    this.#loop.show({ type: "chosen", chosen });
    void this.#world.highlighter?.mark(run.at, chosen).catch(() => undefined);
  }

  /** @param {InterruptEvent} question */
  async #notify(question) {
    const { run, view } = this.#loop;
    if (run.notified === question.hitlId) return;
    run.notified = question.hitlId;
    const { host = "" } = URL.canParse(view.url) ? new URL(view.url) : {};
    await this.#world.notify?.({ tabId: run.tabId, hitlId: question.hitlId, approval: question.kind === "approval", site: host }).catch(() => undefined);
  }

  /** @param {AbortSignal} signal */
  async #expire(signal) {
    const { until } = this.#loop.view;
    if (!until) return;
    for (let left = until - this.#world.now(); left > 0; left = until - this.#world.now()) {
      await this.#world.sleep(Math.min(left, LOOK_MS), signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    await this.#loop.expire();
  }

  /** @param {TaskEvent} event */
  #onEvent(event) {
    const { run, view } = this.#loop;
    if (run.phase === "paused" && event.type === "resumed") void this.#loop.handBack();
    if (run.phase !== "assist" || !view.question) return;
    const ours = event.hitlId === view.question.hitlId;
    if (event.type === "standing") this.#checkState(event, view.question);
    else if (event.type === "ended") void this.#loop.endElsewhere();
    else if (ours && event.type === "answered") void this.#loop.continueRun(ANSWERED_ELSEWHERE);
    else if (ours && event.type === "cancelled") void this.#loop.endElsewhere();
    else if (ours && event.type === "expired") void this.#loop.expire();
  }

  /** @param {TaskEvent} event the state of the task @param {InterruptEvent} question the question shown here */
  #checkState({ hitlId, status }, { hitlId: ours }) {
    if (hitlId === ours) return;
    if (ENDED.has(status ?? "")) return void this.#loop.endElsewhere();
    // Once: a server that asks the same question again has not settled it.
    if (this.#settled === ours) return;
    this.#settled = ours;
    void this.#loop.continueRun(ANSWERED_ELSEWHERE);
  }
}
