// Choosing one of several that are all in view: radio buttons, segments, tabs, toggles.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "chooseBeside")) return;

  const { ActionFailure } = page;
  const ALIKE = "input[type=radio],[role=radio],[role=tab],[role=menuitemradio],button[aria-pressed],[role=button][aria-pressed]";
  const AROUND = "[role=radiogroup],[role=tablist],[role=group],[role=toolbar],fieldset";

  /** The choices one of which is `el`; none if it is no choice. @param {Element} el @returns {Element[]} */
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
    if (at < 0) throw new ActionFailure("OPTION_NOT_FOUND", `There is no "${label}" beside "${target.name}"; there is ${page.listed(labels)}.`);
    const chosen = { el: choices[at], role: target.role, name: labels[at] };
    if (page.isChecked(chosen.el) !== null) return page.setChecked(chosen, true);
    page.press(await page.reach(chosen));
    return {};
  };
})();
