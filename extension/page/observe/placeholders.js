// Placeholders: what a page shows in place of what it is still fetching.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isLoading")) return;

  // What component libraries call them; `aria-busy` and a bar that knows no value are the standard's words for it.
  const PLACEHOLDERS = "[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value]),[class*=skeleton i],[class*=shimmer i],.placeholder-glow,.placeholder-wave";
  const PATIENCE_MS = 6_000; // from when it was first seen; what stays for longer is an ornament, or stuck
  const LOOKED_AT = 20;

  /** When each was first seen. @type {WeakMap<Element, number>} */
  const seen = new WeakMap();

  /** Says that something is under way, or is drawn in place of a text that it has not got yet. @param {Element} el */
  const standsIn = (el) => !el.matches("[class*=skeleton i],[class*=shimmer i]") || el.matches("[aria-busy=true]") || page.collapse(el.textContent) === "";

  /** Whether it is in view: one further down is no matter of what is being done. @param {Element} el */
  const isInView = (el) => {
    const rect = el.getBoundingClientRect();
    return rect.width > 0 && rect.height > 0 && page.isOnScreen(rect) && page.isShown(el);
  };

  const placeholders = () => [...document.querySelectorAll(PLACEHOLDERS)].slice(0, LOOKED_AT);

  /** Whether something in view is still being fetched, and has not been for too long. @param {number} [now] ms */
  page.isLoading = (now = performance.now()) =>
    placeholders().some((el) => {
      if (now - (seen.get(el) ?? now) > PATIENCE_MS || !standsIn(el) || !isInView(el)) return false;
      if (!seen.has(el)) seen.set(el, now);
      return true;
    });

  /** The same however long it takes, or the document is not whole: then what is not on the page may yet come. */
  page.isStillLoading = () => document.readyState === "loading" || placeholders().some((el) => standsIn(el) && isInView(el));
})();
