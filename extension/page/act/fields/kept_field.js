// Editors that copy their content into a form field, some with a delay: waits until it is there.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "writeAndSync")) return;

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
