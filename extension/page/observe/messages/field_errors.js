// Error texts in red below a field, which only their place and colour connect to it.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "fieldErrors")) return;

  const FIELDS = "input:not([type=hidden]):not([type=submit]):not([type=button]),select,textarea";
  const CONTROL = "input:not([type=hidden]),select,textarea,button,[role=button],a[href]";
  const ENDS = /^(td|th|tr|body|form|fieldset|main)$/; // text beyond these belongs to no single field
  const MAX_FIELDS = 60;
  const MAX_WRAPPERS = 3;
  const MAX_TEXT = 150; // characters

  /** The texts, with their elements. @returns {{el: Element, text: string}[]} */
  page.fieldErrors = () => {
    /** @type {Map<Element, string>} */
    const found = new Map();
    let looked = 0;
    const fields = page.queryAll(FIELDS);
    for (const [at, field] of fields.entries()) {
      if (looked >= MAX_FIELDS) break;
      looked += 1;
      if (!page.isShown(field)) continue;
      for (const el of after(field, [fields[at - 1], fields[at + 1]])) if (!found.has(el)) found.set(el, page.textOf(el, { max: MAX_TEXT }));
    }
    return [...found].filter(([, text]) => text.length > 2 && text.length <= MAX_TEXT).map(([el, text]) => ({ el, text }));
  };

  /**
   * The error messages of invalid fields: the page's, or the browser's after the form was submitted.
   * @param {number} max fields @returns {{el: Element, text: string}[]}
   */
  page.wrongFields = (max) => {
    const marked = [...page.queryAll("[aria-invalid=true],[aria-invalid=grammar],[aria-invalid=spelling]")].filter(page.isShown);
    const found = marked.slice(0, max).flatMap((field) => [...page.refs(field, "aria-errormessage"), ...page.refs(field, "aria-describedby")].filter(page.isShown));
    const messages = [...new Set(found)].map((el) => ({ el, text: page.textOf(el, { max: MAX_TEXT }) })).filter(({ text }) => text !== "");
    return [...messages, ...page.queryAll("form").flatMap(unsent).slice(0, max)];
  };

  /** The browser's messages for the fields of a form it did not submit. @param {Element} form */
  function unsent(form) {
    const fields = /** @type {HTMLInputElement[]} */ ([.../** @type {HTMLFormElement} */ (form).elements]);
    const wrong = fields.slice(0, MAX_FIELDS).filter((field) => page.isUserInvalid(field) && field.localName !== "fieldset" && page.isShown(field));
    return wrong.filter((field) => field.validationMessage).map((field) => {
      const name = page.nameOf(field, page.roleOf(field) ?? "inp");
      return { el: page.labelsOf(field)[0] ?? field.parentElement ?? form, text: name ? `${name}: ${field.validationMessage}` : field.validationMessage };
    });
  }

  /** Red elements after a field and before the next control. @param {Element} field @param {(Element | undefined)[]} others the fields before and after it @returns {Element[]} */
  function after(field, others) {
    let up = /** @type {Element | null} */ (field);
    for (let level = 0; up && level < MAX_WRAPPERS; level += 1, up = up.parentElement) {
      for (let next = up.nextElementSibling; next && !next.matches(CONTROL) && !next.querySelector(CONTROL); next = next.nextElementSibling) {
        if (!next.textContent?.trim() || next.textContent.length > 2 * MAX_TEXT || !page.isShown(next)) continue;
        if (isRed(innermost(next))) return [next];
        break;
      }
      const parent = up.parentElement;
      if (!parent || ENDS.test(parent.localName) || others.some((other) => other && parent.contains(other))) break;
    }
    return [];
  }

  /** @param {Element} el */
  function innermost(el) {
    let inner = el;
    while (inner.childElementCount === 1 && inner.children[0].textContent?.trim()) inner = inner.children[0];
    return inner;
  }

  /** Whether it has a warning red: the red component strong and well above the others. @param {Element} el */
  function isRed(el) {
    const [red, green, blue] = (getComputedStyle(el).color.match(/[\d.]+/g) ?? []).map(Number);
    return red >= 140 && green < 0.55 * red && blue < 0.6 * red;
  }
})();
