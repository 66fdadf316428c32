// Parts of a control that do not belong to its name: icon letters, counters, signs.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isDecoration")) return;

  const MAX_MARKUP = 2_000; // characters of markup searched for icons and counters
  const ICON_FONT = /material-(?:icons|symbols)/; // fonts whose icons are written as words
  const DECORATED = /material-(?:icons|symbols)|badge|count|[\ue000-\uf8ff]/i;
  const COUNTED = new Set(["btn", "link", "tab", "menu", "opt"]);

  /** The counters of controls when they were named. @type {WeakMap<Element, string>} */
  const counts = new WeakMap();
  page.countOf = (el) => counts.get(el);

  /** Whether it is an icon font's ligature or private letter, or a counter, and so no part of a name. @param {Element} el */
  page.isDecoration = (el) => {
    if (el.firstElementChild) return false;
    const signs = el.getAttribute("class") ?? "";
    const text = el.textContent?.trim() ?? "";
    return ICON_FONT.test(signs) || (/badge|count/i.test(signs) && /^\d[\d.,]*[+k]?$/i.test(text)) || /^[\ue000-\uf8ff]+$/.test(text);
  };

  /** Whether it shows only an icon written as a word. @param {Element} el */
  page.isLigature = (el) => ICON_FONT.test(`${el.getAttribute("class") ?? ""} ${el.firstElementChild?.getAttribute("class") ?? ""}`);

  /** Whether it is a clickable cross, star or plus, which tells an action and no name. @param {Element} el */
  page.isSign = (el) => el.childElementCount === 0 && /^[^\p{L}\p{N}]{1,2}$/u.test(el.textContent?.trim() ?? "");

  /**
   * The text without icons and counter, "" if nothing is left; the counter is kept as the control's value.
   * @param {Element} el @param {WireRole} role
   */
  page.textWithoutDecoration = (el, role) => {
    if (!COUNTED.has(role) || el.firstElementChild === null || !DECORATED.test(el.innerHTML.slice(0, MAX_MARKUP))) return "";
    const text = page.textOf(el, { skip: page.isDecoration });
    const count = [...el.querySelectorAll("[class*=badge],[class*=count]")].find((inner) => page.isShown(inner) && page.isDecoration(inner));
    if (count) counts.set(el, page.collapse(count.textContent));
    else counts.delete(el);
    return text;
  };
})();
