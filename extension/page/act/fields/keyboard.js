// Keyboard input: keys and chords on the focused element; copy, cut and paste use a clipboard of our own, not the person's.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "pressKey")) return;

  /** @type {Record<string, string>} */
  const ALIASES = { esc: "Escape", return: "Enter", space: " ", spacebar: " ", del: "Delete", up: "ArrowUp", down: "ArrowDown", left: "ArrowLeft", right: "ArrowRight", ctrl: "Control", cmd: "Meta", command: "Meta", option: "Alt", pgup: "PageUp", pgdn: "PageDown" };
  const NAMED = ["Enter", "Escape", "Tab", "Backspace", "Delete", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Insert", "Control", "Shift", "Alt", "Meta", ...Array.from({ length: 12 }, (_, at) => `F${at + 1}`)];
  const MODIFIERS = new Set(["Control", "Shift", "Alt", "Meta"]);
  /** Legacy key codes that pages still ask for (UI Events, "Fixed virtual key codes"). @type {Record<string, number>} */
  const CODES = { Enter: 13, Escape: 27, Tab: 9, Backspace: 8, Delete: 46, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35, PageUp: 33, PageDown: 34, " ": 32, Shift: 16, Control: 17, Alt: 18, Meta: 91, Insert: 45, ";": 186, "=": 187, ",": 188, "-": 189, ".": 190, "/": 191, "`": 192, "[": 219, "\\": 220, "]": 221, "'": 222 };
  /** Names of physical keys (UI Events, `code`) that differ from the key's own. @type {Record<string, string>} */
  const PLACES = { " ": "Space", ";": "Semicolon", "=": "Equal", ",": "Comma", "-": "Minus", ".": "Period", "/": "Slash", "`": "Backquote", "[": "BracketLeft", "\\": "Backslash", "]": "BracketRight", "'": "Quote", Control: "ControlLeft", Shift: "ShiftLeft", Alt: "AltLeft", Meta: "MetaLeft" };

  /** Parses `"Control+A"` into its key and modifiers; null for an unknown key. */
  page.parseChord = (text) => {
    const keys = keysIn(text).map(keyOf);
    const key = keys.at(-1);
    const held = keys.slice(0, -1);
    if (!key || held.some((one) => one === null || !MODIFIERS.has(one))) return null;
    const shifted = held.includes("Shift") && key.length === 1 ? key.toUpperCase() : key;
    const plain = held.length && key.length === 1 && !held.includes("Shift") ? key.toLowerCase() : shifted;
    return { key: plain, ctrlKey: held.includes("Control"), shiftKey: held.includes("Shift"), altKey: held.includes("Alt"), metaKey: held.includes("Meta") };
  };

  /** Splits at plus signs; the last part may itself be a plus sign or a space. @param {string} text @returns {string[]} */
  function keysIn(text) {
    const isPlus = text.endsWith("+");
    const parts = (isPlus ? text.slice(0, -1) : text).split("+");
    const last = parts.pop() ?? "";
    if (isPlus) return last.trim() ? [text] : [...parts.map((part) => part.trim()), "+"];
    return [...parts, last.trim() ? last : last.slice(-1)].map((part) => part.trim() || part);
  }

  /** @param {string} part @returns {string | null} */
  function keyOf(part) {
    if ([...part].length === 1) return part;
    const lower = part.toLowerCase();
    return ALIASES[lower] ?? NAMED.find((name) => name.toLowerCase() === lower) ?? null;
  }

  /** @param {string} key */
  const codeOf = (key) => (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : (PLACES[key] ?? key));

  page.fireKey = (target, type, chord) => {
    const other = /^F\d+$/.test(chord.key) ? 111 + Number(chord.key.slice(1)) : 0;
    const legacy = CODES[chord.key] ?? (chord.key.length === 1 ? chord.key.toUpperCase().charCodeAt(0) : other);
    const code = type === "keypress" && chord.key.length === 1 ? chord.key.charCodeAt(0) : legacy;
    // The keydown may have removed the element: keyup goes to the focused one.
    const on = target.isConnected ? target : page.focusedElement() ?? document.body;
    return on.dispatchEvent(new KeyboardEvent(type, { ...chord, code: codeOf(chord.key), keyCode: code, which: code, charCode: type === "keypress" ? code : 0, bubbles: true, cancelable: true, composed: true, view: window }));
  };

  /** Presses a key or chord on the focused element. @throws {ActionFailure} VALUE_NOT_ACCEPTED for an unknown key */
  page.pressKey = (text) => {
    const chord = page.parseChord(text);
    if (!chord) throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${text}" is not a key.`);
    const target = page.focusedElement() ?? document.body;
    let go = page.fireKey(target, "keydown", chord);
    const types = chord.key === "Enter" || (chord.key.length === 1 && !chord.ctrlKey && !chord.metaKey && !chord.altKey);
    try {
      if (go && types) go = page.fireKey(target, "keypress", chord);
      if (go) page.keyDefault(target, chord);
    } finally {
      page.fireKey(page.focusedElement() ?? target, "keyup", chord);
    }
    return {};
  };

  let clipboard = ""; // per document: gone with the page

  /** Called when the page itself copied something. */
  page.storeCopied = (text) => {
    clipboard = text || clipboard;
  };

  /** The selected text, but never of a password. @param {Element} el */
  function selected(el) {
    if (el.localName !== "textarea" && el.localName !== "input") return String(getSelection() ?? "");
    const field = /** @type {HTMLInputElement} */ (el);
    if (field.type === "password" || page.isWithheld(el)) return "";
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
  }

  /** Fires a clipboard event, in which the page may replace the text or take the paste itself. @param {Element} el @param {string} type @param {string} text */
  function dispatch(el, type, text) {
    const clipboardData = new DataTransfer();
    if (text) clipboardData.setData("text/plain", text);
    const free = el.dispatchEvent(new ClipboardEvent(type, { bubbles: true, cancelable: true, composed: true, clipboardData }));
    return { free, text: clipboardData.getData("text/plain") };
  }

  /** @param el the focused element @param edit changes the selection @returns whether Control with that key is a clipboard shortcut */
  page.clipboardChord = (el, key, edit) => {
    if (key === "c" || key === "x") {
      const chosen = selected(el);
      const event = dispatch(el, key === "c" ? "copy" : "cut", "");
      clipboard = (event.free ? chosen : event.text) || clipboard;
      if (key === "x" && event.free && chosen) edit("deleteByCut", null);
      return true;
    }
    if (key !== "v") return false;
    if (clipboard && dispatch(el, "paste", clipboard).free) edit("insertFromPaste", clipboard);
    return true;
  };
})();
