// One pass over the rendered page that finds what a person could act on. Reads only.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "walk")) return;

  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "META", "LINK", "OPTION", "OPTGROUP", "DATALIST", "TITLE", "BR", "IFRAME", "FRAME", "OBJECT", "EMBED"]);
  const HIDEABLE = new Set(["chk", "rad", "file", "range", "sel", "inp"]);
  const TICKED = new Set(["chk", "rad", "file", "range"]);
  const CLIPS = /hidden|clip|auto|scroll/;
  const LIST = /^(ul|ol|menu)$/;
  const SCROLLS = /auto|scroll/;
  const ENOUGH = 500; // candidates, after which those far below need no look: no more are sent
  const FAR = 2; // screens
  // A hand over more of the page than this belongs to a backdrop or the page itself, not to one control.
  const MAX_SHARE = 0.5;

  /** @typedef {{left: number, top: number, right: number, bottom: number}} Clip */
  /**
   * What an element inherits from those around it.
   * @typedef {object} Context
   * @property {boolean} hand an ancestor shows the hand
   * @property {boolean} faded an ancestor has opacity 0
   * @property {Clip | null} clip what of it shows, for content in the flow
   * @property {Clip | null} escape the same for absolutely placed content
   * @property {PageScroller | null} scroller the container it scrolls in
   * @property {Candidate | null} owner the control it is inside of
   * @property {boolean} label inside a label
   * @property {Clip | null} own what of the element itself shows
   */

  /**
   * Every candidate in document order.
   * @param {Element} root @returns {Candidate[]}
   */
  page.walk = (root) => {
    /** @type {Candidate[]} */
    const found = [];
    /** @type {Set<Element>} */
    const seen = new Set();
    /** What clickable containers consist of. @type {Set<Element>} */
    const items = new Set();
    const { always, hovered } = page.handSelectors();
    /** @param {Element} el */
    const hasOwnHand = (el) => (always !== "" && el.matches(always)) || /** @type {HTMLElement} */ (el).style?.cursor === "pointer";
    const area = innerWidth * innerHeight;

    /** @param {Element} el @param {Context} context */
    const visit = (el, context) => {
      if (SKIPPED.has(el.tagName) || el === page.overlay) return;
      const rect = el.getBoundingClientRect();
      if (found.length >= ENOUGH && rect.height > 0 && rect.top > innerHeight * FAR) return;
      const style = getComputedStyle(el);
      if (style.display === "none" || el.hasAttribute("inert") || el.getAttribute("aria-hidden") === "true") {
        if (!isOwnInput(el)) return;
      }
      const inner = inherit(el, style, rect, context);
      const candidate = style.visibility === "visible" ? candidateOf(el, style, rect, context, inner) : null;
      if (candidate) inner.owner = candidate;
      if (el.localName === "select" || el.localName === "textarea" || (el.localName === "svg" && candidate)) return;
      for (const child of page.childrenOf(el)) if (child.nodeType === Node.ELEMENT_NODE) visit(/** @type {Element} */ (child), inner);
    };

    /** @param {Element} el @param {CSSStyleDeclaration} style @param {DOMRect} rect @param {Context} context @param {Context} inner @returns {Candidate | null} */
    const candidateOf = (el, style, rect, context, inner) => {
      if (el.localName === "label") return labelled(/** @type {HTMLLabelElement} */ (el), rect, context, inner);
      const role = page.roleOf(el);
      if (role) return known(el, role, rect, context, inner);
      if (context.faded || (!inner.hand && !items.has(el) && !mayBeCustom(el) && !page.looksLikeLink(el, style) && !(hovered && el.matches(hovered)))) return null;
      return custom(el, style, rect, context, inner);
    };

    /** @param {Element} el @param {WireRole} role @param {DOMRect} rect @param {Context} context @param {Candidate["source"]} [source] @param {Element} [box] @returns {Candidate} */
    const add = (el, role, rect, context, source = "native", box = el) => {
      const candidate = /** @type {Candidate} */ ({ el, role, rect, source, box, scroller: context.scroller, owner: context.owner, parts: [] });
      found.push(candidate);
      seen.add(el);
      context.owner?.parts.push(candidate);
      return candidate;
    };

    /** A control by tag or role. @param {Element} el @param {WireRole} role @param {DOMRect} rect @param {Context} context @param {Context} inner */
    const known = (el, role, rect, context, inner) => {
      if (seen.has(el)) return null;
      if (el.localName === "area") return add(el, role, page.areaRect(/** @type {HTMLAreaElement} */ (el)), context);
      const native = page.nativeRole(el) !== null;
      if (inner.faded && !(native && HIDEABLE.has(role) && isUsableUnseen(el, role, context))) return null;
      if (isSeen(rect, inner.own)) return add(el, role, rect, context, native ? "native" : "aria");
      return null;
    };

    /** A label stands for its control where that cannot be seen itself. @param {HTMLLabelElement} label @param {DOMRect} rect @param {Context} context @param {Context} inner */
    const labelled = (label, rect, context, inner) => {
      const control = label.control;
      if (!control || seen.has(control) || !isSeen(rect, inner.own) || context.faded) return null;
      const role = page.roleOf(control);
      if (!role || !HIDEABLE.has(role) || isOpen(control)) return null;
      return add(control, role, rect, context, "native", label);
    };

    /** @param {Element} el @param {CSSStyleDeclaration} style @param {DOMRect} rect @param {Context} context @param {Context} inner */
    const custom = (el, style, rect, context, inner) => {
      const says = page.saysClickable(el);
      const begins = style.cursor === "pointer" && (!context.hand || hasOwnHand(el));
      if (begins && !says && page.isListOfLines(el)) {
        inner.hand = false; // its lines are what is clicked: each begins anew
        return null;
      }
      if (items.has(el)) return add(el, "el", rect, context, "looks");
      const hinted = page.looksClickable(el) || page.looksLikeLink(el, style) || (hovered !== "" && el.matches(hovered));
      if (!(says || begins || hinted) || context.label || !isSeen(rect, inner.own)) return null;
      if (rect.width * rect.height > area * MAX_SHARE && !says) return null;
      if (style.pointerEvents === "none" || (says && !begins && SCROLLS.test(style.overflowY))) return null;
      const own = page.itemsOf(el);
      for (const item of own) items.add(item);
      return own.length ? null : add(el, "el", rect, context, says ? "says" : "looks");
    };

    visit(root, { hand: false, faded: false, clip: null, escape: null, scroller: null, owner: null, label: false, own: null });
    return found;
  };

  /** A list in a clickable line is made of lines of its own. @param {Element} el @param {Context} context */
  const isSublist = (el, { owner }) => LIST.test(el.localName) && owner?.el.localName === "li";

  /** What markup alone suggests, before styles are asked. @param {Element} el */
  const mayBeCustom = (el) => el.attributes.length > 0 && (page.saysClickable(el) || page.looksClickable(el));

  /** Whether a control of opacity 0 is the working part of something styled, and not of a dialog that is faded out. @param {Element} el @param {WireRole} role @param {Context} context */
  const isUsableUnseen = (el, role, context) => getComputedStyle(el).pointerEvents !== "none" && (!context.faded || TICKED.has(role));

  /** @param {Element} el */
  const isOwnInput = (el) => el.localName === "input" && page.labelsOf(el).length === 0 && el.getAttribute("aria-hidden") === "true" && getComputedStyle(el).display !== "none";

  /** Whether a control shows itself, so that its label need not stand for it. @param {Element} control */
  function isOpen(control) {
    if (!page.isShown(control)) return false;
    const rect = control.getBoundingClientRect();
    const { clip, clipPath, pointerEvents } = getComputedStyle(control);
    if (pointerEvents === "none") return false;
    // Smaller than 4 px or moved out to the left is how style sheets hide what screen readers still read.
    return rect.width >= 4 && rect.height >= 4 && rect.right > 0 && rect.bottom + scrollY > 0 && clip === "auto" && clipPath === "none";
  }

  /** @param {DOMRect} rect @param {Clip | null} clip */
  function isSeen(rect, clip) {
    if (rect.width < 2 || rect.height < 2 || rect.right <= -scrollX || rect.bottom <= -scrollY) return false;
    if (!clip) return true;
    return Math.min(rect.right, clip.right) - Math.max(rect.left, clip.left) > 1 && Math.min(rect.bottom, clip.bottom) - Math.max(rect.top, clip.top) > 1;
  }

  /** What the children of an element inherit. @param {Element} el @param {CSSStyleDeclaration} style @param {DOMRect} rect @param {Context} context @returns {Context} */
  function inherit(el, style, rect, context) {
    const position = style.position;
    const base = position === "fixed" ? null : position === "absolute" ? context.escape : context.clip;
    const overflow = style.display === "contents" ? "visible" : `${style.overflowX} ${style.overflowY}`;
    const scrolls = SCROLLS.test(overflow) && (el.scrollHeight > el.clientHeight + 2 || el.scrollWidth > el.clientWidth + 2);
    const isPage = el === document.body || el === document.documentElement;
    const clip = isPage || scrolls ? null : CLIPS.test(overflow) ? intersect(base, rect) : base;
    return {
      hand: style.cursor === "pointer" && !isSublist(el, context),
      faded: context.faded || style.opacity === "0",
      clip,
      escape: position === "static" ? context.escape : clip,
      scroller: scrolls && !isPage ? { el, rect } : context.scroller,
      owner: context.owner,
      label: context.label || el.localName === "label",
      own: base, // the element itself is cut off only by what is around its containing block
    };
  }

  /** @param {Clip | null} clip @param {Clip} rect @returns {Clip} */
  function intersect(clip, { left, top, right, bottom }) {
    if (!clip) return { left, top, right, bottom };
    return { left: Math.max(left, clip.left), top: Math.max(top, clip.top), right: Math.min(right, clip.right), bottom: Math.min(bottom, clip.bottom) };
  }

  /** Where an area of an image map is on the screen. @param {HTMLAreaElement} area @returns {DOMRect} */
  page.areaRect = (area) => {
    const map = area.closest("map");
    const image = map && document.querySelector(`img[usemap="#${CSS.escape(map.name)}"]`);
    const origin = image?.getBoundingClientRect() ?? new DOMRect();
    const [a = 0, b = 0, c = 0, d = 0] = area.coords.split(",").map(Number);
    if (area.shape === "circle") return new DOMRect(origin.x + a - c, origin.y + b - c, 2 * c, 2 * c);
    return new DOMRect(origin.x + a, origin.y + b, c - a, d - b);
  };
})();
