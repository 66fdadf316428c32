// A control's states, value, input type, options and hints. The content of passwords and payment card fields never leaves the page.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "statesOf")) return;

  const MASK = "••••••"; // app/domain/page.py, MASK: a password never leaves the page
  const MAX_OPTIONS = 20; // more than that are counted
  const MAX_VALUE = 200; // characters; a longer text is identified by its beginning
  const MAX_TEXT = 4_000; // of typed text, sent in full when requested
  const SUBMITS = new Set(["submit", "image"]);
  const FIELDS = new Set(["inp", "sel", "chk", "rad", "range", "file"]);

  /** @param {Element} el @param {string} name */
  const aria = (el, name) => el.getAttribute(`aria-${name}`);

  /** @param {Element} el @returns {string[]} */
  function checkedState(el) {
    const input = /** @type {HTMLInputElement} */ (el);
    if (el.localName === "input" && /^(checkbox|radio)$/.test(input.type)) {
      return input.indeterminate ? ["mixed"] : input.checked ? ["checked"] : [];
    }
    const value = aria(el, "checked");
    if (value === null && page.roleOf(el) === null && page.isSwitch(el)) return page.isSwitchedOn(el) ? ["checked"] : [];
    return value === "mixed" ? ["mixed"] : value === "true" ? ["checked"] : [];
  }

  /** @param {Element} el */
  function expandedState(el) {
    const details = el.localName === "summary" ? /** @type {HTMLDetailsElement} */ (el.parentElement) : null;
    const value = details ? String(details.open) : aria(el, "expanded");
    return value === "true" ? ["expanded"] : value === "false" ? ["collapsed"] : [];
  }

  /** Whether its class marks it as the selected one among similar elements. @param {Element} el */
  const chosenByClass = (el) => /(^|[\s_-])(active|selected|current)($|\s)/.test(`${el.getAttribute("class") ?? ""} ${el.parentElement?.localName === "li" ? el.parentElement.className : ""}`);

  const OPENING = new Set(["btn", "link", "el", "menu"]);
  // Menus are drawn as three dots or lines, or with a small arrow after a word.
  const ARROWS = "\u25be\u25bc\u25bf\u23f7\u2304";
  const MENU_SIGN = /^(?:[\u22ee\u22ef\u2026\u2630\u2261]|\.{3})$|[\u25be\u25bc\u25bf\u23f7\u2304]$/;

  /** @param {Element} el */
  const showsMenuSign = (el) => !el.hasAttribute("aria-expanded") && MENU_SIGN.test(page.collapse((el.textContent ?? "").slice(-200)).trim());

  page.isDisabled = (el) => el.matches(":disabled") || page.closest(el, "[aria-disabled=true]") !== null;

  const KNOWS_USER_INVALID = typeof CSS !== "undefined" && CSS.supports("selector(:user-invalid)");

  /** Whether the browser itself marks a field as invalid, after it was left or submitted. */
  page.isUserInvalid = (el) => KNOWS_USER_INVALID && el.matches(":user-invalid");

  /** Whether a style sheet draws the asterisk of a required field. @param {Element} el */
  function isStarred(el) {
    if (typeof CSS === "undefined") return false;
    const label = page.labelsOf(el)[0];
    return label !== undefined && ["::after", "::before"].some((pseudo) => getComputedStyle(label, pseudo).content.includes("*"));
  }

  /** The states of form fields. @param {Element} el @param {WireRole} role @returns {string[]} */
  function fieldStates(el, role) {
    const input = /** @type {HTMLInputElement} */ (el);
    const states = [];
    if ((role === "inp" && input.readOnly) || aria(el, "readonly") === "true") states.push("readonly");
    const isField = FIELDS.has(role);
    if (input.required || aria(el, "required") === "true" || page.isMarkedRequired(el) || (isField && isStarred(el))) states.push("required");
    if ((aria(el, "invalid") ?? "false") !== "false" || el.matches(".is-invalid:not(:focus)") || (isField && page.isUserInvalid(el))) states.push("invalid");
    return states;
  }

  /** States named as `State` in app/domain/page.py. */
  page.statesOf = (el, role) => {
    const states = [...checkedState(el), ...expandedState(el), ...fieldStates(el, role)];
    if (page.isDisabled(el)) states.unshift("disabled");
    if (aria(el, "selected") === "true" || (role === "tab" && aria(el, "selected") === null && chosenByClass(el))) states.push("selected");
    const pressed = aria(el, "pressed");
    if (pressed === "true" || pressed === "mixed") states.push(pressed === "true" ? "pressed" : "mixed");
    const current = aria(el, "current");
    if ((current && current !== "false") || (role === "link" && current === null && chosenByClass(el))) states.push("current");
    const popup = aria(el, "haspopup");
    if ((popup && popup !== "false" && role !== "sel") || (popup === null && ((OPENING.has(role) && showsMenuSign(el)) || page.opensHoverMenu(el)))) states.push("haspopup");
    if (aria(el, "busy") === "true") states.push("busy");
    if (page.isDraggable(el, role)) states.push("draggable");
    if (page.focusedElement() === el) states.push("focused");
    return states;
  };

  /** The selected labels of a select. @param {HTMLSelectElement} select */
  const selectedLabels = (select) => [...select.selectedOptions].map(page.optionLabel).join(", ");

  /** @param {Element} el */
  const isIcon = (el) => el.matches("[role=img],svg,i");

  /** The choice displayed by the trigger of an ARIA listbox. @param {Element} el */
  function pickerValue(el) {
    if (el.localName !== "input") return page.withoutEnd(page.textOf(el, { skip: isIcon }), ARROWS);
    // The field of a picker is empty; its choice is displayed beside it.
    const shown = page.parentOf(el)?.parentElement;
    return page.collapse(/** @type {HTMLInputElement} */ (el).value) || (shown ? page.textOf(shown, { skip: isIcon }) : "");
  }

  /** The handle position of a slider without a value. @param {Element} el */
  function handlePosition(el) {
    const place = page.placeInTrack(el);
    return place === null ? undefined : `${place} %`;
  }

  /** @param {number} seconds */
  const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

  /** "playing 0:12 of 3:40" @param {HTMLMediaElement} media */
  const mediaState = ({ paused, ended, currentTime, duration }) =>
    `${ended ? "ended" : paused ? "paused" : "playing"} ${clock(currentTime)}${Number.isFinite(duration) ? ` of ${clock(duration)}` : ""}`;

  /** The value as displayed; undefined if the role has none. */
  page.valueOf = (el, role) => {
    const input = /** @type {HTMLInputElement} */ (el);
    if (page.isWithheld(el)) return input.value ? MASK : "";
    if (role === "sel") return page.clip(el.localName === "select" ? selectedLabels(/** @type {HTMLSelectElement} */ (el)) : pickerValue(el), MAX_VALUE);
    if (role === "range") return aria(el, "valuetext") ?? input.value ?? aria(el, "valuenow") ?? handlePosition(el);
    if (role === "file") return [...input.files ?? []].map((file) => file.name).join(", ");
    if (el instanceof HTMLMediaElement) return mediaState(el);
    if (role !== "inp") return page.countOf(el);
    const editor = page.editorOf(el);
    const raw = editor ? page.editorText(editor) : typeof input.value === "string" ? input.value : page.editableText(el);
    const text = raw.replace(/\u00a0/g, " ");
    return page.clip(editor || !text.trim() ? text.trim() : text, MAX_TEXT);
  };

  /** The text of a rich text field. */
  page.editableText = (el) => /** @type {HTMLElement} */ (el).innerText ?? el.textContent ?? "";

  /**
   * Whether a click submits its form, whatever it is called. A button without a type counts
   * only if it is the only one: in many forms such buttons are tools.
   * @param {Element} el
   */
  function submitsForm(el) {
    if (!(el instanceof HTMLButtonElement || el instanceof HTMLInputElement) || !el.form || !SUBMITS.has(el.type)) return false;
    if (el instanceof HTMLInputElement || el.hasAttribute("type")) return true;
    const others = /** @type {NodeListOf<HTMLButtonElement | HTMLInputElement>} */ (el.form.querySelectorAll("button,input"));
    return ![...others].some((other) => other !== el && SUBMITS.has(other.type));
  }

  /** A password that is shown is still one: its text is masked by this type. */
  page.inputType = (el, role) => {
    if (role === "btn") return submitsForm(el) ? "submit" : undefined;
    if (role !== "inp") return undefined;
    if (isPassword(el)) return "password";
    if (el.localName === "input") return /** @type {HTMLInputElement} */ (el).type;
    return el.localName === "textarea" ? "textarea" : "rich";
  };

  /** The first option labels and the number of the others. */
  page.optionsOf = (el, role) => {
    const options = role === "sel" || role === "inp" ? optionElements(el) : [];
    const labels = options.slice(0, MAX_OPTIONS).map(page.optionLabel);
    // A virtual list renders part of its options and states their number.
    const count = Math.max(options.length, Number(options[0] && aria(options[0], "setsize")) || 0);
    return count > labels.length ? [...labels, `… ${count - labels.length} more`] : labels;
  };

  /** @param {Element} el @returns {Element[]} */
  function optionElements(el) {
    if (el.localName === "select") return [.../** @type {HTMLSelectElement} */ (el).options].filter((option) => !option.hidden);
    const list = /** @type {HTMLInputElement} */ (el).list;
    if (list) return [...list.options];
    if (aria(el, "expanded") !== "true") return [];
    return [...page.refs(el, "aria-controls"), ...page.refs(el, "aria-owns")].flatMap((ref) => [...ref.querySelectorAll("[role=option]")].filter(page.isShown));
  }

  page.optionLabel = (option) => {
    if (option.localName !== "option") return page.clip(page.accessibleName(option, "opt").name, 80);
    const label = ownLabel(/** @type {HTMLOptionElement} */ (option));
    const group = page.collapse(option.closest("optgroup")?.getAttribute("label"));
    return page.clip(group && repeatedLabels(/** @type {HTMLSelectElement} */ (option.closest("select"))).has(label) ? `${group} / ${label}` : label, 80);
  };

  /** @param {HTMLOptionElement} option */
  const ownLabel = ({ label, text, value }) => page.collapse(label || text || value);

  /** Labels used by several options, which only their groups distinguish. @param {HTMLSelectElement} select @returns {Set<string>} */
  const repeatedLabels = (select) => page.memoize("repeated labels", select, () => {
    const labels = [...select.options].map(ownLabel);
    return new Set(labels.filter((label, at) => labels.indexOf(label) !== at));
  });

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
  const isPassword = (el) => {
    if (el.localName !== "input") return false;
    const { type } = /** @type {HTMLInputElement} */ (el);
    if (type === "password") were.add(el);
    if (were.has(el) || PASSWORD.test(el.getAttribute("autocomplete")?.toLowerCase() ?? "")) return true;
    return type === "text" && PASSWORD_NAME.test(calledBy(el));
  };

  /** Whether its content is never read. */
  page.isWithheld = (el) => {
    if (isPassword(el)) return true;
    if (!/^(?:input|select|textarea)$/.test(el.localName)) return false;
    return CARD.test(el.getAttribute("autocomplete")?.toLowerCase() ?? "") || (el.localName === "input" && CARD_NAME.test(calledBy(el)));
  };

  const MAX_HINT = 80; // characters
  const SHORT = 20; // a field's limit is mentioned only up to this many characters
  /** Formats of the date and time inputs, as `setValue` takes them (HTML standard). @type {Record<string, string>} */
  const FORMATS = { date: "yyyy-mm-dd", "datetime-local": "yyyy-mm-ddThh:mm", month: "yyyy-mm", week: "yyyy-Www", time: "hh:mm" };
  const DESCRIBED = new Set(["inp", "sel", "range", "file", "chk", "rad"]);

  /** The sign on a button with another name: people call it by its sign. @param {Element} el @param {string} name */
  function signOf(el, name) {
    const shown = page.collapse(el.textContent ?? "");
    return shown.length <= 2 && shown !== name && /^[+\-\u2212\u2013\u00d7\u2715]$/.test(shown) ? shown : "";
  }

  /** @param {Element} el @param {string} attribute */
  const refText = (el, attribute) => page.collapse(page.refs(el, attribute).filter(page.isShown).map((ref) => page.textOf(ref, { max: MAX_HINT })).join(" "));

  /** The page's error message for a field; "" if there is none. @param {Element} el */
  const errorOf = (el) => {
    const marked = (el.getAttribute("aria-invalid") ?? "false") !== "false" || el.matches(".is-invalid");
    if (marked || el.hasAttribute("aria-errormessage")) {
      const text = refText(el, "aria-errormessage") || (marked ? refText(el, "aria-describedby") : "");
      if (text) return text;
    }
    return page.isUserInvalid(el) ? page.collapse(/** @type {HTMLInputElement} */ (el).validationMessage) : "";
  };

  /** @param {Element} el @param {string} key */
  const limit = (el, key) => el.getAttribute(key) ?? el.getAttribute(`aria-value${key}`);

  /** Format and limits. @param {Element} el @param {boolean} hasPlaceholder @returns {string[]} */
  function limitsOf(el, hasPlaceholder) {
    const type = el.getAttribute("type") ?? "";
    const [min, max, step, pattern, length] = [limit(el, "min"), limit(el, "max"), el.getAttribute("step"), el.getAttribute("pattern"), el.getAttribute("maxlength")];
    const parts = FORMATS[type] ? [FORMATS[type]] : [];
    if (min !== null || max !== null) parts.push(`${min ?? ""}..${max ?? ""}`);
    if (step && step !== "any") parts.push(`step ${step}`);
    if (pattern && !hasPlaceholder) parts.push(el.getAttribute("title") ?? `pattern ${pattern}`);
    else if (length && Number(length) <= SHORT && Number(length) > 0) parts.push(`max ${length} characters`);
    return parts;
  }

  /** @param {HTMLInputElement} input */
  const filesOf = (input) => [input.accept, input.multiple ? "several" : ""].filter(Boolean).join(" ");

  /** @param {Element} el @param {WireRole} role @param {string} name @returns {string[]} */
  function partsOf(el, role, name) {
    const placeholder = page.collapse(el.getAttribute("placeholder") ?? el.getAttribute("aria-placeholder"));
    const help = refText(el, "aria-describedby");
    const parts = [placeholder === name ? "" : placeholder];
    if (role === "inp" || role === "range") parts.push(...limitsOf(el, placeholder !== ""));
    if (role === "file") parts.push(filesOf(/** @type {HTMLInputElement} */ (el)));
    const at = role === "rad" && el.getAttribute("aria-posinset"); // one of five stars
    if (at) parts.push(`${at} of ${el.getAttribute("aria-setsize") ?? "?"}`);
    if (role === "sel" && /** @type {HTMLSelectElement} */ (el).multiple) parts.push("several");
    return [...parts, help === name ? "" : help];
  }

  /** The error, else placeholder, format, limits and description; the sort order of a column. */
  page.hintOf = (el, role, name) => {
    const sorted = page.closest(el, "th,[role=columnheader]")?.getAttribute("aria-sort");
    if (sorted && sorted !== "none" && !DESCRIBED.has(role)) return `sorted ${sorted}`;
    if (role === "btn") return signOf(el, name);
    if (page.dropAreas().has(el)) return "drop area";
    if (!DESCRIBED.has(role)) return "";
    return page.clip(errorOf(el) || page.collapse(partsOf(el, role, name).join(" ")), MAX_HINT);
  };
})();
