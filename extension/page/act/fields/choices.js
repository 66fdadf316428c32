// Chooses an option of a native select, and sets checkboxes, switches and radio buttons; option_list.js handles lists that open.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "selectOption")) return;

  const { ActionFailure } = page;

  /** Finds a label: exact, then ignoring case, then the only one that starts with it, then the only one that contains it. @returns -1 for none */
  page.matchLabel = (labels, wanted) => {
    const exact = labels.indexOf(wanted.trim());
    if (exact >= 0) return exact;
    const key = page.collapse(wanted).toLowerCase();
    const lower = labels.map((label) => page.collapse(label).toLowerCase());
    for (const fits of [(/** @type {string} */ label) => label === key, (/** @type {string} */ label) => label.startsWith(key), (/** @type {string} */ label) => label.includes(key)]) {
      const found = lower.flatMap((label, at) => (fits(label) ? [at] : []));
      if (found.length === 1 || (found.length > 1 && new Set(found.map((at) => lower[at])).size === 1)) return found[0];
    }
    return -1;
  };

  /** In a multiple select adds the options, or selects exactly these. */
  page.choose = (select, options, exactly = false) => {
    if (exactly) select.selectedIndex = -1;
    for (const option of options) {
      if (select.multiple) option.selected = true;
      else Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "selectedIndex")?.set?.call(select, option.index);
    }
    select.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };

  page.quoteList = (labels) => labels.slice(0, 10).map((label) => `"${label}"`).join(", ");

  /** @throws {ActionFailure} OPTION_NOT_FOUND, NOT_INTERACTABLE, VALUE_NOT_ACCEPTED */
  page.selectOption = async (target, label) => {
    if (target.el.localName === "select") return chooseIn(target, [requireOption(target, optionsIn(target), label)]);
    if (target.role === "opt") {
      const { unanswered, ...told } = await page.click(target);
      return unanswered && page.isChecked(target.el) ? {} : told;
    }
    if (choicesBeside(target.el).length) return chooseBeside(target, label);
    return page.chooseFromList(target, label);
  };

  /**
   * Selects exactly these options, separated by commas; none for an empty text.
   * @throws {ActionFailure} OPTION_NOT_FOUND, NOT_INTERACTABLE, VALUE_NOT_ACCEPTED
   */
  page.selectExactly = (target, text) => {
    const options = optionsIn(target);
    const whole = text.trim() ? findOption(options, text) : null;
    const labels = text.split(",").map((label) => label.trim()).filter(Boolean);
    return chooseIn(target, whole ? [whole] : labels.map((label) => requireOption(target, options, label)), true);
  };

  /** @param {Target} target */
  function optionsIn({ el, name }) {
    if (el.matches(":disabled")) throw new ActionFailure("NOT_INTERACTABLE", `sel "${name}" is disabled.`);
    return [.../** @type {HTMLSelectElement} */ (el).options].filter((option) => !option.disabled);
  }

  /** @param {readonly HTMLOptionElement[]} options @param {string} label */
  const findOption = (options, label) => options[page.matchLabel(options.map(page.optionLabel), label)] ?? options.find((option) => option.value === label);

  /** @param {Target} target @param {readonly HTMLOptionElement[]} options @param {string} label */
  function requireOption({ name }, options, label) {
    const found = findOption(options, label);
    if (!found) throw new ActionFailure("OPTION_NOT_FOUND", `"${name}" has no option "${label}"; it has ${page.quoteList(options.map(page.optionLabel))}.`);
    return found;
  }

  /** Uses the picker drawn over a select, which may not notice changes of the select; only options to remove are removed in the select. @param {Target} target @param {HTMLOptionElement[]} chosen @param {boolean} [exactly] */
  async function chooseIn(target, chosen, exactly) {
    const select = /** @type {HTMLSelectElement} */ (target.el);
    const picker = page.pickerOf(select);
    if (!picker || (exactly && [...select.selectedOptions].some((option) => !chosen.includes(option)))) return choose(target, chosen, exactly);
    for (const option of chosen) if (!(select.multiple && option.selected)) await page.chooseFromList({ ...target, el: picker }, page.optionLabel(option));
    return {};
  }

  /** @param {Target} target @param {HTMLOptionElement[]} chosen @param {boolean} [exactly] */
  async function choose(target, chosen, exactly) {
    const select = /** @type {HTMLSelectElement} */ (target.el);
    select.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const point = page.reachablePoint(select, select);
    if (point) {
      page.moveTo(point);
      page.pressDown(point);
    }
    page.focusOn(select);
    page.choose(select, chosen, exactly);
    if (point) for (const type of ["pointerup", "mouseup", "click"]) page.fireMouse(type, point, { detail: 1 });
    await page.tick();
    const missed = select.isConnected && chosen.find((option) => !option.selected);
    if (missed) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${target.name}" did not take "${page.optionLabel(missed)}".`);
    return {};
  }

  const ALIKE = "input[type=radio],[role=radio],[role=tab],[role=menuitemradio],button[aria-pressed],[role=button][aria-pressed]";
  const AROUND = "[role=radiogroup],[role=tablist],[role=group],[role=toolbar],fieldset";

  /** The group of choices that `el` belongs to; empty if it is no choice. @param {Element} el @returns {Element[]} */
  const choicesBeside = (el) => {
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
  const chooseBeside = async (target, label) => {
    const choices = choicesBeside(target.el);
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

  /** @returns null if it has no checked state */
  page.isChecked = (el) => {
    const input = /** @type {HTMLInputElement} */ (el);
    if (el.localName === "input" && /^(checkbox|radio)$/.test(input.type)) return input.checked;
    const state = el.getAttribute("aria-checked") ?? el.getAttribute("aria-pressed") ?? el.getAttribute("aria-selected");
    return state === null ? null : state === "true";
  };

  /** @throws {ActionFailure} NOT_INTERACTABLE, VALUE_NOT_ACCEPTED */
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
