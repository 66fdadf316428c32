// Copy, cut and paste by keyboard, with a clipboard of our own: the person's is left alone.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "clipboardChord")) return;

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

  /**
   * @param {Element} el the focused element @param {string} key @param {(inputType: string, text: string | null) => void} edit changes the selection
   * @returns {boolean} whether Control with that key is a clipboard shortcut
   */
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
