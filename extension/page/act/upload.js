// Puts a picked file into a file field or a drop zone. It arrives in pieces, since a message holds 64 MB at most.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "receiveFile")) return;

  const { ActionFailure } = page;
  const TOOK_MS = 300; // a page that refuses a file has emptied its field within this time

  /** The pieces received so far. @type {{key: string, parts: Uint8Array<ArrayBuffer>[], size: number} | null} */
  let incoming = null;

  /** Receives a piece; the last one performs the upload. */
  page.receiveFile = async (observer, activity, piece) => {
    const result = await page.resultOf(async () => {
      const bytes = addPiece(piece);
      if (!piece.last) return;
      activity.reset(page.findMessages());
      const file = new File(bytes, piece.args.name, { type: piece.mime, lastModified: Date.now() });
      await uploadTo(page.resolve(observer, piece.args.id), file);
    });
    if (result.status === "failure") incoming = null;
    return result;
  };

  /** @param {FilePiece} piece @returns {Uint8Array<ArrayBuffer>[]} all pieces so far */
  function addPiece({ args, offset, data }) {
    const key = `${args.id} ${args.name}`;
    if (offset === 0) incoming = { key, parts: [], size: 0 };
    if (incoming?.key !== key || incoming.size !== offset) throw new ActionFailure("VALUE_NOT_ACCEPTED", `A piece of "${args.name}" was lost during the upload.`);
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    incoming.parts.push(bytes);
    incoming.size += bytes.length;
    return incoming.parts;
  }

  /** @param {Target} target @param {File} file */
  async function uploadTo(target, file) {
    incoming = null;
    const input = inputOf(target.el);
    if (input) return setFiles(input, target, file);
    return dropFile(target, file);
  }

  /** The file field itself, or the one behind a label or a styled button. @param {Element} el @returns {HTMLInputElement | null} */
  function inputOf(el) {
    const FIELD = "input[type=file]";
    if (el.matches(FIELD)) return /** @type {HTMLInputElement} */ (el);
    const labelled = el instanceof HTMLLabelElement || el.closest("label") ? /** @type {HTMLLabelElement} */ (el.closest("label")).control : null;
    if (labelled?.matches(FIELD)) return /** @type {HTMLInputElement} */ (labelled);
    for (let around = /** @type {Element | null} */ (el), steps = 0; around && steps < 4; around = page.parentOf(around), steps++) {
      const fields = [...around.querySelectorAll(FIELD), ...(page.shadowOf(around)?.querySelectorAll(FIELD) ?? [])];
      if (fields.length === 1) return /** @type {HTMLInputElement} */ (fields[0]);
      if (fields.length > 1) return null;
    }
    return null;
  }

  /** Whether `accept` allows the file, as in the browser's own picker. @param {string} accept @param {File} file */
  function isAccepted(accept, file) {
    const kinds = accept.split(",").map((kind) => kind.trim().toLowerCase()).filter(Boolean);
    const [name, type] = [file.name.toLowerCase(), file.type.toLowerCase()];
    return kinds.length === 0 || kinds.some((kind) => {
      if (kind.startsWith(".")) return name.endsWith(kind);
      if (kind.endsWith("/*")) return type.startsWith(kind.slice(0, -1));
      return kind === "*" || type === kind;
    });
  }

  /** @param {HTMLInputElement} input @param {Target} target @param {File} file */
  async function setFiles(input, target, file) {
    if (page.isDisabled(input)) throw new ActionFailure("NOT_INTERACTABLE", `${target.role} "${target.name}" is disabled.`);
    if (!isAccepted(input.accept, file)) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${target.name}" takes only ${input.accept}, not "${file.name}".`);
    const held = new DataTransfer();
    // A field for several files keeps its earlier ones.
    if (input.multiple) for (const before of [...(input.files ?? [])].filter(({ name }) => name !== file.name)) held.items.add(before);
    held.items.add(file);
    input.files = held.files;
    // Read before the page is notified: many pages take the file and empty the field at once.
    const took = [...(input.files ?? [])].some(({ name, size }) => name === file.name && size === file.size);
    if (!took) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${target.name}" did not take "${file.name}".`);
    input.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    const refusal = await page.until(() => input.isConnected && !input.checkValidity() && input.files?.length && input.validationMessage, TOOK_MS);
    if (refusal) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${target.name}": ${refusal}`);
  }

  /** Drops the file on a drop zone. @param {Target} target @param {File} file */
  async function dropFile(target, file) {
    const point = await page.reach(target);
    const held = new DataTransfer();
    held.items.add(file);
    const init = { bubbles: true, cancelable: true, composed: true, view: window, clientX: point.x, clientY: point.y, dataTransfer: held };
    point.hit.dispatchEvent(new DragEvent("dragenter", init));
    const over = new DragEvent("dragover", init);
    point.hit.dispatchEvent(over);
    const fallen = new DragEvent("drop", init);
    point.hit.dispatchEvent(fallen);
    // The browser drops a file only where the page accepts the drag.
    if (!over.defaultPrevented && !fallen.defaultPrevented) throw new ActionFailure("NOT_INTERACTABLE", `${target.role} "${target.name}" takes no files.`);
  }
})();
