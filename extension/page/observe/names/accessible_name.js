// Accessible names: W3C "Accessible Name and Description Computation" 1.2, whose step letters are in the comments.
// Values and hidden texts are left out where the algorithm would include them (see extension/test/page/name_corpus.test.js).
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "accessibleName")) return;

  const FROM_CONTENT = new Set(["btn", "link", "opt", "tab", "menu", "tree", "el", "row", "img", "chk", "rad", "txt"]);
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "OPTGROUP", "SELECT", "TEXTAREA", "DATALIST", "IFRAME"]);
  // What is selected or typed in them is a value, and no part of a name (the algorithm's 2C, 2E).
  const VALUES = "[role=textbox],[role=searchbox],[role=combobox],[role=listbox],[role=slider],[role=spinbutton],[role=scrollbar],[role=progressbar],[contenteditable='']:not([role]),[contenteditable=true]:not([role]),meter,progress";
  const MAX_READ = 400; // characters read of one element; names are cut at 80 afterwards

  /**
   * @typedef {object} Reading
   * @property {(el: Element) => boolean} [skip] parts to leave out
   * @property {number} [max] characters after which reading stops
   * @property {boolean} [unseen] the element is hidden as a whole but referred to: its text counts
   * @property {boolean} [referred] it is read for an `aria-labelledby`, which is followed only once
   */

  /** The text of an element as part of a name: without hidden parts, and with the alternative text of images. */
  page.textOf = (el, options = {}) => {
    const { skip, max = MAX_READ } = options;
    if (!el.firstElementChild && el.localName !== "slot" && !page.shadowOf(el)) return page.collapse(el.textContent?.slice(0, max * 2));
    /** @type {string[]} */
    const parts = [];
    let length = 0;
    /** @param {Element} parent */
    const read = (parent) => {
      for (const child of page.childrenOf(parent)) {
        if (length > max) return;
        if (child.nodeType === Node.TEXT_NODE) {
          parts.push(child.nodeValue ?? "");
          length += child.nodeValue?.trim().length ?? 0;
        } else if (child.nodeType === Node.ELEMENT_NODE) readElement(/** @type {Element} */ (child));
      }
    };
    /** @param {Element} child */
    const readElement = (child) => {
      if (SKIPPED.has(child.tagName) || isUnread(child, options) || skip?.(child)) {
        parts.push(" "); // a part left out still separates its neighbours
        return;
      }
      const own = ownText(child, el, options);
      const apart = own !== null || standsApart(child);
      if (apart) parts.push(" ");
      if (own !== null) parts.push(own);
      else {
        const before = parts.length;
        read(child);
        const title = child.getAttribute("title"); // 2I: the tooltip of a part without text
        if (title && parts.slice(before).every((part) => !part.trim())) parts.push(` ${title} `);
      }
      if (apart) parts.push(" ");
    };
    read(el);
    return page.collapse(parts.join(""));
  };

  /** Whether a part is hidden (2A) or shows a value. @param {Element} el @param {Reading} options */
  function isUnread(el, { unseen }) {
    if (el.getAttribute("aria-hidden") === "true" || el.matches(VALUES)) return true;
    return unseen ? getComputedStyle(el).display === "none" : !page.isShown(el);
  }

  /** The text that replaces a part's content; null if the content is read (2B to 2D). @param {Element} el @param {Element} whole the element being read @param {Reading} options */
  function ownText(el, whole, { referred }) {
    if (!referred && el.hasAttribute("aria-labelledby")) {
      if (page.refs(el, "aria-labelledby").some((ref) => whole.contains(ref))) return ""; // it is read anyway
      const text = labelledBy(el);
      if (text) return text;
    }
    const label = page.collapse(el.getAttribute("aria-label"));
    if (label && el.localName !== "button") return label;
    const given = alternative(el);
    return given === "" && el.localName !== "input" ? (el.getAttribute("title") ?? "") : given;
  }

  /** Whether its text is a separate word. @param {Element} el */
  function standsApart(el) {
    if (el.localName === "br") return true;
    const display = getComputedStyle(el).display;
    return display !== "inline" && display !== "contents";
  }

  /** @param {Element} el @param {string} tag */
  const childOf = (el, tag) => [...el.children].find((child) => child.localName === tag) ?? null;

  /** The alternative text of an image, a drawing or a shape; null if there is none. @param {Element} el @returns {string | null} */
  function alternative(el) {
    if (el.localName === "img" || el.localName === "area") return el.getAttribute("alt");
    if (el instanceof SVGElement) return childOf(el, "title")?.textContent ?? (el.localName === "svg" ? "" : null);
    if (el.localName === "input") return BUTTONS.has(/** @type {HTMLInputElement} */ (el).type) ? buttonInput(/** @type {HTMLInputElement} */ (el)) : "";
    return null;
  }

  /** The text of the elements in `aria-labelledby` (2B), each once and not followed further. @param {Element} el */
  function labelledBy(el) {
    if (!el.hasAttribute("aria-labelledby")) return "";
    return page.collapse(page.refs(el, "aria-labelledby").map(referredText).join(" "));
  }

  /** @param {Element} ref */
  function referredText(ref) {
    const label = page.collapse(ref.getAttribute("aria-label"));
    if (label) return label;
    if (ref.matches("select,textarea") || (ref.matches("input") && !BUTTONS.has(/** @type {HTMLInputElement} */ (ref).type))) {
      return labelText(ref) || page.collapse(ref.getAttribute("title"));
    }
    const given = alternative(ref);
    return given !== null ? page.collapse(given || ref.getAttribute("title")) : page.textOf(ref, { referred: true, unseen: !page.isShown(ref) }) || page.collapse(ref.getAttribute("title"));
  }

  /** @param {Element} el */
  function labelText(el) {
    const labels = page.labelsOf(el).filter((label) => label.getAttribute("aria-hidden") !== "true");
    const texts = labels.map((label) => page.collapse(label.getAttribute("aria-label")) || page.textOf(label, { skip: (inner) => inner === el }));
    return page.collapse([...new Set(texts)].join(" ")); // an id used twice would repeat the label
  }

  const BUTTONS = new Set(["button", "submit", "reset", "image"]);

  /** @param {HTMLInputElement} input */
  function buttonInput(input) {
    if (input.type === "image") return page.collapse(input.alt || input.title || input.getAttribute("value") || "Submit");
    const standard = { submit: "Submit", reset: "Reset" }[input.type] ?? "";
    return page.collapse(input.getAttribute("value")) || standard;
  }

  /** Elements named by one of their children (HTML-AAM). @type {Record<string, string>} */
  const CAPTIONS = { fieldset: "legend", table: "caption", figure: "figcaption", details: "summary" };

  /** The name given by HTML (2D). @param {Element} el */
  function nativeName(el) {
    const caption = CAPTIONS[el.localName] && childOf(el, CAPTIONS[el.localName]);
    if (caption) return page.textOf(caption);
    if (el.localName === "optgroup") return page.collapse(el.getAttribute("label"));
    if (el.localName === "input" && BUTTONS.has(/** @type {HTMLInputElement} */ (el).type)) {
      const input = /** @type {HTMLInputElement} */ (el);
      return input.type !== "image" && input.value ? buttonInput(input) : labelText(el) || buttonInput(input);
    }
    return labelText(el) || page.collapse(alternative(el));
  }

  /** The accessible name, "" if it has none. */
  page.accessibleName = (el, role) => {
    const given = labelledBy(el) || page.collapse(el.getAttribute("aria-label")) || nativeName(el);
    if (given) return { name: given, from: "label" };
    const content = isNamedByContent(el, role) ? contentText(el, role) : "";
    if (content) return { name: content, from: "content" };
    const title = page.collapse(el.getAttribute("title"));
    if (title) return { name: title, from: "title" };
    const hint = page.collapse(el.getAttribute("placeholder") ?? el.getAttribute("aria-placeholder"));
    return hint ? { name: hint, from: "placeholder" } : { name: "", from: "" };
  };

  /** @param {Element} el @param {WireRole} role */
  function isNamedByContent(el, role) {
    const native = page.nativeRole(el);
    return FROM_CONTENT.has(role) && (native === null || FROM_CONTENT.has(native)) && el.localName !== "input";
  }

  /** @param {Element} el @param {WireRole} role */
  function contentText(el, role) {
    if (role === "tree" || el.localName === "li" || page.opensHoverMenu(el)) return page.textOf(el, { skip: isSubtree });
    return page.textWithoutDecoration(el, role) || (role === "row" && page.textOf(el, { skip: isControl })) || page.textOf(el);
  }

  /** A list item is named by its own text, not by the controls in it, which have their own names. @param {Element} el */
  const isControl = (el) => el.matches("input,select,textarea,button,[role=button],[role=checkbox],[role=switch],[role=radio]") || page.isDecoration(el) || page.isSign(el);

  /** A tree item is named by its own line, not by the items under it. @param {Element} el */
  const isSubtree = (el) => el.matches("ul,ol,[role=group],[role=tree]") || page.isHoverMenu(el);
})();
