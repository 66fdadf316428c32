// Ticking boxes, and reading back whether they are ticked.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "setChecked")) return;

  const REACT_MS = 300; // within which a custom switch shows its new state

  /** @param {Element} el @returns {boolean | null} null where it has no such state */
  page.isChecked = (el) => {
    const input = /** @type {HTMLInputElement} */ (el);
    if (el.localName === "input" && /^(checkbox|radio)$/.test(input.type)) return input.checked;
    const state = el.getAttribute("aria-checked") ?? el.getAttribute("aria-pressed") ?? el.getAttribute("aria-selected");
    return state === null ? null : state === "true";
  };

  /**
   * @param {Target} target @param {boolean} wanted @returns {Promise<{note?: string}>}
   * @throws {ActionFailure} NOT_INTERACTABLE, VALUE_NOT_ACCEPTED
   */
  page.setChecked = async (target, wanted) => {
    const { el, role, name } = target;
    const before = page.isChecked(el);
    if (before === null) throw new page.ActionFailure("NOT_INTERACTABLE", `${role} "${name}" cannot be checked.`);
    if (before === wanted) return { note: wanted ? "It was checked already." : "It was unchecked already." };
    page.press(await page.reach(target));
    const took = await page.until(() => page.isChecked(el) === wanted || !el.isConnected, REACT_MS);
    if (!took) throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `${role} "${name}" is still ${wanted ? "not checked" : "checked"}.`);
    return {};
  };
})();
