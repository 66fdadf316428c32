/** @import { World } from "../../types/run" */
/** @typedef {{cancel: World["cancel"], interact: World["interact"], journal: Pick<ReturnType<typeof import("../journal.js").createJournal>, "settings" | "untold" | "keepUntold">}} CancellationWorld */

/**
 * Tells the server that tasks were stopped; when it cannot be reached, it is told later.
 *
 * @param {CancellationWorld} world
 */
export function createCancellations({ cancel, interact, journal }) {
  /** @param {string} taskId no longer needs to be reported */
  async function forget(taskId) {
    const left = await journal.untold();
    if (left.includes(taskId)) await journal.keepUntold(left.filter((id) => id !== taskId));
  }

  /** @type {World["cancel"]} */
  async function stop(settings, taskId) {
    if ((await cancel(settings, taskId)) !== false) return true;
    await journal.keepUntold([...(await journal.untold()).filter((id) => id !== taskId), taskId]);
    return false;
  }

  return {
    forget,
    cancel: stop,

    /**
     * Returns to the run as soon as it is stopped. A server keeps working when the connection is cut, and a new
     * task has no id to cancel before the server's first event, so the stream is read until that arrives.
     *
     * @type {World["interact"]}
     */
    interact(call) {
      const { settings, signal } = call;
      const inner = new AbortController();
      let named = call.taskId !== null;
      return new Promise((resolve, reject) => {
        const leave = () => {
          reject(signal.reason);
          if (named) inner.abort(signal.reason);
        };
        if (signal.aborted) return leave();
        signal.addEventListener("abort", leave, { once: true });
        /** @param {import("../../types/wire").StatusEvent} status */
        const onStatus = (status) => {
          call.onStatus(status);
          if (named || !status.taskId) return;
          named = true;
          if (!signal.aborted) return;
          inner.abort(signal.reason);
          void stop(settings, status.taskId);
        };
        const answer = interact({ ...call, signal: inner.signal, onStatus });
        answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
      });
    },

    /** Reports the stops that could not be reported before. */
    async again() {
      for (const taskId of await journal.untold()) {
        if ((await cancel(await journal.settings(), taskId)) === false) return;
        await forget(taskId);
      }
    },
  };
}
