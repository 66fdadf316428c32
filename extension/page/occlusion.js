// What a click would reach: hit tests at several points, and what an open modal dialog covers.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "reachablePoint")) return;

  // The centre first; then inside the corners, where a badge or a sticky bar does not hide all of a control.
  const POINTS = [[0.5, 0.5], [0.5, 0.2], [0.5, 0.8], [0.15, 0.5], [0.85, 0.5], [0.15, 0.2], [0.85, 0.8]];

  /** Whether hitting `hit` acts on `el`. @param {Element} el @param {Element} box @param {Element | null} hit */
  function reaches(el, box, hit) {
    if (!hit) return false;
    if (page.composedContains(box, hit) || page.composedContains(el, hit)) return true;
    const label = page.closest(hit, "label");
    if (label && /** @type {HTMLLabelElement} */ (label).control === el) return true;
    // An inline link over two lines: its centre may be in neither. A hit on something it takes no clicks from is its parent's.
    return getComputedStyle(el).pointerEvents === "none" && page.composedContains(hit, el) && hit !== document.body && hit !== document.documentElement;
  }

  /**
   * A point of the viewport where a click reaches the control.
   * @param {Element} el @param {Element} box what is shown of it: itself or its label
   * @returns {{x: number, y: number, hit: Element} | null}
   */
  page.reachablePoint = (el, box) => {
    const rects = el.localName === "area" ? [page.areaRect(/** @type {HTMLAreaElement} */ (el))] : [box.getBoundingClientRect(), ...inlineRects(box)];
    for (const rect of rects) {
      for (const [fx, fy] of POINTS) {
        const x = rect.left + rect.width * fx;
        const y = rect.top + rect.height * fy;
        if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
        const hit = page.hitAt(x, y);
        if (hit && reaches(el, box, hit)) return { x, y, hit };
      }
    }
    return null;
  };

  /** @param {Element} box */
  const inlineRects = (box) => (getComputedStyle(box).display === "inline" ? [...box.getClientRects()].slice(0, 4) : []);

  /** @param {DOMRect} rect */
  page.isOnScreen = (rect) => rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth;

  /** The topmost modal dialog that is shown; null if none is. @returns {Element | null} */
  page.modal = () => {
    const open = [...document.querySelectorAll("dialog[open],[aria-modal=true]")];
    const shown = open.filter((el) => (el.localName !== "dialog" || el.matches(":modal") || el.hasAttribute("aria-modal")) && page.isShown(el) && holdsSomething(el));
    return shown.at(-1) ?? null;
  };

  /** @param {Element} el */
  function holdsSomething(el) {
    const { width, height } = el.getBoundingClientRect();
    return (width > 1 && height > 1) || el.childElementCount > 0;
  }

  /** Whether a candidate is covered. @param {Candidate} candidate @param {Element | null} modal */
  page.isOccluded = ({ el, box, rect, scroller }, modal) => {
    if (modal && !page.composedContains(modal, el)) return !isAbove(el, modal);
    if (!page.isOnScreen(rect)) return false;
    const cut = scroller?.rect;
    // Scrolled out of its container: reachable after scrolling, so not covered.
    if (cut && (rect.bottom <= cut.top + 1 || rect.top >= cut.bottom - 1 || rect.right <= cut.left + 1 || rect.left >= cut.right - 1)) return false;
    if (page.reachablePoint(el, box)) return false;
    const inside = rect.top >= 0 && rect.bottom <= innerHeight && rect.left >= 0 && rect.right <= innerWidth;
    return inside || !partlyShown(rect);
  };

  /** A list or picker that a dialog opened is put beside it in the document and still reached. @param {Element} el @param {Element} modal */
  const isAbove = (el, modal) => !modal.matches(":modal") && page.isOnScreen(el.getBoundingClientRect()) && page.reachablePoint(el, el) !== null;

  /** Too little of it shows to test; scrolling will tell. @param {DOMRect} rect */
  function partlyShown(rect) {
    const width = Math.min(rect.right, innerWidth) - Math.max(rect.left, 0);
    const height = Math.min(rect.bottom, innerHeight) - Math.max(rect.top, 0);
    return width * height < 0.5 * rect.width * rect.height;
  }
})();
