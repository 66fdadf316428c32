// Loading placeholders, shown in place of content that is still being fetched.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isLoading")) return;

  // Names used by component libraries; `aria-busy` and an indeterminate progress bar are the standard ways.
  const PLACEHOLDERS = "[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value]),[class*=skeleton i],[class*=shimmer i],.placeholder-glow,.placeholder-wave";
  const PATIENCE_MS = 6_000; // since first seen; a placeholder that stays longer is decoration, or stuck
  const LOOKED_AT = 20;

  /** When each was first seen. @type {WeakMap<Element, number>} */
  const seen = new WeakMap();

  /** Whether it shows progress or stands in for a text that is not there yet. @param {Element} el */
  const standsIn = (el) => !el.matches("[class*=skeleton i],[class*=shimmer i]") || el.matches("[aria-busy=true]") || page.collapse(el.textContent) === "";

  /** Whether it is in view: one further down does not matter for the current action. @param {Element} el */
  const isInView = (el) => {
    const rect = el.getBoundingClientRect();
    return rect.width > 0 && rect.height > 0 && page.isOnScreen(rect) && page.isShown(el);
  };

  const placeholders = () => [...document.querySelectorAll(PLACEHOLDERS)].slice(0, LOOKED_AT);

  /** Whether something in view is being fetched, and not for too long. @param {number} [now] ms */
  page.isLoading = (now = performance.now()) =>
    placeholders().some((el) => {
      if (now - (seen.get(el) ?? now) > PATIENCE_MS || !standsIn(el) || !isInView(el)) return false;
      if (!seen.has(el)) seen.set(el, now);
      return true;
    });

  /** The same without a time limit, or the document is incomplete: missing content may still come. */
  page.isStillLoading = () => document.readyState === "loading" || placeholders().some((el) => standsIn(el) && isInView(el));
})();
