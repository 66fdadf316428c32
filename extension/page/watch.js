// What happens in the page since the last action: mutations, finished requests, the address.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "Watch")) return;

  // Requests that say nothing about whether the page is still working.
  const BEACONS = new Set(["beacon", "ping"]);

  page.Watch = class Watch {
    #lastMutation = performance.now();
    #lastRequest = 0;
    #mark = { at: performance.now(), url: location.href };
    /** Texts of the messages shown when the last action began. @type {ReadonlySet<string>} */
    messagesBefore = new Set();

    start() {
      const mutations = new MutationObserver((records) => {
        if (records.some((record) => !isOwn(record))) this.#lastMutation = performance.now();
      });
      mutations.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      this.#watchRequests();
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

  /** Whether a mutation is the outline's own. @param {MutationRecord} record */
  const isOwn = ({ type, addedNodes, removedNodes }) => type === "childList" && [...addedNodes, ...removedNodes].every((node) => page.isOverlay(node));
})();
