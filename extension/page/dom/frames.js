// A document that is one of several in its tab: what of it shows, which frames it shows itself, and what lies over them.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "visiblePane")) return;

  const FRAMES = "iframe,frame,object";
  // Below this a frame holds nothing to read or touch: counters and beacons are 0 to 2 px, the smallest icon is 12.
  const LEAST = 10;
  const MAX_FRAMES = 30; // shown at once; a page of adverts has a dozen

  /** What of this document shows, when it is a part of another's; null for all of its window. @type {Pane | null} */
  let shown = null;

  page.visiblePane = () => shown ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };

  /** Numbers given to the frames of this document, and how often each has loaded since. @type {WeakMap<object, {key: number, loads: number}>} */
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

  /** The elements that show another document, of this one and of its shadow roots. @returns {Element[]} */
  const frameElements = () => page.roots().flatMap((root) => [...root.querySelectorAll(FRAMES)]).filter(windowOf);

  /** Its place in the `frames` of the window around it, -1 when it is not there (shadow trees). @param {Window} inner @param {Window} outer */
  function indexOf(inner, outer) {
    for (let at = 0; at < outer.length; at += 1) if (outer[at] === inner) return at;
    return -1;
  }

  /** Where its document is drawn: inside of border and padding, scaled as it is shown. @param {Element} el @param {DOMRect} rect */
  page.frameBox = (el, rect) => {
    const { clientLeft, clientTop, clientWidth, clientHeight, offsetWidth } = /** @type {HTMLElement} */ (el);
    const scale = offsetWidth ? rect.width / offsetWidth : 1;
    const { paddingLeft, paddingTop, paddingRight, paddingBottom } = getComputedStyle(el);
    const [left, top, right, bottom] = [paddingLeft, paddingTop, paddingRight, paddingBottom].map((text) => Number.parseFloat(text) || 0);
    return {
      x: rect.left + (clientLeft + left) * scale, y: rect.top + (clientTop + top) * scale,
      width: (clientWidth - left - right) * scale, height: (clientHeight - top - bottom) * scale, scale,
    };
  };

  /** @param {Pane} a @param {Pane} b @returns {Pane} of no size, but on the right side, where they do not meet */
  function overlap(a, b) {
    const left = Math.max(a.left, b.left);
    const top = Math.max(a.top, b.top);
    const right = Math.min(a.right, b.right);
    const bottom = Math.min(a.bottom, b.bottom);
    if (left < right && top < bottom) return { left, top, right, bottom };
    const [x, y] = [left < right ? left : right, top < bottom ? top : bottom];
    return { left: x, top: y, right: left < right ? right : x, bottom: top < bottom ? bottom : y };
  }

  /** What shows of a box here: within the screen and the containers that cut it off. @param {Element} el @param {Pane} box @returns {Pane} */
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

  /** What a person would call it. @param {Element} el */
  function nameOf(el) {
    const given = page.refs(el, "aria-labelledby").map((ref) => page.textOf(ref, { max: 60 })).join(" ");
    return page.clip(page.collapse(given || el.getAttribute("aria-label") || el.getAttribute("title")), 50);
  }

  /** @param {Element} el @returns {string} the address it was given, "" for none or one that cannot be read */
  function addressOf(el) {
    const given = el.localName === "object" ? el.getAttribute("data") : el.getAttribute("src");
    return given && !el.hasAttribute("srcdoc") && URL.canParse(given, document.baseURI) ? new URL(given, document.baseURI).href : "";
  }

  /** @param {Element} el @param {DOMRect} rect */
  function isShownFrame(el, rect) {
    if (rect.width < LEAST || rect.height < LEAST || !page.isShown(el)) return false;
    // Moved out to the left or above, as no scrolling shows it.
    if (rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0) return false;
    if (page.closest(el, "[inert],[aria-hidden=true]")) return false;
    return el.checkVisibility ? el.checkVisibility({ opacityProperty: true }) : true;
  }

  /** @param {Element} el @param {DOMRect} rect @returns {Candidate} */
  const asCandidate = (el, rect) => ({ el, role: "el", rect, source: "native", box: el, scroller: null, owner: null, parts: [] });

  /** @param {Element} el @param {DOMRect} rect @param {Element | null} modal @param {(el: Element, name: string) => string} groupOf @returns {ChildFrame} */
  function told(el, rect, modal, groupOf) {
    const inner = /** @type {Window} */ (windowOf(el));
    const box = page.frameBox(el, rect);
    const behind = modal !== null && !page.composedContains(modal, el) && page.coverOf(asCandidate(el, rect), modal).occ;
    return {
      ...recordOf(el, inner), index: indexOf(inner, window), src: addressOf(el), name: nameOf(el), group: groupOf(el, ""),
      at: [Math.round(rect.x), Math.round(rect.y)], box, screen: screenOf(el, box), behind,
    };
  }

  /**
   * The frames this document shows, in its order; far ones too, but not those hidden or of no size.
   * Call after a look, which has found the shadow roots.
   * @returns {ChildFrame[]}
   */
  page.childFrames = () => {
    const elements = frameElements();
    if (elements.length === 0) return [];
    const modal = page.modal();
    const groupOf = page.groupsOn();
    return elements.flatMap((el) => {
      const rect = el.getBoundingClientRect();
      return isShownFrame(el, rect) ? [told(el, rect, modal, groupOf)] : [];
    }).slice(0, MAX_FRAMES);
  };

  /** @param {number} key @returns {Element | null} */
  page.frameElement = (key) => frameElements().find((el) => known.get(/** @type {object} */ (windowOf(el)))?.key === key) ?? null;

  /** The number of the document a frame shows, 0 before a look found it. @param {Element} el */
  page.frameKey = (el) => known.get(/** @type {object} */ (windowOf(el) ?? {}))?.key ?? 0;

  /** Whether a click at a point of this window goes into that frame. @param {Element} el @param {number} x @param {number} y */
  const goesInto = (el, x, y) => page.hitAt(x, y) === el;

  /** Which of these points, each within a frame, something of this document covers. @param {{key: number, x: number, y: number}[]} points @returns {boolean[]} */
  page.coveredPoints = (points) => {
    const elements = new Map([...new Set(points.map(({ key }) => key))].map((key) => [key, page.frameElement(key)]));
    return points.map(({ key, x, y }) => {
      const el = elements.get(key);
      const inside = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      return inside && el !== null && el !== undefined && !goesInto(el, x, y);
    });
  };

  /** This document's own place in the one around it. @returns {FramePlace} */
  page.framePlace = () => {
    const around = window.frameElement?.getBoundingClientRect(); // null if the document around it is of another origin
    return { index: indexOf(window, window.parent), width: innerWidth, height: innerHeight, loading: document.readyState === "loading", ...(around ? { at: [Math.round(around.x), Math.round(around.y)] } : {}) };
  };

  /**
   * One look at a document that may be a frame: with the number of the frame in its ids, only what shows of it on the
   * screen, and the frames it holds itself.
   * @param {Observer} observer @param {ActivityMonitor} activity @param {ObserveRequest} request @returns {PageObservation}
   */
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

  /** How far the document itself scrolls on, in px. */
  function scrollRoom() {
    const { scrollHeight, clientHeight, scrollTop } = document.scrollingElement ?? document.documentElement;
    return Math.max(0, Math.round(scrollHeight - clientHeight - scrollTop));
  }
})();
