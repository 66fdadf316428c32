// What a control holds and is: states, value, input type, hint, options.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "statesOf")) return;

  const MASK = "••••••"; // app/domain/page.py, MASK: a password never leaves the page
  const MAX_OPTIONS = 20; // issue 3: the first 20 and a count
  const MAX_VALUE = 200; // characters; a longer text is known by its start
  const MAX_HINT = 60;

  /** @param {Element} el @param {string} name */
  const aria = (el, name) => el.getAttribute(`aria-${name}`);

  /** @param {Element} el @returns {string[]} */
  function checkedState(el) {
    const input = /** @type {HTMLInputElement} */ (el);
    if (el.localName === "input" && /^(checkbox|radio)$/.test(input.type)) {
      return input.indeterminate ? ["mixed"] : input.checked ? ["checked"] : [];
    }
    const value = aria(el, "checked");
    return value === "mixed" ? ["mixed"] : value === "true" ? ["checked"] : [];
  }

  /** @param {Element} el */
  function expandedState(el) {
    const details = el.localName === "summary" ? /** @type {HTMLDetailsElement} */ (el.parentElement) : null;
    const value = details ? String(details.open) : aria(el, "expanded");
    return value === "true" ? ["expanded"] : value === "false" ? ["collapsed"] : [];
  }

  /** Whether a class says that it is the chosen one among its like. @param {Element} el */
  const chosenByClass = (el) => /(^|[\s_-])(active|selected|current)($|\s)/.test(`${el.getAttribute("class") ?? ""} ${el.parentElement?.localName === "li" ? el.parentElement.className : ""}`);

  const OPENING = new Set(["btn", "link", "el", "menu"]);
  // Three dots or lines alone, or a small arrow down behind a word, is how a menu is drawn.
  const MENU_SIGN = /^(?:[\u22ee\u22ef\u2026\u2630\u2261]|\.{3})$|[\u25be\u25bc\u25bf\u23f7\u2304]$/;

  /** @param {Element} el */
  const showsMenuSign = (el) => !el.hasAttribute("aria-expanded") && MENU_SIGN.test(page.collapse((el.textContent ?? "").slice(-200)).trim());

  /** @param {Element} el */
  page.isDisabled = (el) => el.matches(":disabled") || page.closest(el, "[aria-disabled=true]") !== null;

  /** States in the words of `State` in app/domain/page.py. @param {Element} el @param {WireRole} role @returns {string[]} */
  page.statesOf = (el, role) => {
    const input = /** @type {HTMLInputElement} */ (el);
    const states = [...checkedState(el), ...expandedState(el)];
    if (page.isDisabled(el)) states.unshift("disabled");
    if ((role === "inp" && input.readOnly) || aria(el, "readonly") === "true") states.push("readonly");
    if (input.required || aria(el, "required") === "true" || page.isMarkedRequired(el)) states.push("required");
    if ((aria(el, "invalid") ?? "false") !== "false" || el.matches(".is-invalid:not(:focus)")) states.push("invalid");
    if (aria(el, "selected") === "true" || (role === "tab" && aria(el, "selected") === null && chosenByClass(el))) states.push("selected");
    if (aria(el, "pressed") === "true") states.push("pressed");
    const current = aria(el, "current");
    if ((current && current !== "false") || (role === "link" && current === null && chosenByClass(el))) states.push("current");
    const popup = aria(el, "haspopup");
    if ((popup && popup !== "false" && role !== "sel") || (popup === null && OPENING.has(role) && showsMenuSign(el))) states.push("haspopup");
    if (page.focused() === el) states.push("focused");
    return states;
  };

  /** The labels chosen in a select. @param {HTMLSelectElement} select */
  const chosen = (select) => [...select.selectedOptions].map((option) => page.collapse(option.label || option.text)).join(", ");

  /** @param {Element} el */
  const isIcon = (el) => el.matches("[role=img],svg,i");

  /** What the trigger of an ARIA listbox shows as its choice. @param {Element} el */
  function pickerValue(el) {
    if (el.localName === "input") {
      // The field of a picker is empty; what was picked stands beside it.
      const shown = page.parentOf(el)?.parentElement;
      return page.collapse(/** @type {HTMLInputElement} */ (el).value) || (shown ? page.textOf(shown, { skip: isIcon }) : "");
    }
    return page.textOf(el, { skip: isIcon });
  }

  /** The value as a person sees it; undefined where the role has none. @param {Element} el @param {WireRole} role @returns {string | undefined} */
  page.valueOf = (el, role) => {
    const input = /** @type {HTMLInputElement} */ (el);
    if (role === "sel") return page.clip(el.localName === "select" ? chosen(/** @type {HTMLSelectElement} */ (el)) : pickerValue(el), MAX_VALUE);
    if (role === "range") return input.value ?? aria(el, "valuetext") ?? aria(el, "valuenow") ?? undefined;
    if (role === "file") return [...input.files ?? []].map((file) => file.name).join(", ");
    if (role !== "inp") return page.countOf(el);
    if (input.type === "password") return input.value ? MASK : "";
    const raw = typeof input.value === "string" ? input.value : page.editableText(el);
    return page.clip(raw.replace(/\u00a0/g, " ").trim(), MAX_VALUE);
  };

  /** The text of a rich text field. @param {Element} el */
  page.editableText = (el) => /** @type {HTMLElement} */ (el).innerText ?? el.textContent ?? "";

  /** @param {Element} el @param {WireRole} role @returns {string | undefined} */
  page.inputType = (el, role) => {
    if (role !== "inp") return undefined;
    if (el.localName === "input") return /** @type {HTMLInputElement} */ (el).type;
    return el.localName === "textarea" ? "textarea" : "rich";
  };

  /** Formats of the date and time inputs, as `setValue` takes them (HTML standard). @type {Record<string, string>} */
  const FORMATS = { date: "yyyy-mm-dd", "datetime-local": "yyyy-mm-ddThh:mm", month: "yyyy-mm", week: "yyyy-Www", time: "hh:mm" };

  /** What is drawn on a button that is called otherwise: people name it by its sign. @param {Element} el @param {string} name */
  function signOf(el, name) {
    const shown = page.collapse(el.textContent ?? "");
    return shown.length <= 2 && shown !== name && /^[+\-\u2212\u2013\u00d7\u2715]$/.test(shown) ? shown : "";
  }

  /** Placeholder, format and limits. @param {Element} el @param {WireRole} role @param {string} name @returns {string} */
  page.hintOf = (el, role, name) => {
    if (role === "btn") return signOf(el, name);
    if (role !== "inp" && role !== "range") return "";
    const attribute = (/** @type {string} */ key) => el.getAttribute(key);
    const placeholder = page.collapse(attribute("placeholder") ?? attribute("aria-placeholder"));
    const parts = [placeholder === name ? "" : placeholder];
    const type = attribute("type") ?? "";
    if (FORMATS[type]) parts.push(FORMATS[type]);
    const [min, max, step] = [attribute("min") ?? aria(el, "valuemin"), attribute("max") ?? aria(el, "valuemax"), attribute("step")];
    if (min !== null || max !== null) parts.push(`${min ?? ""}..${max ?? ""}`);
    if (step && step !== "any") parts.push(`step ${step}`);
    if (attribute("pattern") && !placeholder) parts.push(attribute("title") ?? `pattern ${attribute("pattern")}`);
    return page.clip(page.collapse(parts.join(" ")), MAX_HINT);
  };

  /** Labels of the first options and how many more there are. @param {Element} el @param {WireRole} role @returns {string[]} */
  page.optionsOf = (el, role) => {
    const options = role === "sel" || role === "inp" ? optionElements(el) : [];
    const labels = options.slice(0, MAX_OPTIONS).map(page.optionLabel);
    return options.length > MAX_OPTIONS ? [...labels, `… ${options.length - MAX_OPTIONS} more`] : labels;
  };

  /** @param {Element} el @returns {Element[]} */
  function optionElements(el) {
    if (el.localName === "select") return [.../** @type {HTMLSelectElement} */ (el).options].filter((option) => !option.hidden);
    return [.../** @type {HTMLInputElement} */ (el).list?.options ?? []];
  }

  /** @param {Element} option */
  page.optionLabel = (option) => {
    const { label, text, value } = /** @type {HTMLOptionElement} */ (option);
    return page.clip(page.collapse(label || text || value), 80);
  };
})();
