// Writes into code editors, which take their input in a hidden field: click, select all, replace, and read back what they draw.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "writeEditor")) return;

  const DRAW_MS = 300; // the editor draws its new text within this time
  const MOST_DRAWN = 20; // lines: an editor may draw only part of a longer text
  const LEAST_DRAWN = 40; // characters of that part, enough to recognize the text

  /** @param {string} text */
  const squeezed = (text) => text.replace(/[\s\u00b7]+/g, "");

  /** Whether the editor shows the text, or a part of a long one. @param {Editor} editor @param {string} text */
  function shows(editor, text) {
    const [drawn, wanted] = [squeezed(page.editorText(editor)), squeezed(text)];
    const isLong = text.split("\n").length > MOST_DRAWN;
    return drawn === wanted || (isLong && drawn.length >= LEAST_DRAWN && wanted.includes(drawn));
  }

  /** @param {Element} field @param {string} keys @returns {boolean} whether the editor handled them itself */
  function chord(field, keys) {
    const parsed = /** @type {Chord} */ (page.parseChord(keys));
    const free = page.fireKey(field, "keydown", parsed);
    page.fireKey(field, "keyup", parsed);
    return !free;
  }

  /** @param {HTMLTextAreaElement} field */
  function selectAll(field) {
    const isMac = navigator.platform.startsWith("Mac");
    if (!chord(field, isMac ? "Meta+a" : "Control+a")) field.select();
  }

  /** @param {HTMLTextAreaElement} field @param {string} text */
  function byPaste(field, text) {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, composed: true, clipboardData }));
  }

  /** Fires the events of typing in the browser. @param {HTMLTextAreaElement} field @param {string} text */
  function byTyping(field, text) {
    field.value = text;
    page.tellInput(field, "insertText", text);
  }

  /**
   * @param {Target} target the editor's text area @param {Editor} editor @param {string} text @returns {Promise<{note?: string}>}
   * @throws {ActionFailure} NOT_INTERACTABLE, VALUE_NOT_ACCEPTED
   */
  page.writeEditor = async (target, editor, text) => {
    const field = /** @type {HTMLTextAreaElement} */ (target.el);
    page.press(await page.reach(target));
    page.focusOn(field);
    const ways = text ? [byPaste, byTyping] : [() => chord(field, "Backspace")];
    for (const way of ways) {
      selectAll(field);
      await page.tick();
      way(field, text);
      if (await page.until(() => shows(editor, text), DRAW_MS)) return {};
      if (document.hidden) return { note: "An editor in the background draws nothing, so the text could not be read back." };
    }
    throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${target.name}" did not take the text; it shows "${page.clip(page.editorText(editor), 80)}".`);
  };
})();
