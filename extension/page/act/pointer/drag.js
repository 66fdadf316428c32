// Drags one element onto another: by HTML5 drag and drop if the source is draggable, else by pointer events; if that had
// no effect, the other way, and finally by touch.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "dragTo")) return;

  const STEP_PX = 12; // between two moves: less than the smallest drop target
  const MAX_STEPS = 40;
  const BEYOND = 0.3; // of the goal's size, past its middle: where a list item makes room for another
  // Lists check the pointer's position every 50 ms.
  const REST_MS = 60;
  const RESTS = 3;
  const PACED_STEPS = 300; // one per frame; with more, several per frame
  const PACED_MS = 6_000; // on a machine that draws slowly the rest follows without pauses
  const TAKE_MS = 700; // an animation and a request may delay the effect of a drop
  const ARRIVE_MS = 1_000; // longest wait for moving elements before they are taken where they are
  const ATTEMPTS = 3;
  const DRAGGED = "[draggable=true]";

  /** @typedef {{x: number, y: number}} Place */

  /** The nearest common ancestor. @param {Element} a @param {Element} b */
  function commonAncestor(a, b) {
    for (let up = page.parentOf(a); up; up = page.parentOf(up)) if (page.composedContains(up, b)) return up;
    return document.documentElement;
  }

  /** Its position: among its siblings, and within a frame. @param {Element} el @param {Element} frame */
  function placeIn(el, frame) {
    const [own, around] = [el, frame].map((one) => one.getBoundingClientRect());
    const at = el.parentElement ? [...el.parentElement.children].indexOf(el) : -1;
    return [el.isConnected, at, ...[own.left - around.left, own.top - around.top, own.width, own.height].map(Math.round)].join();
  }

  /** A snapshot of the layout: order and positions of the two, and the text around them. @param {Element} source @param {Element} goal @param {Element} both */
  function arrangement(source, goal, both) {
    const fields = [...both.querySelectorAll("input")].map((field) => field.value);
    return JSON.stringify([placeIn(source, both), placeIn(goal, both), page.textOf(both, { max: 20_000 }), goal.childElementCount, fields]);
  }

  /** Where to drop: in the middle, or past it when an item moves within its list. @param {Element} source @param {Element} goal @returns {Place} */
  function endOf(source, goal) {
    const [from, to] = [source.getBoundingClientRect(), goal.getBoundingClientRect()];
    const end = { x: to.left + to.width / 2, y: to.top + to.height / 2 };
    if (page.parentOf(source) !== page.parentOf(goal) || getComputedStyle(source).position === "absolute") return end;
    const [dx, dy] = [end.x - from.left - from.width / 2, end.y - from.top - from.height / 2];
    const isBackInGrid = dy < -to.height / 2 && Math.abs(dx) > to.width / 2;
    if (isBackInGrid || Math.abs(dy) >= Math.abs(dx)) end.y += Math.sign(dy) * to.height * BEYOND;
    if (isBackInGrid || Math.abs(dy) < Math.abs(dx)) end.x += Math.sign(dx) * to.width * BEYOND;
    return end;
  }

  /** Whether something inside is moving, so that its position will change. Endless animations do not count. @param {Element} both */
  const isMoving = (both) => both.getAnimations({ subtree: true }).some(({ effect, playState }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);

  /** The points along the way, ending with the last. @param {Place} from @param {Place} end @returns {Place[]} */
  function pointsBetween(from, end) {
    const steps = Math.max(4, Math.min(MAX_STEPS, Math.ceil(Math.hypot(end.x - from.x, end.y - from.y) / STEP_PX)));
    return Array.from({ length: steps }, (_, at) => ({ x: from.x + ((end.x - from.x) * (at + 1)) / steps, y: from.y + ((end.y - from.y) * (at + 1)) / steps }));
  }

  /** @param {string} type @param {Point} point @param {DataTransfer} dataTransfer @param {Element | null} [relatedTarget] */
  const fireDrag = (type, { x, y, hit }, dataTransfer, relatedTarget = null) =>
    hit.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: !/dragend|dragleave/.test(type), composed: true, view: window, clientX: x, clientY: y, screenX: x + screenX, screenY: y + screenY, buttons: type === "dragend" ? 0 : 1, relatedTarget, dataTransfer }));

  /** @param {Place} place @param {Element} fallback @returns {Point} */
  const pointAt = ({ x, y }, fallback) => ({ x, y, hit: page.hitAt(x, y) ?? (fallback.isConnected ? fallback : document.documentElement) });

  /**
   * HTML5, pressed and with `dragstart` allowed: enter, over and leave along the way, `drop` where allowed, `dragend`; then the mouse is released.
   * @param {Point} from @param {Place} end @param {Element} handle @param {DataTransfer} data @param {() => Promise<unknown>} atRest
   */
  async function byTransfer(from, end, handle, data, atRest) {
    /** @type {Element | null} */
    let over = null;
    let allowed = false;
    /** @param {Place} place */
    const moveOver = async (place) => {
      const point = pointAt(place, handle);
      fireDrag("drag", { ...point, hit: handle }, data);
      if (point.hit !== over) {
        fireDrag("dragenter", point, data, over);
        if (over) fireDrag("dragleave", { ...point, hit: over }, data, point.hit);
        over = point.hit;
      }
      allowed = !fireDrag("dragover", point, data);
      await page.tick();
    };
    page.fireMouse("pointercancel", from);
    try {
      await page.pause(0); // the source is often hidden or marked just after dragstart
      for (const place of pointsBetween(from, end)) await moveOver(place);
      for (let rest = 0; rest < RESTS; rest += 1) {
        await page.pause(REST_MS / RESTS);
        await moveOver(end);
      }
      // An item that makes room slides, and accepts nothing until it has arrived.
      await atRest();
      await moveOver(end);
      fireDrag(allowed ? "drop" : "dragleave", pointAt(end, handle), data);
    } finally {
      fireDrag("dragend", { ...end, hit: handle }, data);
      page.fireMouse("mouseup", from);
    }
  }

  /** Presses the mouse and waits a moment: some pages make the element draggable only then. @param {Point} from */
  function pressAndWait(from) {
    page.moveTo(from);
    page.pressDown(from);
    return page.tick().catch((stopped) => {
      page.release(from);
      throw stopped;
    });
  }

  /** By pointer events: moves over the steps and releases at the last. @param {Point} from @param {readonly Place[]} steps @param {(at: number) => Promise<unknown>} turn between two steps @param {() => Promise<unknown>} atRest */
  async function byPointer(from, steps, turn, atRest) {
    let last = from;
    /** @param {Place} place */
    const moveTo = (place) => {
      last = pointAt(place, from.hit);
      for (const type of ["pointermove", "mousemove"]) page.fireMouse(type, last, { buttons: 1 });
    };
    const end = steps[steps.length - 1];
    try {
      for (const [at, step] of steps.entries()) {
        moveTo(step);
        await turn(at);
      }
      for (let rest = 0; rest < RESTS; rest += 1) {
        await page.pause(REST_MS);
        moveTo(end);
      }
      await atRest();
      moveTo(end);
    } finally {
      page.release(pointAt(last, from.hit));
    }
  }

  /** The data of an HTML5 drag from there: null if nothing is draggable, or the page prevents it and follows the pointer itself. @param {Point} from @param {Element | null} handle @returns {DataTransfer | null} */
  function startTransfer(from, handle) {
    const data = new DataTransfer();
    return handle && fireDrag("dragstart", { ...from, hit: handle }, data) ? data : null;
  }

  /**
   * Presses at the source and drags: first as its markup says, then the other way (links and images are draggable by default), at last by touch.
   * @param {Target} source @param {Place} end @param {number} attempt counted from 0
   * @param {() => Promise<unknown>} atRest
   */
  async function drag(source, end, attempt, atRest) {
    const from = await page.reach(source);
    const steps = pointsBetween(from, end);
    if (attempt === ATTEMPTS - 1) return page.touchAlong(from, steps);
    await pressAndWait(from);
    const says = page.closest(from.hit, DRAGGED);
    const handle = attempt === 0 ? says : says ? null : page.closest(from.hit, "a[href],img");
    const data = startTransfer(from, handle);
    await (handle && data ? byTransfer(from, end, handle, data, atRest) : byPointer(from, steps, page.tick, atRest));
  }

  /** At most as fast as a hand: drawing pages drop events between two frames. @param {number} count steps @returns {(at: number) => Promise<void>} */
  function createPacer(count) {
    const end = performance.now() + PACED_MS;
    const each = Math.ceil(count / PACED_STEPS);
    return (at) => (at % each === 0 && performance.now() < end ? page.frame() : page.tick());
  }

  /** Drags along points of the window; by touch if the mouse had no effect. @throws {ActionFailure} NOT_INTERACTABLE if nothing is there */
  page.dragAlong = async (path) => {
    const from = page.pointAt(path[0].x, path[0].y);
    const steps = path.slice(1).flatMap((place, at) => pointsBetween(path[at], place));
    const watch = page.watchReaction(from.hit);
    try {
      await pressAndWait(from);
      const handle = path.length === 2 ? page.closest(from.hit, DRAGGED) : null;
      const data = startTransfer(from, handle);
      if (handle && data) return await byTransfer(from, path[1], handle, data, page.tick);
      await byPointer(from, steps, createPacer(steps.length), page.tick);
      if (!(await watch.soon()) && from.hit.isConnected) await page.touchAlong(from, steps);
    } finally {
      watch.stop();
    }
  };

  /** @param place of the window @throws {ActionFailure} NOT_INTERACTABLE */
  page.dragOnto = async (source, place) => {
    const { x, y } = await page.reach(source);
    return page.dragAlong([{ x, y }, place]);
  };

  /** @throws {ActionFailure} NOT_INTERACTABLE, ELEMENT_NOT_FOUND if the goal disappeared first, VALUE_NOT_ACCEPTED if nothing moved */
  page.dragTo = async (source, goal) => {
    const both = commonAncestor(source.el, goal.el);
    let lost = false;
    const atRest = async () => {
      await page.until(() => !isMoving(both), ARRIVE_MS);
      lost = !goal.el.isConnected;
    };
    const inSight = page.isOnScreen(goal.el.getBoundingClientRect());
    await page.reach(source);
    if (!inSight || !page.isOnScreen(goal.el.getBoundingClientRect())) goal.el.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const stood = placeIn(source.el, both);
    for (let attempt = 0; attempt < ATTEMPTS && source.el.isConnected && goal.el.isConnected; attempt += 1) {
      await atRest(); // an earlier drag or a new list may still be moving, and its positions be wrong
      const before = arrangement(source.el, goal.el, both);
      await drag(source, endOf(source.el, goal.el), attempt, atRest);
      const moved = await page.until(() => !source.el.isConnected || arrangement(source.el, goal.el, both) !== before, attempt === ATTEMPTS - 1 ? TAKE_MS : TAKE_MS / 2);
      if (moved && !lost) return {};
    }
    // The list may have been re-rendered during the drag: then the source is elsewhere now.
    if (lost && !(await page.until(() => placeIn(source.el, both) !== stood, TAKE_MS))) throw new page.ActionFailure("ELEMENT_NOT_FOUND", `"${goal.name}" disappeared before "${source.name}" was dropped on it.`);
    if (!source.el.isConnected || !goal.el.isConnected || [source.el, goal.el].some((el) => el.localName === "canvas")) return {};
    throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `Nothing moved when "${source.name}" was dragged onto "${goal.name}".`);
  };

  const HEARD_MS = 150; // rich editors read the selection up to 100 ms after the release

  /** @param text "" for all @throws {ActionFailure} VALUE_NOT_ACCEPTED if it is not there */
  page.selectText = async (target, text) => {
    const { el, name } = target;
    const missing = () => new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${page.clip(text, 80)}" is no text of "${name}".`);
    const editor = page.editorOf(el);
    if (editor) {
      if (!(await dragOver(target, editor.surface, text))) throw missing();
      return;
    }
    /** The element where the mouse is released: pages show their tools there. @type {Element} */
    let end = el;
    if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) {
      const at = el.value.indexOf(text);
      if (at < 0) throw missing();
      page.focusOn(el);
      el.setSelectionRange(at, at + (text || el.value).length);
    } else {
      const range = rangeOf(el, text);
      const selection = getSelection();
      if (!range || !selection) throw missing();
      if (/** @type {HTMLElement} */ (el).isContentEditable) page.focusOn(el);
      selection.removeAllRanges();
      selection.addRange(range);
      end = range.endContainer.parentElement ?? el;
    }
    end.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const { right, bottom } = end === el ? el.getBoundingClientRect() : [...getSelection()?.getRangeAt(0).getClientRects() ?? []].at(-1) ?? end.getBoundingClientRect();
    for (const type of ["pointerup", "mouseup"]) page.fireMouse(type, { x: right - 1, y: bottom - 1, hit: end }, { detail: 1 });
    if (/** @type {HTMLElement} */ (el).isContentEditable) await page.pause(HEARD_MS);
  };

  /** Selects with the mouse in an editor that draws its own text. @param {Target} target @param {Element} surface @param {string} text @returns {Promise<boolean>} whether the text is there */
  async function dragOver(target, surface, text) {
    await page.reach(target);
    const range = rangeOf(surface, text);
    range?.startContainer.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const rects = [...range?.getClientRects() ?? []].filter(({ width }) => width > 0);
    const [first, last] = [rects[0], rects.at(-1)];
    if (!first || !last) return false;
    await page.dragAlong([{ x: first.left, y: first.top + first.height / 2 }, { x: last.right, y: last.top + last.height / 2 }]);
    return true;
  }

  /** @param {Element} el @param {string} text @returns {Range | null} */
  function rangeOf(el, text) {
    const range = document.createRange();
    if (text === "") {
      range.selectNodeContents(el);
      return range;
    }
    const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    /** @type {{node: Text, from: number}[]} */
    const nodes = [];
    let whole = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes.push({ node: /** @type {Text} */ (node), from: whole.length });
      whole += node.nodeValue;
    }
    const at = whole.indexOf(text);
    if (at < 0) return null;
    const [first, last] = [at, at + text.length].map((place, end) => nodes.findLast(({ from }) => (end ? from < place : from <= place)));
    if (!first || !last) return null;
    range.setStart(first.node, at - first.from);
    range.setEnd(last.node, at + text.length - last.from);
    return range;
  }
})();
