// Texts beside a field: which of them can be its label, and which are only marks.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "labelLike")) return;

  const MAX_LABEL = 60; // a longer text is a paragraph
  // In the languages of app/authorization/risk/words.py.
  const REQUIRED = "required(?: field)?|mandatory|pflichtfeld|pflicht|erforderlich|obligatoire|requis|obligatorio|requerido|obrigat[oó]rio|שדה חובה|חובה";
  const OPTIONAL = "optional|freiwillig|wahlweise|facultatif|facultative|optionnel|opcional|אופציונלי|רשות|לא חובה";
  const MARK = new RegExp(`[([](?:${REQUIRED}|${OPTIONAL})[)\\]]$`, "i");
  const SIGNS = ":*：";
  const MUST = new RegExp(`\\*|[([](?:${REQUIRED})[)\\]]`, "i");

  /** Fields whose label marks them as required. @type {WeakSet<Element>} */
  const required = new WeakSet();
  page.isMarkedRequired = (el) => required.has(el);

  /** @param {string} text */
  function bare(text) {
    const label = page.withoutEnd(text.replace(/^\*\s*/, ""), SIGNS);
    const unmarked = label.replace(MARK, "");
    return unmarked === label ? label : page.withoutEnd(page.withoutEnd(unmarked, ",–-"), SIGNS);
  }

  /** "Name: *" and "Name (required)" become "Name"; the state says that it is required. @param {Element} el @param {string} text */
  page.withoutMarks = (el, text) => {
    const name = bare(text);
    if (!name) return text;
    if (MUST.test(text.replace(name, ""))) required.add(el);
    else required.delete(el);
    return name;
  };

  /** A text as a label, without its marks, if it is short and has a letter; "" otherwise. @param {string} text */
  page.labelLike = (text) => {
    const label = bare(text);
    if (/[.!。]$|[.!?] |[\u00d7\u2715\u2716\u22ee]/.test(label)) return ""; // a sentence, or something that can be closed
    return label.length <= MAX_LABEL && /[\p{L}\p{N}]/u.test(label) ? label : "";
  };

  /** Whether it has words outside of its child elements. @param {Element} el */
  page.hasOwnWords = (el) => [...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.nodeValue ?? ""));

  /** The first line of an element with several, if it can be a label. @param {Element} el */
  page.firstLine = (el) => {
    for (let box = /** @type {Element | null} */ (el); box; box = box.firstElementChild) {
      if (page.hasOwnWords(box)) return ""; // one sentence, whatever is in it
      if (box.childElementCount > 1 && box.firstElementChild && page.isShown(box.firstElementChild)) {
        const text = page.labelLike(page.textOf(box.firstElementChild, { max: MAX_LABEL }));
        if (text) return text;
      }
    }
    return "";
  };
})();
