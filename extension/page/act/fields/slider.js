// Custom sliders: by keys, else by dragging; read from ARIA values or from the number displayed beside them.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "setSlider")) return;

  const MAX_PRESSES = 400; // arrow presses; with Page keys enough for a thousand steps
  const MAX_LEVELS = 5; // ancestors in which its number may be displayed
  const STUCK = 2; // presses without effect
  const DRAWN_MS = 500; // a slider shows its position after dragging within this time
  const KEYED = "[tabindex]:not([tabindex='-1'])";
  const TAKE_MS = 400; // a slider shows its value within this time; most do at once
  const NEAR = 1; // per cent of the track: a short track cannot be set more exactly
  const NUMBER = /-?\d+(?:[.,]\d+)?/g;

  /** @typedef {() => number | null} Reading a slider's value */

  /** @param {Element} el @returns {number | null} */
  const ariaNow = (el) => (el.hasAttribute("aria-valuenow") ? Number(el.getAttribute("aria-valuenow")) : null);

  /** Whether it is a slider: by role, or a handle whose position in the track is given in per cent. */
  page.isSlider = ({ el, role }) => role === "range" || el.getAttribute("role") === "slider" || page.placeInTrack(el) !== null;

  /** The numbers displayed around a slider, each with its source. @param {Element} el @returns {number[]} */
  function numbersAround(el) {
    let box = el;
    for (let level = 0; level < MAX_LEVELS; level += 1) {
      const up = page.parentOf(box);
      if (!up || up === document.documentElement) break;
      box = up;
    }
    const fields = [...box.querySelectorAll("input,output")].map((field) => /** @type {HTMLInputElement} */ (field).value);
    return [...`${page.textOf(box, { max: 4_000 })} ${fields.join(" ")}`.matchAll(NUMBER)].map(([text]) => Number(text.replace(",", ".")));
  }

  /** The element that takes its keys: itself, else a focusable one in its box. @param {Element} el */
  function keyedOf(el) {
    const found = el.hasAttribute("tabindex") ? el : page.parentOf(el)?.querySelector(KEYED);
    return found && !page.handlesBeside(el).some((other) => other !== el && other === found) ? found : el;
  }

  /** @param {Element} el @param {string} key */
  async function stroke(el, key) {
    const chord = /** @type {Chord} */ (page.parseChord(key));
    page.fireKey(keyedOf(el), "keydown", chord);
    page.fireKey(keyedOf(el), "keyup", chord);
    await page.tick();
  }

  /**
   * How to read a slider: ARIA, else a displayed number that changes with an arrow press, else its position in per cent.
   * @param {Element} el @param {string} text the value to set @returns {Promise<Reading>}
   */
  async function readingOf(el, text) {
    if (ariaNow(el) !== null) return () => ariaNow(el);
    const before = numbersAround(el);
    const place = page.placeInTrack(el);
    if (place !== null && text.trimEnd().endsWith("%")) return () => page.placeInTrack(el);
    const hasMoved = () => page.until(() => page.placeInTrack(el) !== place, TAKE_MS);
    await stroke(el, "ArrowRight");
    if (!(await hasMoved())) await stroke(el, "ArrowLeft");
    await hasMoved();
    // The number may be updated after the handle has moved.
    await page.until(() => numbersAround(el).some((number, index) => number !== before[index]), TAKE_MS);
    const after = numbersAround(el);
    const at = after.length === before.length ? after.findIndex((number, index) => number !== before[index]) : -1;
    return at >= 0 ? () => numbersAround(el)[at] ?? null : () => page.placeInTrack(el);
  }

  /** Presses arrow keys until the value is reached, or comes no nearer. @param {Element} el @param {Reading} read @param {number} wanted */
  async function byKeys(el, read, wanted) {
    let stuck = 0;
    for (let pressed = 0; pressed < MAX_PRESSES; pressed += 1) {
      const now = read();
      if (now === null || now === wanted) return;
      const up = now < wanted;
      await stroke(el, up ? "ArrowRight" : "ArrowLeft");
      let moved = read();
      if (moved === now) {
        await page.until(() => read() !== now, TAKE_MS);
        moved = read();
      }
      if (moved === null || (moved === now && ++stuck >= STUCK)) return;
      if (moved === now) continue;
      stuck = 0;
      if (moved < now === up && Math.abs(moved - wanted) > Math.abs(now - wanted)) return; // the slider runs in the other direction
      if (moved > wanted === up && moved !== wanted) {
        if (Math.abs(moved - wanted) > Math.abs(now - wanted)) await stroke(el, up ? "ArrowLeft" : "ArrowRight");
        return; // the step is too large for the value
      }
    }
  }

  /** The track of a handle: the nearest longer ancestor. @param {Element} el */
  function trackOf(el) {
    const own = el.getBoundingClientRect();
    for (let up = /** @type {Element | null} */ (el); up; up = page.parentOf(up)) {
      const rect = up.getBoundingClientRect();
      if (Math.max(rect.width, rect.height) > 2 * Math.max(own.width, own.height, 1) || (up === el && Math.max(rect.width, rect.height) > 60)) return rect;
    }
    return own;
  }

  /** Drags the handle along the track. @param {Target} target @param {number} share 0 to 1 */
  async function byMouse(target, share) {
    const from = await page.reach(target);
    const rect = trackOf(target.el);
    const upright = target.el.getAttribute("aria-orientation") === "vertical" || rect.height > rect.width;
    const to = upright ? { x: from.x, y: rect.bottom - share * rect.height } : { x: rect.left + share * rect.width, y: from.y };
    page.moveTo(from);
    page.pressDown(from);
    try {
      for (const step of [0.25, 0.5, 0.75, 1]) {
        const place = { x: from.x + (to.x - from.x) * step, y: from.y + (to.y - from.y) * step, hit: from.hit };
        for (const type of ["pointermove", "mousemove"]) page.fireMouse(type, place, { buttons: 1 });
        await page.tick();
      }
    } finally {
      page.release({ ...to, hit: from.hit });
    }
    await page.tick();
  }

  /** @param text a number, as displayed or in per cent of the track @throws {ActionFailure} VALUE_NOT_ACCEPTED with the value it has */
  page.setSlider = async (target, text) => {
    const { el, name } = target;
    const wanted = Number(page.toInputValue("range", text));
    if (text.trim() === "" || Number.isNaN(wanted)) throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${text}" is not a number.`);
    await page.reach(target);
    page.focusOn(keyedOf(el));
    const read = await readingOf(el, text);
    const [least, most] = [Number(el.getAttribute("aria-valuemin") ?? 0), Number(el.getAttribute("aria-valuemax") ?? 100)];
    if (ariaNow(el) !== null && (wanted < least || wanted > most)) throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" goes from ${least} to ${most}.`);
    await byKeys(el, read, wanted);
    if (read() === wanted) return {};
    const { width, height } = trackOf(el);
    const pixel = (most - least) / Math.max(width, height, 1);
    await byMouse(target, (wanted - least) / Math.max(1e-9, most - least));
    const isNear = () => el.isConnected && ariaNow(el) !== null && Math.abs((read() ?? NaN) - wanted) <= pixel;
    if (await page.until(isNear, DRAWN_MS)) return read() === wanted ? {} : { note: `It stands at ${read()}.` };
    if (el.isConnected && read() !== wanted) await byKeys(el, read, wanted);
    const place = el.isConnected ? page.placeInTrack(el) : null;
    if (place !== null && place === read() && Math.abs(place - wanted) <= NEAR) return { note: `It stands at ${place} % of its way.` };
    if (!el.isConnected || read() === wanted) return {};
    throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" stands at ${read() ?? "an unknown place"}.`);
  };
})();
