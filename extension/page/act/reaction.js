// Detects whether an action had an effect: a change of the page, its focus or its address.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "watchReaction")) return;

  const REACT_MS = 150; // a page that reacts at all begins within this time
  // Elements that show effects outside the document, which cannot be observed.
  const DRAWN = new Set(["canvas", "video", "audio", "embed", "object", "iframe"]);

  /** Whether a change is only our outline or mouse marker. @param {MutationRecord} record */
  const isOurs = ({ type, target, attributeName, addedNodes, removedNodes }) =>
    page.isOverlay(target) || attributeName?.startsWith("data-tabwright") || (type === "childList" && [...addedNodes, ...removedNodes].every((node) => page.isOverlay(node)));

  /** Whether the focus moved elsewhere than a press there moves it by itself. @param {Element} hit @param {Element | null} before */
  function focusMoved(hit, before) {
    const now = page.focusedElement();
    if (now === before) return false;
    return now === null || !page.composedContains(now, hit) || page.nativeRole(now) === "inp" || page.nativeRole(now) === "sel";
  }

  page.watchReaction = (hit) => {
    let seen = DRAWN.has(hit.localName);
    const [focus, url, scrolled] = [page.focusedElement(), location.href, scrollY];
    /** @param {Event} [event] */
    const note = (event) => {
      if (!(event?.target instanceof Node && page.isOverlay(event.target))) seen = true;
    };
    const observer = new MutationObserver((records) => {
      if (records.some((record) => !isOurs(record))) note();
    });
    for (const root of page.roots()) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const types = ["submit", "change", "input", "toggle", "beforeunload", "pagehide", "invalid"];
    for (const type of types) window.addEventListener(type, note, { capture: true });
    const reacted = () => seen || focusMoved(hit, focus) || location.href !== url || scrollY !== scrolled;
    return {
      reacted,
      soon: async () => (await page.until(reacted, REACT_MS)) === true,
      stop() {
        observer.disconnect();
        for (const type of types) window.removeEventListener(type, note, { capture: true });
      },
    };
  };
})();
