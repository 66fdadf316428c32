// What is worked out once a look: the page does not change while it is read.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "once")) return;

  /** @type {Map<string, Map<Element, any>> | null} */
  let known = null;

  /** What `make` says of an element, asked once in one turn of the page. @template T @param {string} what @param {Element} el @param {() => T} make @returns {T} */
  page.once = (what, el, make) => {
    if (!known) {
      known = new Map();
      queueMicrotask(page.forgetLook);
    }
    const about = known.get(what) ?? new Map();
    known.set(what, about);
    if (about.has(el)) return about.get(el);
    const made = make();
    about.set(el, made);
    return made;
  };

  /** At the beginning of a look. */
  page.forgetLook = () => {
    known = null;
  };
})();
