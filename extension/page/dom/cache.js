// What selectors find in the whole page, kept from look to look: after a change only what it touched is asked again.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "queryAll")) return;

  /** @type {Map<string, Map<Element, any>> | null} */
  let memo = null;

  /** What `make` says of an element, asked once in one turn of the page. @template T @param {string} what @param {Element} el @param {() => T} make @returns {T} */
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

  /** At the beginning of a look. */
  page.clearMemo = () => {
    memo = null;
  };

  const MAX_KEPT = 20; // selectors; the page scripts ask for about ten
  const MAX_SORTED = 300; // elements put back in document order; more are found by a new search

  /** @typedef {{found: Element[], at: string, own: boolean}} Kept */
  /** @type {Map<string, Kept>} */
  const known = new Map();
  let synced = -1;

  /**
   * The elements a selector matches in the document and the shadow roots met, in document order of each. Only for what
   * markup decides: a state that changes without a mutation (`:checked`, `:popover-open`) must be asked for anew.
   * @param {string} selector @param {{own?: boolean}} [options] `own` (the default): it asks only for an element's own tag
   * and attributes, so that a change elsewhere cannot make it match @returns {readonly Element[]}
   */
  page.queryAll = (selector, { own = true } = {}) => {
    const roots = page.roots();
    if (!page.activity) return find(roots, selector);
    const version = page.activity.version();
    if (version !== synced) {
      bringUpToDate(roots, page.activity.touched(), `${synced} ${numberOf(roots)}`, `${version} ${numberOf(roots)}`);
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

  /** The same number for the same roots. @param {(Document | ShadowRoot)[]} roots */
  function numberOf(roots) {
    const isSame = roots.length === rootsBefore.length && roots.every((root, at) => root === rootsBefore[at]);
    if (!isSame) [rootsBefore, rootsNumber] = [roots, rootsNumber + 1];
    return rootsNumber;
  }

  /** @param {(Document | ShadowRoot)[]} roots @param {string} selector @returns {Element[]} */
  const find = (roots, selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);

  /**
   * Carries over what the changes since leave as it was.
   * @param {(Document | ShadowRoot)[]} roots @param {Element[] | null} touched null if they are too many @param {string} from @param {string} to
   */
  function bringUpToDate(roots, touched, from, to) {
    for (const [selector, kept] of known) {
      const patched = touched && kept.own && kept.at === from ? patch(kept.found, selector, touched, roots) : null;
      if (patched) known.set(selector, { ...kept, found: patched, at: to });
      else known.delete(selector);
    }
  }

  /** @param {Element[]} found @param {string} selector @param {Element[]} touched @param {(Document | ShadowRoot)[]} roots @returns {Element[] | null} null if it is better found by a new search */
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
