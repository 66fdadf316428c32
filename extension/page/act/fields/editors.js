// Writes into editors: rich text editors, each of which listens to different events, and code editors, which take their input in a
// hidden field and draw the text themselves.
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

  /** Replaces an editor's content, trying one way after another until the text is there and stays. @throws {ActionFailure} VALUE_NOT_ACCEPTED */
  page.writeRich = async ({ el, name }, text) => {
    await selectContents(el);
    const listens = handled(el, text ? "insertText" : "deleteContentBackward", text || null);
    if (listens && (await isTaken(el, text))) return {};
    const ways = listens ? [byBeforeInput, byPaste, byCommand, byHand] : [byCommand, byPaste, byBeforeInput, byHand];
    for (const way of ways) {
      if (!el.isConnected) return { note: "The page replaced the editor." };
      if (way !== byHand) {
        page.focusOn(el);
        await selectContents(el);
      }
      way(el, text);
      if (await isTaken(el, text)) return {};
    }
    throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" did not take the text; it holds "${page.clip(page.collapse(page.editableText(el)), 80)}".`);
  };

  /** Whether the text is there, and still is after the editor has reacted. @param {Element} el @param {string} text */
  async function isTaken(el, text) {
    if (!(await page.until(() => holds(el, text), TAKE_MS))) return false;
    await page.pause(STAY_MS);
    return holds(el, text);
  }

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
  function pasteCode(field, text) {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, composed: true, clipboardData }));
  }

  /** Fires the events of typing in the browser. @param {HTMLTextAreaElement} field @param {string} text */
  function typeCode(field, text) {
    field.value = text;
    page.tellInput(field, "insertText", text);
  }

  /** @param target the editor's text area @throws {ActionFailure} NOT_INTERACTABLE, VALUE_NOT_ACCEPTED */
  page.writeEditor = async (target, editor, text) => {
    const field = /** @type {HTMLTextAreaElement} */ (target.el);
    page.press(await page.reach(target));
    page.focusOn(field);
    const ways = text ? [pasteCode, typeCode] : [() => chord(field, "Backspace")];
    for (const way of ways) {
      selectAll(field);
      await page.tick();
      way(field, text);
      if (await page.until(() => shows(editor, text), DRAW_MS)) return {};
      if (document.hidden) return { note: "An editor in the background draws nothing, so the text could not be read back." };
    }
    throw new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${target.name}" did not take the text; it shows "${page.clip(page.editorText(editor), 80)}".`);
  };

  const KEEP_MS = 500; // most copy it 100 to 300 ms after the last change

  /** The text of a value that may be HTML. @param {string} value */
  const wordsIn = (value) => page.lettersAndDigits(new DOMParser().parseFromString(value, "text/html").body.textContent ?? "");

  /** The form fields that mirror an editor's content. @param {Element} el @param {string} held @returns {(HTMLInputElement | HTMLTextAreaElement)[]} */
  function fieldsOf(el, held) {
    const around = page.closest(el, "form") ?? document;
    const fields = /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (around.querySelectorAll("textarea,input[type=hidden]"));
    return [...fields].filter((field) => field !== el && !(field.localName === "textarea" && page.isShown(field)) && wordsIn(field.value) === page.lettersAndDigits(held));
  }

  page.writeAndSync = async (el, text, write) => {
    const editor = page.editorOf(el);
    const held = editor ? page.editorText(editor) : page.editableText(el);
    const fields = page.lettersAndDigits(held) === page.lettersAndDigits(text) ? [] : fieldsOf(el, held).map((field) => ({ field, value: field.value }));
    const note = await write();
    const isKept = () => fields.some(({ field, value }) => field.value !== value && wordsIn(field.value).includes(page.lettersAndDigits(text)));
    if (fields.length) await page.until(isKept, KEEP_MS);
    return note;
  };
})();
