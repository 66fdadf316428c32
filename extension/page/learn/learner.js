// Learns a page: captures what the person or the agent opens, keeps it in this document, and reports only its name.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "learner")) return;

  page.OPENABLE = "dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true],[role=menu],[role=listbox],[role=tabpanel],[popover],details[open]";
  const LEAST_WORDS = 30; // characters of a part without a role: less is a message or a marker
  const LEAST_OPENED = 2; // characters of a part with a role
  const MANY = 2; // from this many parts added side by side, their container is meant
  const MAX_LOOKED = 200;
  const MAX_TEXT = 2_000;

  /** @param {Element} el */
  const wordsOf = (el) => page.collapse(page.textOf(el, { max: MAX_TEXT }));

  /** @param {Element} el */
  const isPresent = (el) => el.isConnected && !page.isOverlay(el) && page.isShown(el) && page.closest(el, page.MESSAGE) === null;

  /** What an open control has opened. @param {Element} el @returns {Element[]} */
  function openedBy(el) {
    const isOpen = el.getAttribute("aria-expanded") === "true" || el.getAttribute("aria-selected") === "true";
    if (!isOpen) return [];
    const named = [...page.refs(el, "aria-controls"), ...page.refs(el, "aria-owns")];
    if (named.length > 0 || el.getAttribute("role") !== "tab" || !el.id) return named;
    const root = /** @type {Document | ShadowRoot} */ (el.getRootNode());
    return [...root.querySelectorAll("[role=tabpanel]")].filter((panel) => page.refs(panel, "aria-labelledby").includes(el));
  }

  /** @param {Iterable<Element>} changed @returns {Element[]} */
  function openedWithRole(changed) {
    /** @type {Set<Element>} */
    const found = new Set();
    for (const el of changed) {
      const around = page.closest(el, page.OPENABLE);
      if (around) found.add(around);
      for (const inner of el.querySelectorAll(page.OPENABLE)) found.add(inner);
      for (const opened of openedBy(el)) found.add(opened);
    }
    return [...found];
  }

  /** Replaces siblings by their container. @param {Element[]} parts @returns {Element[]} */
  function mergeSiblings(parts) {
    return [...Map.groupBy(parts, (el) => page.parentOf(el) ?? el)].flatMap(([parent, children]) => (children.length >= MANY && parent !== document.body ? [parent] : children));
  }

  /** @param {Element[]} found */
  const outermost = (found) => found.filter((el) => !found.some((other) => other !== el && page.composedContains(other, el)));

  /** The parts that were opened. @param {Iterable<Element>} changed @param {WeakSet<Element>} standing parts that were open before */
  const findOpened = (changed, standing) => {
    const present = [...changed].slice(0, MAX_LOOKED).filter(isPresent);
    const opened = openedWithRole(present).filter((el) => isPresent(el) && !standing.has(el) && wordsOf(el).length >= LEAST_OPENED);
    if (opened.length > 0) return outermost(opened);
    const parts = outermost(mergeSiblings(present.filter((el) => el !== document.body && el !== document.documentElement)));
    const largest = parts.map((el) => ({ el, length: wordsOf(el).length })).filter(({ length }) => length >= LEAST_WORDS).sort((one, other) => other.length - one.length);
    return largest.slice(0, 1).map(({ el }) => el);
  };

  const QUIET_MS = 350; // without a change: what was opened is complete
  const LONGEST_MS = 3_000; // a page that never rests is captured all the same
  const WINDOW_MS = 5_000; // after an action, in which new parts count as opened by it
  const MAX_KEPT = 6; // captures
  const MAX_SUSPECTS = 400;
  const MAX_TRIGGER = 900; // characters of a trigger; the server takes 1,000
  const ATTRIBUTES = ["open", "hidden", "class", "style", "aria-hidden", "aria-expanded", "aria-selected", "data-state"];
  const MAX_LEVELS = 8;

  /** @type {LearnState | null} */
  let state = null;

  /** @param {string} text */
  const hashOf = (text) => {
    let hash = 5381;
    for (let at = 0; at < text.length; at += 1) hash = ((hash * 33) ^ text.charCodeAt(at)) | 0;
    return `${text.length}:${hash}`;
  };

  const address = () => (/^#[!/]/.test(location.hash) ? location.href : location.href.split("#", 1)[0]);

  /** The name of the control that was pressed. @param {Element} start */
  function pressedName(start) {
    let el = /** @type {Element | null} */ (start);
    for (let level = 0; el && level < MAX_LEVELS; level += 1, el = page.parentOf(el)) {
      const role = page.roleOf(el);
      if (role) return page.nameOf(el, role);
    }
    return page.clip(page.collapse(start.textContent), 80);
  }

  /** @param {Event} event */
  function onClick(event) {
    const [first] = event.composedPath();
    if (!state || !event.isTrusted || !(first instanceof Element) || page.isOverlay(first)) return;
    const name = pressedName(first);
    setTrigger(`click(${JSON.stringify(name)})`, name);
  }

  /** @param {string} action as written by the agent @param {string} name of its element */
  function setTrigger(action, name) {
    if (state) state.trigger = { action: page.clip(action, MAX_TRIGGER), name, at: performance.now(), url: address() };
  }

  const act = page.act;
  page.act = (observer, activity, request) => {
    if (state) {
      const args = Object.values(request.args ?? {}).map((value) => JSON.stringify(value)).join(", ");
      // Entered text belongs to the person.
      const shownArgs = request.name === "setValue" ? JSON.stringify(request.args?.id) : args;
      setTrigger(`${request.name}(${shownArgs})`, observer.ids.get(String(request.args?.id))?.name ?? "");
    }
    return act(observer, activity, request);
  };

  /** @param {readonly MutationRecord[]} records */
  function onMutations(records) {
    if (!state?.trigger || performance.now() - state.trigger.at > WINDOW_MS) return;
    for (const { type, target, addedNodes } of records) {
      if (state.suspects.size >= MAX_SUSPECTS) break;
      if (type === "attributes") state.suspects.add(/** @type {Element} */ (target));
      for (const node of addedNodes) if (node instanceof Element) state.suspects.add(node);
    }
    if (state.suspects.size === 0) return;
    const now = performance.now();
    state.since ??= now;
    clearTimeout(state.timer);
    state.timer = window.setTimeout(findChanges, Math.max(0, Math.min(QUIET_MS, state.since + LONGEST_MS - now)));
  }

  /** Checks what has changed, once the page rests. */
  function findChanges() {
    if (!state) return;
    const { suspects, trigger } = state;
    state.suspects = new Set();
    state.since = null;
    for (const el of suspects) for (const inner of [el, page.closest(el, page.OPENABLE)]) if (inner && !page.isShown(inner)) state.openBefore.delete(inner);
    if (!trigger) return;
    if (address() !== state.url) return void captureNewPage(trigger);
    for (const el of findOpened(suspects, state.openBefore)) captureOpened(el, trigger);
  }

  /** The page changed to another one without a new document. @param {LearnTrigger} trigger */
  function captureNewPage(trigger) {
    if (!state) return;
    state.url = address();
    state.openBefore = openParts();
    offerCapture(page.capture(), { name: page.clip(page.collapse(document.title), 80) || trigger.name, container: "", phase: "initial", triggerAction: "" });
  }

  /** @param {Element} el @param {LearnTrigger} trigger */
  function captureOpened(el, trigger) {
    if (!state) return;
    if (el.matches(page.OPENABLE) && page.partRole(el) !== "tabpanel") state.openBefore.add(el);
    const part = page.partRole(el) === "tabpanel" || page.partRole(el) === "menu" || page.partRole(el) === "listbox" ? "" : page.partName(el);
    offerCapture(page.capture(el), { name: page.clip(part || trigger.name || page.partName(el), 80) || "A part of the page", container: page.containerOf(el), phase: "post-interaction", triggerAction: trigger.action });
  }

  /** @param {Captured} captured @param {CaptureInfo} says */
  function offerCapture(captured, says) {
    if (!state || !captured.html) return;
    const sign = `${says.container}|${hashOf(captured.html)}`;
    if (state.known.has(sign)) return;
    state.known.add(sign);
    const key = `o${(state.next += 1)}`;
    state.captures.set(key, { ...captured, ...says });
    for (const old of [...state.captures.keys()].slice(0, -MAX_KEPT)) state.captures.delete(old);
    page.port?.postMessage({ kind: "opened", opened: { key, name: says.name } });
  }

  /** What is open before any action. */
  const openParts = () => new WeakSet([...document.querySelectorAll(page.OPENABLE)].filter(page.isShown));

  function startLearning() {
    const observer = new MutationObserver(onMutations);
    const ends = new AbortController();
    state = { observer, ends, suspects: new Set(), openBefore: openParts(), known: new Set(), captures: new Map(), trigger: null, since: null, timer: 0, next: 0, url: address() };
    page.clearRoots();
    const open = [...document.querySelectorAll("*")].flatMap((el) => el.shadowRoot ?? []);
    for (const root of [document, ...open]) observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ATTRIBUTES });
    addEventListener("click", onClick, { capture: true, passive: true, signal: ends.signal });
  }

  function stopLearning() {
    state?.observer.disconnect();
    state?.ends.abort();
    clearTimeout(state?.timer);
    state = null;
  }

  page.learner = {
    /** Starts or stops learning; stopping discards the captures. @param {{on: boolean}} request */
    learn({ on }) {
      if (on && !state) startLearning();
      if (!on) stopLearning();
      return { on };
    },
    /** The page's current state. */
    capture: () => ({ ...page.capture(), phase: "initial" }),
    /** Returns a capture and forgets it. @param {{key: string}} request */
    opened({ key }) {
      const capture = state?.captures.get(key);
      state?.captures.delete(key);
      if (!capture) throw new Error("What was opened is no longer known.");
      return capture;
    },
    /** The person declined it. @param {{key: string}} request */
    forget({ key }) {
      state?.captures.delete(key);
    },
  };
})();
