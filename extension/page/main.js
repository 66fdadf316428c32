// The shell: a port to the runner, and what each of its requests asks of the page.
(() => {
  const page = globalThis.__tabwright;
  const EYES = (page.eyes ??= new page.Observer());

  if (!page.watch) {
    page.watch = new page.ActivityMonitor();
    page.watch.start();
    page.documentId = newId();
  }
  const watch = page.watch;

  /** 128 random bits; `crypto.randomUUID` is missing on pages without https. */
  function newId() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** @type {Record<string, (request: any) => unknown>} */
  const HANDLERS = {
    observe: (request) => page.observeFrame(EYES, watch, request),
    frames: () => ({ children: page.childFrames() }),
    place: () => page.framePlace(),
    covered: ({ points }) => page.coveredPoints(points),
    frameAt: ({ x, y }) => page.frameAt(x, y),
    focusedFrame: () => page.focusedFrame(),
    aim: ({ target }) => page.aimAt(EYES, target),
    show: ({ key, place }) => page.showFrame(key, place),
    reset: () => watch.reset(page.findMessages()),
    act: (request) => page.act(EYES, watch, request),
    upload: (request) => page.receiveFile(EYES, watch, request),
    quiet: () => watch.quiet(),
    since: () => watch.since(),
    outline: ({ ids, ms }) => page.outline(ids.flatMap(rectOf), ms),
    clear: () => page.clearOutline(),
    point: (request) => page.showQuestion(EYES, request),
    mark: ({ chosen }) => page.markChosen(chosen),
    unpoint: () => page.clearQuestion(),
    person: ({ on }) => page.recordPerson(on),
    halt: () => page.halt(),
    dom: (request) => page.pageAsHtml(EYES, request),
    undrawn: () => page.hideOverlays(),
  };

  /** @param {string} id */
  function rectOf(id) {
    const el = EYES.ids.get(id)?.element.deref();
    return el?.isConnected ? [el.getBoundingClientRect()] : [];
  }

  /** Answers one request of the runner. @param {{id: number, kind: string}} request */
  page.answer = async (request) => {
    const { id, kind } = request;
    try {
      const handler = HANDLERS[kind] ?? page.learner?.[kind];
      if (!handler) throw new Error(`unknown request "${kind}"`);
      return { id, ok: true, result: (await handler(request)) ?? {} };
    } catch (error) {
      return { id, ok: false, error: { code: error instanceof page.ActionFailure ? error.code : "PAGE_ERROR", message: error instanceof Error ? error.message : String(error) } };
    }
  };

  page.connect();
})();
