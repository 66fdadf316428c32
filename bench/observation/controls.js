// An account of the controls on screen that knows nothing of how the extension finds them: every
// element that HTML or ARIA make a control and whose centre a hit test reaches, in its own frame and in
// those of its parents. Returns [{what, box: [x, y, width, height]}] in pixels of the main window.
(() => {
  const CONTROLS = "input:not([type=hidden]),select,textarea,button,summary,a[href],[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option],[contenteditable=''],[contenteditable=true],[onclick]";

  const parentOf = (node) => (node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode);

  function deepest(doc, x, y) {
    let hit = doc.elementFromPoint(x, y);
    for (let inner = hit?.shadowRoot?.elementFromPoint(x, y); inner && inner !== hit; inner = hit.shadowRoot?.elementFromPoint(x, y)) hit = inner;
    return hit;
  }

  function reached(el, x, y) {
    const doc = el.ownerDocument;
    const hit = deepest(doc, x, y);
    for (let up = hit; up; up = parentOf(up)) if (up === el || (up.localName === "label" && up.control === el)) return true;
    return false;
  }

  /** Where a point of a document is in the main window; null when something is over its frame. */
  function inWindow(doc, x, y) {
    let [left, top] = [0, 0];
    for (let frame = doc.defaultView.frameElement; frame; frame = frame.ownerDocument.defaultView.frameElement) {
      const box = frame.getBoundingClientRect();
      left += box.x + frame.clientLeft;
      top += box.y + frame.clientTop;
      const view = frame.ownerDocument.defaultView;
      if (deepest(frame.ownerDocument, x + left, y + top) !== frame && view === view.top) return null;
    }
    const [px, py] = [x + left, y + top];
    return px >= 0 && py >= 0 && px < innerWidth && py < innerHeight ? [left, top] : null;
  }

  const found = [];
  function account(root) {
    for (const el of root.querySelectorAll("*")) {
      if (el.matches(CONTROLS) && el.checkVisibility({ visibilityProperty: true })) {
        const { x, y, width, height } = el.getBoundingClientRect();
        const shift = width > 1 && height > 1 && reached(el, x + width / 2, y + height / 2) ? inWindow(el.ownerDocument, x + width / 2, y + height / 2) : null;
        const what = `${el.localName} ${(el.getAttribute("aria-label") || el.innerText || el.value || "").slice(0, 40).replace(/\s+/g, " ")}`;
        if (shift) found.push({ what, box: [x + shift[0], y + shift[1], width, height].map(Math.round) });
      }
      if (el.shadowRoot) account(el.shadowRoot);
      if (el.localName === "iframe" && el.contentDocument) account(el.contentDocument);
    }
  }
  account(document);
  return found;
})();
