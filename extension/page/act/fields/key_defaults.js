// The browser's default actions of keys, which scripted key events do not trigger.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "keyDefault")) return;

  const LINE_PX = 40; // what Chrome scrolls per arrow key
  const PRESSED = "button,summary,input[type=button],input[type=submit],input[type=reset],input[type=image]";
  const TICKED = "input[type=checkbox],input[type=radio],input[type=file],input[type=color]";
  const STEPPED = "input[type=number],input[type=range]";
  /** Editing shortcuts. @type {Record<string, string>} */
  const COMMANDS = { z: "undo", y: "redo", b: "bold", i: "italic", u: "underline" };
  /** Text fields edited by keys since their last `change`. @type {WeakSet<Element>} */
  const edited = new WeakSet();

  /** @param {Element} el */
  const isTextField = (el) => el.localName === "textarea" || (el.localName === "input" && page.nativeRole(el) === "inp" && el.getAttribute("type") !== "color");
  /** @param {Element} el */
  const isRich = (el) => /** @type {HTMLElement} */ (el).isContentEditable === true;
  /** @param {Element} el */
  const isWritable = (el) => (isTextField(el) && !(/** @type {HTMLInputElement} */ (el).readOnly)) || isRich(el);

  /** Edits at the caret; `execCommand` fires `input` as typing does, but not `beforeinput`. @param {Element} el @param {string} command @param {string} inputType @param {string | null} [text] */
  function editText(el, command, inputType, text = null) {
    if (!isWritable(el)) return;
    if (!el.dispatchEvent(new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType, data: text }))) return;
    document.execCommand(command, false, text ?? undefined);
    edited.add(el);
  }

  /** Moves the caret, or the end of the selection with Shift. @param {Chord} chord @param {"forward" | "backward"} way @param {string} by */
  function moveCaret(chord, way, by) {
    getSelection()?.modify(chord.shiftKey ? "extend" : "move", way, by);
  }

  /** @param {Element} el */
  function selectAll(el) {
    if (isTextField(el)) /** @type {HTMLInputElement} */ (el).select();
    else document.execCommand("selectAll");
  }

  /** @param {Element} el @param {Chord} chord */
  function command(el, { key, shiftKey }) {
    if (key === "a") selectAll(el);
    else if (page.clipboardChord(el, key, (inputType, text) => editText(el, text === null ? "delete" : "insertText", inputType, text))) return;
    else if (key === "Backspace" || key === "Delete") {
      if (isWritable(el) && getSelection()?.isCollapsed !== false) getSelection()?.modify("extend", key === "Delete" ? "forward" : "backward", "word");
      editText(el, "delete", key === "Delete" ? "deleteWordForward" : "deleteWordBackward");
    } else if (/^Arrow(Left|Right)$/.test(key) && (isTextField(el) || isRich(el))) moveCaret({ key, shiftKey, ctrlKey: true, altKey: false, metaKey: false }, key === "ArrowRight" ? "forward" : "backward", "word");
    else if (key === "Home" || key === "End") moveToEdge(el, { key, shiftKey, ctrlKey: true, altKey: false, metaKey: false });
    else if (COMMANDS[key] && (isRich(el) || key === "z" || key === "y") && isWritable(el)) document.execCommand(key === "z" && shiftKey ? "redo" : COMMANDS[key]);
  }

  /** Home and End: of the line, or with Control of the whole text. @param {Element} el @param {Chord} chord */
  function moveToEdge(el, chord) {
    const end = chord.key === "End";
    if (isTextField(el) || isRich(el)) moveCaret(chord, end ? "forward" : "backward", chord.ctrlKey ? "documentboundary" : "lineboundary");
    else if (el.matches(STEPPED)) stepTo(/** @type {HTMLInputElement} */ (el), end ? el.getAttribute("max") ?? "100" : el.getAttribute("min") ?? "0");
    else page.scrollBy(el, 0, end ? 1e9 : -1e9);
  }

  /** @param {HTMLInputElement} input @param {string} value */
  function stepTo(input, value) {
    if (input.type !== "range") return;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, value);
    page.tellInput(input, "insertReplacementText", null);
  }

  /** Enter: a new line, a button press, or submitting the form. @param {Element} el */
  function pressEnter(el) {
    if (el.localName === "textarea") editText(el, "insertText", "insertLineBreak", "\n");
    else if (isRich(el)) editText(el, "insertParagraph", "insertParagraph");
    else if (el.matches(`${PRESSED},a[href],area[href]`)) /** @type {HTMLElement} */ (el).click();
    else if (el.localName === "input") submitFrom(/** @type {HTMLInputElement} */ (el));
  }

  /** Implicit submission (HTML standard): the default button is clicked; without one a single text field submits. @param {HTMLInputElement} el */
  function submitFrom(el) {
    page.tellSearch(el);
    if (edited.delete(el)) el.dispatchEvent(new Event("change", { bubbles: true }));
    const form = el.form;
    if (!form) return;
    const controls = [...form.elements];
    const images = [...form.querySelectorAll("input[type=image]")]; // not among a form's elements
    const button = /** @type {HTMLElement | undefined} */ ([...controls, ...images].find((one) => one.matches("button:not([type=button],[type=reset]),input[type=submit],input[type=image]")));
    if (button) {
      if (!button.matches(":disabled")) button.click();
    } else if (controls.filter(isTextField).length <= 1) form.requestSubmit();
  }

  /** @param {Element} el */
  function isStop(el) {
    if (/** @type {HTMLElement} */ (el).tabIndex < 0 || el.matches(":disabled") || !page.isShown(el)) return false;
    if (el.matches("input[type=hidden]") || !el.matches("input,select,textarea,button,a[href],area[href],summary,iframe,[tabindex],[contenteditable]")) return false;
    const radio = /** @type {HTMLInputElement} */ (el);
    if (radio.type !== "radio" || !radio.name || radio.checked) return true;
    return !radiosOf(radio).some((other) => other.checked); // only the selected one of a group is a tab stop
  }

  /** The tab stops in order, through shadow roots. @param {Element} root @param {Element[]} found */
  function stopsIn(root, found) {
    for (const child of page.childrenOf(root)) {
      if (!(child instanceof Element)) continue;
      if (isStop(child)) found.push(child);
      stopsIn(child, found);
    }
    return found;
  }

  /** @param {Element} el @param {Chord} chord */
  function moveFocus(el, chord) {
    const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
    const order = (/** @type {Element} */ one) => Math.max(0, /** @type {HTMLElement} */ (one).tabIndex) || Infinity;
    const stops = stopsIn(modal ?? document.body, []).sort((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
    const at = stops.indexOf(el);
    const next = at < 0 && chord.shiftKey ? stops.at(-1) : stops.at(chord.shiftKey ? at - 1 : (at + 1) % Math.max(1, stops.length));
    if (edited.delete(el) && document.hidden) el.dispatchEvent(new Event("change", { bubbles: true })); // blur fires it, but not in a hidden page
    if (next) page.focusOn(next);
    if (next && isTextField(next)) /** @type {HTMLInputElement} */ (next).select();
  }

  /** Escape: empties a search field, or closes the topmost dialog or popover, unless the page prevents it. @param {Element} el */
  function pressEscape(el) {
    if (el.matches("input[type=search]") && /** @type {HTMLInputElement} */ (el).value && isWritable(el)) {
      selectAll(el);
      editText(el, "delete", "deleteContentBackward");
      return page.tellSearch(el);
    }
    const roots = page.roots();
    const open = roots.flatMap((root) => [...root.querySelectorAll("dialog:modal,[popover]:popover-open")]).findLast((el) => !page.isOverlay(el));
    if (!open) return;
    if (open.localName !== "dialog") /** @type {HTMLElement} */ (open).hidePopover();
    else if (open.dispatchEvent(new Event("cancel", { cancelable: true }))) /** @type {HTMLDialogElement} */ (open).close();
  }

  /** @param {HTMLInputElement} radio @returns {HTMLInputElement[]} */
  function radiosOf(radio) {
    const root = /** @type {Document | ShadowRoot} */ (radio.getRootNode());
    return /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll(`input[type=radio][name="${CSS.escape(radio.name)}"]`)]).filter((other) => other.form === radio.form && !other.disabled);
  }

  /** Arrow keys in a select, radio group, number or range field; elsewhere they scroll. @param {Element} el @param {1 | -1} by @param {boolean} upright */
  function stepValue(el, by, upright) {
    if (el.localName === "select") stepSelect(/** @type {HTMLSelectElement} */ (el), by);
    else if (el.matches("input[type=radio]")) {
      const group = radiosOf(/** @type {HTMLInputElement} */ (el));
      const next = group.at((group.indexOf(/** @type {HTMLInputElement} */ (el)) + by) % group.length);
      if (next) {
        page.focusOn(next);
        next.click();
      }
    } else if (el.matches(upright ? STEPPED : "input[type=range]")) {
      const input = /** @type {HTMLInputElement} */ (el);
      if (by > 0 === !upright) input.stepUp();
      else input.stepDown();
      page.tellInput(el, "insertReplacementText", null);
    } else if (isTextField(el) || isRich(el)) return false;
    else page.scrollBy(el, upright ? 0 : by * LINE_PX, upright ? by * LINE_PX : 0);
    return true;
  }

  /** @param {HTMLSelectElement} select @param {1 | -1} by */
  function stepSelect(select, by) {
    for (let at = select.selectedIndex + by; at >= 0 && at < select.options.length; at += by) {
      if (!select.options[at].disabled) return page.choose(select, [select.options[at]]);
    }
  }

  /** A letter in a select moves to the next option that begins with it. @param {HTMLSelectElement} select @param {string} letter */
  function seekOption(select, letter) {
    const options = [...select.options];
    const order = [...options.slice(select.selectedIndex + 1), ...options.slice(0, select.selectedIndex + 1)];
    const found = order.find((option) => !option.disabled && page.optionLabel(option).toLowerCase().startsWith(letter.toLowerCase()));
    if (found) page.choose(select, [found]);
  }

  /** @param {Element} el @param {Chord} chord */
  function typeCharacter(el, chord) {
    if (isWritable(el)) editText(el, "insertText", "insertText", chord.key);
    else if (el.localName === "select" && chord.key !== " ") seekOption(/** @type {HTMLSelectElement} */ (el), chord.key);
    else if (chord.key === " " && el.matches(`${PRESSED},${TICKED}`)) /** @type {HTMLElement} */ (el).click();
    else if (chord.key === " " && !el.matches("select,a[href],[role]")) page.scrollBy(el, 0, innerHeight * 0.9);
  }

  /** @param {1 | -1} by @param {boolean} upright @returns {(el: Element, chord: Chord) => void} */
  const arrow = (by, upright) => (el, chord) => {
    if (!stepValue(el, by, upright)) moveCaret(chord, by > 0 ? "forward" : "backward", upright ? "line" : "character");
  };

  /** @type {Record<string, (el: Element, chord: Chord) => void>} */
  const DEFAULTS = {
    Enter: pressEnter,
    Tab: moveFocus,
    Escape: pressEscape,
    Backspace: (el) => editText(el, "delete", "deleteContentBackward"),
    Delete: (el) => editText(el, "forwardDelete", "deleteContentForward"),
    ArrowDown: arrow(1, true),
    ArrowUp: arrow(-1, true),
    ArrowRight: arrow(1, false),
    ArrowLeft: arrow(-1, false),
    PageDown: (el) => page.scrollBy(el, 0, innerHeight * 0.9),
    PageUp: (el) => page.scrollBy(el, 0, -innerHeight * 0.9),
    Home: moveToEdge,
    End: moveToEdge,
  };

  /** Performs a key's default action if no handler prevented it. @param el the focused element */
  page.keyDefault = (el, chord) => {
    if (chord.altKey || chord.metaKey || chord.ctrlKey) return command(el, chord);
    const handler = DEFAULTS[chord.key];
    if (handler) handler(el, chord);
    else if (chord.key.length === 1) typeCharacter(el, chord);
  };
})();
