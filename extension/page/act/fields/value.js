// Putting text into fields as typing does: focus, key, beforeinput, the native setter, input, key, change.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "setValue")) return;

  const { ActionFailure } = page;
  const MAX_LEVELS = 5; // of boxes around a code
  const OPEN_MS = 150; // within which a field that was pressed takes text
  const OPENED_MS = 600; // within which a cell that was pressed twice shows its field
  const CELL = "td,[role=gridcell],[role=cell]";
  const EDITOR = "input:not([type=hidden]),textarea,select,[contenteditable=''],[contenteditable=true]";
  const MAX_KEYS = 40; // characters a mask may take; longer texts have none
  // The types that have a caret, so that keys can be typed at their end.
  const TYPED = new Set(["text", "tel", "search", "url", "password"]);

  /** Fields that have shown a picker of dates or times. @type {WeakSet<Element>} */
  const picked = new WeakSet();

  /** @param {Element} el @param {string} inputType @param {string | null} data */
  page.tellInput = (el, inputType, data) => {
    el.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType, data }));
    if (inputType === "insertReplacementText") el.dispatchEvent(new Event("change", { bubbles: true }));
  };

  /** What a search field tells beside: that it was sent, or emptied. @param {Element} el */
  page.tellSearch = (el) => {
    if (el.matches("input[type=search]")) el.dispatchEvent(new Event("search", { bubbles: true }));
  };

  /** Sets `value` past whatever the page has put on the element itself (frameworks track it there). @param {Element} el @param {string} value */
  function setNative(el, value) {
    const prototype = el.localName === "textarea" ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(el, value);
  }

  /**
   * @param {Target} target @param {string} text @returns {Promise<{note?: string}>}
   * @throws {ActionFailure} NOT_INTERACTABLE, VALUE_NOT_ACCEPTED
   */
  page.setValue = async (target, text) => {
    const field = fieldOf(target);
    if (field.el.localName === "select") return /** @type {HTMLSelectElement} */ (field.el).multiple ? page.selectExactly(field, text) : page.selectOption(field, text);
    const input = /** @type {HTMLInputElement} */ (field.el);
    const boxes = boxesFrom(input, text);
    if (boxes.length > 1) return fillBoxes(field, boxes, text);
    const editor = page.editorOf(input);
    if (editor && !input.readOnly) return page.writeAndSync(input, text, () => page.writeEditor(field, editor, text));
    if (input.readOnly && !page.isDisabled(input) && !(await opensUp(field, text))) return readOnly(field, text);
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
    return { ...result, ...(await commit(field, input, before)) };
  };

  /**
   * A cell that a field appears in, or lies over, when it is pressed twice: written as people do, to the Enter at the end.
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

  /** @param {string} text a code, which people write in groups ("482-613") */
  const signsOf = (text) => [...text.replace(/[\s-]/g, "")];

  /** The boxes of one character each that a code goes into, from this one on; none if there are too few of them. @param {HTMLInputElement} input @param {string} text @returns {HTMLInputElement[]} */
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
    // The last of them often sends the code off.
    for (const [at, box] of boxes.entries()) if (box.isConnected) await page.setValue({ ...target, el: box }, signs[at]);
    return {};
  }

  /** Whether a field is read-only only until it has the focus, as that of some pickers. A day is left to its calendar. @param {Target} field @param {string} text */
  async function opensUp(field, text) {
    if (field.el.getAttribute("role") !== "combobox" || page.parseDate(text)) return false;
    page.press(await page.reach(field));
    page.focusOn(field.el);
    return page.until(() => !(/** @type {HTMLInputElement} */ (field.el).readOnly), OPEN_MS);
  }

  /** A field one cannot type into: its calendar where a day is wanted. @param {Target} field @param {string} text */
  function readOnly(field, text) {
    const iso = page.parseDate(text);
    if (!iso) throw new ActionFailure("NOT_INTERACTABLE", `"${field.name}" is read-only.`);
    return page.pickDay(field, iso);
  }

  /** Lets the picker beside a field take what was typed, and reads back whether it did. @param {Target} field @param {HTMLInputElement} input @param {ReadonlySet<Element>} before */
  async function commit(field, input, before) {
    const { el, name } = field;
    const typed = input.value;
    const day = page.parseDate(typed);
    await page.commitPicker(el, before);
    if (!el.isConnected || input.value === typed) return {};
    const same = (page.parseDate(input.value) ?? page.parseTime(input.value) ?? input.value) === (page.parseDate(typed) ?? page.parseTime(typed));
    if (same) return { note: `The page wrote it as "${page.clip(input.value, 80)}".` };
    if (day) {
      page.pressBeside(); // most open when the focus comes, which it cannot where it is
      await page.tick();
      return page.pickDay(field, day); // it reads dates of another form
    }
    throw new ActionFailure("VALUE_NOT_ACCEPTED", `The picker of "${name}" did not take "${typed}"; it holds "${page.clip(input.value, 80)}".`);
  }

  /** The field itself, or the only one in what was named. @param {Target} target @returns {Target} */
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
    if (value === null) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${text}" is no ${input.type}.`);
    if (input.maxLength >= 0 && value.length > input.maxLength) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" takes at most ${input.maxLength} characters.`);
    const keys = value.length <= MAX_KEYS ? [...value] : [value.slice(-1)];
    const chords = (keys.length > 0 ? keys : ["Backspace"]).map((key) => page.parseChord(key === " " ? "Space" : key) ?? UNKNOWN_KEY);
    const chord = chords[chords.length - 1];
    // What listens to keys alone hears each of them; the value is set at once.
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
    await page.tick(); // frameworks write their own idea of the value back after the event
    if (!holds(input, value) && value.length <= MAX_KEYS && TYPED.has(input.type)) await typeKeys(input, value);
    return verify(input, value, name);
  }

  /** Whether a field holds the value, as written or as the page writes it. @param {HTMLInputElement} input @param {string} wanted */
  const holds = (input, wanted) => !input.isConnected || input.value === wanted || (input.value !== "" && page.lettersAndDigits(input.value) === page.lettersAndDigits(wanted));

  /** Key by key, for masks that build the value from the keys themselves. @param {HTMLInputElement} input @param {string} value */
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
    if (!input.isConnected) return { note: "The page drew the field anew." };
    const secret = input.type === "password";
    const same = page.lettersAndDigits(held) === page.lettersAndDigits(wanted) || (wanted !== "" && Number(held) === Number(wanted));
    if (same && held !== "") return secret ? {} : { note: `The page wrote it as "${page.clip(held, 80)}".` };
    throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" did not take the value${secret ? "" : `; it holds "${page.clip(held, 80)}"`}.`);
  }

  /** Letters and digits alone: masks add the rest ("(555) 010-9999"). @param {string} text */
  page.lettersAndDigits = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
})();
