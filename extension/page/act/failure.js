// Failures of actions, with the codes of CONTRACT and words that help to choose the next action.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "ActionFailure")) return;

  page.ActionFailure = class ActionFailure extends Error {
    /** @param {ActionCode} code @param {string} message */
    constructor(code, message) {
      super(message);
      this.code = code;
    }
  };

  /** Lets the page's own tasks run; not a timer, since those are slow in a background tab. @returns {Promise<void>} */
  page.tick = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });

  /**
   * Waits until `check` gives something, looking again after each turn of the page.
   * @template T @param {() => T | null | undefined | false} check @param {number} ms @returns {Promise<T | null>}
   */
  page.until = async (check, ms) => {
    const end = performance.now() + ms;
    for (;;) {
      const found = check();
      if (found) return found;
      if (performance.now() > end) return null;
      await new Promise((resolve) => setTimeout(resolve, 16));
    }
  };
})();
