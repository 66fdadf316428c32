// Whether anything came of what was done at a place: what changes in the page, its focus, its address.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "watchReaction")) return;

  const REACT_MS = 150; // within which a page that answers at all begins to
  // What shows its answers otherwise than in the document, so that they cannot be seen.
  const DRAWN = new Set(["canvas", "video", "audio", "embed", "object", "iframe"]);

  /** The outline, and the mark of the mouse, are no answers. @param {MutationRecord} record */
  const isOurs = ({ type, target, attributeName, addedNodes, removedNodes }) =>
    page.isOverlay(target) || attributeName?.startsWith("data-tabwright") || (type === "childList" && [...addedNodes, ...removedNodes].every((node) => page.isOverlay(node)));

  /** Whether the focus is elsewhere than a press there takes it by itself. @param {Element} hit @param {Element | null} before */
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
    const told = ["submit", "change", "input", "toggle", "beforeunload", "pagehide", "invalid"];
    for (const type of told) window.addEventListener(type, note, { capture: true });
    const reacted = () => seen || focusMoved(hit, focus) || location.href !== url || scrollY !== scrolled;
    return {
      reacted,
      soon: async () => (await page.until(reacted, REACT_MS)) === true,
      stop() {
        observer.disconnect();
        for (const type of told) window.removeEventListener(type, note, { capture: true });
      },
    };
  };
})();
