// Keeps overlays on their elements: checks positions only when something may have moved, at most once per frame.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "trackPositions")) return;

  const STILL = 2; // frames without movement after which tracking pauses
  const SURE_MS = 500; // movements without any event (a hover style) are noticed after this time
  const SIGNS = ["scroll", "load", "transitionrun", "transitionend", "animationstart", "animationend", "toggle"];
  const SIGNS_OF_WINDOW = ["resize", "orientationchange"];

  /** @param elements to track @param place redraws; returns whether anything moved */
  page.trackPositions = (elements, place) => {
    let frame = 0;
    let still = 0;
    const step = () => {
      frame = 0;
      still = place() ? 0 : still + 1;
      if (still < STILL) frame = requestAnimationFrame(step);
    };
    const wake = () => {
      still = 0;
      frame ||= requestAnimationFrame(step);
    };
    const changes = new MutationObserver(wake);
    changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const sizes = new ResizeObserver(wake);
    for (const el of [document.documentElement, ...elements()]) sizes.observe(el);
    const timer = setInterval(wake, SURE_MS);
    const ends = new AbortController();
    for (const sign of SIGNS) document.addEventListener(sign, wake, { capture: true, passive: true, signal: ends.signal });
    for (const sign of SIGNS_OF_WINDOW) addEventListener(sign, wake, { signal: ends.signal });
    place();
    wake();
    return {
      wake,
      stop() {
        ends.abort();
        changes.disconnect();
        sizes.disconnect();
        clearInterval(timer);
        cancelAnimationFrame(frame);
      },
    };
  };

  /** @param {Pane} a @param {Pane} b */
  const overlap = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });

  /** The part of the window in which an element can be visible: within its clipping containers. */
  page.paneOf = (el) => {
    const screen = page.visiblePane();
    let pane = screen;
    if (getComputedStyle(el).position === "fixed") return screen;
    for (let up = page.parentOf(el); up && up !== document.body && up !== document.documentElement; up = page.parentOf(up)) {
      const { overflow, position } = getComputedStyle(up);
      if (/hidden|clip|auto|scroll/.test(overflow)) pane = overlap(pane, up.getBoundingClientRect());
      if (position === "fixed") break;
    }
    return pane.left < pane.right && pane.top < pane.bottom ? pane : screen;
  };

  /** The visible box of a control or of its label; null if neither is visible. */
  page.drawnRect = (el) => {
    if (el.localName === "area") return page.areaRect(/** @type {HTMLAreaElement} */ (el));
    const boxes = [el, ...page.labelsOf(el)].map((box) => ({ box, rect: box.getBoundingClientRect() }));
    return boxes.find(({ box, rect }) => rect.width >= 4 && rect.height >= 4 && page.isShown(box))?.rect ?? null;
  };
})();
