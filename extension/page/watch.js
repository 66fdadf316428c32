// What happens in the page since the last action: mutations, finished requests, the address.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "Watch")) return;

  // Requests that say nothing about whether the page is still working.
  const BEACONS = new Set(["beacon", "ping"]);

  const MAX_HEARD = 10; // messages since an action
  const MAX_RECORDS = 200; // of one turn of the page; one that changes more is being drawn anew

  page.Watch = class Watch {
    #lastMutation = performance.now();
    #lastRequest = 0;
    #mark = { at: performance.now(), url: location.href };
    /** Texts of the messages shown when the last action began. @type {ReadonlySet<string>} */
    messagesBefore = new Set();
    /** Messages seen since then, by their text: toasts are often gone before the next look. @type {Map<string, MessageKind>} */
    #heard = new Map();
    #followed = new WeakSet();
    #mutations = new MutationObserver((records) => {
      const foreign = records.filter((record) => !isOwn(record));
      if (foreign.length === 0) return;
      this.#lastMutation = performance.now();
      for (const el of messageElements(foreign)) this.#hear(el);
    });

    start() {
      this.follow([document]);
      this.#watchRequests();
    }

    /** Watches these too; a document's observer does not see into shadow roots. @param {readonly Node[]} roots */
    follow(roots) {
      for (const root of roots.filter((one) => !this.#followed.has(one))) {
        this.#followed.add(root);
        this.#mutations.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
      }
    }

    /** @param {Element} el */
    #hear(el) {
      const message = el.isConnected && this.#heard.size < MAX_HEARD ? page.messageAt(el) : null;
      if (message) this.#heard.set(message.text, message.kind);
    }

    /** @returns {{text: string, kind: MessageKind}[]} */
    heard() {
      return [...this.#heard].map(([text, kind]) => ({ text, kind }));
    }

    #watchRequests() {
      const requests = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { initiatorType, responseEnd } = /** @type {PerformanceResourceTiming} */ (entry);
          if (!BEACONS.has(initiatorType)) this.#lastRequest = Math.max(this.#lastRequest, responseEnd);
        }
      });
      requests.observe({ type: "resource", buffered: true });
    }

    /** Marks the moment just before an action. @param {readonly Message[]} messages those shown now */
    reset(messages) {
      this.#mark = { at: performance.now(), url: location.href };
      this.messagesBefore = new Set(messages.map(({ text }) => text));
      this.#heard.clear();
    }

    /** Since the last mark. */
    since() {
      return {
        didNetworkOccur: this.#lastRequest > this.#mark.at,
        didDomMutate: this.#lastMutation > this.#mark.at,
        didUrlChange: location.href !== this.#mark.url,
      };
    }

    /** How long nothing has happened, in ms. Requests on their way cannot be seen from here: `pending` is null. */
    quiet() {
      const now = performance.now();
      return {
        domQuietMs: Math.round(now - this.#lastMutation),
        networkQuietMs: Math.round(now - this.#lastRequest),
        pending: null,
        url: location.href,
        readyState: document.readyState,
      };
    }
  };

  /** Elements in which a message may just have appeared or changed. @param {readonly MutationRecord[]} records @returns {Set<Element>} */
  function messageElements(records) {
    /** @type {Set<Element>} */
    const found = new Set();
    for (const { target, addedNodes } of records.slice(0, MAX_RECORDS)) {
      const around = target instanceof Element ? target : target.parentElement;
      const outer = around?.closest(page.MESSAGE);
      if (outer) found.add(outer);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        const inner = node.matches(page.MESSAGE) ? node : node.querySelector(page.MESSAGE);
        if (inner) found.add(inner);
      }
      if (found.size >= MAX_HEARD) break;
    }
    return found;
  }

  /** Whether a mutation is the outline's own. @param {MutationRecord} record */
  const isOwn = ({ type, addedNodes, removedNodes }) => type === "childList" && [...addedNodes, ...removedNodes].every((node) => page.isOverlay(node));
})();
