// Fields whose content never leaves the page: passwords, even while shown, and payment card data.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isWithheld")) return;

  const PASSWORD = /(?:^|\s)(?:current-password|new-password|one-time-code)(?:\s|$)/;
  const CARD = /(?:^|\s)cc-(?:number|csc|exp|exp-month|exp-year)(?:\s|$)/;
  // Names of such fields where the markup does not say.
  const CARD_NAME = /(?:^| )(?:cvc|cvv|csc|cvn|card ?num(?:ber)?|cc ?num(?:ber)?|card ?no|ccno|pan)(?: |$)/;
  const PASSWORD_NAME = /(?:^| )(?:password|passwd|passwort|kennwort|contrasena|senha|mot de passe)(?: |$)/;

  /** Fields that were once of type password: a "show" button makes them text fields. @type {WeakSet<Element>} */
  const were = new WeakSet();

  /** @param {Element} el */
  const calledBy = (el) => page.words(`${el.getAttribute("name") ?? ""} ${el.id}`);

  /** Whether it is a password, shown or not. @param {Element} el */
  page.isPassword = (el) => {
    if (el.localName !== "input") return false;
    const { type } = /** @type {HTMLInputElement} */ (el);
    if (type === "password") were.add(el);
    if (were.has(el) || PASSWORD.test(el.getAttribute("autocomplete")?.toLowerCase() ?? "")) return true;
    return type === "text" && PASSWORD_NAME.test(calledBy(el));
  };

  /** Whether its content is never read. @param {Element} el */
  page.isWithheld = (el) => {
    if (page.isPassword(el)) return true;
    if (!/^(?:input|select|textarea)$/.test(el.localName)) return false;
    return CARD.test(el.getAttribute("autocomplete")?.toLowerCase() ?? "") || (el.localName === "input" && CARD_NAME.test(calledBy(el)));
  };
})();
