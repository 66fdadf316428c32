// How far from the screen an observation reaches; the scroll containers, and the number of controls left out on each side of them.
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
    #isWhole = isSmall();
    /** The part counted last. @type {{like: string, count: number}} */
    #lastCounted = { like: "", count: 0 };
    /** Elements on the screen or fixed in place, with all their ancestors. @type {Set<Element>} */
    #pinned = new Set();

    /** @param {HoverSelectors} rules @param {() => (Element | null)[]} hits the elements hit on the screen */
    constructor({ always, layers }, hits) {
      this.always = always;
      if (this.#isWhole) return;
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
      if (this.#isWhole || this.#pinned.has(el)) return false;
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
      if (like !== this.#lastCounted.like) this.#lastCounted = { like, count: this.#countControls(el) };
      return this.#lastCounted.count;
    }

    /** @param {Element} el */
    #countControls(el) {
      const found = [...el.querySelectorAll(COUNTED)];
      if (el.matches(COUNTED)) found.push(el);
      if (found.length === 0) return this.#countHands(el);
      const asked = found.slice(0, MAX_ASKED);
      const shown = asked.filter((one) => one.checkVisibility({ visibilityProperty: true })).length;
      return Math.round((found.length * shown) / asked.length);
    }

    /** Elements with a hand cursor, which count as controls if there are no others. @param {Element} el */
    #countHands(el) {
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

  const MAX_SHOWN = 5; // containers
  const MAX_NAME = 40; // characters
  const NAMING = "h1,h2,h3,h4,h5,h6,[role=heading],caption,legend";

  page.scrollOf = ({ scrollTop, scrollHeight, clientHeight }) => {
    const room = scrollHeight - clientHeight;
    return { depth: room > 0 ? `${Math.round((100 * scrollTop) / room)}%` : "0%", h: room - scrollTop > 2 };
  };

  /** Its name for a person, in quotes; else its id or tag. @param {Element} el */
  function nameOf(el) {
    const label = page.collapse(el.getAttribute("aria-label")) || page.collapse(page.refs(el, "aria-labelledby").map((ref) => ref.textContent).join(" "));
    const heading = label ? null : (el.querySelector(NAMING) ?? headingBefore(el));
    const name = label || page.collapse(heading?.textContent);
    return name ? `"${page.clip(name, MAX_NAME)}"` : el.id || el.localName;
  }

  /** The heading right before a container. @param {Element} el */
  const headingBefore = (el) => (el.previousElementSibling?.matches(NAMING) ? el.previousElementSibling : null);

  /** The number of lines a list claims to have, if only some are in the page. @param {Element} el */
  function linesOf(el) {
    const owner = page.closest(el, "[aria-rowcount]") ?? el.querySelector("[aria-rowcount]");
    const rows = Number(owner?.getAttribute("aria-rowcount") ?? -1);
    const inSet = el.querySelector("[aria-setsize]");
    const all = rows > 0 ? rows : Number(inSet?.getAttribute("aria-setsize") ?? -1);
    const here = el.querySelectorAll(rows > 0 ? "tr,[role=row]" : "[aria-setsize]").length;
    return all > here ? `${all} lines in all` : "";
  }

  /** @param {LeftOut | undefined} left @returns {string[]} */
  const countTexts = (left) => (["above", "below", "left", "right"]).flatMap((side) => {
    const count = left?.[/** @type {"above"} */ (side)] ?? 0;
    return count > 0 ? [`${count} more ${side}`] : [];
  });

  const MEASURED_LINES = 5; // lines that are enough to measure their height
  const EVEN = 2; // CSS pixels by which equal lines may differ

  /** Roughly how many lines a virtual list has: from the height of the existing ones and the scroll height. @param {Element} el @param {readonly Candidate[]} own @returns {string[]} */
  function estimateUnrendered(el, own) {
    const rects = own.map(({ rect }) => rect).sort((a, b) => a.top - b.top);
    const tops = rects.map(({ top }) => top).filter((top, at, all) => at === 0 || top - all[at - 1] > EVEN);
    const steps = tops.slice(1).map((top, at) => top - tops[at]).sort((a, b) => a - b);
    if (steps.length < MEASURED_LINES || steps[steps.length - 1] - steps[0] > EVEN) return [];
    const start = el.getBoundingClientRect().top + el.clientTop - el.scrollTop;
    const above = Math.round((tops[0] - start) / steps[0]);
    const below = Math.round((start + el.scrollHeight - tops[tops.length - 1]) / steps[0]) - 1;
    return [["above", above], ["below", below]].flatMap(([side, count]) => (Number(count) > MEASURED_LINES ? [`about ${count} more ${side}`] : []));
  }

  /** @param {Element} el @param {LeftOut | undefined} left @param {readonly Candidate[]} own its controls that are sent */
  function describeScroller(el, left, own) {
    const { depth, h } = page.scrollOf(el);
    const facts = [...countTexts(left), linesOf(el)].filter(Boolean);
    if (facts.length === 0) facts.push(...estimateUnrendered(el, own));
    // Nothing counted although there is much room: the content is created on scrolling, or is only text.
    if (facts.length === 0 && h && el.scrollHeight - el.clientHeight - el.scrollTop > el.clientHeight) facts.push("goes on below");
    return [`${nameOf(el)}: at ${depth}`, ...facts].join(", ");
  }

  /** The page itself if controls are out of view, then the scroll containers that have some. */
  page.describeScrollers = (candidates, left) => {
    const own = left.get(null);
    const root = document.scrollingElement ?? document.documentElement;
    const lines = own ? [[`page: at ${page.scrollOf(root).depth}`, ...countTexts(own)].join(", ")] : [];
    const found = new Set([...left.keys(), ...candidates.map(({ scroller }) => scroller?.el ?? null)]);
    for (const el of found) if (el) lines.push(describeScroller(el, left.get(el), candidates.filter(({ scroller }) => scroller?.el === el)));
    return lines.slice(0, MAX_SHOWN + 1);
  };
})();
