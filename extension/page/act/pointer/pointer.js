// Mouse and touch events: moving, pressing and releasing, in the order browsers fire them; and a click with its effect.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "press")) return;

  const MENU_MS = 500; // a touch this long opens the context menu

  /** A touch event, which goes to the element the finger came down on. @param {string} type @param {Point} point */
  function fireTouch(type, { x, y, hit }) {
    const touch = new Touch({ identifier: 1, target: hit, clientX: x, clientY: y, pageX: x + scrollX, pageY: y + scrollY, screenX: x + screenX, screenY: y + screenY, radiusX: 1, radiusY: 1, force: 1 });
    const down = type === "touchend" ? [] : [touch];
    hit.dispatchEvent(new TouchEvent(type, { bubbles: true, cancelable: true, composed: true, view: window, touches: down, targetTouches: down, changedTouches: [touch] }));
  }

  /** Puts the finger down and lifts it again, even if `between` fails. @param {Point} point @param {() => Promise<Point>} between @returns {Promise<void>} */
  async function withTouch(point, between) {
    let last = point;
    fireTouch("touchstart", point);
    try {
      last = await between();
    } finally {
      fireTouch("touchend", last);
    }
  }

  /** @param {Point} point */
  const tap = (point) => withTouch(point, async () => point);

  /** @param {Point} point @param {number} ms @param {() => boolean} answered whether the page has reacted */
  const touchFor = (point, ms, answered) =>
    withTouch(point, async () => {
      await page.pause(Math.min(ms, MENU_MS));
      if (ms >= MENU_MS && !answered()) page.fireMouse("contextmenu", point);
      await page.pause(Math.max(0, ms - MENU_MS));
      return point;
    });

  page.touchAlong = (from, path) =>
    withTouch(from, async () => {
      let last = from;
      for (const place of path) {
        last = { ...place, hit: from.hit };
        fireTouch("touchmove", last);
        await page.tick();
      }
      return last;
    });

  const POINTER = { pointerId: 1, pointerType: "mouse", isPrimary: true, width: 1, height: 1 };
  const QUIET = new Set(["pointerenter", "pointerleave", "mouseenter", "mouseleave"]); // these do not bubble
  /** The element under the mouse. @type {WeakRef<Element> | null} */
  let over = null;

  page.fireMouse = (type, point, { button = 0, buttons = 0, detail = 0, bubbles = !QUIET.has(type) } = {}) => {
    const init = { bubbles, cancelable: bubbles, composed: true, view: window, clientX: point.x, clientY: point.y, screenX: point.x + screenX, screenY: point.y + screenY, button, buttons, detail };
    const hit = type.endsWith("up") ? hitNow(point) : point.hit;
    return hit.dispatchEvent(type.startsWith("pointer") ? pointerEvent(type, { ...init, ...POINTER, pressure: buttons ? 0.5 : 0 }) : new MouseEvent(type, init));
  };

  /** The element there now: if the pressed one was re-rendered or is gone, none is left thinking that it is held. @param {Point} point @returns {Element} */
  const hitNow = ({ x, y, hit }) => (hit.isConnected ? hit : page.hitAt(x, y) ?? document.documentElement);

  /** Coalesced events between two frames, which drawing pages read: here just one. @param {string} type @param {PointerEventInit} init */
  const pointerEvent = (type, init) => new PointerEvent(type, type === "pointermove" ? { ...init, coalescedEvents: [new PointerEvent(type, init)] } : init);

  /** @param {Element | null} el @returns {Element[]} the element and its ancestors, inside out */
  const chain = (el) => {
    const found = [];
    for (let up = el; up; up = page.parentOf(up)) found.push(up);
    return found;
  };

  /** Moves the mouse, with the events of leaving and entering. */
  page.moveTo = (point) => {
    const from = over?.deref() ?? null;
    const before = from?.isConnected ? chain(from) : [];
    const now = chain(point.hit);
    if (before[0] !== point.hit) {
      if (before[0]) for (const type of ["pointerout", "mouseout"]) page.fireMouse(type, { ...point, hit: before[0] });
      for (const el of before.filter((one) => !now.includes(one))) for (const type of ["pointerleave", "mouseleave"]) page.fireMouse(type, { ...point, hit: el });
      for (const type of ["pointerover", "mouseover"]) page.fireMouse(type, point);
      for (const el of now.filter((one) => !before.includes(one)).reverse()) for (const type of ["pointerenter", "mouseenter"]) page.fireMouse(type, { ...point, hit: el });
    }
    for (const type of ["pointermove", "mousemove"]) page.fireMouse(type, point);
    over = new WeakRef(point.hit);
    page.applyHover(chain(point.hit));
  };

  const FOCUSABLE = "input:not([type=hidden]),select,textarea,button,a[href],area[href],summary,[tabindex],[contenteditable=''],[contenteditable=true],[contenteditable=plaintext-only]";

  /** Focuses an element; a background tab fires no events for it, so they are fired here. */
  page.focusOn = (el) => {
    if (page.focusedElement() === el) return;
    const left = page.focusedElement();
    let fired = false;
    const note = () => { fired = true; };
    el.addEventListener("focus", note, { once: true, capture: true });
    /** @type {HTMLElement} */ (el).focus({ preventScroll: true });
    el.removeEventListener("focus", note, { capture: true });
    if (fired || page.focusedElement() !== el) return;
    if (left) fireBlur(left, el);
    for (const type of ["focus", "focusin"]) el.dispatchEvent(new FocusEvent(type, { bubbles: type === "focusin", composed: true, relatedTarget: left }));
  };

  /** @param {Element} left @param {Element | null} relatedTarget the newly focused element */
  function fireBlur(left, relatedTarget) {
    if (left === document.body) return;
    for (const type of ["blur", "focusout"]) left.dispatchEvent(new FocusEvent(type, { bubbles: type === "focusout", composed: true, relatedTarget }));
  }

  /** Removes the focus, with the events that a background tab leaves out. */
  const unfocus = () => {
    const left = page.focusedElement();
    if (!left || left === document.body) return;
    let fired = false;
    const note = () => { fired = true; };
    left.addEventListener("blur", note, { once: true, capture: true });
    /** @type {HTMLElement} */ (left).blur();
    left.removeEventListener("blur", note, { capture: true });
    if (!fired && page.focusedElement() !== left) fireBlur(left, null);
  };

  /** The element that a press there focuses. @param {Element} hit */
  const focusTarget = (hit) => {
    const el = page.closest(hit, FOCUSABLE);
    return el && !el.matches(":disabled") ? el : null;
  };

  /** Presses the mouse, which may move the focus. @param detail the click count, from 1 */
  page.pressDown = (point, detail = 1) => {
    page.fireMouse("pointerdown", point, { buttons: 1 });
    if (!page.fireMouse("mousedown", point, { buttons: 1, detail })) return;
    const target = focusTarget(point.hit);
    if (target) page.focusOn(target);
    else unfocus();
  };

  /** A press outside of everything, which closes open lists, menus and pickers. */
  page.pressBeside = () => {
    unfocus();
    for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) page.fireMouse(type, { x: 0, y: 0, hit: document.body });
  };

  /** One whole click. The click event is dispatched once and triggers the browser's default action. @param {Point} point @param {number} [detail] the click count, from 1 @returns {boolean} false if the page prevented the default */
  page.press = (point, detail = 1) => {
    page.moveTo(point);
    page.pressDown(point, detail);
    return releaseAndClick(point, detail);
  };

  page.release = (point, detail = 1) => {
    for (const type of ["pointerup", "mouseup"]) page.fireMouse(type, point, { detail: type === "mouseup" ? detail : 0 });
  };

  /** Releases the mouse. An element that disappears on release gets no click, nor does the one behind it. @param {Point} point @param {number} detail @returns {boolean} false if the page prevented the click's default */
  function releaseAndClick(point, detail) {
    const hit = hitNow(point);
    page.release({ ...point, hit }, detail);
    return !hit.isConnected || hit.dispatchEvent(new PointerEvent("click", { bubbles: true, cancelable: true, composed: true, view: window, clientX: point.x, clientY: point.y, button: 0, detail, ...POINTER }));
  }

  /** Two clicks and a double click. */
  page.pressTwice = (point) => {
    page.press(point);
    const hit = hitNow(point);
    page.press({ ...point, hit }, 2);
    if (hit.isConnected) page.fireMouse("dblclick", { ...point, hit }, { detail: 2 });
  };

  /** A right click, which opens the context menu. */
  page.pressRight = (point) => {
    page.moveTo(point);
    page.fireMouse("pointerdown", point, { button: 2, buttons: 2 });
    page.fireMouse("mousedown", point, { button: 2, buttons: 2, detail: 1 });
    page.fireMouse("contextmenu", point, { button: 2, buttons: 2 });
    page.fireMouse("pointerup", point, { button: 2 });
    page.fireMouse("mouseup", point, { button: 2, detail: 1 });
  };

  /** Presses for a while and releases, even if the run is stopped meanwhile. @param {Point} point @param {number} ms */
  async function holdMouse(point, ms) {
    page.moveTo(point);
    page.pressDown(point);
    try {
      await page.pause(ms);
    } finally {
      releaseAndClick(point, 1);
    }
  }

  page.pressFor = async (point, ms) => {
    const watch = page.watchReaction(point.hit);
    try {
      await holdMouse(point, ms);
      if (!(await watch.soon()) && point.hit.isConnected) await touchFor(point, ms, watch.reacted);
    } finally {
      watch.stop();
    }
  };

  // Schemes a page can lead to; others belong to other programs or are blocked by the browser (data:, file:, chrome:).
  const FOLLOWED = new Set(["http:", "https:", "javascript:", "about:", "blob:"]);

  /** Whether the browser follows the link, or saves its target. @param {HTMLAnchorElement} link */
  const isFollowed = (link) => FOLLOWED.has(link.protocol) || (link.protocol === "data:" && link.hasAttribute("download"));

  const NATIVE = "a[href],button,input,select,textarea,label,summary";
  const PLAYED = "video[controls],audio[controls]";
  const PLAY_MS = 300; // a media element begins to play, or is refused, within this time

  /** The link that a click on the element follows. @param {Element} hit @returns {HTMLAnchorElement | null} */
  const linkAt = (hit) => /** @type {HTMLAnchorElement | null} */ (page.closest(hit, "a[href],area[href]"));

  /** Clicks, but keeps the browser from handing an address to another program. @param {Point} point @param {HTMLAnchorElement | null} blocked @returns {boolean} whether the page handled the click itself */
  function clickWithoutLeaving(point, blocked) {
    let handled = false;
    /** @param {Event} event */
    const keep = (event) => {
      handled = event.defaultPrevented;
      if (blocked) event.preventDefault();
    };
    window.addEventListener("click", keep, { once: true });
    const free = page.press(point);
    window.removeEventListener("click", keep);
    return handled || (!free && !blocked);
  }

  /** Tries a touch if the mouse had no effect; not on native controls, and not while a request is pending. @param {Point} point @param {ReturnType<PageNamespace["watchReaction"]>} watch */
  async function reactsToTouch(point, watch) {
    if (page.closest(point.hit, NATIVE) || page.activity?.since().didNetworkOccur) return false;
    await tap(point);
    return watch.soon();
  }

  /** What the browser's own media controls do on a click, which they do not take from scripts. @param {HTMLMediaElement} media @returns {Promise<ActionNote>} */
  async function playOrPause(media) {
    if (!media.paused) {
      media.pause();
      return {};
    }
    let refused = "";
    media.play().catch((error) => { refused = error.name; });
    await page.until(() => refused || media.readyState > 2, PLAY_MS);
    return refused === "NotAllowedError" ? { note: "The browser plays it only after a click of the person." } : {};
  }

  /** @throws {ActionFailure} NAVIGATION_BLOCKED for a link that leaves the web and that the page does not handle itself */
  page.pressAndCheck = async (point, name) => {
    const link = linkAt(point.hit);
    const blocked = link && !isFollowed(link) ? link : null;
    const watch = page.watchReaction(point.hit);
    try {
      const handled = clickWithoutLeaving(point, blocked);
      if (blocked && !handled) throw new page.ActionFailure("NAVIGATION_BLOCKED", `"${name}" leads out of the browser, to ${page.clip(blocked.href, 80)}.`);
      if (!handled && point.hit.matches(PLAYED)) return await playOrPause(/** @type {HTMLMediaElement} */ (point.hit));
      if (handled || link || (await watch.soon())) return link?.hasAttribute("download") && !handled ? { note: "It starts a download." } : {};
      if (await reactsToTouch(point, watch)) return {};
      return { note: `Nothing answered the click on "${name}". The page may take only a person's own hand.`, unanswered: true };
    } finally {
      watch.stop();
    }
  };

  /** @throws {ActionFailure} NOT_INTERACTABLE, NAVIGATION_BLOCKED */
  page.click = async (target) => {
    const point = await page.reach(target);
    const byKeys = target.role === "opt" ? page.chooseByKeys(target.el) : null;
    const note = await page.pressAndCheck(point, target.name);
    return byKeys && (await byKeys()) ? {} : note;
  };
})();
