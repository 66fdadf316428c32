/** Elements are made here alone, and text goes in as text: nothing of the console parses markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Props attributes; `on…` are listeners, false and null are left out */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Props} [props] @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) put(made, name, value);
  made.append(...nodes(children));
  return made;
}

/** @param {HTMLElement} made @param {string} name @param {unknown} value */
function put(made, name, value) {
  if (value === false || value === null || value === undefined) return;
  if (name.startsWith("on")) made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
  else made.setAttribute(name, value === true ? "" : String(value));
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
export const nodes = (children) =>
  children
    .flat()
    .filter((one) => one !== null && one !== undefined && one !== false)
    .map((one) => (one instanceof Node ? one : String(one)));

/** Said once to who cannot see it. @param {string} text */
export function announce(text) {
  const line = document.getElementById("announce");
  if (line) line.textContent = text;
}

/**
 * A link to a page that was worked on; what is no web page is text alone.
 *
 * @param {string} url @returns {HTMLElement}
 */
export function outward(url) {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return h("bdi", { class: "url" }, url);
  return h("a", { href: parsed.href, class: "url", target: "_blank", rel: "noopener noreferrer", title: url }, h("bdi", {}, url));
}

const LONG = 500; // characters

/** Attributes of what scrolls in its own box when its text is long, so that the keyboard can. @param {string} text @returns {Props} */
export const boxed = (text) => (text.length > LONG ? { "data-long": true, tabindex: "0" } : {});

/** What a page or a person wrote: its direction is its own. @param {string} text @param {Props} [props] */
export const bdi = (text, props = {}) => h("bdi", props, text);
