/**
 * A new element with attributes and children.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, string>} [attributes] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * The element of the panel's page with that id.
 *
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id @returns {T}
 */
export function byId(id) {
  return /** @type {T} */ (document.getElementById(id));
}
