/**
 * Pointer capture for the agent's mouse: the browser captures only a pointer whose button is really down, so scripted
 * events miss the element that asked for them. While this is armed, `setPointerCapture` and related functions work for
 * the agent's presses too; a person's own press is not affected.
 *
 * Injected into the page's own world and armed like dialogs_main.js. The function is sent as text: it may use nothing
 * from outside itself.
 *
 * @param {string} token
 */
export function capturesInPage(token) {
  const PRESSED = ["pointermove", "mousemove", "pointerup", "mouseup", "pointercancel"];
  const prototype = Element.prototype;
  const { setPointerCapture, hasPointerCapture, releasePointerCapture } = prototype;
  const own = { setPointerCapture, hasPointerCapture, releasePointerCapture };

  /** The id of the agent's pointer while its button is down. @type {number | null} */
  let pressed = null;
  /** @type {Element | null} */
  let captor = null;
  let routing = false;
  let armed = false;

  /** @param {string} type @param {Element} el */
  const dispatchPointer = (type, el) => void el.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true, pointerId: pressed ?? 0, pointerType: "mouse", isPrimary: true }));

  function release() {
    const had = captor;
    captor = null;
    if (had) dispatchPointer("lostpointercapture", had.isConnected ? had : document.documentElement);
  }

  const standIns = {
    /** @this {Element} @param {number} id */
    setPointerCapture(id) {
      if (pressed === null || id !== pressed) return setPointerCapture.call(this, id);
      if (captor === this) return;
      release();
      captor = this;
      dispatchPointer("gotpointercapture", this);
    },
    /** @this {Element} @param {number} id */
    hasPointerCapture(id) {
      return (captor === this && id === pressed) || hasPointerCapture.call(this, id);
    },
    /** @this {Element} @param {number} id */
    releasePointerCapture(id) {
      if (captor === this && id === pressed) release();
      else releasePointerCapture.call(this, id);
    },
  };

  /** @param {Event} event */
  function begin(event) {
    if (!event.isTrusted) pressed = /** @type {PointerEvent} */ (event).pointerId;
  }

  /** Redirects an event to the capturing element, as the browser would. @param {any} event */
  function route(event) {
    if (event.isTrusted || routing) return;
    if (captor && !captor.isConnected) release();
    if (captor) {
      event.stopImmediatePropagation();
      routing = true;
      /** @type {Record<string, unknown>} */
      const init = { coalescedEvents: event.getCoalescedEvents?.() ?? [] };
      for (const name in event) init[name] = event[name];
      if (!captor.dispatchEvent(new event.constructor(event.type, init))) event.preventDefault();
      routing = false;
    }
    if (event.type !== "mouseup" && event.type !== "pointercancel") return;
    release();
    pressed = null;
  }

  function disarm() {
    if (!armed) return;
    armed = false;
    release();
    pressed = null;
    removeEventListener("pointerdown", begin, true);
    for (const type of PRESSED) removeEventListener(type, route, true);
    for (const [name, value] of Object.entries(own)) if (/** @type {any} */ (prototype)[name] === /** @type {any} */ (standIns)[name]) Object.assign(prototype, { [name]: value });
  }

  document.addEventListener(`${token}:arm`, (event) => {
    if (!JSON.parse(/** @type {CustomEvent} */ (event).detail).armed) return disarm();
    if (armed) return;
    armed = true;
    Object.assign(prototype, standIns);
    addEventListener("pointerdown", begin, true);
    for (const type of PRESSED) addEventListener(type, route, true);
  });
}
