// Actions on frames from outside: finds the frame at a point, and scrolls a place in a frame into view.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "showFrame")) return;

  // Points to try in a frame: the middle first, then where a bar along an edge leaves it free.
  const TRIED = [[0.5, 0.5], [0.5, 0.2], [0.5, 0.8], [0.15, 0.5], [0.85, 0.5]];

  /** The frame at a point of this window, and the point inside it; no key if there is none. @param {number} x @param {number} y */
  page.frameAt = (x, y) => {
    const hit = page.hitAt(x, y);
    const key = hit ? page.frameKey(hit) : 0;
    if (!hit || !key) return {};
    const box = page.frameBox(hit, hit.getBoundingClientRect());
    return { key, x: (x - box.x) / box.scale, y: (y - box.y) / box.scale, scale: box.scale };
  };

  /** The focused frame. @returns {{key?: number}} */
  page.focusedFrame = () => {
    const el = page.focusedElement();
    const key = el ? page.frameKey(el) : 0;
    return key ? { key } : {};
  };

  /** @param {DOMRect} rect */
  const isCentred = ({ left, top, right, bottom }) => left + right >= 0 && top + bottom >= 0 && left + right < 2 * innerWidth && top + bottom < 2 * innerHeight;

  /**
   * Scrolls an element of this document into its own window and returns its place.
   * @param {Observer} observer @param {string} id @throws {ActionFailure} ELEMENT_NOT_FOUND
   */
  page.aimAt = (observer, id) => {
    const box = page.boxOf(page.resolve(observer, id).el);
    if (!isCentred(box.getBoundingClientRect())) box.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = box.getBoundingClientRect();
    // An element without a size (an option of a closed list) counts as reachable wherever its frame is.
    return width && height ? { x: left, y: top, width, height } : { x: 0, y: 0, width: innerWidth, height: innerHeight };
  };

  /**
   * Scrolls until the middle of a place in a frame is visible.
   * @param {number} key @param {{x: number, y: number, width: number, height: number}} place in the frame's coordinates
   * @returns {{x: number, y: number, width: number, height: number}} the same place in this document's
   * @throws {ActionFailure} FRAME_GONE, NOT_INTERACTABLE naming what covers it
   */
  page.showFrame = (key, place) => {
    const el = page.frameElement(key);
    if (!el) throw new page.ActionFailure("FRAME_GONE", "The frame with this element is no longer on the page.");
    let spot = placed(el, place);
    if (!shows(el, spot)) {
      el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      spot = placed(el, place);
    }
    if (!shows(el, spot)) {
      // The frame is larger than its surroundings: scroll until the place is in the middle.
      page.scrollBy(el, 0, spot.y + spot.height / 2 - innerHeight / 2);
      page.scrollBy(el, spot.x + spot.width / 2 - innerWidth / 2, 0);
      spot = placed(el, place);
    }
    if (!shows(el, spot)) throw new page.ActionFailure("NOT_INTERACTABLE", `Its frame is covered by ${coverAt(spot, el)}.`);
    return spot;
  };

  /** @param {Element} el @param {{x: number, y: number, width: number, height: number}} place */
  function placed(el, { x, y, width, height }) {
    const box = page.frameBox(el, el.getBoundingClientRect());
    return { x: box.x + x * box.scale, y: box.y + y * box.scale, width: width * box.scale, height: height * box.scale };
  }

  /** @param {Element} el @param {{x: number, y: number, width: number, height: number}} spot */
  const shows = (el, { x, y, width, height }) => TRIED.some(([fx, fy]) => page.hitAt(x + width * fx, y + height * fy) === el);

  /** @param {{x: number, y: number, width: number, height: number}} spot @param {Element} el */
  function coverAt({ x, y, width, height }, el) {
    const hit = page.hitAt(x + width / 2, y + height / 2);
    return hit && hit !== el ? page.describeCover(hit, el) : "the edge of the window";
  }
})();
