// Handles the runner's requests, one function each.
(() => {
  const page = globalThis.__tabwright;
  const OBSERVER = (page.observer ??= new page.Observer());

  if (!page.activity) {
    page.activity = new page.ActivityMonitor();
    page.activity.start();
    page.documentId = newId();
  }
  const activity = page.activity;

  /** 128 random bits; `crypto.randomUUID` is missing on pages without https. */
  function newId() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** @type {Partial<import("../types/messages").RequestHandlers<import("../types/messages").PageRequests>>} */
  const HANDLERS = {
    observe: (request) => page.observeFrame(OBSERVER, activity, request),
    frames: () => ({ children: page.childFrames() }),
    place: () => page.framePlace(),
    covered: ({ points }) => page.coveredPoints(points),
    frameAt: ({ x, y }) => page.frameAt(x, y),
    focusedFrame: () => page.focusedFrame(),
    aim: ({ target }) => page.aimAt(OBSERVER, target),
    show: ({ key, place }) => page.showFrame(key, place),
    reset: () => activity.reset(page.findMessages()),
    act: (request) => page.act(OBSERVER, activity, request),
    upload: (request) => page.receiveFile(OBSERVER, activity, request),
    quiet: () => activity.quiet(),
    since: () => activity.since(),
    outline: ({ ids, ms }) => page.outline(ids.flatMap(rectOf), ms),
    clear: () => page.clearOutline(),
    point: (request) => page.showQuestion(OBSERVER, request),
    mark: ({ chosen }) => page.markChosen(chosen),
    unpoint: () => page.clearQuestion(),
    person: ({ on }) => page.recordPerson(on),
    halt: () => page.halt(),
    dom: (request) => page.pageAsHtml(OBSERVER, request),
    undrawn: () => page.hideOverlays(),
  };

  /** @param {string} id */
  function rectOf(id) {
    const el = OBSERVER.ids.get(id)?.element.deref();
    return el?.isConnected ? [el.getBoundingClientRect()] : [];
  }

  /** Answers a request of the runner. @param {{id: number, kind: string}} request */
  page.answer = async (request) => {
    const { id, kind } = request;
    try {
      const handler = /** @type {Record<string, (request: any) => unknown>} */ (HANDLERS)[kind] ?? page.learner?.[kind];
      if (!handler) throw new Error(`unknown request "${kind}"`);
      return { id, ok: true, result: (await handler(request)) ?? {} };
    } catch (error) {
      return { id, ok: false, error: { code: error instanceof page.ActionFailure ? error.code : "PAGE_ERROR", message: error instanceof Error ? error.message : String(error) } };
    }
  };

  page.connect();
})();
