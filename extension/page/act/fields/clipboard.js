// Copy, cut and paste by their chords, with a clipboard of our own: what the person has copied stays as it is.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "clipboardChord")) return;

  let kept = ""; // of this document; it does not outlive the page

  /** The page has copied something itself. */
  page.storeCopied = (text) => {
    kept = text || kept;
  };

  /** The text that is selected; nothing of a password. @param {Element} el */
  function selected(el) {
    if (el.localName !== "textarea" && el.localName !== "input") return String(getSelection() ?? "");
    const field = /** @type {HTMLInputElement} */ (el);
    if (field.type === "password" || page.isWithheld(el)) return "";
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
  }

  /** Tells the page, which may put something else on the clipboard or take what is pasted itself. @param {Element} el @param {string} type @param {string} text */
  function tell(el, type, text) {
    const clipboardData = new DataTransfer();
    if (text) clipboardData.setData("text/plain", text);
    const free = el.dispatchEvent(new ClipboardEvent(type, { bubbles: true, cancelable: true, composed: true, clipboardData }));
    return { free, text: clipboardData.getData("text/plain") };
  }

  /**
   * @param {Element} el what has the focus @param {string} key @param {(inputType: string, text: string | null) => void} edit changes what is selected
   * @returns {boolean} whether Control and that key are a chord of the clipboard
   */
  page.clipboardChord = (el, key, edit) => {
    if (key === "c" || key === "x") {
      const chosen = selected(el);
      const told = tell(el, key === "c" ? "copy" : "cut", "");
      kept = (told.free ? chosen : told.text) || kept;
      if (key === "x" && told.free && chosen) edit("deleteByCut", null);
      return true;
    }
    if (key !== "v") return false;
    if (kept && tell(el, "paste", kept).free) edit("insertFromPaste", kept);
    return true;
  };
})();
