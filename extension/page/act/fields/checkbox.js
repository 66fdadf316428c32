// Checkboxes, switches and radio buttons, and reading their state.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "setChecked")) return;

  const { ActionFailure } = page;
  const ALIKE = "input[type=radio],[role=radio],[role=tab],[role=menuitemradio],button[aria-pressed],[role=button][aria-pressed]";
  const AROUND = "[role=radiogroup],[role=tablist],[role=group],[role=toolbar],fieldset";

  /** The group of choices that `el` belongs to; empty if it is no choice. @param {Element} el @returns {Element[]} */
  page.choicesBeside = (el) => {
    if (!el.matches(ALIKE)) return [];
    const root = /** @type {Document | ShadowRoot} */ (el.getRootNode());
    const { name, form } = /** @type {HTMLInputElement} */ (el);
    if (el.localName === "input" && name) return [...root.querySelectorAll(`input[type=radio][name="${CSS.escape(name)}"]`)].filter((other) => /** @type {HTMLInputElement} */ (other).form === form);
    const around = page.closest(el, AROUND) ?? page.parentOf(el);
    return around ? [...around.querySelectorAll(ALIKE)].filter((other) => other.getAttribute("role") === el.getAttribute("role")) : [el];
  };

  /**
   * @param {Target} target one of the choices @param {string} label @returns {Promise<{note?: string}>}
   * @throws {ActionFailure} OPTION_NOT_FOUND, NOT_INTERACTABLE, VALUE_NOT_ACCEPTED
   */
  page.chooseBeside = async (target, label) => {
    const choices = page.choicesBeside(target.el);
    const labels = choices.map((choice) => page.nameOf(choice, "rad"));
    let at = page.matchLabel(labels, label);
    if (at < 0) at = choices.findIndex((choice) => /** @type {HTMLInputElement} */ (choice).value === label);
    if (at < 0) throw new ActionFailure("OPTION_NOT_FOUND", `There is no "${label}" beside "${target.name}"; there is ${page.quoteList(labels)}.`);
    const chosen = { el: choices[at], role: target.role, name: labels[at] };
    if (page.isChecked(chosen.el) !== null) return page.setChecked(chosen, true);
    page.press(await page.reach(chosen));
    return {};
  };

  const REACT_MS = 300; // a custom switch shows its new state within this time

  /** @param {Element} el @returns {boolean | null} null if it has no checked state */
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
