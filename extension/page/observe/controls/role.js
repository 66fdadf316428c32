// Which control an element is, by its tag, its ARIA role, or its looks.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "roleOf")) return;

  /** @type {Record<string, WireRole>} */
  const ARIA = {
    button: "btn", link: "link", checkbox: "chk", switch: "chk", radio: "rad", textbox: "inp", searchbox: "inp",
    spinbutton: "inp", option: "opt", tab: "tab", menuitem: "menu", menuitemcheckbox: "menu", menuitemradio: "menu",
    treeitem: "tree", slider: "range",
  };
  const BUTTON_INPUTS = new Set(["button", "submit", "reset", "image"]);
  /** @type {Record<string, WireRole>} */
  const INPUTS = { checkbox: "chk", radio: "rad", range: "range", file: "file" };
  const HANDLERS = "[onclick],[draggable=true],[onmousedown],[onmouseup],[onpointerdown],[onpointerup],[ontouchstart],[ondblclick],[ng-click],[data-ng-click],[jsaction],[wire\\:click],[x-on\\:click],[\\@click],[hx-get],[hx-post],[hx-put],[hx-delete],[phx-click],[data-href],[data-toggle],[data-bs-toggle],[data-dismiss],[data-bs-dismiss],[aria-haspopup]:not([aria-haspopup=false]),[aria-expanded],[aria-pressed],[role=columnheader][aria-sort],th[aria-sort],video:not([autoplay][loop]),audio[controls]";
  const EDITABLE = new Set(["", "true", "plaintext-only"]);
  // Class names of clickable elements, as whole words: `btn-close`, `alink`, `MuiButton`.
  const CLICK_CLASS = /(^|[\s_-])(btn|button|a?link|clickable|tappable|draggable|droppable|dropzone|sortable-handle)($|[\s_-])/;
  const NO_FOCUS_ROLES = new Set(["dialog", "alertdialog", "tabpanel", "region", "group", "document", "application", "main", "listbox", "menu", "menubar", "tree", "grid", "tablist", "radiogroup", "log", "feed", "toolbar", "presentation", "none"]);

  const KEEPS_ROLE = new Set(["inp", "sel", "file", "range", "chk", "rad"]);

  /** The role of an input, by its type. @param {HTMLInputElement} el @returns {WireRole | null} */
  function inputRole(el) {
    if (el.type === "hidden") return null;
    return BUTTON_INPUTS.has(el.type) ? "btn" : (INPUTS[el.type] ?? "inp");
  }

  /** @param {Element} el @returns {boolean} */
  const isEditable = (el) => {
    const value = el.getAttribute("contenteditable");
    return value !== null && EDITABLE.has(value.toLowerCase());
  };

  /** The role of a native control. */
  page.nativeRole = (el) => {
    switch (el.localName) {
      case "input": return inputRole(/** @type {HTMLInputElement} */ (el));
      case "textarea": return "inp";
      case "select": return "sel";
      case "button": return "btn";
      case "a":
      case "area": return el.hasAttribute("href") ? "link" : null;
      case "summary": return el.parentElement?.localName === "details" ? "btn" : null;
      default: return isEditable(el) ? "inp" : null;
    }
  };

  /** The role ARIA gives an element. @param {Element} el @returns {WireRole | null} */
  const ariaRole = (el) => {
    const role = el.getAttribute("role")?.trim().split(/\s+/)[0].toLowerCase();
    if (!role) return null;
    if (role === "combobox") return el.localName === "input" || isEditable(el) ? "inp" : comboboxRole(el);
    const found = ARIA[role] ?? null;
    return found === "btn" && el.getAttribute("aria-haspopup") === "listbox" ? "sel" : found;
  };

  /** Whether a text field only opens a list and cannot be typed into. @param {Element} el */
  const isPicker = (el) => el.getAttribute("role") === "combobox" && /** @type {HTMLInputElement} */ (el).readOnly === true;

  /** In ARIA 1.1 the combobox wraps the text field: the field is the control then. @param {Element} el @returns {WireRole | null} */
  const comboboxRole = (el) => (el.localName !== "select" && el.querySelector("input,textarea") ? null : "sel");

  /** The role of an element that its own markup makes a control. */
  page.roleOf = (el) => {
    const native = page.nativeRole(el);
    const aria = ariaRole(el);
    // A text field, checkbox or radio stays one whatever its role says: that is how it is operated.
    if (native === "inp" && isPicker(el)) return "sel";
    if (native && KEEPS_ROLE.has(native)) return native;
    if (native === "btn" && aria === null && el.getAttribute("aria-haspopup") === "listbox") return "sel";
    return aria ?? native;
  };

  // A link without a target that is no anchor either has a script listening.
  /** @param {Element} el */
  const isScripted = (el) => el.localName === "a" && !el.hasAttribute("href") && !el.hasAttribute("name") && !el.id && (el.hasAttribute("title") || el.hasAttribute("aria-label"));

  const CELL = "td[tabindex],[role=gridcell]:is([tabindex],[aria-label],[aria-labelledby])"; // a day of a calendar has a label
  const LINE = "[role=row],[role=gridcell]";
  const FOCUSABLE = "a[href],button,input,select,textarea,[tabindex]";

  /** Whether two elements are items of the same list. @param {Element} el @param {Element} other */
  function areAlike(el, other) {
    if (el.localName !== other.localName || el.getAttribute("role") !== other.getAttribute("role")) return false;
    return el.hasAttribute("role") || el.classList.length + other.classList.length === 0 || [...el.classList].some((name) => other.classList.contains(name));
  }

  /** Whether a similar item of the list is a tab stop, from which arrow keys lead on. @param {Element} el */
  function isInRove(el) {
    const parent = el.parentElement;
    const list = parent && parent.childElementCount === 1 ? parent.parentElement : parent;
    return list !== null && page.memoize("tabbed to", list, () => [...list.querySelectorAll("[tabindex='0']")]).some((/** @type {Element} */ other) => areAlike(el, other));
  }

  /** Whether the page's own keys reach it though Tab does not: a cell, a list item. @param {Element} el @param {string | null} tabindex */
  function isReachedByKeys(el, tabindex) {
    if (el.matches(CELL)) return el.querySelector(FOCUSABLE) === null && !page.closest(el, "[aria-readonly=true]");
    if (tabindex === null && !el.matches(LINE)) return false;
    if (NO_FOCUS_ROLES.has(el.getAttribute("role") ?? "") || el.querySelector("[role=columnheader]")) return false;
    return page.closest(el, "[aria-activedescendant]") !== null || (tabindex !== null && isInRove(el));
  }

  /** Whether its markup makes it clickable or focusable. */
  page.saysClickable = (el) => {
    if (el.matches(HANDLERS) || isScripted(el)) return true;
    const tabindex = el.getAttribute("tabindex");
    if (tabindex === null || Number.parseInt(tabindex, 10) < 0) return isReachedByKeys(el, tabindex);
    return !NO_FOCUS_ROLES.has(el.getAttribute("role") ?? "") && el.localName !== "iframe" && el.localName !== "dialog";
  };

  const LINK_TEXT = 60; // characters; longer underlined text is emphasis
  const TEXT_TAGS = new Set(["span", "a", "font", "b", "i", "em", "strong"]);

  /** Whether text looks like a link: underlined and in a colour of its own (for an `a` without an address either is enough). */
  page.looksLikeLink = (el, style) => {
    if (!TEXT_TAGS.has(el.localName) || el.childElementCount > 0 || el.hasAttribute("href")) return false;
    const bare = el.localName === "a";
    if (bare && (el.id || el.hasAttribute("name"))) return false;
    const underlined = style.textDecorationLine.includes("underline") && style.textDecorationStyle === "solid";
    if (!underlined && !bare) return false;
    const text = el.textContent?.trim() ?? "";
    const parent = el.parentElement;
    if (!parent || text.length < 2 || text.length > LINK_TEXT) return false;
    const around = getComputedStyle(parent);
    const coloured = style.color !== around.color;
    return bare ? underlined || coloured : coloured && !around.textDecorationLine.includes("underline");
  };

  /** Whether its class says button or link. */
  page.looksClickable = (el) => CLICK_CLASS.test(el.getAttribute("class") ?? "");

  const MAX_HANDLE = 40; // CSS pixels
  const LEAST_TRACK = 4; // times as long as its handle
  const MOST_TRACK = 2; // times as thick

  /** The position of a handle in its track, in per cent, from its inline style. */
  page.placeInTrack = (el) => {
    const { left, bottom, right, top } = /** @type {HTMLElement} */ (el).style ?? {};
    const percentage = [left, bottom, right, top].find((value) => /^-?[\d.]+%$/.test(value ?? ""));
    return percentage === undefined ? placeInPixels(el) : Number.parseFloat(percentage);
  };

  /** The same for a small empty element positioned in pixels along a thin box. @param {Element} el @returns {number | null} */
  function placeInPixels(el) {
    const { left, bottom, right, top } = /** @type {HTMLElement} */ (el).style ?? {};
    const [isAcross, isUp] = [left || right, bottom || top].map((value) => (value ?? "").endsWith("px"));
    const track = !(isAcross || isUp) || isFilled(el) ? null : page.parentOf(el)?.getBoundingClientRect();
    const across = track ? track.width > track.height : false;
    if (!track || !(across ? isAcross : isUp)) return null;
    const own = el.getBoundingClientRect();
    const [length, thickness, long, thick] = across ? [own.width, own.height, track.width, track.height] : [own.height, own.width, track.height, track.width];
    if (length < 1 || length > MAX_HANDLE || thickness > MAX_HANDLE || long < LEAST_TRACK * length || thick > MOST_TRACK * thickness) return null;
    const gone = across ? own.left + own.width / 2 - track.left : track.bottom - own.top - own.height / 2;
    return Math.round((1_000 * gone) / long) / 10;
  }

  /** @param {Element} el */
  const isFilled = (el) => el.childElementCount > 0 || Boolean(el.textContent?.trim());

  // Whether it is a slider that does not say so: it holds nothing, and its place is written on it; in per cent much is placed that takes no focus.
  /** @param {Element} el */
  const isHandle = (el) => !isFilled(el) && (el.hasAttribute("tabindex") ? page.placeInTrack(el) : placeInPixels(el)) !== null;

  const ROWS = new Set(["tr", "li"]);
  const IMAGES = new Set(["img", "svg", "canvas", "circle", "rect", "path", "polygon", "ellipse", "line", "polyline", "text", "image"]);

  /** The role of a custom clickable element. */
  page.customRole = (el, holdsControls) => {
    const classes = el.getAttribute("class") ?? "";
    if (IMAGES.has(el.localName)) return "img";
    if (isHandle(el)) return "range";
    if (ROWS.has(el.localName) || holdsControls || el.getAttribute("role") === "row") return "row";
    if (/(^|[\s_-])a?link($|[\s_-])/.test(classes) || el.localName === "a" || page.looksLikeLink(el, getComputedStyle(el))) return "link";
    return /(^|[\s_-])(btn|button)($|[\s_-])/.test(classes) ? "btn" : "el";
  };
})();
