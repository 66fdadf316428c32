/** @import { ChatStatus } from "../../types/chat" */

export const LEAST_MS = 300; // UI: a line is read, so it stays at least so long

/**
 * Shows what a turn does, one status after another, each for at least `LEAST_MS`: steps that take no
 * time are seen too.
 *
 * @param {(status: ChatStatus | null) => void} show null clears
 * @param {(ms: number) => Promise<unknown>} [wait]
 */
export function createReasoning(show, wait = (ms) => new Promise((done) => setTimeout(done, ms))) {
  /** Ends when all that was said has been shown. @type {Promise<unknown>} */
  let shown = Promise.resolve();
  let turn = 0;

  return {
    /** @param {ChatStatus} status */
    say(status) {
      const mine = turn;
      shown = shown.then(async () => {
        if (mine !== turn) return;
        show(status);
        await wait(LEAST_MS);
      });
    },
    /** Clears the line once all was shown. */
    async end() {
      const mine = turn;
      await shown;
      if (mine === turn) show(null);
    },
    /** Clears it at once: another conversation is shown. */
    drop() {
      turn += 1;
      shown = Promise.resolve();
      show(null);
    },
  };
}
