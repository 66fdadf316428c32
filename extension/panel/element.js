const SVG = "http://www.w3.org/2000/svg";

/**
 * A small icon button; its name is its tooltip and its label for screen readers.
 *
 * @param {string} name @param {string} path drawn in 16 by 16 @param {string} testId @param {() => void} [press] left out if the element around it handles the click
 * @returns {HTMLButtonElement}
 */
export function iconButton(name, path, testId, press) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  const made = element("button", { type: "button", class: "icon", "aria-label": name, title: name, "data-testid": testId }, svg);
  if (press) made.addEventListener("click", press);
  return made;
}

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

/** @param {string} label @param {() => void} press @param {Record<string, string>} [attributes] @returns {HTMLButtonElement} */
export function button(label, press, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", press);
  return made;
}

/** Undoes something when Escape is pressed in a box; the key has no further effect. @param {HTMLElement} box @param {() => void} undo */
export function onEscape(box, undo) {
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    undo();
  });
}
