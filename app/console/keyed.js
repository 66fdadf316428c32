/** Lists that change under a reader's eyes: only what is another is drawn anew. */

/** @type {WeakMap<Element, string>} what each element was drawn from */
const drawn = new WeakMap();

/**
 * @template T
 * @param {Element} parent @param {T[]} items
 * @param {(item: T) => string} keyOf @param {(item: T) => HTMLElement} build
 * @param {(item: T) => unknown} [source] what the element shows, if not all of the item
 */
export function keyed(parent, items, keyOf, build, source = (item) => item) {
  const there = new Map([...parent.children].map((one) => [one.getAttribute("data-key"), one]));
  /** @type {Element | null} */
  let before = null;
  for (const item of items) {
    const key = keyOf(item);
    const found = there.get(key);
    there.delete(key);
    const shown = fresh(found, key, JSON.stringify(source(item)), () => build(item));
    const place = /** @type {Element | null} */ (before ? before.nextElementSibling : parent.firstElementChild);
    if (shown !== place) parent.insertBefore(shown, place);
    before = shown;
  }
  for (const gone of there.values()) gone.remove();
}

/** @param {Element | undefined} found @param {string} key @param {string} signature @param {() => HTMLElement} build */
function fresh(found, key, signature, build) {
  if (found && drawn.get(found) === signature) return found;
  const made = build();
  made.setAttribute("data-key", key);
  drawn.set(made, signature);
  if (found) {
    keepOpen(found, made);
    found.replaceWith(made);
  }
  return made;
}

/** What was opened stays open, and what had the focus keeps it. @param {Element} old @param {Element} made */
function keepOpen(old, made) {
  const [before, after] = [old, made].map((one) => [...one.querySelectorAll("details")]);
  after.forEach((one, index) => (one.open = before[index]?.open ?? one.open));
  if (!old.contains(document.activeElement)) return;
  const focusable = "a, button, summary, input, select, textarea";
  const index = [...old.querySelectorAll(focusable)].indexOf(/** @type {Element} */ (document.activeElement));
  const next = made.querySelectorAll(focusable)[index];
  if (next instanceof HTMLElement) queueMicrotask(() => next.focus({ preventScroll: true }));
}
