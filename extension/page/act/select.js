// Choosing an option: of a native select, of an open listbox, of a combobox that opens one.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "selectOption")) return;

  const { ActionFailure } = page;
  const OPEN_MS = 1_000; // a list that takes longer to open is not opened by a click
  const OPTIONS = "[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem],[role=listbox] li";

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
  const listed = (labels) => labels.slice(0, 10).map((label) => `"${label}"`).join(", ");

  /**
   * @param {Target} target @param {string} label @returns {Promise<{note?: string}>}
   * @throws {ActionFailure} OPTION_NOT_FOUND, NOT_INTERACTABLE, VALUE_NOT_ACCEPTED
   */
  page.selectOption = async (target, label) => {
    if (target.el.localName === "select") return chooseNative(target, label);
    if (target.role === "opt") {
      page.press(page.approach(target));
      return {};
    }
    return chooseFromList(target, label);
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
    if (at < 0) throw new ActionFailure("OPTION_NOT_FOUND", `"${target.name}" has no option "${label}"; it has ${listed(labels)}.`);
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

  /** The options now open, those the trigger names first. @param {Element} el @returns {Element[]} */
  function openOptions(el) {
    const named = [...page.refs(el, "aria-controls"), ...page.refs(el, "aria-owns")].flatMap((list) => [...list.querySelectorAll(OPTIONS)]);
    const inside = [...el.querySelectorAll(OPTIONS)];
    const all = [named, inside, [...document.querySelectorAll(OPTIONS)]].map((found) => found.filter(isOnOffer));
    return all.find((found) => found.length) ?? [];
  }

  /** @param {Element} option */
  const isOnOffer = (option) => page.isShown(option) && option.getBoundingClientRect().height > 1 && option.getAttribute("aria-disabled") !== "true";

  /** @param {Target} target @param {string} label */
  async function chooseFromList(target, label) {
    const { el, name } = target;
    const isList = el.matches("[role=listbox]");
    if (!isList && el.getAttribute("aria-expanded") !== "true") page.press(page.approach(target));
    const labels = () => openOptions(el).map((option) => page.nameOf(option, "opt"));
    let at = await page.until(() => matched(labels(), label), OPEN_MS);
    if (at === null && page.nativeRole(el) === "inp" && !(/** @type {HTMLInputElement} */ (el).readOnly)) {
      await page.setValue({ ...target, role: "inp" }, label); // a combobox that filters shows what is typed
      at = await page.until(() => matched(labels(), label), OPEN_MS);
    }
    if (at === null) throw new ActionFailure("OPTION_NOT_FOUND", `"${name}" offers no "${label}"${labels().length ? `; it offers ${listed(labels())}` : ""}.`);
    const option = openOptions(el)[at.index];
    page.press(page.approach({ el: option, role: "opt", name: label }));
    await page.tick();
    return {};
  }

  /** @param {string[]} labels @param {string} label */
  const matched = (labels, label) => {
    const index = page.matchLabel(labels, label);
    return index < 0 ? null : { index };
  };
})();
