// The port to the runner: reopened when the page returns from the back/forward cache, and closed for good once the extension is gone.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "connect")) return;

  const PORT = "tabwright.page";
  const UNLOADED_MS = 1_000;

  /** Whether the extension that injected this script was reloaded or removed: its APIs may not be called any more. */
  const orphaned = () => !chrome.runtime?.id;

  /** Connects to the runner; does nothing while connected. */
  page.connect = () => {
    if (page.port) return;
    const port = chrome.runtime.connect({ name: PORT });
    page.port = port;
    port.onDisconnect.addListener(() => lost(port));
    port.onMessage.addListener((request) => {
      page.answer(request).then((reply) => {
        if (page.port === port) port.postMessage(reply);
      });
    });
    port.postMessage({ kind: "hello", documentId: page.documentId, url: location.href, top: window === window.top, frame: Number.parseInt(page.observer?.ids.prefix ?? "", 10) || 0 });
  };

  /** @param {chrome.runtime.Port} port closed by the runner, because the runner died, or because the extension went */
  function lost(port) {
    if (page.port !== port) return;
    page.port = null;
    page.clearQuestion(); // nobody would hear the answer
    page.recordPerson(false);
    if (orphaned()) return fallSilent();
    void chrome.runtime.lastError; // "no receiving end": read, so that it is not reported
    chrome.runtime.sendMessage({ to: "worker", name: "runner.gone" }).catch(() => undefined);
    // A reload ends the runner first, and the rest of the extension a moment later.
    setTimeout(() => orphaned() && fallSilent(), UNLOADED_MS);
  }

  /** Removes everything this script added to the page; the next injection brings a new script. */
  function fallSilent() {
    page.clearOutline();
    page.clearQuestion();
    page.recordPerson(false);
    page.activity?.stop();
    removeEventListener("pageshow", shownAgain);
  }

  /** @param {PageTransitionEvent} event Chrome closes the ports of a page in the back/forward cache */
  function shownAgain({ persisted }) {
    if (orphaned()) return fallSilent();
    if (!persisted) return;
    page.port?.disconnect();
    page.port = null;
    page.connect();
  }

  addEventListener("pageshow", shownAgain);
})();
