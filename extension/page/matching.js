// What selectors find in the whole page, kept until the page changes.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "matching")) return;

  /** @type {Map<string, {at: string, found: Element[]}>} */
  const known = new Map();
  const MAX_KEPT = 20; // selectors; the page scripts ask for about ten

  /**
   * The elements a selector matches in the document and the shadow roots met, in document order of each. Only for what
   * markup decides: a state that changes without a mutation (`:checked`, `:popover-open`) must be asked for anew.
   * @param {string} selector @returns {readonly Element[]}
   */
  page.matching = (selector) => {
    const roots = page.roots();
    const at = page.watch ? `${page.watch.version()} ${roots.length}` : "";
    const before = known.get(selector);
    if (before && at !== "" && before.at === at) return before.found;
    const found = roots.flatMap((root) => [...root.querySelectorAll(selector)]);
    if (known.size >= MAX_KEPT) known.clear();
    known.set(selector, { at, found });
    return found;
  };
})();
