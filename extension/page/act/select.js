// Choosing an option: of a native select, of an open listbox; other files do it for lists that open and for choices in view.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "selectOption")) return;

  const { ActionFailure } = page;

  /** Exact, then without case, then the only one that begins with it, then the only one that holds it. @param {readonly string[]} labels @param {string} wanted @returns {number} -1 for none */
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

  /** @param {HTMLSelectElement} select @param {HTMLOptionElement[]} options */
  page.choose = (select, options) => {
    for (const option of options) {
      if (select.multiple) option.selected = true;
      else Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "selectedIndex")?.set?.call(select, option.index);
    }
    select.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };

  /** @param {readonly string[]} labels */
  page.listed = (labels) => labels.slice(0, 10).map((label) => `"${label}"`).join(", ");

  /**
   * @param {Target} target @param {string} label @returns {Promise<{note?: string}>}
   * @throws {ActionFailure} OPTION_NOT_FOUND, NOT_INTERACTABLE, VALUE_NOT_ACCEPTED
   */
  page.selectOption = async (target, label) => {
    if (target.el.localName === "select") return chooseNative(target, label);
    if (target.role === "opt") {
      page.press(await page.reach(target));
      return {};
    }
    if (page.choicesBeside(target.el).length) return page.chooseBeside(target, label);
    return page.chooseFromList(target, label);
  };

  /** @param {Target} target @param {string} label */
  async function chooseNative(target, label) {
    const select = /** @type {HTMLSelectElement} */ (target.el);
    if (select.matches(":disabled")) throw new ActionFailure("NOT_INTERACTABLE", `sel "${target.name}" is disabled.`);
    select.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const options = [...select.options].filter((option) => !option.disabled);
    const labels = options.map(page.optionLabel);
    let at = page.matchLabel(labels, label);
    if (at < 0) at = options.findIndex((option) => option.value === label);
    if (at < 0) throw new ActionFailure("OPTION_NOT_FOUND", `"${target.name}" has no option "${label}"; it has ${page.listed(labels)}.`);
    const point = page.reachablePoint(select, select);
    if (point) {
      page.moveTo(point);
      page.pressDown(point);
    }
    page.focusOn(select);
    page.choose(select, [options[at]]);
    if (point) for (const type of ["pointerup", "mouseup", "click"]) page.fireMouse(type, point, { detail: 1 });
    await page.tick();
    if (select.isConnected && !options[at].selected) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${target.name}" did not take "${labels[at]}".`);
    return {};
  }
})();
