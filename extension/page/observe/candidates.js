// Walks the rendered page once to find everything a person could act on. Reads only.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "findCandidates")) return;

  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "META", "LINK", "OPTION", "OPTGROUP", "DATALIST", "TITLE", "BR", "IFRAME", "FRAME", "OBJECT", "EMBED", "desc", "title", "defs", "metadata"]);
  const HIDEABLE = new Set(["chk", "rad", "file", "range", "sel", "inp"]);
  const TICKED = new Set(["chk", "rad", "file", "range"]);
  const CLIPS = /hidden|clip|auto|scroll/;
  const MODAL = "[aria-modal=true],dialog[open]";
  const LIST = /^(ul|ol|menu)$/;
  const SCROLLS = /auto|scroll/;
  // A larger area with a hand cursor is a backdrop or the page itself, not one control.
  const MAX_SHARE = 0.5;
  const MAX_CHOICES = 30;
  const MANY_ROWS = 40; // rows of a table; with more, rows are measured before they are visited
  const MEASURED = 10;
  const MAX_REVEALED = 6; // controls that a row reveals on hover; a menu has more, and is opened first
  const CONTROL = "a[href],button,input:not([type=hidden]),select,[role=button],[role=link],[role=menuitem]";

  /** @typedef {{left: number, top: number, right: number, bottom: number}} Clip */
  /**
   * What an element inherits from those around it.
   * @typedef {object} Context
   * @property {boolean} hand an ancestor has a hand cursor
   * @property {boolean} faded an ancestor has opacity 0
   * @property {boolean} revealed an ancestor shows only on hover
   * @property {boolean} unspoken an ancestor is hidden from screen readers; native controls in it still count
   * @property {Clip | null} clip the visible area for content in the flow
   * @property {Clip | null} escape the same for absolutely positioned content
   * @property {PageScroller | null} scroller its scroll container
   * @property {Candidate | null} owner the control around it
   * @property {boolean} held inside something that can be moved within its frame
   * @property {boolean} label inside a label
   * @property {Clip | null} own the visible area of the element itself
   */

  /** All candidates near the screen, in document order; those further away are counted. */
  page.findCandidates = (root, horizon = new page.Horizon(page.hoverSelectors(), () => [])) => {
    /** @type {Candidate[]} */
    const found = [];
    /** @type {Set<Element>} */
    const seen = new Set();
    /** The parts of clickable containers. @type {Set<Element>} */
    const items = new Set();
    /** The boxes drawn in place of hidden fields. @type {Map<Element, Candidate>} */
    const pickers = new Map();
    const { always, hovered, reacting, revealed } = page.hoverSelectors();
    const areas = page.dropAreas();
    const handles = new Set(page.queryAll("[role=slider]").flatMap(page.handlesBeside)); // handles of one track, of which often only one has the role
    /** @param {Element} el */
    const hasOwnHand = (el) => (always !== "" && el.matches(always)) || page.isHandCursor(/** @type {HTMLElement} */ (el).style?.cursor ?? "");
    const area = innerWidth * innerHeight;

    /** @param {Element} el @param {Context} context */
    const visit = (el, context) => {
      if (SKIPPED.has(el.tagName) || page.isOverlay(el)) return;
      const rect = el.getBoundingClientRect();
      const isBoxless = rect.width === 0 && rect.height === 0;
      if (!isBoxless && horizon.isFar(el, rect, context.scroller)) return horizon.leaveOut(el, rect, context.scroller);
      const style = getComputedStyle(el);
      if (isBoxless && style.display === "none" && el.localName !== "area") return visitUnrendered(el, context);
      if (el.hasAttribute("inert")) return;
      const parts = partsOf(el, rect);
      const hand = page.isHandCursor(style.cursor) && !isSublist(el, context);
      const inner = inherit(el, style, rect, context, hand);
      const isVisible = style.visibility === "visible" || (style.visibility === "hidden" && isRevealed(el, inner));
      const candidate = isVisible ? candidateOf(el, style, rect, context, inner) : null;
      if (candidate) inner.owner = candidate;
      if (el.localName === "select" || el.localName === "textarea" || (el.localName === "svg" && candidate)) return;
      if (!candidate && parts.length > 1 && parts.length <= MAX_CHOICES && !inner.owner) for (const choice of page.handlesTouch(style) && page.isListOfLines(el) ? parts : page.choicesIn(el)) items.add(choice);
      if (!candidate && style.position !== "static" && page.isHoverMenu(el)) {
        addHost(el, context);
        for (const line of parts) items.add(line);
      }
      if (parts.length > MANY_ROWS && el.localName === "tbody") visitRows(parts, inner);
      else for (const child of parts) visit(child, inner);
    };

    /** Rows are below each other: after one that is too far down, the rest is not measured. @param {Element[]} rows @param {Context} context */
    const visitRows = (rows, context) => {
      /** @type {DOMRect | null} */
      let below = null;
      for (const [at, row] of rows.entries()) {
        if (below === null && at % MEASURED === 0) below = farBelow(row, context);
        if (below === null || !horizon.isFar(row, below, context.scroller)) visit(row, context);
        else if (row.checkVisibility()) horizon.leaveOut(row, below, context.scroller);
      }
    };

    /** Its box if it is too far down to visit and laid out as a table row. @param {Element} row @param {Context} context */
    const farBelow = (row, { scroller }) => {
      const rect = row.getBoundingClientRect();
      if (rect.height === 0 || rect.top < Math.min(innerHeight, scroller?.rect.bottom ?? innerHeight) || !horizon.isFar(row, rect, scroller)) return null;
      const { position, transform } = getComputedStyle(row);
      return position === "static" && transform === "none" ? rect : null;
    };

    /** Whether hovering something around it shows it. @param {Element} el @param {Context} inner */
    const isRevealed = (el, inner) => {
      if (!inner.revealed) inner.revealed = revealed !== "" && el.matches(revealed);
      return inner.revealed;
    };

    /** Elements that are not rendered but useful: a file field opened by a button, the buttons of a row that is not hovered. @param {Element} el @param {Context} context */
    const visitUnrendered = (el, context) => {
      const around = page.parentOf(el);
      if (!around || context.faded) return;
      const rect = around.getBoundingClientRect();
      if (el.localName === "input" && /** @type {HTMLInputElement} */ (el).type === "file") {
        if (!seen.has(el) && page.labelsOf(el).length === 0 && isSeen(rect, context.clip)) add(el, "file", rect, context, "native", around);
      } else if (revealed !== "" && el.matches(revealed) && isSeen(rect, context.clip)) {
        if (page.isHoverMenu(el)) return addHost(el, context);
        const controls = [...el.querySelectorAll(CONTROL)];
        if (el.matches(CONTROL)) controls.unshift(el);
        if (controls.length > MAX_REVEALED) return;
        for (const control of controls) add(control, page.roleOf(control) ?? "btn", rect, context, "native", around);
      }
    };

    /** The element that opens a menu without controls on hover, unless it is a control anyway. @param {Element} menu @param {Context} context */
    const addHost = (menu, context) => {
      const host = page.parentOf(menu);
      if (host && !seen.has(host) && !host.contains(found.at(-1)?.el ?? null)) add(host, "el", host.getBoundingClientRect(), context, "looks");
    };

    /** @param {Element} el @param {CSSStyleDeclaration} style @param {DOMRect} rect @param {Context} context @param {Context} inner @returns {Candidate | null} */
    const candidateOf = (el, style, rect, context, inner) => {
      if (el.localName === "label") return labelledControl(/** @type {HTMLLabelElement} */ (el), rect, context, inner);
      const field = pickers.get(el);
      if (field) return field;
      const role = page.roleOf(el);
      if (role) return nativeOrAriaControl(el, role, rect, context, inner);
      if (context.faded || context.unspoken) return null;
      if (context.owner === null && !context.held && page.isPannable(el, rect, style)) return addSurface(el, rect, context, inner);
      if (context.owner === null && page.isShape(el, rect)) return isSeen(rect, inner.own) ? add(el, "el", rect, context, "looks") : null;
      if (handles.has(el)) return isSeen(rect, inner.own) ? add(el, "range", rect, context, "looks") : null;
      if (areas.has(el)) return isSeen(rect, inner.own) ? add(el, "el", rect, context, "says") : null;
      if (inner.hand || items.has(el) || mayBeCustom(el) || page.looksLikeLink(el, style) || (hovered !== "" && el.matches(hovered))) return customControl(el, style, rect, context, inner);
      const mayBe = context.owner === null && !context.label && page.hasWeakSign(el, rect, style, reacting);
      return mayBe && isSeen(rect, inner.own) && style.pointerEvents !== "none" ? add(el, "el", rect, context, "looks") : null;
    };

    /** A movable frame, whose content is found separately. @param {Element} el @param {DOMRect} rect @param {Context} context @param {Context} inner */
    const addSurface = (el, rect, context, inner) => {
      inner.held = true;
      if (isSeen(rect, inner.own)) add(el, "img", rect, context, "says");
      return null;
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
    const nativeOrAriaControl = (el, role, rect, context, inner) => {
      if (seen.has(el)) return null;
      if (el.localName === "area") return add(el, role, page.areaRect(/** @type {HTMLAreaElement} */ (el)), context);
      const editor = page.editorOf(el);
      if (editor) return isSeen(editor.frame.getBoundingClientRect(), null) ? add(el, role, editor.frame.getBoundingClientRect(), context, "native", editor.frame) : null;
      const native = page.nativeRole(el) !== null;
      if (context.unspoken && !native) return null;
      const frame = inner.faded && native && context.owner && isPickerOf(el, context.owner) ? context.owner : null;
      if (frame) return add(el, role, frame.rect, context, "native", frame.el);
      if (inner.faded && !(native && HIDEABLE.has(role) && isUsableUnseen(el, role, context))) return null;
      const source = native ? "native" : "aria";
      if (isSeen(rect, inner.own)) return isInHiddenContent(el) ? null : add(el, role, rect, context, source);
      const shown = rect.width < 2 || rect.height < 2 ? visiblePart(el) : null;
      const shownRect = shown?.getBoundingClientRect();
      return shown && shownRect && isSeen(shownRect, context.escape) ? add(el, role, shownRect, context, source, shown) : null;
    };

    /** A label stands for a control that is invisible itself. @param {HTMLLabelElement} label @param {DOMRect} rect @param {Context} context @param {Context} inner */
    const labelledControl = (label, rect, context, inner) => {
      const control = label.control;
      if (!control || seen.has(control) || !isSeen(rect, inner.own) || context.faded) return null;
      const role = page.roleOf(control);
      if (!role || !HIDEABLE.has(role) || page.showsItself(control) || page.hasStandIn(control)) return null;
      const picker = page.pickerOf(control);
      if (!picker) return add(control, role, rect, context, "native", label);
      const candidate = add(control, role, picker.getBoundingClientRect(), context, "native", picker);
      pickers.set(picker, candidate);
      return null;
    };

    /** @param {Element} el @param {CSSStyleDeclaration} style @param {DOMRect} rect @param {Context} context @param {Context} inner */
    const customControl = (el, style, rect, context, inner) => {
      const says = page.saysClickable(el);
      const begins = inner.hand && (!context.hand || hasOwnHand(el));
      if (begins && !says && page.isListOfLines(el)) {
        inner.hand = false; // its lines are what is clicked: each is judged separately
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

    visit(root, { hand: false, faded: false, revealed: false, unspoken: false, clip: null, escape: null, scroller: null, owner: null, held: false, label: false, own: null });
    return found;
  };

  /** Hosts that may have a closed shadow root around their content. */
  const MAYBE_HOST = new Set(["DIV", "SPAN", "SECTION", "ARTICLE", "MAIN"]);

  /** The elements rendered in one; of a closed `details`, its summary. @param {Element} el @param {DOMRect} rect @returns {Element[]} */
  function partsOf(el, rect) {
    if (!el.firstElementChild && (el.firstChild || rect.width === 0) && !el.localName.includes("-") && el.localName !== "slot" && !page.shadowOf(el)) return [];
    if (el.localName === "details" && !(/** @type {HTMLDetailsElement} */ (el).open)) return [...el.children].filter((child) => child.localName === "summary").slice(0, 1);
    const parts = [];
    if (el.localName === "slot" || page.shadowOf(el)) {
      for (const child of page.childrenOf(el)) if (child.nodeType === Node.ELEMENT_NODE) parts.push(/** @type {Element} */ (child));
    } else for (let child = el.firstElementChild; child; child = child.nextElementSibling) parts.push(child);
    if (MAYBE_HOST.has(el.tagName) && parts.length && rect.width > 8 && rect.height > 8 && parts.every(isUnplaced)) return page.closedParts(el) ?? parts;
    return parts;
  }

  /** @param {Element} el */
  const isUnplaced = (el) => !el.checkVisibility();

  /** Content skipped by `content-visibility` or `hidden=until-found`. @param {Element} el */
  const isInHiddenContent = (el) => el.checkVisibility && !el.checkVisibility() && getComputedStyle(el).display !== "contents";

  /** The visible descendant of an element without a size. @param {Element} el @returns {Element | null} */
  const visiblePart = (el) => {
    for (const inner of [...el.querySelectorAll("*")].slice(0, 20)) {
      const { width, height } = inner.getBoundingClientRect();
      if (width >= 2 && height >= 2 && page.isShown(inner)) return inner;
    }
    return null;
  };

  /** Whether a list in a clickable line has lines of its own. @param {Element} el @param {Context} context */
  const isSublist = (el, { owner }) => LIST.test(el.localName) && owner?.el.localName === "li";

  /** What markup alone suggests, before styles are read. @param {Element} el */
  const mayBeCustom = (el) => el.attributes.length > 0 && (page.saysClickable(el) || page.looksClickable(el));

  /** Whether a control with opacity 0 is the working part of a styled one, not of a dialog that is faded out. @param {Element} el @param {WireRole} role @param {Context} context */
  const isUsableUnseen = (el, role, context) => getComputedStyle(el).pointerEvents !== "none" && (!context.faded || TICKED.has(role));

  /** Whether a drawn box opens an invisible field: the only picker in it. @param {Element} el @param {Candidate} box */
  const isPickerOf = (el, box) => box.source === "looks" && el.matches("[role=combobox]") && box.el.querySelectorAll("[role=combobox]").length === 1;

  /** @param {DOMRect} rect @param {Clip | null} clip */
  function isSeen(rect, clip) {
    if (rect.width < 2 || rect.height < 2 || rect.right <= -scrollX || rect.bottom <= -scrollY) return false;
    if (!clip) return true;
    return Math.min(rect.right, clip.right) - Math.max(rect.left, clip.left) > 1 && Math.min(rect.bottom, clip.bottom) - Math.max(rect.top, clip.top) > 1;
  }

  /**
   * A dialog that fades in stays at opacity 0 while its tab is in the background: no frame is drawn there, and no animation starts.
   * @param {Element} el
   */
  const isUnpainted = (el) => document.hidden && (el.closest(MODAL) ?? el.querySelector(MODAL)) !== null && el.closest("[aria-hidden=true],[inert]") === null;

  /** The context of an element's children. @param {Element} el @param {CSSStyleDeclaration} style @param {DOMRect} rect @param {Context} context @param {boolean} hand @returns {Context} */
  function inherit(el, style, rect, context, hand) {
    const { position, opacity } = style;
    const base = position === "fixed" ? null : position === "absolute" ? context.escape : context.clip;
    const overflow = el.firstElementChild && style.overflowX !== "visible" && style.display !== "contents" ? `${style.overflowX} ${style.overflowY}` : "visible";
    const cuts = overflow !== "visible" && CLIPS.test(overflow);
    const scrolls = cuts && SCROLLS.test(overflow) && (el.scrollHeight > el.clientHeight + 2 || el.scrollWidth > el.clientWidth + 2);
    const isPage = el === document.body || el === document.documentElement;
    const clip = isPage || scrolls ? null : cuts ? intersect(base, rect) : base;
    const revealed = context.revealed || (opacity === "0" && page.isRevealed(el));
    return {
      hand,
      faded: context.faded || (opacity === "0" && !revealed && !isUnpainted(el)),
      revealed,
      unspoken: context.unspoken || el.getAttribute("aria-hidden") === "true",
      clip,
      escape: position === "static" ? context.escape : clip,
      scroller: scrolls && !isPage ? { el, rect } : position === "fixed" ? null : context.scroller,
      owner: context.owner,
      held: context.held,
      label: context.label || el.localName === "label",
      own: base, // the element itself is clipped only by what is around its containing block
    };
  }

  /** @param {Clip | null} clip @param {Clip} rect @returns {Clip} */
  function intersect(clip, { left, top, right, bottom }) {
    if (!clip) return { left, top, right, bottom };
    return { left: Math.max(left, clip.left), top: Math.max(top, clip.top), right: Math.min(right, clip.right), bottom: Math.min(bottom, clip.bottom) };
  }

  /** The position of an image map's area on the screen. */
  page.areaRect = (area) => {
    const map = area.closest("map");
    const image = map && document.querySelector(`img[usemap="#${CSS.escape(map.name)}"]`);
    const origin = image?.getBoundingClientRect() ?? new DOMRect();
    const [a = 0, b = 0, c = 0, d = 0] = area.coords.split(",").map(Number);
    if (area.shape === "circle") return new DOMRect(origin.x + a - c, origin.y + b - c, 2 * c, 2 * c);
    return new DOMRect(origin.x + a, origin.y + b, c - a, d - b);
  };
})();
