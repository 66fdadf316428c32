// The line to the runner: one port, opened again when the page comes back from the back/forward cache, and silence once the extension is gone.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "connect")) return;

  const PORT = "tabwright.page";
  const UNLOADED_MS = 1_000;

  /** Whether the extension that put this script here was reloaded or removed since: nothing of it may be called any more. */
  const orphaned = () => !chrome.runtime?.id;

  /** Says hello to the runner; does nothing while the line is open. */
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

  /** @param {chrome.runtime.Port} port the runner let go of it, died, or the whole extension did */
  function lost(port) {
    if (page.port !== port) return;
    page.port = null;
    page.clearQuestion(); // nobody hears what is picked
    page.recordPerson(false);
    if (orphaned()) return fallSilent();
    void chrome.runtime.lastError; // "no receiving end": read, so that it is not reported
    chrome.runtime.sendMessage({ to: "worker", name: "runner.gone" }).catch(() => undefined);
    // A reload takes the runner first, and the rest of the extension a moment later.
    setTimeout(() => orphaned() && fallSilent(), UNLOADED_MS);
  }

  /** Takes back what this script has in the page; the next injection brings a script of its own. */
  function fallSilent() {
    page.clearOutline();
    page.clearQuestion();
    page.recordPerson(false);
    page.activity?.stop();
    removeEventListener("pageshow", shownAgain);
  }

  /** @param {PageTransitionEvent} event Chrome closes the ports of a page that it keeps for going back to */
  function shownAgain({ persisted }) {
    if (orphaned()) return fallSilent();
    if (!persisted) return;
    page.port?.disconnect();
    page.port = null;
    page.connect();
  }

  addEventListener("pageshow", shownAgain);
})();
