// Hints about a control besides its name: errors, formats, limits.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "hintOf")) return;

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
  page.errorOf = (el) => {
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

  /** The error, else placeholder, format, limits and description; the sort order of a column. @param {Element} el @param {WireRole} role @param {string} name @returns {string} */
  page.hintOf = (el, role, name) => {
    const sorted = page.closest(el, "th,[role=columnheader]")?.getAttribute("aria-sort");
    if (sorted && sorted !== "none" && !DESCRIBED.has(role)) return `sorted ${sorted}`;
    if (role === "btn") return signOf(el, name);
    if (page.dropAreas().has(el)) return "drop area";
    if (!DESCRIBED.has(role)) return "";
    return page.clip(page.errorOf(el) || page.collapse(partsOf(el, role, name).join(" ")), MAX_HINT);
  };
})();
