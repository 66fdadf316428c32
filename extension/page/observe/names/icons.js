// Icons: their meaning, by title, sprite, file, looks or class; and the letters, counters and signs that do not belong to a name.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "iconName")) return;

  const MAX_PARTS = 6;
  // Prefixes and suffixes that icon fonts add to the name of an icon.
  const ICON_PREFIX = /^(?:fa[srlbd]?|bi|mdi|glyphicon|icon|icons|ti|ri|la|las|feather|ion|lucide|codicon|oi|anticon|pi|ui-icon|octicon|i|icofont|tabler-icon|ph|el-icon|k-i|cil|sprite)[-_](?=.)/;
  const ICON_SUFFIX = /^([a-z][a-z_-]{2,})[-_](?:icon|ico|glyph|svg)$/i;
  const NOT_A_NAME = /^(?:fa|fas|far|fal|fab|fw|lg|sm|xs|\dx|solid|regular|brands|light|thin|duotone|spin|icon|icons|svg|btn|button|small|large|active|disabled|hide|show|hidden|visible|left|right|pull|float|col|row|d|m|p|ui|js|css|primary|secondary|default|outline|link|item|click|clickable|pointer|cursor|w|h|text|bg|border|rounded|flex|inline|block|wrapper|container|content|inner|box|ghost|round|circle|only)$/;
  // Attributes that hold a tooltip's text.
  const TOOLTIPS = ["title", "data-tooltip", "data-tip", "data-title", "data-original-title", "data-bs-original-title", "data-bs-title", "data-tooltip-content", "data-tippy-content", "data-content", "tooltip", "mattooltip", "uk-tooltip", "data-icon", "data-lucide", "data-feather"];
  // What surrounds the word in an image file's name, besides its size.
  const BEFORE_FILE = new Set(["ic", "icon", "img", "btn"]);
  const AFTER_FILE = new Set(["icon", "ico", "img"]);
  const NO_PICTURE = /^(?:image|img|icon|pic|picture|photo|spacer|pixel|blank|default|placeholder|sprite|untitled|thumb|thumbnail|logo)?(?: ?\d{1,9})?$/;

  page.iconName = (el) => {
    const parts = [el, ...el.querySelectorAll("*")].slice(0, MAX_PARTS);
    return firstText(parts, tooltip) || page.edgeName(el) || firstText(parts, drawnIconName) || backgroundName(parts) || page.looksName(el, byOwnWords(el)) || byOwnWords(el) || page.drawnSign(el);
  };

  /** @param {Element[]} parts @param {(part: Element) => string} read */
  function firstText(parts, read) {
    for (const part of parts) {
      const text = read(part);
      if (text) return text;
    }
    return "";
  }

  /** @param {Element} part */
  const tooltip = (part) => page.collapse(TOOLTIPS.map((name) => part.getAttribute(name)).find((text) => text?.trim()));

  /** @param {Element} part */
  function drawnIconName(part) {
    if (part.localName === "use") return spriteName(part);
    if (part.localName === "img") return fileName(part.getAttribute("src") ?? "");
    if (part.localName.includes("icon")) {
      const name = part.getAttribute("name") ?? part.getAttribute("icon") ?? part.getAttribute("svgicon");
      if (name) return page.words(name);
    }
    const tokens = (part.getAttribute("class") ?? "").split(/\s+/);
    const shown = tokens.map((token) => (ICON_PREFIX.test(token) ? token.replace(ICON_PREFIX, "") : (token.match(ICON_SUFFIX)?.[1] ?? ""))).find((token) => token && !NOT_A_NAME.test(token));
    return shown ? page.words(shown) : "";
  }

  /** `sprite.svg#icon-trash` @param {Element} use */
  function spriteName(use) {
    const address = use.getAttribute("href") ?? use.getAttribute("xlink:href") ?? "";
    const name = address.includes("#") ? address.slice(address.lastIndexOf("#") + 1) : "";
    return /^[\w-]+$/.test(name) ? page.words(name.replace(/^\w*icons?[-_]/i, "") || name) : "";
  }

  /** The name of an image file if it is a word and not a number or a code. @param {string} address */
  function fileName(address) {
    const end = address.startsWith("data:") ? -1 : address.search(/\.\w{3,4}(?:[?#]|$)/);
    const words = page.words(address.slice(0, Math.max(end, 0)).split(/[^\w-]/).at(-1) ?? "").split(" ");
    if (words.length > 1 && BEFORE_FILE.has(words[0])) words.shift();
    if (words.length > 1 && AFTER_FILE.has(words[words.length - 1])) words.pop();
    else while (words.length > 1 && /^\d+(?:x\d+)?(?:px)?$/.test(words[words.length - 1])) words.pop();
    const name = words.join(" ");
    return NO_PICTURE.test(name) || /[0-9a-f]{8}/.test(name) || name.length > 40 ? "" : name;
  }

  /** What a style sheet draws: a background image, or text before it. @param {Element[]} parts */
  function backgroundName(parts) {
    for (const part of parts.slice(0, 2)) {
      const { backgroundImage = "", maskImage = "", content = "" } = getComputedStyle(part);
      const name = fileName(`${maskImage} ${backgroundImage} ${content}`.match(/url\(["']?([^"')]+)/)?.[1] ?? "");
      if (name) return name;
      if (typeof CSS === "undefined") continue; // no style sheets outside a browser
    const text = ["::before", "::after"].map((pseudo) => getComputedStyle(part, pseudo).content.match(/^"(.*)"$/)?.[1] ?? "").find((content) => /\p{L}{2}/u.test(content));
      if (text) return page.collapse(text);
    }
    return "";
  }

  /** Its id or the first meaningful word of its class. @param {Element} el */
  function byOwnWords(el) {
    const tokens = [el.getAttribute("class") ?? "", el.id].join(" ").split(/\s+/).filter((token) => /^[a-z][a-z_-]{2,}$/i.test(token));
    const telling = tokens.map((token) => page.words(token).split(" ").filter((part) => part.length > 2 && !NOT_A_NAME.test(part)).join(" "));
    return telling.find(Boolean) ?? "";
  }

  const MAX_MARKUP = 2_000; // characters of markup searched for icons and counters
  const ICON_FONT = /material-(?:icons|symbols)/; // fonts whose icons are written as words
  const DECORATED = /material-(?:icons|symbols)|badge|count|[\ue000-\uf8ff]/i;
  const COUNTED = new Set(["btn", "link", "tab", "menu", "opt"]);

  /** The counters of controls when they were named. @type {WeakMap<Element, string>} */
  const counts = new WeakMap();
  page.countOf = (el) => counts.get(el);

  /** Whether it is an icon font's ligature or private letter, or a counter, and so no part of a name. */
  page.isDecoration = (el) => {
    if (el.firstElementChild) return false;
    const signs = el.getAttribute("class") ?? "";
    const text = el.textContent?.trim() ?? "";
    return ICON_FONT.test(signs) || (/badge|count/i.test(signs) && /^\d[\d.,]*[+k]?$/i.test(text)) || /^[\ue000-\uf8ff]+$/.test(text);
  };

  /** Whether it shows only an icon written as a word. */
  page.isLigature = (el) => ICON_FONT.test(`${el.getAttribute("class") ?? ""} ${el.firstElementChild?.getAttribute("class") ?? ""}`);

  /** Whether it is a clickable cross, star or plus, which tells an action and no name. */
  page.isSign = (el) => el.childElementCount === 0 && /^[^\p{L}\p{N}]{1,2}$/u.test(el.textContent?.trim() ?? "");

  /** The text without icons and counter, "" if nothing is left; the counter is kept as the control's value. */
  page.textWithoutDecoration = (el, role) => {
    if (!COUNTED.has(role) || el.firstElementChild === null || !DECORATED.test(el.innerHTML.slice(0, MAX_MARKUP))) return "";
    const text = page.textOf(el, { skip: page.isDecoration });
    const count = [...el.querySelectorAll("[class*=badge],[class*=count]")].find((inner) => page.isShown(inner) && page.isDecoration(inner));
    if (count) counts.set(el, page.collapse(count.textContent));
    else counts.delete(el);
    return text;
  };
})();
