// Documents within a tab: the visible part of this one, the frames in it, and what covers them.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "visiblePane")) return;

  const FRAMES = "iframe,frame,object";
  // Smaller frames hold nothing to read or touch: counters and beacons have 0 to 2 px, the smallest icon 12.
  const LEAST = 10;
  const MAX_FRAMES = 30; // visible at once; a page with adverts has a dozen

  /** The visible part of this document within another one; null for the whole window. @type {Pane | null} */
  let shown = null;

  page.visiblePane = () => shown ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };

  /** Keys of this document's frames, and how often each has loaded since. @type {WeakMap<object, {key: number, loads: number}>} */
  const known = new WeakMap();
  let nextKey = 1;

  /** @param {Element} el @returns {Window | null} */
  const windowOf = (el) => /** @type {HTMLIFrameElement} */ (el).contentWindow ?? null;

  /** @param {Element} el @param {Window} inner */
  function recordOf(el, inner) {
    const before = known.get(inner);
    if (before) return before;
    const record = { key: nextKey++, loads: 0 };
    known.set(inner, record);
    el.addEventListener("load", () => { record.loads += 1; });
    return record;
  }

  /** The frame elements of this document and its shadow roots. @returns {Element[]} */
  const frameElements = () => page.roots().flatMap((root) => [...root.querySelectorAll(FRAMES)]).filter(windowOf);

  /** Its index in the `frames` of the outer window, -1 if it is not there (in shadow trees). @param {Window} inner @param {Window} outer */
  function indexOf(inner, outer) {
    for (let at = 0; at < outer.length; at += 1) if (outer[at] === inner) return at;
    return -1;
  }

  /** The box of its document: inside border and padding, with its scale. @param {Element} el @param {DOMRect} rect */
  const frameBox = (el, rect) => {
    const { clientLeft, clientTop, clientWidth, clientHeight, offsetWidth } = /** @type {HTMLElement} */ (el);
    const scale = offsetWidth ? rect.width / offsetWidth : 1;
    const { paddingLeft, paddingTop, paddingRight, paddingBottom } = getComputedStyle(el);
    const [left, top, right, bottom] = [paddingLeft, paddingTop, paddingRight, paddingBottom].map((text) => Number.parseFloat(text) || 0);
    return {
      x: rect.left + (clientLeft + left) * scale, y: rect.top + (clientTop + top) * scale,
      width: (clientWidth - left - right) * scale, height: (clientHeight - top - bottom) * scale, scale,
    };
  };

  /** The intersection. @param {Pane} a @param {Pane} b @returns {Pane} of size zero, on the right side, if they do not meet */
  function overlap(a, b) {
    const left = Math.max(a.left, b.left);
    const top = Math.max(a.top, b.top);
    const right = Math.min(a.right, b.right);
    const bottom = Math.min(a.bottom, b.bottom);
    if (left < right && top < bottom) return { left, top, right, bottom };
    const [x, y] = [left < right ? left : right, top < bottom ? top : bottom];
    return { left: x, top: y, right: left < right ? right : x, bottom: top < bottom ? bottom : y };
  }

  /** The visible part of a box: within the screen and its clipping containers. @param {Element} el @param {Pane} box @returns {Pane} */
  function visiblePart(el, box) {
    let part = overlap(page.visiblePane(), box);
    for (let up = page.parentOf(el); up && up !== document.body && up !== document.documentElement; up = page.parentOf(up)) {
      if (/hidden|clip|auto|scroll/.test(getComputedStyle(up).overflow)) part = overlap(part, up.getBoundingClientRect());
    }
    return part;
  }

  /** The same in the coordinates of the frame's own document. @param {Element} el @param {ChildFrame["box"]} box @returns {Pane} */
  function screenOf(el, { x, y, width, height, scale }) {
    const { left, top, right, bottom } = visiblePart(el, { left: x, top: y, right: x + width, bottom: y + height });
    return { left: (left - x) / scale, top: (top - y) / scale, right: (right - x) / scale, bottom: (bottom - y) / scale };
  }

  /** Its name for a person. @param {Element} el */
  function nameOf(el) {
    const given = page.refs(el, "aria-labelledby").map((ref) => page.textOf(ref, { max: 60 })).join(" ");
    return page.clip(page.collapse(given || el.getAttribute("aria-label") || el.getAttribute("title")), 50);
  }

  /** @param {Element} el @returns {string} its address, "" if there is none or it cannot be read */
  function addressOf(el) {
    const given = el.localName === "object" ? el.getAttribute("data") : el.getAttribute("src");
    return given && !el.hasAttribute("srcdoc") && URL.canParse(given, document.baseURI) ? new URL(given, document.baseURI).href : "";
  }

  /** @param {Element} el @param {DOMRect} rect */
  function isShownFrame(el, rect) {
    if (rect.width < LEAST || rect.height < LEAST || !page.isShown(el)) return false;
    // Moved out to the left or above, where no scrolling reaches it.
    if (rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0) return false;
    if (page.closest(el, "[inert],[aria-hidden=true]")) return false;
    return el.checkVisibility ? el.checkVisibility({ opacityProperty: true }) : true;
  }

  /** @param {Element} el @param {DOMRect} rect @returns {Candidate} */
  const asCandidate = (el, rect) => ({ el, role: "el", rect, source: "native", box: el, scroller: null, owner: null, parts: [] });

  /** @param {Element} el @param {DOMRect} rect @param {Element | null} modal @param {(el: Element, name: string) => string} groupOf @returns {ChildFrame} */
  function describeFrame(el, rect, modal, groupOf) {
    const inner = /** @type {Window} */ (windowOf(el));
    const box = frameBox(el, rect);
    const behind = modal !== null && !page.composedContains(modal, el) && page.coverOf(asCandidate(el, rect), modal).occ;
    return {
      ...recordOf(el, inner), index: indexOf(inner, window), src: addressOf(el), name: nameOf(el), group: groupOf(el, ""),
      at: [Math.round(rect.x), Math.round(rect.y)], box, screen: screenOf(el, box), behind,
    };
  }

  /**
   * The frames of this document, in order, including those off the screen, but not hidden ones or those without a size. Call it
   * after a look, which finds the shadow roots.
   */
  page.childFrames = () => {
    const elements = frameElements();
    if (elements.length === 0) return [];
    const modal = page.modal();
    const groupOf = page.groupsOn();
    return elements.flatMap((el) => {
      const rect = el.getBoundingClientRect();
      return isShownFrame(el, rect) ? [describeFrame(el, rect, modal, groupOf)] : [];
    }).slice(0, MAX_FRAMES);
  };

  /** @param {number} key @returns {Element | null} */
  const frameElement = (key) => frameElements().find((el) => known.get(/** @type {object} */ (windowOf(el)))?.key === key) ?? null;

  /** The key of the document in a frame, 0 before a look has found it. */
  page.frameKey = (el) => known.get(/** @type {object} */ (windowOf(el) ?? {}))?.key ?? 0;

  /** Whether a click at a point of this window hits that frame. @param {Element} el @param {number} x @param {number} y */
  const goesInto = (el, x, y) => page.hitAt(x, y) === el;

  /** Which of these points, each within a frame, are covered by something in this document. */
  page.coveredPoints = (points) => {
    const elements = new Map([...new Set(points.map(({ key }) => key))].map((key) => [key, frameElement(key)]));
    return points.map(({ key, x, y }) => {
      const el = elements.get(key);
      const inside = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      return inside && el !== null && el !== undefined && !goesInto(el, x, y);
    });
  };

  /** The position of this document in the outer one. */
  page.framePlace = () => {
    const around = window.frameElement?.getBoundingClientRect(); // null if the outer document is of another origin
    return { index: indexOf(window, window.parent), width: innerWidth, height: innerHeight, loading: document.readyState === "loading", ...(around ? { at: [Math.round(around.x), Math.round(around.y)] } : {}) };
  };

  /** A look at a document that may be in a frame: with the frame's number in its ids, only its visible part, and the frames in it. */
  page.observeFrame = (observer, activity, request) => {
    const started = performance.now();
    shown = request.screen ?? null;
    observer.ids.prefix = request.frame ? `${request.frame}:` : "";
    try {
      const seen = observer.observe(request, activity);
      const children = page.childFrames();
      if (children.length) seen.children = children;
      if (request.frame) seen.scrollRoom = scrollRoom();
      return { ...seen, extractMs: Math.round((performance.now() - started) * 10) / 10 };
    } finally {
      shown = null;
    }
  };

  /** How far the document itself can still scroll, in px. */
  function scrollRoom() {
    const { scrollHeight, clientHeight, scrollTop } = document.scrollingElement ?? document.documentElement;
    return Math.max(0, Math.round(scrollHeight - clientHeight - scrollTop));
  }

  // Points to try in a frame: the middle first, then where a bar along an edge leaves it free.
  const TRIED = [[0.5, 0.5], [0.5, 0.2], [0.5, 0.8], [0.15, 0.5], [0.85, 0.5]];

  /** The frame at a point of this window, and the point inside it; no key if there is none. */
  page.frameAt = (x, y) => {
    const hit = page.hitAt(x, y);
    const key = hit ? page.frameKey(hit) : 0;
    if (!hit || !key) return {};
    const box = frameBox(hit, hit.getBoundingClientRect());
    return { key, x: (x - box.x) / box.scale, y: (y - box.y) / box.scale, scale: box.scale };
  };

  /** The focused frame. */
  page.focusedFrame = () => {
    const el = page.focusedElement();
    const key = el ? page.frameKey(el) : 0;
    return key ? { key } : {};
  };

  /** @param {DOMRect} rect */
  const isCentred = ({ left, top, right, bottom }) => left + right >= 0 && top + bottom >= 0 && left + right < 2 * innerWidth && top + bottom < 2 * innerHeight;

  /** Scrolls an element of this document into its own window and returns its place. @throws {ActionFailure} ELEMENT_NOT_FOUND */
  page.aimAt = (observer, id) => {
    const box = page.boxOf(page.resolve(observer, id).el);
    if (!isCentred(box.getBoundingClientRect())) box.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = box.getBoundingClientRect();
    // An element without a size (an option of a closed list) counts as reachable wherever its frame is.
    return width && height ? { x: left, y: top, width, height } : { x: 0, y: 0, width: innerWidth, height: innerHeight };
  };

  /**
   * Scrolls until the middle of a place in a frame is visible.
   * @param place in the frame's coordinates @returns the same place in this document's
   * @throws {ActionFailure} FRAME_GONE, NOT_INTERACTABLE naming what covers it
   */
  page.showFrame = (key, place) => {
    const el = frameElement(key);
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
    const box = frameBox(el, el.getBoundingClientRect());
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
