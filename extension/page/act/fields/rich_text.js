// Text into editable elements: the editors of applications each listen to something else.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "writeRich")) return;

  const TAKE_MS = 120; // within which an editor draws what it was told
  const HEAR_MS = 60; // a change of the selection is told with the next frame
  const STAY_MS = 30; // after which an editor has put back what it did not know of

  /** Selects all there is in an editor, as Ctrl+A does, and waits until the editor has heard of it. @param {Element} el */
  async function selectContents(el) {
    let heard = false;
    const note = () => { heard = true; };
    document.addEventListener("selectionchange", note, { once: true });
    getSelection()?.selectAllChildren(el);
    await page.until(() => heard, HEAR_MS);
    document.removeEventListener("selectionchange", note);
    if (!heard) document.dispatchEvent(new Event("selectionchange"));
    await page.tick();
  }

  /** @param {Element} el @param {string} inputType @param {string | null} data @param {DataTransfer | null} [dataTransfer] @returns {boolean} whether the editor did it itself */
  const handled = (el, inputType, data, dataTransfer = null) =>
    !el.dispatchEvent(new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType, data, dataTransfer }));

  /** @param {string} text */
  function transferOf(text) {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    return data;
  }

  /** As `beforeinput` tells it; only editors that keep a model of their own take it. @param {Element} el @param {string} text */
  function byBeforeInput(el, text) {
    if (!text) return void handled(el, "deleteContentBackward", null);
    const lines = text.split("\n");
    lines.forEach((line, at) => {
      if (at > 0) handled(el, "insertParagraph", null);
      if (line && handled(el, "insertText", line)) return;
      if (at === 0 && line) handled(el, "insertReplacementText", null, transferOf(line));
    });
  }

  /** @param {Element} el @param {string} text */
  function byPaste(el, text) {
    if (text) el.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, composed: true, clipboardData: transferOf(text) }));
  }

  /** The browser's own editing. @param {Element} _el @param {string} text */
  function byCommand(_el, text) {
    document.execCommand(text ? "insertText" : "delete", false, text);
  }

  /** The last resort: the editor is told afterwards. @param {Element} el @param {string} text */
  function byHand(el, text) {
    el.textContent = text;
    page.tellInput(el, "insertText", text);
  }

  /** The lines that say anything. @param {string} text */
  const linesOf = (text) => text.split("\n").map(page.collapse).filter(Boolean);

  /** Whether it holds the text, line by line; the paragraphs of editors come with lines of their own between. @param {Element} el @param {string} text */
  function holds(el, text) {
    const [lines, wanted] = [page.editableText(el).replace(/[\u200b\ufeff]/g, ""), text].map(linesOf);
    if (wanted.length > 1 && lines.length !== wanted.length) return false;
    const [held, whole] = [lines.join(" "), wanted.join(" ")];
    return held === whole || (page.lettersAndDigits(text) !== "" && page.lettersAndDigits(held) === page.lettersAndDigits(text) && held.length <= text.length * 2);
  }

  /**
   * Replaces what is in an editor, one way after another until the text stands there and stays.
   * @param {Target} target @param {string} text @returns {Promise<{note?: string}>} @throws {ActionFailure} VALUE_NOT_ACCEPTED
   */
  page.writeRich = async ({ el, name }, text) => {
    await selectContents(el);
    const listens = handled(el, text ? "insertText" : "deleteContentBackward", text || null);
    if (listens && (await took(el, text))) return {};
    const ways = listens ? [byBeforeInput, byPaste, byCommand, byHand] : [byCommand, byPaste, byBeforeInput, byHand];
    for (const way of ways) {
      if (!el.isConnected) return { note: "The page drew the editor anew." };
      if (way !== byHand) {
        page.focusOn(el);
        await selectContents(el);
      }
      way(el, text);
      if (await took(el, text)) return {};
    }
    throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" did not take the text; it holds "${page.clip(page.collapse(page.editableText(el)), 80)}".`);
  };

  /** Whether the text is there, and still is after the editor had its say. @param {Element} el @param {string} text */
  async function took(el, text) {
    if (!(await page.until(() => holds(el, text), TAKE_MS))) return false;
    await page.pause(STAY_MS);
    return holds(el, text);
  }
})();
