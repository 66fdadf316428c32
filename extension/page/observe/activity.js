// What has happened in the page since the last action: mutations, finished requests, the address; and whether it is still loading.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "ActivityMonitor")) return;

  // Requests that do not show whether the page is still working.
  const BEACONS = new Set(["beacon", "ping"]);

  const MAX_MESSAGES = 10; // messages per action
  const MAX_RECORDS = 50; // mutation records checked per task; with more, the page is being re-rendered
  const MAX_OWN = 4; // changes our outline makes at once: added once, and the previous one removed
  const MAX_ADDED = 300; // elements of an added part that are searched for a message
  const CHECK_MS = 50;
  const MAX_TOUCHED = 60; // changed elements between two looks; with more, the whole page is read again

  const MODAL = "dialog[open],[aria-modal=true]";
  const LONGEST_MOVE_MS = 2_000; // longer movements are decoration

  /** @param {Animation} animation */
  const isPassing = ({ playState, effect }) => playState === "running" && Number(effect?.getComputedTiming().endTime) <= LONGEST_MOVE_MS;

  /** Whether a dialog is opening or closing, so that its controls have no position yet. Never in a hidden tab, where animations would not end. */
  const isDialogMoving = () => !document.hidden
    && [...document.querySelectorAll(MODAL)].some((el) => [el, el.parentElement, el.parentElement?.parentElement].some((box) => box?.getAnimations().some(isPassing)));

  page.ActivityMonitor = class ActivityMonitor {
    #lastMutation = performance.now();
    #lastRequest = 0;
    #mark = { at: performance.now(), url: location.href };
    /** The messages shown when the last action began. @type {ReadonlySet<string>} */
    messagesBefore = new Set();
    /** Messages seen since then, by text, with the time: toasts are often gone before the next look. @type {Map<string, {kind: MessageKind, at: number}>} */
    #messages = new Map();
    #followed = new WeakSet();
    #version = 0;
    #background = new page.BackgroundChanges();
    /** Elements that may contain a new message, checked together, however often the page changes. @type {Set<Element>} */
    #suspects = new Set();
    #checkTimer = 0;
    #checkedAt = 0;
    /** Elements added or with changed attributes since the last query; null if there are too many. @type {Set<Element> | null} */
    #touched = new Set();
    #mutations = new MutationObserver((records) => this.#onMutations(records));

    /** Takes about the same time for ten thousand changes as for a hundred. @param {MutationRecord[]} records */
    #onMutations(records) {
      if (records.length <= MAX_OWN && records.every(isOwn)) return;
      this.#version += 1;
      this.#noteTouched(records);
      this.#background.note(records);
      if (!this.#background.explains(records)) this.#lastMutation = performance.now();
      if (this.#messages.size >= MAX_MESSAGES || this.#suspects.size >= MAX_MESSAGES) return;
      for (const el of messageElements(records)) this.#suspects.add(el);
      if (this.#suspects.size === 0 || this.#checkTimer) return;
      // At once, since some messages vanish quickly; but a constantly changing page is not measured all the time.
      const now = performance.now();
      if (now - this.#checkedAt > CHECK_MS) {
        this.#checkedAt = now;
        this.#checkSuspects();
      } else this.#checkTimer = window.setTimeout(() => this.#checkSuspects(), CHECK_MS);
    }

    /** @param {MutationRecord[]} records */
    #noteTouched(records) {
      if (records.length > MAX_TOUCHED) this.#touched = null;
      for (const { type, target, addedNodes } of records) {
        if (!this.#touched || addedNodes.length > MAX_TOUCHED) return void (this.#touched = null);
        if (type === "attributes") this.#touched.add(/** @type {Element} */ (target));
        for (const node of addedNodes) if (node instanceof Element) this.#touched.add(node);
        if (this.#touched.size > MAX_TOUCHED) this.#touched = null;
      }
    }

    /** The elements added or changed since the last call; null if there are too many. */
    takeTouched() {
      this.version();
      const touched = this.#touched && [...this.#touched];
      this.#touched = new Set();
      return touched;
    }

    #checkSuspects() {
      clearTimeout(this.#checkTimer);
      this.#checkTimer = 0;
      const suspects = [...this.#suspects];
      this.#suspects.clear();
      for (const el of suspects) this.#recordMessage(el);
    }

    /** A revision number of the page: if it is the same, nothing has changed. */
    version() {
      const records = this.#mutations.takeRecords();
      if (records.length > 0) this.#onMutations(records);
      return this.#version;
    }

    #requests = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { initiatorType, responseEnd } = /** @type {PerformanceResourceTiming} */ (entry);
        if (!BEACONS.has(initiatorType)) this.#lastRequest = Math.max(this.#lastRequest, responseEnd);
      }
    });

    start() {
      this.follow([document]);
      this.#requests.observe({ type: "resource", buffered: true });
    }

    /** Stops watching. */
    stop() {
      this.#mutations.disconnect();
      this.#followed = new WeakSet();
      this.#requests.disconnect();
    }

    /** Watches these roots too; a document's observer does not see into shadow roots. @param {readonly Node[]} roots */
    follow(roots) {
      for (const root of roots.filter((one) => !this.#followed.has(one))) {
        this.#followed.add(root);
        this.#mutations.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
      }
    }

    /** @param {Element} el */
    #recordMessage(el) {
      const message = el.isConnected && this.#messages.size < MAX_MESSAGES ? page.messageAt(el) : null;
      if (message) this.#messages.set(message.text, { kind: message.kind, at: this.#messages.get(message.text)?.at ?? performance.now() });
    }

    /** `after`: ms after the action. @returns {{text: string, kind: MessageKind, after: number}[]} */
    recentMessages() {
      this.version();
      this.#checkSuspects();
      return [...this.#messages].map(([text, { kind, at }]) => ({ text, kind, after: at - this.#mark.at }));
    }

    /** Marks the moment just before an action. @param {readonly Message[]} messages shown now */
    reset(messages) {
      this.#background.begin();
      this.#mark = { at: performance.now(), url: location.href };
      this.messagesBefore = new Set(messages.map(({ text }) => text));
      this.version();
      this.#checkSuspects();
      this.#checkedAt = 0;
      this.#messages.clear();
    }

    /** Since the last mark. */
    since() {
      return {
        didNetworkOccur: this.#lastRequest > this.#mark.at,
        didDomMutate: this.#lastMutation > this.#mark.at,
        didUrlChange: location.href !== this.#mark.url,
      };
    }

    /** How long the page has been quiet, in ms. Open requests cannot be seen from here: `pending` is null. */
    quiet() {
      const now = performance.now();
      this.#background.waited(now);
      return {
        domQuietMs: isDialogMoving() ? 0 : Math.round(now - this.#lastMutation),
        networkQuietMs: Math.round(now - this.#lastRequest),
        pending: null,
        loading: page.isLoading(),
        url: location.href,
        readyState: document.readyState,
      };
    }
  };

  /** Elements that may contain a new or changed message. @param {readonly MutationRecord[]} records @returns {Set<Element>} */
  function messageElements(records) {
    /** @type {Set<Element>} */
    const found = new Set();
    let looked = 0;
    for (const { target, addedNodes } of records.slice(0, MAX_RECORDS)) {
      const around = target instanceof Element ? target : target.parentElement;
      const outer = around?.closest(page.MESSAGE);
      if (outer) found.add(outer);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if ((looked += 1) > MAX_RECORDS) return found;
        const isSmall = node.getElementsByTagName("*").length <= MAX_ADDED;
        const inner = node.matches(page.MESSAGE) ? node : isSmall ? node.querySelector(page.MESSAGE) ?? (page.mayBeToast(node) ? node : null) : null;
        if (inner) found.add(inner);
      }
      if (found.size >= MAX_MESSAGES) break;
    }
    return found;
  }

  /** Whether a mutation was caused by our outline. @param {MutationRecord} record */
  const isOwn = ({ type, attributeName, addedNodes, removedNodes }) => attributeName?.startsWith("data-tabwright") || (type === "childList" && addedNodes.length + removedNodes.length <= MAX_OWN && [...addedNodes, ...removedNodes].every((node) => page.isOverlay(node)));

  // Names used by component libraries; `aria-busy` and an indeterminate progress bar are the standard ways.
  const PLACEHOLDERS = "[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value]),[class*=skeleton i],[class*=shimmer i],.placeholder-glow,.placeholder-wave";
  const PATIENCE_MS = 6_000; // since first seen; a placeholder that stays longer is decoration, or stuck
  const LOOKED_AT = 20;

  /** When each was first seen. @type {WeakMap<Element, number>} */
  const seen = new WeakMap();

  /** Whether it shows progress or stands in for a text that is not there yet. @param {Element} el */
  const standsIn = (el) => !el.matches("[class*=skeleton i],[class*=shimmer i]") || el.matches("[aria-busy=true]") || page.collapse(el.textContent) === "";

  /** Whether it is in view: one further down does not matter for the current action. @param {Element} el */
  const isInView = (el) => {
    const rect = el.getBoundingClientRect();
    return rect.width > 0 && rect.height > 0 && page.isOnScreen(rect) && page.isShown(el);
  };

  const placeholders = () => [...document.querySelectorAll(PLACEHOLDERS)].slice(0, LOOKED_AT);

  /** Whether something in view is being fetched, and not for too long. @param now ms */
  page.isLoading = (now = performance.now()) =>
    placeholders().some((el) => {
      if (now - (seen.get(el) ?? now) > PATIENCE_MS || !standsIn(el) || !isInView(el)) return false;
      if (!seen.has(el)) seen.set(el, now);
      return true;
    });

  /** The same without a time limit, or the document is incomplete: missing content may still come. */
  page.isStillLoading = () => document.readyState === "loading" || placeholders().some((el) => standsIn(el) && isInView(el));
})();
