// What was just opened on the page: of what has changed since somebody acted, the dialogs, menus, lists, panels and parts that have words.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "openedAmong")) return;

  page.OPENED = "dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true],[role=menu],[role=listbox],[role=tabpanel],[popover],details[open]";
  const LEAST_WORDS = 30; // characters of a part that has no role: less is a message or a mark
  const LEAST_OPENED = 2; // of a part that has one
  const MANY = 2; // parts added side by side, from which on what they were added to is meant
  const MAX_LOOKED = 200;
  const MAX_TEXT = 2_000;

  /** @param {Element} el */
  const wordsOf = (el) => page.collapse(page.textOf(el, { max: MAX_TEXT }));

  /** @param {Element} el */
  const isPresent = (el) => el.isConnected && !page.isOverlay(el) && page.isShown(el) && page.closest(el, page.MESSAGE) === null;

  /** What a control that is open now opens. @param {Element} el @returns {Element[]} */
  function openedBy(el) {
    const isOpen = el.getAttribute("aria-expanded") === "true" || el.getAttribute("aria-selected") === "true";
    if (!isOpen) return [];
    const named = [...page.refs(el, "aria-controls"), ...page.refs(el, "aria-owns")];
    if (named.length > 0 || el.getAttribute("role") !== "tab" || !el.id) return named;
    const root = /** @type {Document | ShadowRoot} */ (el.getRootNode());
    return [...root.querySelectorAll("[role=tabpanel]")].filter((panel) => page.refs(panel, "aria-labelledby").includes(el));
  }

  /** @param {Iterable<Element>} changed @returns {Element[]} */
  function withRole(changed) {
    /** @type {Set<Element>} */
    const found = new Set();
    for (const el of changed) {
      const around = page.closest(el, page.OPENED);
      if (around) found.add(around);
      for (const inner of el.querySelectorAll(page.OPENED)) found.add(inner);
      for (const opened of openedBy(el)) found.add(opened);
    }
    return [...found];
  }

  /** Elements beside each other as what holds them. @param {Element[]} parts @returns {Element[]} */
  function together(parts) {
    /** @type {Map<Element, Element[]>} */
    const byParent = new Map();
    for (const el of parts) {
      const parent = page.parentOf(el) ?? el;
      byParent.set(parent, [...byParent.get(parent) ?? [], el]);
    }
    return [...byParent].flatMap(([parent, children]) => (children.length >= MANY && parent !== document.body ? [parent] : children));
  }

  /** @param {Element[]} found */
  const outermost = (found) => found.filter((el) => !found.some((other) => other !== el && page.composedContains(other, el)));

  page.openedAmong = (changed, standing) => {
    const present = [...changed].slice(0, MAX_LOOKED).filter(isPresent);
    const opened = withRole(present).filter((el) => isPresent(el) && !standing.has(el) && wordsOf(el).length >= LEAST_OPENED);
    if (opened.length > 0) return outermost(opened);
    const parts = outermost(together(present.filter((el) => el !== document.body && el !== document.documentElement)));
    const largest = parts.map((el) => ({ el, length: wordsOf(el).length })).filter(({ length }) => length >= LEAST_WORDS).sort((one, other) => other.length - one.length);
    return largest.slice(0, 1).map(({ el }) => el);
  };
})();
