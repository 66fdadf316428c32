// Scrolling and dragging.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "scrollBy")) return;

  const STEP = 0.8; // of what is seen: a fifth stays in view to go on reading from
  const DRAG_STEPS = 8;
  /** @type {Record<string, [number, number]>} */
  const DIRECTIONS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

  /** Whether it can scroll along an axis. @param {Element} el @param {boolean} vertical */
  function scrollsAlong(el, vertical) {
    const style = getComputedStyle(el);
    if (!/auto|scroll/.test(vertical ? style.overflowY : style.overflowX)) return false;
    return vertical ? el.scrollHeight > el.clientHeight + 2 : el.scrollWidth > el.clientWidth + 2;
  }

  /** What scrolls when the wheel turns over an element. @param {Element | null} el @param {boolean} vertical @returns {Element} */
  function scrollerOf(el, vertical) {
    const root = document.scrollingElement ?? document.documentElement;
    for (let up = el; up && up !== document.body && up !== root; up = page.parentOf(up)) if (scrollsAlong(up, vertical)) return up;
    return root;
  }

  /** The largest container in the middle, for pages whose body does not scroll. @param {boolean} vertical */
  function pageScroller(vertical) {
    const root = document.scrollingElement ?? document.documentElement;
    const own = vertical ? root.scrollHeight > innerHeight + 2 : root.scrollWidth > innerWidth + 2;
    return own ? root : scrollerOf(page.hitAt(innerWidth / 2, innerHeight / 2), vertical);
  }

  /** @param {Element} el @param {number} dx @param {number} dy @returns {boolean} whether anything moved */
  page.scrollBy = (el, dx, dy) => {
    const scroller = scrollerOf(el, dy !== 0);
    const before = [scroller.scrollLeft, scroller.scrollTop];
    scroller.scrollBy({ left: dx, top: dy, behavior: "instant" });
    return before[0] !== scroller.scrollLeft || before[1] !== scroller.scrollTop;
  };

  /** @param {Target | null} target null for the page @param {string} direction @returns {{note?: string}} */
  page.scrollIn = (target, direction) => {
    const [dx, dy] = DIRECTIONS[direction] ?? [];
    if (dx === undefined) throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${direction}" is no direction.`);
    const scroller = target ? scrollerOf(target.el, dy !== 0) : pageScroller(dy !== 0);
    scroller.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, composed: true, deltaX: dx * 100, deltaY: dy * 100 }));
    const before = [scroller.scrollLeft, scroller.scrollTop];
    scroller.scrollBy({ left: dx * scroller.clientWidth * STEP, top: dy * Math.min(scroller.clientHeight, innerHeight) * STEP, behavior: "instant" });
    const moved = before[0] !== scroller.scrollLeft || before[1] !== scroller.scrollTop;
    return moved ? {} : { note: `It cannot scroll further ${direction}.` };
  };

  /** @param {Target} target */
  page.hoverOver = async (target) => {
    page.moveTo(await page.reach(target));
    return {};
  };

  /** Drags one element onto another, by HTML5 drag and drop where the source says so and by the pointer in any case. @param {Target} source @param {Target} goal */
  page.dragTo = async (source, goal) => {
    const from = await page.reach(source);
    const data = page.closest(from.hit, "[draggable=true],a[href],img") ? new DataTransfer() : null;
    page.moveTo(from);
    page.pressDown(from);
    const handle = page.closest(from.hit, "[draggable=true],a[href],img") ?? from.hit;
    const dragging = data !== null && fireDrag("dragstart", { ...from, hit: handle }, data);
    const rect = goal.el.getBoundingClientRect();
    const end = { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 };
    for (let step = 1; step <= DRAG_STEPS; step += 1) {
      const [x, y] = [from.x + ((end.x - from.x) * step) / DRAG_STEPS, from.y + ((end.y - from.y) * step) / DRAG_STEPS];
      const hit = page.hitAt(x, y) ?? goal.el;
      if (dragging && data) for (const type of ["dragenter", "dragover"]) fireDrag(type, { x, y, hit }, data);
      else for (const type of ["pointermove", "mousemove"]) page.fireMouse(type, { x, y, hit }, { buttons: 1 });
      await page.tick();
    }
    const last = { ...end, hit: page.hitAt(end.x, end.y) ?? goal.el };
    if (dragging && data) {
      fireDrag("drop", last, data);
      fireDrag("dragend", { ...last, hit: handle }, data);
    } else for (const type of ["pointerup", "mouseup"]) page.fireMouse(type, last);
    await page.tick();
    return {};
  };

  /** @param {string} type @param {{x: number, y: number, hit: Element}} point @param {DataTransfer} dataTransfer */
  const fireDrag = (type, { x, y, hit }, dataTransfer) => hit.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, dataTransfer }));
})();
