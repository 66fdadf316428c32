// What each form of the page contains of an element: its tag and attributes, never a secret.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isOmitted")) return;

  const MASK = "••••••"; // app/domain/page.py, MASK: a password never leaves the page
  const DROPPED = new Set(["script", "style", "noscript", "template", "link", "meta", "base", "head", "source", "track", "param"]);
  const DRAWING = new Set(["path", "defs", "symbol", "clippath", "mask", "filter", "lineargradient", "radialgradient", "pattern", "marker", "use", "metadata"]);
  const MEANS = new Set(("h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr th td form fieldset legend label nav main header footer "
    + "aside article section dialog details summary figure figcaption blockquote pre code a button frame frameset object input select option optgroup textarea output progress "
    + "meter img iframe canvas video audio time mark strong em b i s del ins sup sub hr").split(" "));
  const HOLDS = new Set("table thead tbody tr ul ol li form fieldset nav main header footer aside article section dialog details iframe frame frameset object".split(" "));
  const SHORT = "role type placeholder href aria-label aria-expanded aria-selected aria-checked aria-pressed aria-current aria-haspopup aria-disabled aria-invalid aria-modal disabled required readonly multiple";
  const SAYS = new Set((`${SHORT} name title alt for colspan rowspan scope min max step pattern maxlength open contenteditable datetime download draggable lang `
    + "aria-required aria-readonly aria-valuenow aria-valuemin aria-valuemax aria-valuetext aria-sort aria-level aria-live aria-multiselectable aria-placeholder aria-roledescription").split(" "));
  const BRIEF = new Set(SHORT.split(" "));
  // Attributes into which a script could have put the value are left out of secret fields.
  const HARMLESS = new Set([...SAYS, "id", "class", "autocomplete"]);
  const NEVER = /^(on|style$|value$|checked$|selected$|nonce$|integrity$|srcset$|sizes$|srcdoc$|ping$|data-llm-id$)/;
  const SECRET = /(^|\s)(current-password|new-password|one-time-code|cc-csc)(\s|$)/;

  /** Longest attribute and longest value, in characters. @type {Record<SerialMode, [number, number]>} */
  const LENGTHS = { semantic: [200, 2_000], skeleton: [100, 100], full: [500, 20_000] };

  /** Whether an element is never written. @param {Element} el */
  page.isOmitted = (el) => {
    const tag = el.localName.toLowerCase();
    return DROPPED.has(tag) || DRAWING.has(tag) || page.isOverlay(el) || (tag === "input" && /** @type {HTMLInputElement} */ (el).type === "hidden");
  };

  /** Whether a field holds a secret. @param {Element} el */
  page.isSecret = (el) => page.isWithheld(el) || el.localName === "input" && (/** @type {HTMLInputElement} */ (el).type === "password" || SECRET.test(el.getAttribute("autocomplete") ?? ""));

  /** @param {Element} el */
  const speaks = (el) => el.hasAttribute("aria-label") || !/^(|none|presentation|generic)$/.test(el.getAttribute("role") ?? "");

  /** Whether the tag itself is written, and not only its content. @param {Element} el @param {SerialMode} mode */
  page.keepsTag = (el, mode) => {
    if (mode === "full" && !(el instanceof SVGElement)) return true;
    return speaks(el) || (mode === "skeleton" ? HOLDS : MEANS).has(el.localName);
  };

  /** @param {string} text */
  page.escapeHtml = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  /** @param {string} name @param {string} value @param {number} max */
  const written = (name, value, max) => (value === "" ? ` ${name}` : ` ${name}="${page.escapeHtml(page.clip(page.collapse(/^\s*data:/i.test(value) ? "data:" : value), max)).replace(/"/g, "&quot;")}"`);

  /** The current value as displayed, which the attributes do not contain. @param {Element} el @param {number} max @returns {string} */
  function liveState(el, max) {
    const { localName, value, type, checked, selected, indeterminate } = /** @type {HTMLInputElement & HTMLOptionElement} */ (el);
    if (localName === "option") return selected ? " selected" : "";
    if (localName !== "input") return "";
    if (page.isSecret(el)) return value ? written("value", MASK, max) : "";
    if (type === "checkbox" || type === "radio") return (checked ? " checked" : "") + (indeterminate ? ' aria-checked="mixed"' : "");
    return type === "file" || value === "" ? "" : written("value", value, max);
  }

  /**
   * The attributes as they are written.
   * @param {Element} el @param {SerialMode} mode @param {{id: string, name: string} | null} known its id and name in the observation
   * @returns {string}
   */
  page.attributesOf = (el, mode, known) => {
    const [max, maxValue] = LENGTHS[mode];
    const allowed = page.isSecret(el) ? HARMLESS : mode === "full" ? null : mode === "skeleton" ? BRIEF : SAYS;
    const own = [...el.attributes].filter(({ name }) => !NEVER.test(name) && (allowed === null || allowed.has(name)) && (mode === "full" || /^[\w:-]+$/.test(name)));
    const texts = own.map(({ name, value }) => written(name, value, max)).join("");
    const id = known ? written("data-llm-id", known.id, max) : "";
    const field = known?.name && mode !== "full" && !el.hasAttribute("aria-label") && /^(input|select|textarea)$/.test(el.localName);
    const nameless = field && (mode === "skeleton" || page.labelsOf(el).length === 0);
    return id + texts + (nameless ? written("aria-label", known.name, max) : "") + liveState(el, maxValue);
  };
})();
