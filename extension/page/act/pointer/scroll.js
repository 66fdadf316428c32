// Scrolling and hovering.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "scrollBy")) return;

  const STEP = 0.8; // of the visible part: a fifth stays in view
  const TOLD_MS = 1_000; // a busy machine draws a frame within this
  /** @type {Record<string, [number, number]>} */
  const DIRECTIONS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

  /** Whether it can scroll in that direction. @param {Element} el @param {boolean} vertical */
  function scrollsAlong(el, vertical) {
    const style = getComputedStyle(el);
    if (!/auto|scroll/.test(vertical ? style.overflowY : style.overflowX)) return false;
    return vertical ? el.scrollHeight > el.clientHeight + 2 : el.scrollWidth > el.clientWidth + 2;
  }

  /** The element that the wheel scrolls over an element. @param {Element | null} el @param {boolean} vertical @returns {Element} */
  function scrollerOf(el, vertical) {
    const root = document.scrollingElement ?? document.documentElement;
    for (let up = el; up && up !== document.body && up !== root; up = page.parentOf(up)) if (scrollsAlong(up, vertical)) return up;
    return root;
  }

  page.scrollerAround = (el) => {
    const root = document.scrollingElement ?? document.documentElement;
    return [scrollerOf(el, true), scrollerOf(el, false)].find((scroller) => scroller !== root) ?? null;
  };

  /** The largest scroll container in the middle, for pages whose body does not scroll. @param {boolean} vertical */
  function pageScroller(vertical) {
    const root = document.scrollingElement ?? document.documentElement;
    const own = vertical ? root.scrollHeight > innerHeight + 2 : root.scrollWidth > innerWidth + 2;
    return own ? root : scrollerOf(page.hitAt(innerWidth / 2, innerHeight / 2), vertical);
  }

  /** @type {Promise<void>} */
  let settled = Promise.resolve();

  /** Waits until the page has been notified of the last scroll: virtual lists create their lines then. */
  page.scrollSettled = () => settled;

  /** @param {Element} scroller @param {number} left @param {number} top @returns {boolean} whether anything moved */
  function scroll(scroller, left, top) {
    const target = scroller === (document.scrollingElement ?? document.documentElement) ? document : scroller;
    let fired = false;
    const note = () => {
      fired = true;
    };
    target.addEventListener("scroll", note, { once: true });
    const before = [scroller.scrollLeft, scroller.scrollTop];
    scroller.scrollBy({ left, top, behavior: "instant" });
    const moved = before[0] !== scroller.scrollLeft || before[1] !== scroller.scrollTop;
    if (moved) settled = fireScroll(target, () => fired).catch(() => {}); // stopped meanwhile: it did scroll
    return moved;
  }

  /**
   * The browser fires scroll events with the next frame, which a busy machine draws late; a hidden page draws none, so the event is fired here.
   * @param {EventTarget} target @param {() => boolean} fired
   */
  async function fireScroll(target, fired) {
    if (!document.hidden) await page.until(fired, TOLD_MS);
    if (!fired()) target.dispatchEvent(new Event("scroll", { bubbles: target === document }));
  }

  /** @returns whether anything moved */
  page.scrollBy = (el, dx, dy) => scroll(scrollerOf(el, dy !== 0), dx, dy);

  /** Null for the page. */
  page.scrollIn = (target, direction) => {
    const [dx, dy] = DIRECTIONS[direction] ?? [];
    if (dx === undefined) throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${direction}" is not a direction.`);
    const scroller = target ? scrollerOf(target.el, dy !== 0) : pageScroller(dy !== 0);
    const moved = turnWheel(target, scroller, dx * scroller.clientWidth * STEP, dy * Math.min(scroller.clientHeight, innerHeight) * STEP);
    return moved ? {} : { note: `It cannot scroll further ${direction}.` };
  };

  /** @param target null for the page @param y in CSS pixels */
  page.scrollFor = (target, x, y) => {
    const scroller = target ? scrollerOf(target.el, y !== 0) : pageScroller(y !== 0);
    return turnWheel(target, scroller, x, y) ? {} : { note: "It cannot scroll further that way." };
  };

  /** Where the wheel turns: at the middle of an element. @param {Element} el @returns {Point} */
  function middleOf(el) {
    const { left, top, width, height } = el.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = page.hitAt(x, y);
    return { x, y, hit: hit && page.composedContains(el, hit) ? hit : el };
  }

  /**
   * Turns the wheel; a page that handles it itself (a map, a zoomable plan) scrolls nothing.
   * @param {Target | null} target @param {Element} scroller @param {number} deltaX @param {number} deltaY @returns {boolean} whether anything moved
   */
  function turnWheel(target, scroller, deltaX, deltaY) {
    const { x, y, hit } = target ? middleOf(target.el) : { x: innerWidth / 2, y: innerHeight / 2, hit: scroller };
    const free = hit.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, composed: true, view: window, clientX: x, clientY: y, deltaX, deltaY }));
    return free ? scroll(scroller, deltaX, deltaY) : true;
  }
})();
