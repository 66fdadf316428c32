// Caches the results of selectors over the whole page: after a change only the touched elements are checked again.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "queryAll")) return;

  /** @type {Map<string, Map<Element, any>> | null} */
  let memo = null;

  /** Caches what `make` returns for an element during one task of the page. @template T @param {string} what @param {Element} el @param {() => T} make @returns {T} */
  page.memoize = (what, el, make) => {
    if (!memo) {
      memo = new Map();
      queueMicrotask(page.clearMemo);
    }
    const about = memo.get(what) ?? new Map();
    memo.set(what, about);
    if (about.has(el)) return about.get(el);
    const made = make();
    about.set(el, made);
    return made;
  };

  /** Called when a look begins. */
  page.clearMemo = () => {
    memo = null;
  };

  const MAX_KEPT = 20; // selectors; the page scripts use about ten
  const MAX_SORTED = 300; // elements sorted back into document order; with more, a new search is faster

  /** @typedef {{found: Element[], at: string, own: boolean}} Kept */
  /** @type {Map<string, Kept>} */
  const known = new Map();
  let synced = -1;

  /**
   * The elements that match a selector in the document and the known shadow roots, in document order of each. Only for matches
   * that depend on markup: states that change without a mutation (`:checked`, `:popover-open`) must be queried anew.
   * @param options `own` (the default): the selector uses only an element's own tag and attributes, so that a change elsewhere cannot make it match
   */
  page.queryAll = (selector, { own = true } = {}) => {
    const roots = page.roots();
    if (!page.activity) return find(roots, selector);
    const version = page.activity.version();
    if (version !== synced) {
      bringUpToDate(roots, page.activity.takeTouched(), `${synced} ${numberOf(roots)}`, `${version} ${numberOf(roots)}`);
      synced = version;
    }
    const at = `${version} ${numberOf(roots)}`;
    const before = known.get(selector);
    if (before?.at === at) return before.found;
    if (known.size >= MAX_KEPT) known.clear();
    const found = find(roots, selector);
    known.set(selector, { found, at, own });
    return found;
  };

  /** @type {(Document | ShadowRoot)[]} */
  let rootsBefore = [];
  let rootsNumber = 0;

  /** The same key for the same roots. @param {(Document | ShadowRoot)[]} roots */
  function numberOf(roots) {
    const isSame = roots.length === rootsBefore.length && roots.every((root, at) => root === rootsBefore[at]);
    if (!isSame) [rootsBefore, rootsNumber] = [roots, rootsNumber + 1];
    return rootsNumber;
  }

  /** @param {(Document | ShadowRoot)[]} roots @param {string} selector @returns {Element[]} */
  const find = (roots, selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);

  /**
   * Keeps the results that later changes did not affect.
   * @param {(Document | ShadowRoot)[]} roots @param {Element[] | null} touched null if there are too many @param {string} from @param {string} to
   */
  function bringUpToDate(roots, touched, from, to) {
    for (const [selector, kept] of known) {
      const patched = touched && kept.own && kept.at === from ? patch(kept.found, selector, touched, roots) : null;
      if (patched) known.set(selector, { ...kept, found: patched, at: to });
      else known.delete(selector);
    }
  }

  /** @param {Element[]} found @param {string} selector @param {Element[]} touched @param {(Document | ShadowRoot)[]} roots @returns {Element[] | null} null if a new search is better */
  function patch(found, selector, touched, roots) {
    const here = touched.filter((el) => el.isConnected);
    const fresh = new Set(here.flatMap((el) => [...(el.matches(selector) ? [el] : []), ...el.querySelectorAll(selector)]));
    const asked = new Set(here);
    const stayed = found.filter((el) => el.isConnected && !fresh.has(el) && !(asked.has(el) && !el.matches(selector)));
    if (fresh.size === 0) return stayed;
    if (roots.length > 1 || stayed.length + fresh.size > MAX_SORTED) return null;
    return [...stayed, ...fresh].filter((el) => el.getRootNode() === document).sort(inOrder);
  }

  /** @param {Element} one @param {Element} other */
  const inOrder = (one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
})();
