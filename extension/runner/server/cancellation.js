/** @import { World } from "../../types/run" */
/** @typedef {{cancel: World["cancel"], interact: World["interact"], journal: Pick<ReturnType<typeof import("../journal.js").createJournal>, "settings" | "untold" | "keepUntold">}} CancellationWorld */

/**
 * Tells the server that tasks were stopped: one that cannot be told now is told later.
 *
 * @param {CancellationWorld} world
 */
export function createCancellations({ cancel, interact, journal }) {
  /** @param {string} taskId need not be told any more */
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
     * Ends for the run as soon as it is stopped. The server goes on when a connection is cut, and a new task
     * has no name to stop it by before the server's first word: until then it is listened to still.
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
        const heard = interact({ ...call, signal: inner.signal, onStatus });
        heard.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
      });
    },

    /** Tells what could not be told before. */
    async again() {
      for (const taskId of await journal.untold()) {
        if ((await cancel(await journal.settings(), taskId)) === false) return;
        await forget(taskId);
      }
    },
  };
}
