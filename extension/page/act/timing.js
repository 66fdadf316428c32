// How an action waits in the page, fails, and notices its effect.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "until")) return;

  const FRAME_MS = 16;
  // In a hidden page timers run once a second, the page's and ours: delays grow by up to that much.
  const HIDDEN_MS = 2_500;
  // Time a check takes beyond this is due to a busy machine, which slows the page too: it is not counted.
  const LOOK_MS = 50;
  const MOST_TIMES = 4; // limit for the above, as a multiple of the requested time

  /** @throws {ActionFailure} STOPPED, if the person stopped the current action */
  function throwIfHalted() {
    if (page.actionState === "halted") throw new page.ActionFailure("STOPPED", "The person stopped it.");
  }

  const DRAWN_MS = 500; // a busy machine draws late, and an invisible window may draw nothing

  /** Waits for the next animation frame, when everything in motion has moved; a hidden page has none. */
  page.frame = () => (document.hidden ? page.tick() : new Promise((/** @type {(value?: any) => void} */ resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, DRAWN_MS);
  }).then(throwIfHalted));

  /** Lets the page's own tasks run; without a timer, since those are slow in a background tab. */
  page.tick = () =>
    new Promise((/** @type {(value?: void) => void} */ resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }).then(throwIfHalted);

  /**
   * The next moment to check: the next frame; in a hidden page its next change, or the next slow timer. That
   * timer is set from a message, not from another timer: chained timers in a hidden page run once a minute.
   * @returns {Promise<void>}
   */
  async function nextMoment() {
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
   * Waits until `check` returns something, checking after each change of the page; hidden pages and busy machines
   * get more time.
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
      await nextMoment();
      throwIfHalted();
      left -= Math.min(performance.now() - from, counted);
    }
  };

  /** Waits that long, as well as the page can. */
  page.pause = async (ms) => {
    await page.tick();
    await new Promise((resolve) => setTimeout(resolve, ms));
    throwIfHalted();
  };

  page.ActionFailure = class ActionFailure extends Error {
    /** @param {ActionCode} code @param {string} message */
    constructor(code, message) {
      super(message);
      this.code = code;
    }
  };

  const REACT_MS = 150; // a page that reacts at all begins within this time
  // Elements that show effects outside the document, which cannot be observed.
  const DRAWN = new Set(["canvas", "video", "audio", "embed", "object", "iframe"]);

  /** Whether a change is only our outline or mouse marker. @param {MutationRecord} record */
  const isOurs = ({ type, target, attributeName, addedNodes, removedNodes }) =>
    page.isOverlay(target) || attributeName?.startsWith("data-tabwright") || (type === "childList" && [...addedNodes, ...removedNodes].every((node) => page.isOverlay(node)));

  /** Whether the focus moved elsewhere than a press there moves it by itself. @param {Element} hit @param {Element | null} before */
  function focusMoved(hit, before) {
    const now = page.focusedElement();
    if (now === before) return false;
    return now === null || !page.composedContains(now, hit) || page.nativeRole(now) === "inp" || page.nativeRole(now) === "sel";
  }

  page.watchReaction = (hit) => {
    let seen = DRAWN.has(hit.localName);
    const [focus, url, scrolled] = [page.focusedElement(), location.href, scrollY];
    /** @param {Event} [event] */
    const note = (event) => {
      if (!(event?.target instanceof Node && page.isOverlay(event.target))) seen = true;
    };
    const observer = new MutationObserver((records) => {
      if (records.some((record) => !isOurs(record))) note();
    });
    for (const root of page.roots()) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const types = ["submit", "change", "input", "toggle", "beforeunload", "pagehide", "invalid"];
    for (const type of types) window.addEventListener(type, note, { capture: true });
    const reacted = () => seen || focusMoved(hit, focus) || location.href !== url || scrollY !== scrolled;
    return {
      reacted,
      soon: async () => (await page.until(reacted, REACT_MS)) === true,
      stop() {
        observer.disconnect();
        for (const type of types) window.removeEventListener(type, note, { capture: true });
      },
    };
  };
})();
