// Elements that stand in for a hidden field and take its input: pickers, rich text editors, code editors.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "showsItself")) return;

  const MAX_LEVELS = 10; // boxes between an editor and its field
  const MAX_FRAMES = 3; // boxes of a picker around its field
  const PICKER_PX = 160; // largest height of a picker that shows its choices
  const TYPED = "textarea,input:not([type]),input[type=text]";
  const PICKER = "[role=combobox],[aria-haspopup=listbox],[aria-haspopup=true][aria-expanded]";

  /** Whether a control is visible itself, so that nothing need stand in. */
  page.showsItself = (control) => {
    if (!page.isShown(control)) return false;
    const rect = control.getBoundingClientRect();
    const { clip, clipPath, pointerEvents } = getComputedStyle(control);
    if (pointerEvents === "none") return false;
    // Smaller than 4 px or moved out to the left: the usual ways to hide what screen readers still read.
    return rect.width >= 4 && rect.height >= 4 && rect.right > 0 && rect.bottom + scrollY > 0 && clip === "auto" && clipPath === "none";
  };

  /** @param {Element} frame */
  function isEditorFrame(frame) {
    const inner = /** @type {HTMLIFrameElement} */ (frame).contentDocument; // null if it is of another origin
    return inner !== null && page.isShown(frame) && (inner.designMode === "on" || inner.body?.isContentEditable);
  }

  /** @param {Element} el */
  const isEditor = (el) => (el.localName === "iframe" ? isEditorFrame(el) : el.localName === "textarea" ? page.editorOf(el) !== null : page.nativeRole(el) === "inp" && page.isShown(el));

  page.hasStandIn = (field) => {
    const next = field.matches(TYPED) && !page.isShown(field) ? field.nextElementSibling : null;
    return next !== null && [next, ...next.querySelectorAll("textarea,[contenteditable],iframe")].some(isEditor);
  };

  page.standInName = (editor) => {
    let box = /** @type {Element | null} */ (editor === document.body ? frameElement : editor);
    for (let level = 0; box && level < MAX_LEVELS; box = box.parentElement, level += 1) {
      const before = box.previousElementSibling;
      const name = before?.matches(TYPED) && !page.isShown(before) ? page.accessibleName(before, "inp").name : "";
      if (name) return name;
    }
    return "";
  };

  /** @param {Element} box */
  function pickerIn(box) {
    const found = box.matches(PICKER) ? box : box.querySelector(PICKER);
    const rect = found?.getBoundingClientRect();
    return found && rect && rect.height > 0 && rect.height <= PICKER_PX && page.showsItself(found) ? found : null;
  }

  page.pickerOf = (field) => {
    if (field.localName !== "select" || page.showsItself(field)) return null;
    const around = page.closest(page.parentOf(field), PICKER);
    let level = 0;
    for (let up = page.parentOf(field); up && around && up !== around; up = page.parentOf(up)) level += 1;
    if (around && level < MAX_FRAMES) return around;
    return field.nextElementSibling && pickerIn(field.nextElementSibling);
  };

  const MAX_EDITOR_LEVELS = 6; // boxes between the text area and its editor
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

  page.editorOf = (el) => {
    if (el.localName !== "textarea" || !isUnseen(el) || !page.isShown(el)) return null;
    let frame = page.parentOf(el);
    for (let level = 0; frame && level < MAX_EDITOR_LEVELS && !isBox(frame); level += 1) frame = page.parentOf(frame);
    if (!frame || !isBox(frame) || frame === document.body || !page.isShown(frame)) return null;
    const surface = surfaceIn(frame);
    return surface && { frame, surface };
  };

  /** Line numbers and folding marks are not text: the cursor over them is no text cursor. @param {Element} el */
  const isBeside = (el) => getComputedStyle(el).cursor !== "text" || page.nativeRole(el) !== null;

  /** The text of an editor, or the drawn part of a long one. */
  page.editorText = ({ surface }) => page.textOf(surface, { max: 4_000, skip: isBeside }).replace(/[\u200b\ufeff]/g, "");
})();
