// The port to the runner, and the answers to its requests. The port is reopened when the page returns from the back/forward cache, and
// closed for good once the extension is gone.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "connect")) return page.connect(); // injected again: only a dead port is replaced

  const PORT = "tabwright.page";
  const UNLOADED_MS = 1_000;

  /** Whether the extension that injected this script was reloaded or removed: its APIs may not be called any more. */
  const isOrphaned = () => !chrome.runtime?.id;

  /** Connects to the runner; does nothing while connected. */
  page.connect = () => {
    if (page.port) return;
    const port = chrome.runtime.connect({ name: PORT });
    page.port = port;
    port.onDisconnect.addListener(() => onPortClosed(port));
    port.onMessage.addListener((request) => {
      page.answer(request).then((reply) => {
        if (page.port === port) port.postMessage(reply);
      });
    });
    port.postMessage({ kind: "hello", documentId: page.documentId, url: location.href, top: window === window.top, frame: Number.parseInt(page.observer?.ids.prefix ?? "", 10) || 0 });
  };

  /** @param {chrome.runtime.Port} port closed by the runner, because the runner died, or because the extension went */
  function onPortClosed(port) {
    if (page.port !== port) return;
    page.port = null;
    page.clearQuestion(); // nobody would hear the answer
    page.recordPerson(false);
    if (isOrphaned()) return removeEverything();
    void chrome.runtime.lastError; // "no receiving end": read, so that it is not reported
    chrome.runtime.sendMessage({ to: "worker", name: "runner.gone" }).catch(() => undefined);
    // A reload ends the runner first, and the rest of the extension a moment later.
    setTimeout(() => isOrphaned() && removeEverything(), UNLOADED_MS);
  }

  /** Removes everything this script added to the page; the next injection brings a new script. */
  function removeEverything() {
    page.clearOutline();
    page.clearQuestion();
    page.recordPerson(false);
    page.activity?.stop();
    removeEventListener("pageshow", onPageShown);
  }

  /** @param {PageTransitionEvent} event Chrome closes the ports of a page in the back/forward cache */
  function onPageShown({ persisted }) {
    if (isOrphaned()) return removeEverything();
    if (!persisted) return;
    page.port?.disconnect();
    page.port = null;
    page.connect();
  }

  addEventListener("pageshow", onPageShown);

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

  /** Answers a request of the runner. */
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
