// Writes into rich text editors, each of which listens to different events.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "writeRich")) return;

  const TAKE_MS = 120; // an editor draws its new text within this time
  const HEAR_MS = 60; // a selection change is reported with the next frame
  const STAY_MS = 30; // an editor has reverted a change it did not know of after this time

  /** Selects the whole content, as Ctrl+A does, and waits until the editor has noticed. @param {Element} el */
  async function selectContents(el) {
    let noticed = false;
    const note = () => { noticed = true; };
    document.addEventListener("selectionchange", note, { once: true });
    getSelection()?.selectAllChildren(el);
    await page.until(() => noticed, HEAR_MS);
    document.removeEventListener("selectionchange", note);
    if (!noticed) document.dispatchEvent(new Event("selectionchange"));
    await page.tick();
  }

  /** @param {Element} el @param {string} inputType @param {string | null} data @param {DataTransfer | null} [dataTransfer] @returns {boolean} whether the editor handled it itself */
  const handled = (el, inputType, data, dataTransfer = null) =>
    !el.dispatchEvent(new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType, data, dataTransfer }));

  /** @param {string} text */
  function transferOf(text) {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    return data;
  }

  /** By `beforeinput`, which only editors with a model of their own handle. @param {Element} el @param {string} text */
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

  /** Last resort: changes the DOM and notifies the editor afterwards. @param {Element} el @param {string} text */
  function byHand(el, text) {
    el.textContent = text;
    page.tellInput(el, "insertText", text);
  }

  /** The non-empty lines. @param {string} text */
  const linesOf = (text) => text.split("\n").map(page.collapse).filter(Boolean);

  /** Whether it contains the text, line by line; editors may add empty lines between paragraphs. @param {Element} el @param {string} text */
  function holds(el, text) {
    const [lines, wanted] = [page.editableText(el).replace(/[\u200b\ufeff]/g, ""), text].map(linesOf);
    if (wanted.length > 1 && lines.length !== wanted.length) return false;
    const [held, whole] = [lines.join(" "), wanted.join(" ")];
    return held === whole || (page.lettersAndDigits(text) !== "" && page.lettersAndDigits(held) === page.lettersAndDigits(text) && held.length <= text.length * 2);
  }

  /**
   * Replaces an editor's content, trying one way after another until the text is there and stays.
   * @param {Target} target @param {string} text @returns {Promise<{note?: string}>} @throws {ActionFailure} VALUE_NOT_ACCEPTED
   */
  page.writeRich = async ({ el, name }, text) => {
    await selectContents(el);
    const listens = handled(el, text ? "insertText" : "deleteContentBackward", text || null);
    if (listens && (await took(el, text))) return {};
    const ways = listens ? [byBeforeInput, byPaste, byCommand, byHand] : [byCommand, byPaste, byBeforeInput, byHand];
    for (const way of ways) {
      if (!el.isConnected) return { note: "The page replaced the editor." };
      if (way !== byHand) {
        page.focusOn(el);
        await selectContents(el);
      }
      way(el, text);
      if (await took(el, text)) return {};
    }
    throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" did not take the text; it holds "${page.clip(page.collapse(page.editableText(el)), 80)}".`);
  };

  /** Whether the text is there, and still is after the editor has reacted. @param {Element} el @param {string} text */
  async function took(el, text) {
    if (!(await page.until(() => holds(el, text), TAKE_MS))) return false;
    await page.pause(STAY_MS);
    return holds(el, text);
  }
})();
