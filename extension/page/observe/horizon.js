// How far from the screen a look reaches, and the number of controls left out on each side of every scroll container.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "Horizon")) return;

  const FEW = 60; // controls of a whole document: no more than often fit on a screen, so all are sent
  const MARGIN = 1; // screens beyond the visible one; the same for a container, however small
  const MAX_ASKED = 100; // controls of a skipped part that are checked for visibility; the rest is extrapolated
  const COUNTED = "a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option],[role=treeitem],[contenteditable=true],[onclick]";
  page.Horizon = class Horizon {
    /** @type {Map<Element | null, LeftOut>} null is the page itself */
    left = new Map();
    #screen = page.visiblePane();
    #whole = isSmall();
    /** The part counted last. @type {{like: string, count: number}} */
    #before = { like: "", count: 0 };
    /** Elements on the screen or fixed in place, with all their ancestors. @type {Set<Element>} */
    #pinned = new Set();

    /** @param {HoverSelectors} rules @param {() => (Element | null)[]} hits the elements hit on the screen */
    constructor({ always, layers }, hits) {
      this.always = always;
      if (this.#whole) return;
      const styled = page.queryAll("[style*=fixed],[style*=sticky]");
      const staying = layers ? page.queryAll(layers, { own: false }) : [];
      for (const el of [...styled, ...staying, ...onTop()]) if (isNear(el.getBoundingClientRect(), this.#screen, 0)) this.#pin(el);
      for (const el of hits()) this.#pin(el);
    }

    /** @param {Element | null} start */
    #pin(start) {
      for (let el = start; el && !this.#pinned.has(el); el = page.parentOf(el)) this.#pinned.add(el);
    }

    /** Whether a part of the page can be skipped. @param {Element} el @param {DOMRect} rect @param {PageScroller | null} scroller */
    isFar(el, rect, scroller) {
      if (this.#whole || this.#pinned.has(el)) return false;
      return !isNear(rect, this.#screen, MARGIN) || (scroller !== null && !isNear(rect, scroller.rect, MARGIN, this.#screen));
    }

    /** Counts the controls in it. @param {Element} el @param {DOMRect} rect @param {PageScroller | null} scroller */
    leaveOut(el, rect, scroller) {
      const count = this.#countIn(el);
      if (count > 0) this.add(rect, scroller, count);
    }

    /** @param {DOMRect} rect @param {PageScroller | null} scroller @param {number} count */
    add(rect, scroller, count) {
      // A part visible in its container but not on the screen is reached by scrolling the page.
      const inner = scroller && !isNear(rect, scroller.rect, 0) ? scroller : null;
      const key = inner?.el ?? null;
      const sums = this.left.get(key) ?? { above: 0, below: 0, left: 0, right: 0, scroller: inner };
      sums[sideOf(rect, inner?.rect ?? this.#screen)] += count;
      this.left.set(key, sums);
    }

    /** @param {Element} el */
    #countIn(el) {
      // Similar rows and cards have the same number of controls each.
      const like = `${el.localName} ${el.getAttribute("class") ?? ""} ${shapeOf(el)}`;
      if (like !== this.#before.like) this.#before = { like, count: this.#counted(el) };
      return this.#before.count;
    }

    /** @param {Element} el */
    #counted(el) {
      const found = [...el.querySelectorAll(COUNTED)];
      if (el.matches(COUNTED)) found.push(el);
      if (found.length === 0) return this.#handsIn(el);
      const asked = found.slice(0, MAX_ASKED);
      const shown = asked.filter((one) => one.checkVisibility({ visibilityProperty: true })).length;
      return Math.round((found.length * shown) / asked.length);
    }

    /** Elements with a hand cursor, which count as controls if there are no others. @param {Element} el */
    #handsIn(el) {
      if (!this.always) return 0;
      return el.matches(this.always) ? 1 : el.querySelectorAll(this.always).length;
    }
  };

  /** What is open above the page. @returns {Element[]} */
  function onTop() {
    const open = page.queryAll("dialog,[popover]").filter((el) => el.matches("dialog[open],:modal,:popover-open"));
    return document.fullscreenElement ? [...open, document.fullscreenElement] : open;
  }

  /** Whether the document has few controls, by the browser's own lists. */
  function isSmall() {
    let sum = 0;
    for (const name of ["a", "button", "input", "select", "textarea"]) sum += document.getElementsByTagName(name).length;
    return sum <= FEW && page.queryAll(COUNTED).length <= FEW;
  }

  /** A quick signature that distinguishes a row with buttons from one without. @param {Element} el */
  const shapeOf = ({ childElementCount, firstElementChild, lastElementChild }) =>
    `${childElementCount} ${firstElementChild?.childElementCount} ${lastElementChild?.childElementCount} ${lastElementChild?.lastElementChild?.childElementCount}`;

  /** @param {DOMRect} rect @param {Pane} around @param {number} margin in heights and widths of `unit` @param {Pane} unit */
  function isNear(rect, { left, top, right, bottom }, margin, unit = { left, top, right, bottom }) {
    const [dx, dy] = [(unit.right - unit.left) * margin, (unit.bottom - unit.top) * margin];
    return rect.bottom > top - dy && rect.top < bottom + dy && rect.right > left - dx && rect.left < right + dx;
  }

  /** @param {DOMRect} rect @param {Pane} around @returns {"above" | "below" | "left" | "right"} */
  function sideOf(rect, { left, top, right, bottom }) {
    if (rect.top >= bottom) return "below";
    if (rect.bottom <= top) return "above";
    if (rect.left >= right) return "right";
    return rect.right <= left ? "left" : "below";
  }
})();
