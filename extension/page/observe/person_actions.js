// Records what the person does in this document after taking over: the control by its observed name, never the typed text.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "recordPerson")) return;

  const MAX_NAME = 80; // characters, as in a look
  const MAX_URL = 2_000;
  const CHOSEN = new Set(["chk", "rad", "opt", "range", "file"]);
  // For these the browser reports the result of a press with "change".
  const TOLD_BY_CHANGE = "select,input[type=checkbox],input[type=radio],input[type=file],input[type=range]";

  /** @type {AbortController | null} */
  let recording = null;

  /** @param {Pick<PersonAct, "kind"> & Partial<PersonAct>} act sent at once, since the document may be going away */
  function report({ kind, role = "", name = "" }) {
    const url = location.href.slice(0, MAX_URL);
    page.port?.postMessage({ kind: "person", act: { kind, role, name: page.clip(name, MAX_NAME), url, at: new Date().toISOString() } });
  }

  /** The whole element that looks clickable, by its cursor. @param {Element} start @returns {Element | null} */
  function pointedAt(start) {
    const isPointed = (/** @type {Element} */ el) => getComputedStyle(el).cursor === "pointer";
    let found = isPointed(start) ? start : null;
    for (let up = found && page.parentOf(found); up && up !== document.body && isPointed(up); up = page.parentOf(up)) found = up;
    return found;
  }

  /** The control an element belongs to, null if none. @param {Element} start @returns {{el: Element, role: WireRole} | null} */
  function controlOf(start) {
    for (let el = /** @type {Element | null} */ (start); el && el !== document.body; el = page.parentOf(el)) {
      const labelled = el.localName === "label" ? /** @type {HTMLLabelElement} */ (el).control : null;
      const role = page.roleOf(labelled ?? el);
      if (role) return { el: labelled ?? el, role };
      if (page.saysClickable(el) || page.looksClickable(el)) return { el, role: page.customRole(el, false) };
    }
    const drawn = pointedAt(start);
    return drawn && { el: drawn, role: page.customRole(drawn, false) };
  }

  /** @param {Event} event by the person @returns {{el: Element, role: WireRole} | null} its control */
  function controlOfEvent(event) {
    const [first] = event.composedPath();
    if (!event.isTrusted || !(first instanceof Element) || page.isOverlay(first)) return null;
    // A closed shadow root hides which element in it was touched.
    const inner = page.shadowOf(first) && event instanceof MouseEvent && event.detail > 0 ? page.hitAt(event.clientX, event.clientY) : first;
    return controlOf(inner ?? first);
  }

  /** @param {PersonAct["kind"]} kind @param {{el: Element, role: WireRole}} control */
  const reportControl = (kind, { el, role }) => report({ kind, role, name: page.nameOf(el, role) });

  /** @param {Event} event */
  function onClick(event) {
    const control = controlOfEvent(event);
    if (!control || control.role === "inp" || control.el.matches(TOLD_BY_CHANGE)) return;
    reportControl(CHOSEN.has(control.role) ? "choose" : "click", control);
  }

  /** @param {Event} event */
  function onInput(event) {
    const control = controlOfEvent(event);
    if (control && !control.el.matches(TOLD_BY_CHANGE)) reportControl("type", control);
  }

  /** @param {Event} event */
  function onChange(event) {
    const control = controlOfEvent(event);
    if (control?.el.matches(TOLD_BY_CHANGE)) reportControl("choose", control);
  }

  /** @param {SubmitEvent} event reported as its button, so that the press and the submission count as one */
  function onSubmit(event) {
    if (!event.isTrusted || navigator.userActivation?.isActive === false) return; // scripts submit forms too
    const { submitter, target } = event;
    if (submitter) reportControl("submit", { el: submitter, role: page.roleOf(submitter) ?? "btn" });
    else if (target instanceof Element) report({ kind: "submit", name: page.givenLabel(target) });
  }

  /** Starts or stops recording. */
  page.recordPerson = (on) => {
    if (on === (recording !== null)) return;
    recording?.abort();
    recording = on ? new AbortController() : null;
    if (!recording) return;
    const how = { capture: true, passive: true, signal: recording.signal };
    addEventListener("click", onClick, how);
    addEventListener("input", onInput, how);
    addEventListener("change", onChange, how);
    addEventListener("submit", /** @type {EventListener} */ (onSubmit), how);
    const { navigation } = /** @type {any} */ (globalThis);
    if (window === window.top) navigation?.addEventListener("currententrychange", () => report({ kind: "navigate" }), { signal: recording.signal });
  };
})();
