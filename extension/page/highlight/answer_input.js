// The person's input on the candidates of a question and their badges: it answers the question, and the page does not receive it.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "listenForAnswers")) return;

  const POINTER = ["pointerdown", "pointerup", "mousedown", "mouseup", "touchstart", "touchend", "click", "dblclick"];
  const KEYS = ["keydown", "keyup", "keypress"];
  const FOCUS = ["focusin", "focusout", "focus", "blur"];
  // Without it a touch would cause no click.
  const KEPT_DEFAULT = new Set(["touchstart", "touchend"]);
  // Parts of a candidate that do something else do not belong to it.
  const OTHER = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=menuitem]";
  const TYPED = "input:not([type=button]):not([type=submit]):not([type=reset]):not([type=image]):not([type=checkbox]):not([type=radio]):not([type=file]),textarea,select,[contenteditable]:not([contenteditable=false])";

  /** The innermost element of an event, through closed shadow roots. @param {Event} event @returns {Element | null} */
  function targetOf(event) {
    const [first] = event.composedPath();
    if (!(first instanceof Element)) return null;
    if (!page.shadowOf(first)) return first;
    if (event instanceof MouseEvent && event.detail > 0) return page.hitAt(event.clientX, event.clientY);
    return event instanceof KeyboardEvent || event.type === "click" ? page.focusedElement() : first;
  }

  /** Whether the hit element belongs to that candidate. @param {Element} el @param {Element} hit */
  function isOf(el, hit) {
    const label = page.closest(hit, "label");
    const isLabel = label !== null && /** @type {HTMLLabelElement} */ (label).control === el;
    if (!isLabel && !page.composedContains(el, hit)) return false;
    const other = page.closest(hit, OTHER);
    return !other || other === el || page.composedContains(other, isLabel ? label : el);
  }

  /** Listens to the person's own events; scripted events of the page answer nothing. */
  class AnswerListener {
    #host;
    #root;
    #handlers;
    #ends = new AbortController();
    /** The candidate being pressed: it counts until the press is over, whatever happens to it. @type {Element | null} */
    #pressedCandidate = null;

    /** @param {{host: HTMLElement, root: ShadowRoot}} layer @param {AnswerHandlers} handlers */
    constructor({ host, root }, handlers) {
      this.#host = host;
      this.#root = root;
      this.#handlers = handlers;
    }

    listen() {
      const how = { capture: true, signal: this.#ends.signal };
      for (const type of POINTER) addEventListener(type, (event) => event.isTrusted && this.#pointer(event), { ...how, passive: KEPT_DEFAULT.has(type) });
      for (const type of KEYS) addEventListener(type, (event) => event.isTrusted && this.#key(/** @type {KeyboardEvent} */ (event)), how);
      for (const type of FOCUS) addEventListener(type, (event) => this.#focus(event), how);
      this.#root.addEventListener("focusin", () => this.#focused(), how); // between badges: not reported outside the root
    }

    close() {
      this.#ends.abort();
    }

    /** @param {Event} event @returns {Element | null} its candidate */
    #candidateOf(event) {
      const hit = targetOf(event);
      if (!hit) return null;
      if (this.#pressedCandidate && event.type !== "pointerdown" && isOf(this.#pressedCandidate, hit)) return this.#pressedCandidate;
      const found = this.#handlers.elements().filter((el) => isOf(el, hit));
      // Candidates may be nested: the innermost is meant.
      return found.find((el) => found.every((other) => page.composedContains(other, el))) ?? null;
    }

    /** @param {MouseEvent} event on a badge, or where one was a moment ago */
    #badgeOf(event) {
      const hit = event.detail > 0 ? this.#root.elementFromPoint(event.clientX, event.clientY) : this.#root.activeElement;
      return hit?.closest("button") ?? null;
    }

    /** @param {Event} event */
    #pointer(event) {
      if (event.target === this.#host) return this.#onBadge(event);
      if (event instanceof MouseEvent && event.button !== 0) return;
      const el = this.#candidateOf(event);
      if (event.type === "pointerdown") this.#pressedCandidate = el;
      if (!el) return;
      event.stopImmediatePropagation();
      if (!KEPT_DEFAULT.has(event.type)) event.preventDefault();
      if (event.type === "click") this.#handlers.picked(el);
    }

    /** @param {Event} event */
    #onBadge(event) {
      event.stopImmediatePropagation();
      if (event.type === "mousedown") event.preventDefault(); // the focus stays where it is
      const pressed = event.type === "click" ? this.#badgeOf(/** @type {MouseEvent} */ (event)) : null;
      if (pressed) this.#handlers.badge(pressed);
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
      if (event.target === this.#host) return event.stopImmediatePropagation();
      if (event.key !== "Enter" && event.key !== " ") return;
      const hit = targetOf(event);
      const el = hit && !hit.matches(TYPED) ? this.#candidateOf(event) : null;
      if (!el) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      if (event.type === "keydown" && !event.repeat) this.#handlers.picked(el);
    }

    /** @param {Event} event */
    #focus(event) {
      if (event.target !== this.#host) return;
      event.stopImmediatePropagation(); // a dialog of the page would take the focus back
      if (event.type === "focusin") this.#focused();
    }

    #focused() {
      if (this.#root.activeElement) this.#handlers.focused(this.#root.activeElement);
    }
  }

  /** @param layer with the badges @returns stops listening */
  page.listenForAnswers = (layer, handlers) => {
    const listener = new AnswerListener(layer, handlers);
    listener.listen();
    return () => listener.close();
  };
})();
