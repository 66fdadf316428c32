// The shell: a port to the runner, and what each of its requests asks of the page.
(() => {
  const page = globalThis.__tabwright;
  const EYES = (page.eyes ??= new page.Eyes());
  const PORT = "tabwright.page";

  if (!page.watch) {
    page.watch = new page.Watch();
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
    observe: (request) => EYES.observe(request, watch),
    act: (request) => page.act(EYES, watch, request),
    quiet: () => watch.quiet(),
    since: () => watch.since(),
    outline: ({ ids, ms }) => page.outline(ids.flatMap(rectOf), ms),
    clear: () => page.clearOutline(),
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
      const handler = HANDLERS[kind];
      if (!handler) throw new Error(`unknown request "${kind}"`);
      return { id, ok: true, result: (await handler(request)) ?? {} };
    } catch (error) {
      return { id, ok: false, error: { code: "PAGE_ERROR", message: error instanceof Error ? error.message : String(error) } };
    }
  };

  if (page.port) return; // injected again while the runner is still there
  const port = chrome.runtime.connect({ name: PORT });
  page.port = port;
  port.onDisconnect.addListener(() => {
    if (page.port === port) page.port = null;
  });
  port.onMessage.addListener((request) => {
    page.answer(request).then((reply) => {
      if (page.port === port) port.postMessage(reply);
    });
  });
  port.postMessage({ kind: "hello", documentId: page.documentId, url: location.href, top: window === window.top });
})();
