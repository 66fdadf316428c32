// Hover styles: scripted events never set `:hover`, so while the agent's mouse rests somewhere, rules that reveal
// something on `:hover` are copied for an attribute on the elements under it.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "applyHover")) return;

  const MARK = "data-tabwright-hover";
  // Properties that reveal another element, make it clickable, or make room for more of it;
  // a change of colour or a lifted button need not be copied.
  const ROOM = ["height", "max-height", "width", "max-width", "clip", "clip-path", "left", "top", "right", "bottom", "overflow"];
  const REVEALING = [...ROOM, "display", "visibility", "opacity", "transform", "scale", "translate", "pointer-events", "z-index"];
  const MAX_RULES = 20_000; // per sheet; reading that many takes some 10 ms, once

  /** @typedef {{hovered: string, css: string}} Reveal `hovered` selects the element that the mouse must be on */

  /** @param {CSSStyleRule} rule @param {string} outer the meaning of `&` in it */
  const selectorOf = (rule, outer) => (outer && rule.selectorText.includes("&") ? rule.selectorText.replaceAll("&", `:is(${outer})`) : rule.selectorText);

  /** The hovered compound of a selector. @param {string} part */
  function hoveredIn(part) {
    const left = part.slice(0, part.indexOf(":hover")).trim();
    const unclosed = (left.match(/\(/g)?.length ?? 0) !== (left.match(/\)/g)?.length ?? 0);
    return unclosed ? "*" : left === "" || /[>+~]$/.test(left) ? `${left} *` : left;
  }

  /** Whether a rule reveals something on hover: on the hovered element, inside or beside it. @param {string} part @param {CSSStyleDeclaration} style */
  function reveals(part, style) {
    const at = part.lastIndexOf(":hover");
    if (at < 0 || part.includes("::")) return false;
    const other = /[\s>+~]/.test(part.slice(at).replace(/\([^()]*\)/g, "").trim());
    return (other ? REVEALING : ROOM).some((key) => style.getPropertyValue(key) !== "");
  }

  /** @param {Iterable<CSSRule>} rules @param {string} [outer] @returns {Generator<Reveal>} */
  function* revealsIn(rules, outer = "") {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule && !matchMedia(rule.media.mediaText).matches) continue;
      const { style, cssRules } = /** @type {CSSStyleRule} */ (rule);
      const selector = rule instanceof CSSStyleRule ? selectorOf(rule, outer) : outer;
      if (rule instanceof CSSStyleRule && selector.includes(":hover")) {
        for (const part of page.splitSelectors(selector).map((one) => one.trim()).filter((one) => reveals(one, style))) {
          yield { hovered: hoveredIn(part), css: `${part.replaceAll(":hover", `[${MARK}]`)}{${style.cssText}}` };
        }
      }
      if (cssRules?.length) yield* revealsIn(cssRules, selector);
    }
  }

  /** The hover rules of each document or shadow root, until its sheets change. @type {WeakMap<Node, {key: string, reveals: Reveal[]}>} */
  const known = new WeakMap();

  /** @param {Document | ShadowRoot} root @returns {Reveal[]} */
  function revealsOf(root) {
    const sheets = [...root.styleSheets, ...root.adoptedStyleSheets].filter((sheet) => sheet !== written.get(root)).flatMap((sheet) => {
      try {
        return sheet.disabled ? [] : [sheet.cssRules];
      } catch {
        return []; // another origin's cannot be read
      }
    });
    const key = sheets.map((rules) => rules.length).join();
    const before = known.get(root);
    if (before?.key === key) return before.reveals;
    const reveals = sheets.filter((rules) => rules.length <= MAX_RULES).flatMap((rules) => [...revealsIn(rules)]);
    known.set(root, { key, reveals });
    return reveals;
  }

  /** The sheet we added to each root. @type {WeakMap<Node, CSSStyleSheet>} */
  const written = new WeakMap();
  /** The elements marked as hovered. @type {Set<Element>} */
  let marked = new Set();

  /** @param {Document | ShadowRoot} root @param {string} css */
  function write(root, css) {
    let sheet = written.get(root);
    if (!sheet) {
      if (!css) return;
      sheet = new CSSStyleSheet();
      written.set(root, sheet);
    }
    sheet.replaceSync(css);
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }

  /** @param {Element} el @param {string} selector */
  function matches(el, selector) {
    try {
      return el.matches(selector);
    } catch {
      return false;
    }
  }

  /** The rules that apply with the mouse on these. @param {Document | ShadowRoot} root @param {readonly Element[]} chain */
  function cssFor(root, chain) {
    const own = chain.filter((el) => el.getRootNode() === root || /** @type {ShadowRoot} */ (root).host === el);
    return revealsOf(root).filter(({ hovered }) => hovered.includes(":host") || own.some((el) => matches(el, hovered.replaceAll(":hover", "")))).map(({ css }) => css).join("\n");
  }

  /** Marks the elements under the mouse; an empty chain means that it left the page. @param chain inside out */
  page.applyHover = (chain) => {
    const roots = new Set(chain.map((el) => /** @type {Document | ShadowRoot} */ (el.getRootNode())));
    const css = [...roots].filter((root) => root.styleSheets).map((root) => ({ root, text: cssFor(root, chain) }));
    const needed = new Set(css.some(({ text }) => text) ? chain : []);
    for (const el of marked) if (!needed.has(el)) el.removeAttribute(MARK);
    for (const { root, text } of css) write(root, text);
    for (const el of needed) if (!el.hasAttribute(MARK)) el.setAttribute(MARK, "");
    marked = needed;
  };

  /** The visible ancestors to hover so that a hidden control appears, nearest first. */
  page.hoverTargets = (el) => {
    const found = [];
    for (let up = page.parentOf(el); up && up !== document.body && found.length < 6; up = page.parentOf(up)) {
      const { width, height } = up.getBoundingClientRect();
      if (width > 1 && height > 1 && page.isShown(up)) found.push(up);
    }
    return found;
  };
})();
