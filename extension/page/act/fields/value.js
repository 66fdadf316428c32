// Types text into fields with the events of real typing: focus, key, beforeinput, the native setter, input, key, change.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "setValue")) return;

  const { ActionFailure } = page;
  const MAX_LEVELS = 5; // ancestors around the boxes of a code
  const OPEN_MS = 150; // a pressed field accepts text within this time
  const OPENED_MS = 600; // a double-clicked cell shows its field within this time
  const CELL = "td,[role=gridcell],[role=cell]";
  const EDITOR = "input:not([type=hidden]),textarea,select,[contenteditable=''],[contenteditable=true]";
  const MAX_KEYS = 40; // characters typed one by one into a masked field; masks are not longer
  // Input types with a caret, so that keys can be typed at their end.
  const TYPED = new Set(["text", "tel", "search", "url", "password"]);

  /** Fields that have opened a date or time picker. @type {WeakSet<Element>} */
  const picked = new WeakSet();

  page.tellInput = (el, inputType, data) => {
    el.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType, data }));
    if (inputType === "insertReplacementText") el.dispatchEvent(new Event("change", { bubbles: true }));
  };

  /** Fires the extra events of a search field: search, or cleared. */
  page.tellSearch = (el) => {
    if (el.matches("input[type=search]")) el.dispatchEvent(new Event("search", { bubbles: true }));
  };

  /** Sets `value` by the native setter, bypassing what frameworks put on the element to track it. @param {Element} el @param {string} value */
  function setNative(el, value) {
    const prototype = el.localName === "textarea" ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(el, value);
  }

  /** @throws {ActionFailure} NOT_INTERACTABLE, VALUE_NOT_ACCEPTED */
  page.setValue = async (target, text) => {
    const field = fieldOf(target);
    if (field.el.localName === "select") return /** @type {HTMLSelectElement} */ (field.el).multiple ? page.selectExactly(field, text) : page.selectOption(field, text);
    const input = /** @type {HTMLInputElement} */ (field.el);
    const boxes = boxesFrom(input, text);
    if (boxes.length > 1) return fillBoxes(field, boxes, text);
    const editor = page.editorOf(input);
    if (editor && !input.readOnly) return page.writeAndSync(input, text, () => page.writeEditor(field, editor, text));
    if (input.readOnly && !page.isDisabled(input) && !(await isOpenedByFocus(field, text))) return fillReadOnly(field, text);
    if (field.el.localName !== "input" && page.isSlider(field)) return page.setSlider(field, text);
    if (page.nativeRole(field.el) === null || !["inp", "range"].includes(page.nativeRole(field.el) ?? "")) {
      if (field.el.matches(CELL)) return writeCell(field, text);
      throw new ActionFailure("NOT_INTERACTABLE", `${field.role} "${field.name}" takes no text.`);
    }
    const mayPick = isNativeField(field.el) && TYPED.has(input.type) && (page.parseDate(text) ?? page.parseTime(text)) !== null;
    const focused = page.focusedElement() === field.el;
    const before = mayPick ? (focused ? new Set() : page.shownTexts()) : null;
    const point = await page.reach(field);
    if (!focused) page.press(point);
    if (field.el.localName === "textarea" && !page.isShown(field.el)) throw new ActionFailure("NOT_INTERACTABLE", `"${field.name}" is not shown; what it holds is edited elsewhere.`);
    page.focusOn(field.el);
    if (!isNativeField(field.el)) return page.writeAndSync(field.el, text, () => page.writeRich(field, text));
    const result = await typeInto(field, input, text);
    if (!before || !(page.pickerSince(before) || picked.has(field.el))) return result;
    picked.add(field.el);
    return { ...result, ...(await commitPicker(field, input, before)) };
  };

  /**
   * A table cell that shows a field when double-clicked: edited as people do, with Enter at the end.
   * @param {Target} cell @param {string} text @returns {Promise<ActionNote>}
   */
  async function writeCell(cell, text) {
    const place = cell.el.getBoundingClientRect();
    page.pressTwice(await page.reach(cell));
    const opened = () => [page.focusedElement(), ...cell.el.querySelectorAll(EDITOR)].find((el) => el?.matches(EDITOR) && page.isShown(el) && areOver(el.getBoundingClientRect(), place));
    if (!(await page.until(() => opened() !== undefined, OPENED_MS))) throw new ActionFailure("NOT_INTERACTABLE", `"${cell.name}" takes no text, and pressed twice it shows no field.`);
    const field = /** @type {HTMLElement} */ (opened());
    const result = await page.setValue({ ...cell, el: field, role: "inp" }, text);
    if (field.isConnected) page.focusOn(field);
    if (page.focusedElement() === field) page.pressKey("Enter");
    await page.tick();
    return result;
  }

  /** @param {DOMRect} one @param {DOMRect} other */
  const areOver = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  /** @param {string} text a code, which people may group ("482-613") */
  const signsOf = (text) => [...text.replace(/[\s-]/g, "")];

  /** The one-character boxes of a code, from this one on; empty if there are too few. @param {HTMLInputElement} input @param {string} text @returns {HTMLInputElement[]} */
  function boxesFrom(input, text) {
    const { length } = signsOf(text);
    if (input.maxLength !== 1 || length < 2) return [];
    for (let up = page.parentOf(input), level = 0; up && level < MAX_LEVELS; up = page.parentOf(up), level += 1) {
      const boxes = [...up.querySelectorAll("input")].filter((box) => box.maxLength === 1 && page.isShown(box));
      const own = boxes.slice(boxes.indexOf(input), boxes.indexOf(input) + length);
      if (own.length === length) return own;
    }
    return [];
  }

  /** @param {Target} target @param {readonly HTMLInputElement[]} boxes @param {string} text @returns {Promise<ActionNote>} */
  async function fillBoxes(target, boxes, text) {
    const signs = signsOf(text);
    // The last box often submits the code.
    for (const [at, box] of boxes.entries()) if (box.isConnected) await page.setValue({ ...target, el: box }, signs[at]);
    return {};
  }

  /** Whether a field is read-only only until it has the focus, as in some pickers. Days are left to the calendar. @param {Target} field @param {string} text */
  async function isOpenedByFocus(field, text) {
    if (field.el.getAttribute("role") !== "combobox" || page.parseDate(text)) return false;
    page.press(await page.reach(field));
    page.focusOn(field.el);
    return page.until(() => !(/** @type {HTMLInputElement} */ (field.el).readOnly), OPEN_MS);
  }

  /** A field that takes no typing: uses its calendar if the text is a day. @param {Target} field @param {string} text */
  function fillReadOnly(field, text) {
    const iso = page.parseDate(text);
    if (!iso) throw new ActionFailure("NOT_INTERACTABLE", `"${field.name}" is read-only.`);
    return page.pickDay(field, iso);
  }

  /** Lets the picker of a field accept the typed text, and checks whether it did. @param {Target} field @param {HTMLInputElement} input @param {ReadonlySet<Element>} before */
  async function commitPicker(field, input, before) {
    const { el, name } = field;
    const typed = input.value;
    const day = page.parseDate(typed);
    await page.commitPicker(el, before);
    if (!el.isConnected || input.value === typed) return {};
    const same = (page.parseDate(input.value) ?? page.parseTime(input.value) ?? input.value) === (page.parseDate(typed) ?? page.parseTime(typed));
    if (same) return { note: `The page wrote it as "${page.clip(input.value, 80)}".` };
    if (day) {
      page.pressBeside(); // most pickers open on focus, which the field already has
      await page.tick();
      return page.pickDay(field, day); // the picker reads dates in another format
    }
    throw new ActionFailure("VALUE_NOT_ACCEPTED", `The picker of "${name}" did not take "${typed}"; it holds "${page.clip(input.value, 80)}".`);
  }

  /** The field itself, or the only one inside the target. @param {Target} target @returns {Target} */
  function fieldOf(target) {
    if (page.nativeRole(target.el) !== null || target.role === "range") return target;
    const fields = [...target.el.querySelectorAll("input:not([type=hidden]),textarea,select,[contenteditable]")].filter(page.isShown);
    return fields.length === 1 ? { ...target, el: fields[0] } : target;
  }

  /** @param {Element} el */
  const isNativeField = (el) => el.localName === "input" || el.localName === "textarea";

  const UNKNOWN_KEY = { key: "Unidentified", ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };

  /** @param {Target} target @param {HTMLInputElement} input @param {string} text */
  async function typeInto({ el, name }, input, text) {
    const hint = ["placeholder", "data-format", "data-date-format", "title", "aria-description"].map((key) => el.getAttribute(key) ?? "").join(" ");
    const value = page.toInputValue(input.type, page.inFormat(text, hint));
    if (value === null) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${text}" is not a valid ${input.type}.`);
    if (input.maxLength >= 0 && value.length > input.maxLength) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" takes at most ${input.maxLength} characters.`);
    const keys = value.length <= MAX_KEYS ? [...value] : [value.slice(-1)];
    const chords = (keys.length > 0 ? keys : ["Backspace"]).map((key) => page.parseChord(key === " " ? "Space" : key) ?? UNKNOWN_KEY);
    const chord = chords[chords.length - 1];
    // Listeners for keys hear each key; the value is set at once.
    for (const one of chords.slice(0, -1)) {
      page.fireKey(el, "keydown", one);
      page.fireKey(el, "keyup", one);
    }
    page.fireKey(el, "keydown", chord);
    const inputType = value ? "insertText" : "deleteContentBackward";
    if (el.dispatchEvent(new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType, data: value }))) {
      setNative(el, value);
      page.tellInput(el, inputType, value);
    }
    page.fireKey(el, "keyup", chord);
    el.dispatchEvent(new Event("change", { bubbles: true }));
    if (value === "") page.tellSearch(el);
    await page.tick(); // frameworks may write their own value back after the event
    if (!holds(input, value) && value.length <= MAX_KEYS && TYPED.has(input.type)) await typeKeys(input, value);
    return verify(input, value, name);
  }

  /** Whether a field has the value, as given or as formatted by the page. @param {HTMLInputElement} input @param {string} wanted */
  const holds = (input, wanted) => !input.isConnected || input.value === wanted || (input.value !== "" && page.lettersAndDigits(input.value) === page.lettersAndDigits(wanted));

  /** Types key by key, for masks that build the value from keys. @param {HTMLInputElement} input @param {string} value */
  async function typeKeys(input, value) {
    setNative(input, "");
    page.tellInput(input, "deleteContentBackward", null);
    page.focusOn(input);
    for (const key of value) {
      const end = input.value.length;
      if (input.selectionStart !== end) input.setSelectionRange(end, end);
      page.pressKey(key === " " ? "Space" : key);
      await page.tick();
    }
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await page.tick();
  }

  /** @param {HTMLInputElement} input @param {string} wanted @param {string} name @returns {{note?: string}} */
  function verify(input, wanted, name) {
    const held = input.value;
    if (held === wanted || (input.localName === "textarea" && held === wanted.replace(/\r\n?/g, "\n"))) return {};
    if (!input.isConnected) return { note: "The page replaced the field." };
    const secret = input.type === "password";
    const same = page.lettersAndDigits(held) === page.lettersAndDigits(wanted) || (wanted !== "" && Number(held) === Number(wanted));
    if (same && held !== "") return secret ? {} : { note: `The page wrote it as "${page.clip(held, 80)}".` };
    throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" did not take the value${secret ? "" : `; it holds "${page.clip(held, 80)}"`}.`);
  }

  /** Letters and digits only: masks add the rest ("(555) 010-9999"). */
  page.lettersAndDigits = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
})();
