// Accessible names: the "Accessible Name and Description Computation" of the W3C, without its rarest branches.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "accessibleName")) return;

  const FROM_CONTENT = new Set(["btn", "link", "opt", "tab", "menu", "tree", "el", "row", "img", "chk", "rad", "txt"]);
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "SELECT", "TEXTAREA", "DATALIST", "IFRAME"]);
  const MAX_READ = 400; // characters read of one element; names are cut at 80 afterwards
  const INLINE = /^(inline|contents|ruby)/;

  /**
   * The text of an element as its name has it: hidden parts left out, images by their alternative text.
   * @param {Element} el @param {{skip?: (el: Element) => boolean, max?: number}} [options] @returns {string}
   */
  page.textOf = (el, { skip, max = MAX_READ } = {}) => {
    if (!el.firstElementChild && !page.shadowOf(el)) return page.collapse(el.textContent?.slice(0, max * 2));
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
        } else if (child instanceof Element && !skip?.(child)) readElement(child);
      }
    };
    /** @param {Element} child */
    const readElement = (child) => {
      if (SKIPPED.has(child.tagName) || child.getAttribute("aria-hidden") === "true" || !page.isShown(child)) return;
      const own = child.getAttribute("aria-label") ?? alternative(child);
      const block = own !== null || isBlock(child);
      if (block) parts.push(" ");
      if (own !== null) parts.push(own);
      else read(child);
      if (block) parts.push(" ");
    };
    read(el);
    return page.collapse(parts.join(""));
  };

  /** @param {Element} el */
  function isBlock(el) {
    if (el.localName === "br") return true;
    const display = getComputedStyle(el).display;
    return !INLINE.test(display) || display.includes("block");
  }

  /** Alternative text of an image or drawing; null where there is none. @param {Element} el */
  function alternative(el) {
    if (el.localName === "img" || el.localName === "area") return el.getAttribute("alt");
    if (el.localName === "svg") return el.querySelector("title")?.textContent ?? "";
    if (el.localName === "input") return ""; // the value of a field is not part of a name made of text
    return null;
  }

  /** Text of the elements `aria-labelledby` names. @param {Element} el */
  function labelledBy(el) {
    if (!el.hasAttribute("aria-labelledby")) return "";
    const texts = page.refs(el, "aria-labelledby").map((ref) => {
      const label = page.collapse(ref.getAttribute("aria-label"));
      return label || page.textOf(ref) || (page.isShown(ref) ? "" : page.collapse(ref.textContent));
    });
    return page.collapse(texts.join(" "));
  }

  /** @param {Element} el */
  function labelText(el) {
    const labels = [.../** @type {HTMLInputElement} */ (el).labels ?? []];
    const texts = labels.map((label) => page.textOf(label, { skip: (inner) => inner === el }) || page.collapse(label.getAttribute("aria-label")));
    return page.collapse([...new Set(texts)].join(" ")); // ids given twice make one label two
  }

  /** What HTML itself gives as the name. @param {Element} el */
  function nativeName(el) {
    if (el.localName === "input") {
      const input = /** @type {HTMLInputElement} */ (el);
      if (input.type === "image") return page.collapse(labelText(el) || input.alt || input.value || "Submit");
      if (["button", "submit", "reset"].includes(input.type)) {
        const standard = { submit: "Submit", reset: "Reset" }[input.type] ?? "";
        return labelText(el) || page.collapse(el.hasAttribute("value") ? input.value : standard);
      }
    }
    return labelText(el) || page.collapse(alternative(el));
  }

  /**
   * The accessible name, "" if it has none.
   * @param {Element} el @param {WireRole} role
   * @returns {{name: string, from: "label" | "content" | "title" | "placeholder" | ""}}
   */
  page.accessibleName = (el, role) => {
    const given = labelledBy(el) || page.collapse(el.getAttribute("aria-label")) || nativeName(el);
    if (given) return { name: given, from: "label" };
    const isField = page.nativeRole(el) !== null && !FROM_CONTENT.has(page.nativeRole(el) ?? "");
    if (FROM_CONTENT.has(role) && !isField) {
      const content = (mayBeDecorated(el, role) && undecorated(el)) || (role === "row" && page.textOf(el, { skip: isControl })) || page.textOf(el, { skip: role === "tree" || el.localName === "li" ? isSubtree : undefined });
      if (content) return { name: content, from: "content" };
    }
    const title = page.collapse(el.getAttribute("title"));
    if (title) return { name: title, from: "title" };
    const hint = page.collapse(el.getAttribute("placeholder") ?? el.getAttribute("aria-placeholder"));
    return hint ? { name: hint, from: "placeholder" } : { name: "", from: "" };
  };

  const MAX_MARKUP = 2_000; // characters of markup looked at for icons and counters
  const DECORATED = /material-(?:icons|symbols)|badge|count|[\ue000-\uf8ff]/i;

  const SIMPLE = new Set(["btn", "link", "tab", "menu", "opt"]);

  /** @param {Element} el @param {WireRole} role */
  const mayBeDecorated = (el, role) => SIMPLE.has(role) && el.localName !== "li" && el.firstElementChild !== null && DECORATED.test(el.innerHTML.slice(0, MAX_MARKUP));

  /** What the counters in controls showed when they were named. @type {WeakMap<Element, string>} */
  const counts = new WeakMap();
  page.countOf = (el) => counts.get(el);

  /** The text without its icons and counter; the counter is kept as what the control holds. @param {Element} el */
  function undecorated(el) {
    const text = page.textOf(el, { skip: isDecoration });
    const count = text && [...el.querySelectorAll("[class*=badge],[class*=count]")].find((inner) => page.isShown(inner) && isDecoration(inner));
    if (count) counts.set(el, page.collapse(count.textContent));
    else counts.delete(el);
    return text;
  }

  /** The ligature of an icon font, a private letter of one, or a counter: no part of what a thing is called. @param {Element} el */
  function isDecoration(el) {
    if (el.firstElementChild) return false;
    const signs = el.getAttribute("class") ?? "";
    const text = el.textContent?.trim() ?? "";
    return /material-(?:icons|symbols)/.test(signs) || (/badge|count/i.test(signs) && /^\d[\d.,]*[+k]?$/i.test(text)) || /^[\ue000-\uf8ff]+$/.test(text);
  }

  /** A line of a list is named by what it says, not by the controls in it: those have names of their own. @param {Element} el */
  const isControl = (el) => el.matches("input,select,textarea,button,[role=button],[role=checkbox],[role=switch],[role=radio]");

  /** A tree item is named by its own line, not by the items under it. @param {Element} el */
  const isSubtree = (el) => el.matches("ul,ol,[role=group],[role=tree]");
})();
