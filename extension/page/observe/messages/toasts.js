// Messages recognized by shape alone: a small box with text, fixed above the page.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isToast")) return;

  const MAX_TEXT = 160; // characters
  const MAX_PARTS = 25; // elements in it
  const MAX_LEVELS = 4; // ancestors up to the fixed one, and from the body down to that
  const MAX_LAYERS = 40; // children of the body checked, last first, since layers are appended
  const MAX_SHARE = 0.25; // largest share of the screen
  const HOLDS_MORE = "input,select,textarea,form,nav,h1,h2,table,ul,ol,iframe";
  const DIALOG = "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]";
  const CONSENT = /cookie|gdpr|consent|datenschutz|הסכמה/i;

  /** Whether its content fits a toast, checked before its position. @param {Element} el */
  page.mayBeToast = (el) => {
    const length = el.textContent?.length ?? 0;
    if (length < 2 || length > MAX_TEXT || el.getElementsByTagName("*").length > MAX_PARTS) return false;
    return el.querySelector(HOLDS_MORE) === null && !el.matches(`${DIALOG},${HOLDS_MORE},a,button,script,style`) && !CONSENT.test(el.textContent ?? "");
  };

  /** Whether it or an ancestor is fixed above the page and holds only such boxes; a sentence in a dialog does not count. @param {Element} el */
  function liesFixed(el) {
    let up = /** @type {Element | null} */ (el);
    for (let level = 0; up && level < MAX_LEVELS; level += 1, up = page.parentOf(up)) {
      if (getComputedStyle(up).position === "fixed") return !up.matches(DIALOG) && up.querySelector(`${DIALOG},${HOLDS_MORE}`) === null;
    }
    return false;
  }

  /** A choice of answers is a question, not a message. @param {Element} el */
  function asks(el) {
    const buttons = [...el.querySelectorAll("button,[role=button],a")].filter((button) => /\p{L}{2}/u.test(button.textContent ?? ""));
    return buttons.length > 1 || el.querySelectorAll("button,a").length > 2;
  }

  /** @param {Element} el */
  page.isToast = (el) => {
    if (!page.mayBeToast(el) || asks(el)) return false;
    const { width, height } = el.getBoundingClientRect();
    if (width < 40 || height < 12 || width * height > MAX_SHARE * innerWidth * innerHeight) return false;
    return liesFixed(el);
  };

  /** The boxes above the page that can be toasts. @returns {Element[]} */
  page.toasts = () => {
    const layers = [...document.body?.children ?? []].slice(-MAX_LAYERS).filter((layer) => !/^(?:main|script|style|form|table)$/.test(layer.localName));
    return layers.flatMap((layer) => toastsIn(layer, 0));
  };

  /** @param {Element} layer @param {number} level @returns {Element[]} */
  function toastsIn(layer, level) {
    if (page.mayBeToast(layer)) return page.isToast(layer) ? [layer] : [];
    if (level >= MAX_LEVELS - 1 || layer.childElementCount > 10 || (layer.textContent?.length ?? 0) > 10 * MAX_TEXT) return [];
    return [...layer.children].flatMap((child) => toastsIn(child, level + 1));
  }
})();
