// Waiting in the page: for a turn of its own tasks, or until something holds.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "until")) return;

  const FRAME_MS = 16;
  // Timers of a hidden page run once a second, its own as well as ours: what it does later, it does up to so much later.
  const HIDDEN_MS = 2_500;
  // What a look takes beyond this is a busy machine's doing, which slows the page as it slows us: it is not counted.
  const LOOK_MS = 50;
  const MOST_TIMES = 4; // as long as was asked for, however slow the machine

  /** @throws {ActionFailure} STOPPED, where an action is under way that the person stopped */
  function goOn() {
    if (page.actionState === "halted") throw new page.ActionFailure("STOPPED", "The person stopped it.");
  }

  const DRAWN_MS = 500; // a busy machine draws late, and a window that is not to be seen may draw nothing

  /** The next frame, by which everything that moves has moved on; a hidden page draws none. @returns {Promise<void>} */
  page.frame = () => (document.hidden ? page.tick() : new Promise((/** @type {(value?: any) => void} */ resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, DRAWN_MS);
  }).then(goOn));

  /** Lets the page's own tasks run; not a timer, since those are slow in a background tab. @returns {Promise<void>} */
  page.tick = () =>
    new Promise((/** @type {(value?: void) => void} */ resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }).then(goOn);

  /**
   * The next moment to look: a frame's time; in a hidden page the next change of it, or its next slow timer. That
   * timer is set from a message, not from another timer: chains of timers in a hidden page run once a minute.
   * @returns {Promise<void>}
   */
  async function moment() {
    if (!document.hidden) return new Promise((resolve) => setTimeout(resolve, FRAME_MS));
    await page.tick();
    return new Promise((resolve) => {
      const done = () => {
        observer.disconnect();
        clearTimeout(timer);
        resolve();
      };
      const observer = new MutationObserver(done);
      for (const root of page.roots()) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
      const timer = setTimeout(done, FRAME_MS);
    });
  }

  /**
   * Waits until `check` gives something, looking again after each change of the page; a hidden page is given more time,
   * and so is one on a busy machine.
   * @template T @param {() => T | null | undefined | false} check @param {number} ms @returns {Promise<T | null>}
   */
  page.until = async (check, ms) => {
    const counted = document.hidden ? Infinity : LOOK_MS;
    let left = document.hidden ? Math.max(ms, HIDDEN_MS) : ms;
    const end = performance.now() + MOST_TIMES * left;
    for (;;) {
      const from = performance.now();
      const found = check();
      if (found) return found;
      if (left < 0 || from > end) return null;
      await moment();
      goOn();
      left -= Math.min(performance.now() - from, counted);
    }
  };

  /** Waits so long, as well as the page can. @param {number} ms @returns {Promise<void>} */
  page.pause = async (ms) => {
    await page.tick();
    await new Promise((resolve) => setTimeout(resolve, ms));
    goOn();
  };
})();
