// Which controls a click would reach: hit tests at several points, and what an open modal dialog covers.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "reachablePoint")) return;

  // The centre first; then inside the corners, where a badge or a sticky bar leaves part of a control free.
  const POINTS = [[0.5, 0.5], [0.5, 0.2], [0.5, 0.8], [0.15, 0.5], [0.85, 0.5], [0.15, 0.2], [0.85, 0.8]];

  const FIELD = /^(input|select|textarea)$/;

  /** Whether a click on `hit` acts on `el`. @param {Element} el @param {Element} box @param {Element | null} hit */
  function reaches(el, box, hit) {
    if (!hit) return false;
    if (page.composedContains(box, hit) || page.composedContains(el, hit)) return true;
    const label = page.closest(hit, "label");
    if (label && /** @type {HTMLLabelElement} */ (label).control === el) return true;
    if (el.matches("input[role=combobox]") && isShownValue(el, hit)) return true;
    // The field of a picker may let its parent take the clicks. A button or link without pointer events is disabled.
    return FIELD.test(el.localName) && getComputedStyle(el).pointerEvents === "none" && page.composedContains(hit, el) && hit !== document.body && hit !== document.documentElement;
  }

  const WRAPPERS = 3; // boxes between a picker's field and the one with its displayed value
  const FIELDS = "input:not([type=hidden],[aria-hidden=true]),select,textarea";

  /** Whether the hit is the value a picker displays over its own field: in one box with it, without another field. @param {Element} el @param {Element} hit */
  function isShownValue(el, hit) {
    let box = page.parentOf(el);
    for (let level = 1; box && level < WRAPPERS && !page.composedContains(box, hit); level += 1) box = page.parentOf(box);
    return box !== null && page.composedContains(box, hit) && page.closest(hit, "button,a[href]") === null && box.querySelectorAll(FIELDS).length === 1;
  }

  /** A point of the viewport where a click reaches the control. @param box its visible part: itself or its label */
  page.reachablePoint = (el, box) => {
    const screen = page.visiblePane();
    const rects = el.localName === "area" ? [page.areaRect(/** @type {HTMLAreaElement} */ (el))] : [box.getBoundingClientRect(), ...inlineRects(box)];
    for (const rect of rects) {
      for (const [fx, fy] of POINTS) {
        const x = rect.left + rect.width * fx;
        const y = rect.top + rect.height * fy;
        if (x < screen.left || y < screen.top || x >= screen.right || y >= screen.bottom) continue;
        const hit = page.hitAt(x, y);
        if (hit && reaches(el, box, hit)) return { x, y, hit };
      }
    }
    return underHover(el, rects[0]);
  };

  /** The same for a control that shows only on hover: a click at its position is its own then. @param {Element} el @param {DOMRect} rect @returns {Point | null} */
  function underHover(el, rect) {
    if (page.hoverSelectors().revealed === "" || (rect.width > 0 && getComputedStyle(el).visibility === "visible")) return null;
    const around = page.revealerOf(el);
    if (!around) return null;
    const { left, top, width, height } = rect.width > 0 ? rect : around.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? page.hitAt(x, y) : null;
    return hit && page.composedContains(around, hit) ? { x, y, hit: el } : null;
  }

  /** @param {Element} box */
  const inlineRects = (box) => (getComputedStyle(box).display === "inline" ? [...box.getClientRects()].slice(0, 4) : []);

  page.isOnScreen = (rect) => {
    const { left, top, right, bottom } = page.visiblePane();
    return rect.bottom > top && rect.right > left && rect.top < bottom && rect.left < right;
  };

  /** The topmost visible modal dialog; null if there is none. */
  page.modal = () => {
    const open = [...page.queryAll("dialog[open],[aria-modal=true]")];
    const shown = open.filter((el) => (el.localName !== "dialog" || el.matches(":modal") || el.hasAttribute("aria-modal")) && page.isShown(el) && holdsSomething(el));
    return shown.at(-1) ?? null;
  };

  /** @param {Element} el */
  function holdsSomething(el) {
    const { width, height } = el.getBoundingClientRect();
    return (width > 1 && height > 1) || el.childElementCount > 0;
  }

  // The middle, the corners and the sides: a layer over all of these covers the screen.
  const SPOTS = [[0.5, 0.5], [0.02, 0.02], [0.98, 0.02], [0.02, 0.98], [0.98, 0.98], [0.5, 0.02], [0.02, 0.5], [0.98, 0.5], [0.5, 0.98]];

  /** The elements at these spots of the screen, or at the first few: on a long page each hit test is slow. */
  page.screenHits = (count = SPOTS.length) => {
    const { left, top, right, bottom } = page.visiblePane();
    return SPOTS.slice(0, count).map(([fx, fy]) => page.hitAt(left + (right - left) * fx, top + (bottom - top) * fy));
  };

  /** A layer that covers the whole screen and stays when the page scrolls: a loading overlay, a dialog without a role. */
  page.veil = () => {
    const first = fixedAround(page.screenHits(1)[0]);
    return first && page.screenHits().every((hit) => fixedAround(hit) === first) ? first : null;
  };

  /** The outermost fixed layer that contains an element. @param {Element | null} hit */
  function fixedAround(hit) {
    let found = null;
    for (let up = hit; up; up = page.parentOf(up)) if (getComputedStyle(up).position === "fixed") found = up;
    return found;
  }

  /**
   * Whether a candidate is covered, and where a click reaches it if its middle is cut off.
   * @param modal the open dialog @param veil a layer over the whole screen
   */
  page.coverOf = ({ el, box, rect, scroller }, modal, veil = null) => {
    if (modal && !page.composedContains(modal, el)) return { occ: !isAbove(el, modal), at: null };
    if (!page.isOnScreen(rect)) return { occ: veil !== null && !page.composedContains(veil, el) && fixedAround(el) === null, at: null };
    const cut = scroller?.rect;
    // Scrolled out of its container: reachable by scrolling, so not covered.
    if (cut && (rect.bottom <= cut.top + 1 || rect.top >= cut.bottom - 1 || rect.right <= cut.left + 1 || rect.left >= cut.right - 1)) return { occ: false, at: null };
    const at = page.reachablePoint(el, box);
    if (at) return { occ: false, at: isCutInMiddle(el, rect, at) ? at : null };
    const { left, top, right, bottom } = page.visiblePane();
    const inside = rect.top >= top && rect.bottom <= bottom && rect.left >= left && rect.right <= right;
    return { occ: inside || !partlyShown(rect), at: null };
  };

  /** Whether its container is hit at its middle and nothing covers it. @param {Element} el @param {DOMRect} rect @param {{x: number, y: number}} at where a click reaches it */
  function isCutInMiddle(el, rect, at) {
    const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
    if (Math.abs(at.x - x) < 1 && Math.abs(at.y - y) < 1) return false;
    const hit = page.hitAt(x, y);
    return hit !== null && hit !== el && page.composedContains(hit, el);
  }

  const OPAQUE = "img,video,canvas,iframe,embed,object";

  /** Whether something visible covers a point of an element: transparent layers, such as a link stretched over a card, do not count. @param {Element} el @param {number} x @param {number} y */
  function isDrawnOver(el, x, y) {
    for (let up = page.hitAt(x, y); up && !page.composedContains(el, up) && !page.composedContains(up, el); up = page.parentOf(up)) if (up.matches(OPAQUE) || page.isPainted(up)) return true;
    return false;
  }

  /** Whether texts are covered, by a hit test at their beginning and end. */
  page.coversOn = () => {
    const [modal, screen, range] = [page.modal(), page.visiblePane(), document.createRange()];
    const over = modal ?? page.veil();
    return (text) => {
      const el = page.parentOf(text);
      if (!el) return false;
      range.selectNodeContents(text);
      const lines = [...range.getClientRects()];
      const points = [lines[0], lines.at(-1)].flatMap((line) => (line ? [[line.left + line.width / 2, line.top + line.height / 2]] : [])).filter(([x, y]) => x >= screen.left && x < screen.right && y >= screen.top && y < screen.bottom);
      if (points.length === 0) return over !== null && !page.composedContains(over, el) && fixedAround(el) === null;
      return getComputedStyle(el).pointerEvents !== "none" && points.every(([x, y]) => isDrawnOver(el, x, y));
    };
  };

  /** Whether its middle is what is hit there, which settles most cases under a dialog. @param {Element} el */
  function isHitInMiddle(el) {
    const { left, top, width, height } = el.getBoundingClientRect();
    const hit = page.hitAt(left + width / 2, top + height / 2);
    return hit !== null && reaches(el, el, hit);
  }

  /** A list or picker opened by a dialog is placed beside it in the document and can still be reached. @param {Element} el @param {Element} modal */
  const isAbove = (el, modal) => !modal.matches(":modal") && page.isOnScreen(el.getBoundingClientRect()) && isHitInMiddle(el);

  /** Whether too little of it is visible to test; scrolling will show. @param {DOMRect} rect */
  function partlyShown(rect) {
    const { left, top, right, bottom } = page.visiblePane();
    const width = Math.min(rect.right, right) - Math.max(rect.left, left);
    const height = Math.min(rect.bottom, bottom) - Math.max(rect.top, top);
    return width * height < 0.5 * rect.width * rect.height;
  }
})();
