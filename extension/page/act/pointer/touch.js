// A finger, where nothing answered the mouse: what listens to touches only hears nothing of a mouse, and a script cannot
// see who listens. Never beside the mouse, which would count twice for what listens to both.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "tap")) return;

  const MENU_MS = 500; // as long as a finger rests before the menu of what lies under it opens

  /** All of it goes to what the finger came down on. @param {string} type @param {Point} point */
  function fire(type, { x, y, hit }) {
    const touch = new Touch({ identifier: 1, target: hit, clientX: x, clientY: y, pageX: x + scrollX, pageY: y + scrollY, screenX: x + screenX, screenY: y + screenY, radiusX: 1, radiusY: 1, force: 1 });
    const down = type === "touchend" ? [] : [touch];
    hit.dispatchEvent(new TouchEvent(type, { bubbles: true, cancelable: true, composed: true, view: window, touches: down, targetTouches: down, changedTouches: [touch] }));
  }

  /** Puts the finger down and lifts it, whatever happens between. @param {Point} point @param {() => Promise<Point>} between @returns {Promise<void>} */
  async function touched(point, between) {
    let last = point;
    fire("touchstart", point);
    try {
      last = await between();
    } finally {
      fire("touchend", last);
    }
  }

  page.tap = (point) => touched(point, async () => point);

  page.touchFor = (point, ms, answered) =>
    touched(point, async () => {
      await page.pause(Math.min(ms, MENU_MS));
      if (ms >= MENU_MS && !answered()) page.fireMouse("contextmenu", point);
      await page.pause(Math.max(0, ms - MENU_MS));
      return point;
    });

  page.touchAlong = (from, path) =>
    touched(from, async () => {
      let last = from;
      for (const place of path) {
        last = { ...place, hit: from.hit };
        fire("touchmove", last);
        await page.tick();
      }
      return last;
    });
})();
