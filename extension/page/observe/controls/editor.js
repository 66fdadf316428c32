// Editors that draw their own text and take the input in a hidden text area: code editors, terminals.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "editorOf")) return;

  const MAX_LEVELS = 6; // boxes between the text area and its editor
  const MAX_PARTS = 400; // of an editor, searched for its text, which may come after line numbers
  const LEAST = { width: 60, height: 16 }; // CSS pixels: one line of a few words
  const UNSEEN = 10; // CSS pixels per side: anything smaller shows no text

  /** Whether a text area is invisible although it takes keys. @param {Element} el */
  function isUnseen(el) {
    const { width, height } = el.getBoundingClientRect();
    if (width < UNSEEN || height < UNSEEN) return true;
    const { opacity, zIndex, color } = getComputedStyle(el);
    if (opacity === "0" || (Number(zIndex) < 0 && /, 0\)$/.test(color))) return true;
    const around = page.parentOf(el);
    const box = around?.getBoundingClientRect();
    return around !== null && box !== undefined && (box.width < UNSEEN || box.height < UNSEEN) && getComputedStyle(around).overflow !== "visible";
  }

  /** @param {Element} el */
  function isBox(el) {
    const { width, height } = el.getBoundingClientRect();
    return width >= LEAST.width && height >= LEAST.height;
  }

  /** The part of an editor with a text cursor that is no field itself. @param {Element} frame */
  function surfaceIn(frame) {
    const parts = [...frame.querySelectorAll("*")].slice(0, MAX_PARTS);
    return [frame, ...parts].find((part) => getComputedStyle(part).cursor === "text" && page.nativeRole(part) === null && isBox(part)) ?? null;
  }

  /** @param {Element} el @returns {Editor | null} */
  page.editorOf = (el) => {
    if (el.localName !== "textarea" || !isUnseen(el) || !page.isShown(el)) return null;
    let frame = page.parentOf(el);
    for (let level = 0; frame && level < MAX_LEVELS && !isBox(frame); level += 1) frame = page.parentOf(frame);
    if (!frame || !isBox(frame) || frame === document.body || !page.isShown(frame)) return null;
    const surface = surfaceIn(frame);
    return surface && { frame, surface };
  };

  /** Line numbers and folding marks are not text: the cursor over them is no text cursor. @param {Element} el */
  const isBeside = (el) => getComputedStyle(el).cursor !== "text" || page.nativeRole(el) !== null;

  /** The text of an editor, or the drawn part of a long one. @param {Editor} editor */
  page.editorText = ({ surface }) => page.textOf(surface, { max: 4_000, skip: isBeside }).replace(/[\u200b\ufeff]/g, "");
})();
