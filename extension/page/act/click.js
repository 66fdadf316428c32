// One click, and whether anything came of it: what cannot be followed is told, and so is a click that nothing answered.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "click")) return;

  const REACT_MS = 150; // within which a page that answers a click at all begins to
  // What a page can lead to; everything else is another program's, or refused by the browser (data:, file:, chrome:).
  const FOLLOWED = new Set(["http:", "https:", "javascript:", "about:", "blob:"]);

  // What shows its answers otherwise than in the document.
  const DRAWN = new Set(["canvas", "video", "audio", "embed", "object", "iframe"]);

  /** The link that a click there follows. @param {Element} hit @returns {HTMLAnchorElement | null} */
  const linkAt = (hit) => /** @type {HTMLAnchorElement | null} */ (page.closest(hit, "a[href],area[href]"));

  /** Whether the focus is elsewhere than a press there takes it by itself. @param {Element} hit @param {Element | null} before */
  function focusMoved(hit, before) {
    const now = page.focused();
    if (now === before) return false;
    return now === null || !page.composedContains(now, hit) || page.nativeRole(now) === "inp" || page.nativeRole(now) === "sel";
  }

  /** What a click there changes, from now on. @param {Element} hit */
  function witness(hit) {
    let seen = false;
    const [focus, url, scrolled] = [page.focused(), location.href, scrollY];
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
    return {
      reacted: () => seen || focusMoved(hit, focus) || location.href !== url || scrollY !== scrolled,
      stop() {
        observer.disconnect();
        for (const type of told) window.removeEventListener(type, note, { capture: true });
      },
    };
  }

  /** The outline, and the mark of the mouse, are no answers. @param {MutationRecord} record */
  const isOurs = ({ type, target, attributeName, addedNodes, removedNodes }) =>
    page.isOverlay(target) || attributeName?.startsWith("data-tabwright") || (type === "childList" && [...addedNodes, ...removedNodes].every((node) => page.isOverlay(node)));

  /** Presses, and keeps the browser from handing an address to another program. @param {Point} point @param {HTMLAnchorElement | null} blocked @returns {boolean} whether the page dealt with the click itself */
  function pressKept(point, blocked) {
    let handled = false;
    /** @param {Event} event */
    const keep = (event) => {
      handled = event.defaultPrevented;
      if (blocked) event.preventDefault();
    };
    window.addEventListener("click", keep, { once: true });
    const free = page.press(point);
    window.removeEventListener("click", keep);
    return handled || (!free && !blocked);
  }

  /**
   * @param {Point} point @param {string} name @returns {Promise<Noted>}
   * @throws {ActionFailure} NAVIGATION_BLOCKED for a link out of the web that the page does not follow itself
   */
  page.pressWatched = async (point, name) => {
    const link = linkAt(point.hit);
    const blocked = link && !FOLLOWED.has(link.protocol) ? link : null;
    const watch = witness(point.hit);
    try {
      const handled = pressKept(point, blocked);
      if (blocked && !handled) throw new page.ActionFailure("NAVIGATION_BLOCKED", `"${name}" leads out of the browser, to ${page.clip(blocked.href, 80)}.`);
      if (handled || link || DRAWN.has(point.hit.localName) || (await page.until(watch.reacted, REACT_MS))) return link?.hasAttribute("download") && !handled ? { note: "It starts a download." } : {};
      return { note: `Nothing answered the click on "${name}".`, unanswered: true };
    } finally {
      watch.stop();
    }
  };

  /** @param {Target} target @returns {Promise<Noted>} @throws {ActionFailure} NOT_INTERACTABLE, NAVIGATION_BLOCKED */
  page.click = async (target) => page.pressWatched(await page.reach(target), target.name);
})();
