// One click and its effect; reports links that cannot be followed and clicks without effect.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "click")) return;

  // Schemes a page can lead to; others belong to other programs or are blocked by the browser (data:, file:, chrome:).
  const FOLLOWED = new Set(["http:", "https:", "javascript:", "about:", "blob:"]);

  /** Whether the browser follows the link, or saves its target. @param {HTMLAnchorElement} link */
  const leads = (link) => FOLLOWED.has(link.protocol) || (link.protocol === "data:" && link.hasAttribute("download"));

  const NATIVE = "a[href],button,input,select,textarea,label,summary";
  const PLAYED = "video[controls],audio[controls]";
  const PLAY_MS = 300; // a media element begins to play, or is refused, within this time

  /** The link that a click on the element follows. @param {Element} hit @returns {HTMLAnchorElement | null} */
  const linkAt = (hit) => /** @type {HTMLAnchorElement | null} */ (page.closest(hit, "a[href],area[href]"));

  /** Clicks, but keeps the browser from handing an address to another program. @param {Point} point @param {HTMLAnchorElement | null} blocked @returns {boolean} whether the page handled the click itself */
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

  /** Tries a touch if the mouse had no effect; not on native controls, and not while a request is pending. @param {Point} point @param {ReturnType<PageNamespace["watchReaction"]>} watch */
  async function answersTouch(point, watch) {
    if (page.closest(point.hit, NATIVE) || page.activity?.since().didNetworkOccur) return false;
    await page.tap(point);
    return watch.soon();
  }

  /** What the browser's own media controls do on a click, which they do not take from scripts. @param {HTMLMediaElement} media @returns {Promise<ActionNote>} */
  async function playOrPause(media) {
    if (!media.paused) {
      media.pause();
      return {};
    }
    let refused = "";
    media.play().catch((error) => { refused = error.name; });
    await page.until(() => refused || media.readyState > 2, PLAY_MS);
    return refused === "NotAllowedError" ? { note: "The browser plays it only after a click of the person." } : {};
  }

  /**
   * @param {Point} point @param {string} name @returns {Promise<ActionNote>}
   * @throws {ActionFailure} NAVIGATION_BLOCKED for a link that leaves the web and that the page does not handle itself
   */
  page.pressAndCheck = async (point, name) => {
    const link = linkAt(point.hit);
    const blocked = link && !leads(link) ? link : null;
    const watch = page.watchReaction(point.hit);
    try {
      const handled = pressKept(point, blocked);
      if (blocked && !handled) throw new page.ActionFailure("NAVIGATION_BLOCKED", `"${name}" leads out of the browser, to ${page.clip(blocked.href, 80)}.`);
      if (!handled && point.hit.matches(PLAYED)) return await playOrPause(/** @type {HTMLMediaElement} */ (point.hit));
      if (handled || link || (await watch.soon())) return link?.hasAttribute("download") && !handled ? { note: "It starts a download." } : {};
      if (await answersTouch(point, watch)) return {};
      return { note: `Nothing answered the click on "${name}". The page may take only a person's own hand.`, unanswered: true };
    } finally {
      watch.stop();
    }
  };

  /** @param {Target} target @returns {Promise<ActionNote>} @throws {ActionFailure} NOT_INTERACTABLE, NAVIGATION_BLOCKED */
  page.click = async (target) => {
    const point = await page.reach(target);
    const byKeys = target.role === "opt" ? page.chooseByKeys(target.el) : null;
    const note = await page.pressAndCheck(point, target.name);
    return byKeys && (await byKeys()) ? {} : note;
  };
})();
