// Hidden fields whose place another element takes on the page and handles the input: editors, pickers.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "showsItself")) return;

  const MAX_LEVELS = 10; // boxes between an editor and its field
  const MAX_FRAMES = 3; // boxes of a picker around its field
  const PICKER_PX = 160; // largest height of a picker that shows its choices
  const TYPED = "textarea,input:not([type]),input[type=text]";
  const PICKER = "[role=combobox],[aria-haspopup=listbox],[aria-haspopup=true][aria-expanded]";

  /** Whether a control is visible itself, so that nothing need stand in. @param {Element} control */
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
})();
