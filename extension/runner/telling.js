/** @import { World } from "../types/run" */
/** @typedef {{cancel: World["cancel"], journal: Pick<ReturnType<typeof import("./journal.js").createJournal>, "settings" | "untold" | "keepUntold">}} TellingWorld */

/**
 * Tells the server that tasks were stopped: one that cannot be told now is told later.
 *
 * @param {TellingWorld} world
 */
export function createTelling({ cancel, journal }) {
  /** @param {string} taskId need not be told any more */
  async function forget(taskId) {
    const left = await journal.untold();
    if (left.includes(taskId)) await journal.keepUntold(left.filter((id) => id !== taskId));
  }

  return {
    forget,

    /** @type {World["cancel"]} */
    async cancel(settings, taskId) {
      if ((await cancel(settings, taskId)) !== false) return true;
      await journal.keepUntold([...(await journal.untold()).filter((id) => id !== taskId), taskId]);
      return false;
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
