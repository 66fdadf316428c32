// A person's keyboard: keys and chords on what has the focus, with what the browser would do by default.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "pressKey")) return;

  /** @type {Record<string, string>} */
  const ALIASES = { esc: "Escape", return: "Enter", space: " ", spacebar: " ", del: "Delete", up: "ArrowUp", down: "ArrowDown", left: "ArrowLeft", right: "ArrowRight", ctrl: "Control", cmd: "Meta", command: "Meta", option: "Alt", pgup: "PageUp", pgdn: "PageDown" };
  const NAMED = ["Enter", "Escape", "Tab", "Backspace", "Delete", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Insert", "Control", "Shift", "Alt", "Meta", ...Array.from({ length: 12 }, (_, at) => `F${at + 1}`)];
  const MODIFIERS = new Set(["Control", "Shift", "Alt", "Meta"]);
  /** Legacy key codes that pages still ask for (UI Events, "Fixed virtual key codes"). @type {Record<string, number>} */
  const CODES = { Enter: 13, Escape: 27, Tab: 9, Backspace: 8, Delete: 46, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35, PageUp: 33, PageDown: 34, " ": 32, Shift: 16, Control: 17, Alt: 18, Meta: 91 };

  /** `"Control+A"` as its key and what is held; null for no known key. @param {string} text @returns {Chord | null} */
  page.parseChord = (text) => {
    const parts = text === "+" ? ["+"] : text.split(/\s*\+\s*(?=.)/);
    const keys = parts.map(keyOf);
    const key = keys.at(-1);
    const held = keys.slice(0, -1);
    if (!key || held.some((one) => one === null || !MODIFIERS.has(one))) return null;
    const shifted = held.includes("Shift") && key.length === 1 ? key.toUpperCase() : key;
    const plain = held.length && key.length === 1 && !held.includes("Shift") ? key.toLowerCase() : shifted;
    return { key: plain, ctrlKey: held.includes("Control"), shiftKey: held.includes("Shift"), altKey: held.includes("Alt"), metaKey: held.includes("Meta") };
  };

  /** @param {string} part @returns {string | null} */
  function keyOf(part) {
    if ([...part].length === 1) return part;
    const lower = part.toLowerCase();
    return ALIASES[lower] ?? NAMED.find((name) => name.toLowerCase() === lower) ?? null;
  }

  /** @param {string} key */
  const codeOf = (key) => (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key === " " ? "Space" : key);

  /** @param {Element} target @param {"keydown" | "keypress" | "keyup"} type @param {Chord} chord */
  page.fireKey = (target, type, chord) => {
    const legacy = CODES[chord.key] ?? (chord.key.length === 1 ? chord.key.toUpperCase().charCodeAt(0) : 0);
    const code = type === "keypress" && chord.key.length === 1 ? chord.key.charCodeAt(0) : legacy;
    return target.dispatchEvent(new KeyboardEvent(type, { ...chord, code: codeOf(chord.key), keyCode: code, which: code, charCode: type === "keypress" ? code : 0, bubbles: true, cancelable: true, composed: true, view: window }));
  };

  /**
   * Presses a key or chord on what has the focus.
   * @param {string} text @returns {{note?: string}} @throws {ActionFailure} VALUE_NOT_ACCEPTED for an unknown key
   */
  page.pressKey = (text) => {
    const chord = page.parseChord(text);
    if (!chord) throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${text}" is no key.`);
    const target = page.focused() ?? document.body;
    let go = page.fireKey(target, "keydown", chord);
    const types = chord.key === "Enter" || (chord.key.length === 1 && !chord.ctrlKey && !chord.metaKey && !chord.altKey);
    if (go && types) go = page.fireKey(target, "keypress", chord);
    if (go) byDefault(target, chord);
    page.fireKey(page.focused() ?? target, "keyup", chord);
    return {};
  };

  /** @param {Element} el @param {Chord} chord */
  function byDefault(el, chord) {
    if (chord.altKey || chord.metaKey || chord.ctrlKey) {
      if (chord.key === "a") selectAll(el);
      return;
    }
    const handler = DEFAULTS[chord.key];
    if (handler) handler(el, chord);
    else if (chord.key.length === 1) insert(el, chord.key);
  }

  /** @param {Element} el */
  const isTextField = (el) => el.localName === "textarea" || (el.localName === "input" && page.nativeRole(el) === "inp");
  /** @param {Element} el */
  const isRich = (el) => /** @type {HTMLElement} */ (el).isContentEditable === true;

  /** @param {Element} el */
  function selectAll(el) {
    if (isTextField(el)) /** @type {HTMLInputElement} */ (el).select();
    else document.execCommand("selectAll");
  }

  /** Types at the caret; `execCommand` fires `beforeinput` and `input` as typing does. @param {Element} el @param {string} text */
  function insert(el, text) {
    if (isTextField(el) || isRich(el)) document.execCommand("insertText", false, text);
    else if (text === " ") activate(el);
  }

  /** @param {Element} el */
  function activate(el) {
    if (el.matches("button,summary,input[type=button],input[type=submit],input[type=reset],input[type=checkbox],input[type=radio],input[type=file],input[type=color]")) /** @type {HTMLElement} */ (el).click();
  }

  /** Enter: a new line, a press of the button, or the form's own submission. @param {Element} el */
  function enter(el) {
    if (el.localName === "textarea") insert(el, "\n");
    else if (isRich(el)) document.execCommand("insertParagraph");
    else if (el.matches("button,a[href],summary,input[type=button],input[type=submit],input[type=reset],input[type=image]")) /** @type {HTMLElement} */ (el).click();
    else if (el.localName === "input") submitFrom(/** @type {HTMLInputElement} */ (el));
  }

  /** Implicit submission (HTML standard): the default button is clicked; without one a single text field submits. @param {HTMLInputElement} el */
  function submitFrom(el) {
    const form = el.form;
    if (!form) return;
    const controls = [...form.elements];
    const button = /** @type {HTMLElement | undefined} */ (controls.find((one) => one.matches("button:not([type]),button[type=submit],input[type=submit],input[type=image]")));
    if (button) {
      if (!button.matches(":disabled")) button.click();
    } else if (controls.filter(isTextField).length <= 1) form.requestSubmit();
  }

  /** @param {Element} el @param {Chord} chord */
  function tab(el, chord) {
    const stops = [...document.querySelectorAll("input:not([type=hidden]),select,textarea,button,a[href],summary,[tabindex],[contenteditable]")]
      .filter((one) => /** @type {HTMLElement} */ (one).tabIndex >= 0 && !one.matches(":disabled") && page.isShown(one));
    const at = stops.indexOf(el);
    const next = stops.at(chord.shiftKey ? at - 1 : (at + 1) % Math.max(1, stops.length));
    if (next) page.focusOn(next);
    if (next && isTextField(next)) /** @type {HTMLInputElement} */ (next).select();
  }

  function escape() {
    const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
    if (dialog?.dispatchEvent(new Event("cancel", { cancelable: true }))) /** @type {HTMLDialogElement} */ (dialog).close();
  }

  /** Arrows in a select, a group of radios or a number. @param {Element} el @param {1 | -1} by */
  function step(el, by) {
    if (el.localName === "select") {
      const select = /** @type {HTMLSelectElement} */ (el);
      const next = [...select.options].findIndex((option, at) => !option.disabled && (by > 0 ? at > select.selectedIndex : at === select.selectedIndex - 1));
      if (next >= 0) page.choose(select, [select.options[next]]);
    } else if (el.matches("input[type=radio]")) {
      const group = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(`input[type=radio][name="${CSS.escape(el.getAttribute("name") ?? "")}"]`)]).filter((radio) => radio.form === /** @type {HTMLInputElement} */ (el).form && !radio.disabled);
      const next = group.at((group.indexOf(/** @type {HTMLInputElement} */ (el)) + by) % group.length);
      if (next) {
        page.focusOn(next);
        next.click();
      }
    } else if (el.matches("input[type=number],input[type=range]")) {
      const input = /** @type {HTMLInputElement} */ (el);
      if (by > 0) input.stepUp();
      else input.stepDown();
      page.tellInput(el, "insertReplacementText", null);
    } else page.scrollBy(el, 0, by * 40);
  }

  /** @type {Record<string, (el: Element, chord: Chord) => void>} */
  const DEFAULTS = {
    Enter: enter,
    Tab: tab,
    Escape: escape,
    Backspace: (el) => { if (isTextField(el) || isRich(el)) document.execCommand("delete"); },
    Delete: (el) => { if (isTextField(el) || isRich(el)) document.execCommand("forwardDelete"); },
    ArrowDown: (el) => step(el, el.matches("input[type=number],input[type=range]") ? -1 : 1),
    ArrowUp: (el) => step(el, el.matches("input[type=number],input[type=range]") ? 1 : -1),
    ArrowRight: (el) => { if (!isTextField(el)) step(el, 1); },
    ArrowLeft: (el) => { if (!isTextField(el)) step(el, -1); },
    PageDown: (el) => page.scrollBy(el, 0, innerHeight * 0.9),
    PageUp: (el) => page.scrollBy(el, 0, -innerHeight * 0.9),
    Home: (el) => { if (!isTextField(el)) page.scrollBy(el, 0, -1e9); },
    End: (el) => { if (!isTextField(el)) page.scrollBy(el, 0, 1e9); },
  };
})();
