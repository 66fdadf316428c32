// The composed tree: elements as rendered, through open and closed shadow roots and slots.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "shadowOf")) return;

  // The elements besides custom ones that can host a shadow root (DOM standard, attachShadow).
  const HOSTS = new Set("ARTICLE ASIDE BLOCKQUOTE BODY DIV FOOTER H1 H2 H3 H4 H5 H6 HEADER MAIN NAV P SECTION SPAN".split(" "));
  // Those that are used as hosts although they have text of their own ("Loading…").
  const BOXES = new Set(["DIV", "SECTION", "ARTICLE", "MAIN", "ASIDE"]);
  // Asking the browser takes 2.5 microseconds: this many elements with content of their own are asked per look, each once.
  const ASKED_PER_LOOK = 400;

  /** Closed shadow roots found. @type {WeakMap<Element, ShadowRoot>} */
  const closed = new WeakMap();
  /** Elements with content that were asked and have no shadow root. @type {WeakSet<Element>} */
  const plain = new WeakSet();
  let room = ASKED_PER_LOOK;

  /** Asks the browser, which opens closed roots for extensions. @param {Element} el @returns {ShadowRoot | null} */
  function ask(el) {
    if (!(el instanceof HTMLElement) || page.isOverlay(el) || typeof chrome === "undefined" || !chrome.dom?.openOrClosedShadowRoot) return null;
    const shadow = chrome.dom.openOrClosedShadowRoot(el) ?? null;
    if (shadow) closed.set(el, shadow);
    return shadow;
  }

  /** Elements with content of their own are asked once. @param {Element} el */
  function askOnce(el) {
    if (room <= 0 || plain.has(el) || !(el.firstElementChild || BOXES.has(el.tagName))) return null;
    room -= 1;
    const shadow = ask(el);
    if (!shadow) plain.add(el);
    return shadow;
  }

  /** The shadow root of an element, also a closed one if the browser opens it for extensions. */
  page.shadowOf = (el) => {
    const known = el.shadowRoot ?? closed.get(el);
    if (known) return known;
    if (el.localName.includes("-")) return ask(el);
    if (!HOSTS.has(el.tagName)) return null;
    return el.firstChild ? askOnce(el) : ask(el);
  };

  /** The children of a closed shadow root that replaces an element's own content; null if there is none. */
  page.closedParts = (el) => {
    const shadow = ask(el);
    if (!shadow) return null;
    met.add(shadow);
    return [...shadow.children];
  };

  /** Shadow roots found on the last walk. @type {Set<ShadowRoot>} */
  let met = new Set();

  /** The document and the shadow roots found since the last walk began. */
  page.roots = () => [document, ...[...met].filter((root) => root.host.isConnected)];

  /** Forgets them, at the beginning of a walk. */
  page.clearRoots = () => {
    met = new Set();
    room = ASKED_PER_LOOK;
  };

  /** Child nodes as rendered: of the shadow root, of a slot, or its own. */
  page.childrenOf = (el) => {
    const shadow = page.shadowOf(el);
    if (shadow) {
      met.add(shadow);
      return shadow.childNodes;
    }
    if (el.localName === "slot") {
      const given = /** @type {HTMLSlotElement} */ (el).assignedNodes({ flatten: true });
      if (given.length) return given;
    }
    // Not `childNodes`: a live list is slow to iterate, and the browser keeps it up to date from then on.
    const nodes = [];
    for (let node = el.firstChild; node; node = node.nextSibling) nodes.push(node);
    return nodes;
  };

  /** The parent as rendered, through slots and shadow roots. */
  page.parentOf = (node) => {
    const slot = /** @type {Element} */ (node).assignedSlot;
    if (slot) return slot;
    const parent = node.parentNode;
    if (parent instanceof ShadowRoot) return parent.host;
    return parent instanceof Element ? parent : null;
  };

  /** Whether `outer` is `inner` or contains it as rendered. */
  page.composedContains = (outer, inner) => {
    for (let el = inner; el; el = page.parentOf(el)) if (el === outer) return true;
    return false;
  };

  /** The nearest rendered ancestor, or the element itself, that matches a selector. */
  page.closest = (start, selector) => {
    for (let el = start; el; el = page.parentOf(el)) if (el.matches(selector)) return el;
    return null;
  };

  /** The element at a point of the viewport, through shadow roots. */
  page.hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    if (hit && page.isOverlay(hit)) hit = document.elementsFromPoint(x, y).find((el) => !page.isOverlay(el)) ?? null;
    for (let shadow = hit && page.shadowOf(hit); hit && shadow; shadow = page.shadowOf(hit)) {
      const inner = shadow.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };

  /** The focused element, through shadow roots. */
  page.focusedElement = () => {
    let el = document.activeElement;
    for (let shadow = el && page.shadowOf(el); shadow?.activeElement; shadow = el && page.shadowOf(el)) el = shadow.activeElement;
    return el;
  };

  /** Whether an element is rendered and not hidden by visibility. */
  page.isShown = (el) => {
    if (el.checkVisibility({ visibilityProperty: true })) return true;
    // `display: contents` (slots, for example) has no box of its own and is as visible as its parent.
    const around = getComputedStyle(el).display === "contents" ? page.parentOf(el) : null;
    return around !== null && page.isShown(around);
  };

  /** The elements of an IDREF list, in the element's own tree. */
  page.refs = (el, attribute) => {
    const root = /** @type {Document | ShadowRoot} */ (el.getRootNode());
    const ids = (el.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean);
    return ids.flatMap((id) => root.getElementById?.(id) ?? []);
  };

  const LABELABLE = /^(?:input|select|textarea|button|meter|output|progress)$|-/;
  /** The labels of a tree's controls, cached until the page changes. @type {WeakMap<Node, {at: number, labels: Map<Element | null, HTMLLabelElement[]>}>} */
  const labelled = new WeakMap();

  /** @param {Document | ShadowRoot} root */
  function labelsIn(root) {
    return Map.groupBy(root.querySelectorAll("label"), (label) => label.control);
  }

  /** Same as `el.labels`, for which the browser searches the whole page each time. @param {Element} el @returns {readonly HTMLLabelElement[]} */
  function allLabels(el) {
    const root = el.getRootNode();
    const isMet = root === document || met.has(/** @type {ShadowRoot} */ (root));
    if (!page.activity || !isMet) return [.../** @type {HTMLInputElement} */ (el).labels ?? []];
    const at = page.activity.version();
    let known = labelled.get(root);
    if (known?.at !== at) labelled.set(root, (known = { at, labels: labelsIn(/** @type {Document} */ (root)) }));
    return known.labels.get(el) ?? [];
  }

  /** The visible labels of a control. */
  page.labelsOf = (el) => (LABELABLE.test(el.localName) ? allLabels(el).filter(page.isShown) : []);
})();
