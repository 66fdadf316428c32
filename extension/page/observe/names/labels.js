// Words beside a field: which of them can be its label, and which are only marks on it.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "labelLike")) return;

  const MAX_LABEL = 60; // a longer neighbour is a paragraph, not a label
  // In the languages of app/authorization/risk/words.py.
  const REQUIRED = "required(?: field)?|mandatory|pflichtfeld|pflicht|erforderlich|obligatoire|requis|obligatorio|requerido|obrigat[oó]rio|שדה חובה|חובה";
  const OPTIONAL = "optional|freiwillig|wahlweise|facultatif|facultative|optionnel|opcional|אופציונלי|רשות|לא חובה";
  const MARK = new RegExp(`[([](?:${REQUIRED}|${OPTIONAL})[)\\]]$`, "i");
  const SIGNS = ":*：";
  const MUST = new RegExp(`\\*|[([](?:${REQUIRED})[)\\]]`, "i");

  /** Fields whose label said that they must be filled in. @type {WeakSet<Element>} */
  const required = new WeakSet();
  page.isMarkedRequired = (el) => required.has(el);

  /** @param {string} text */
  function bare(text) {
    const label = page.withoutEnd(text.replace(/^\*\s*/, ""), SIGNS);
    const unmarked = label.replace(MARK, "");
    return unmarked === label ? label : page.withoutEnd(page.withoutEnd(unmarked, ",–-"), SIGNS);
  }

  /** "Name: *" and "Name (required)" are "Name" to whoever asks for it; the state says that it is required. @param {Element} el @param {string} text */
  page.withoutMarks = (el, text) => {
    const name = bare(text);
    if (!name) return text;
    if (MUST.test(text.replace(name, ""))) required.add(el);
    else required.delete(el);
    return name;
  };

  /** A text that can be a label, without its marks: short and with a letter in it; "" otherwise. @param {string} text */
  page.labelLike = (text) => {
    const label = bare(text);
    if (/[.!。]$|[.!?] |[\u00d7\u2715\u2716\u22ee]/.test(label)) return ""; // a sentence, or things that can be closed
    return label.length <= MAX_LABEL && /[\p{L}\p{N}]/u.test(label) ? label : "";
  };

  /** Whether words stand in it that are in none of its parts. @param {Element} el */
  page.hasOwnWords = (el) => [...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.nodeValue ?? ""));

  /** The first line of an element with several, if that can be a label. @param {Element} el */
  page.firstLine = (el) => {
    for (let box = /** @type {Element | null} */ (el); box; box = box.firstElementChild) {
      if (page.hasOwnWords(box)) return ""; // one sentence, whatever stands in it
      if (box.childElementCount > 1 && box.firstElementChild && page.isShown(box.firstElementChild)) {
        const text = page.labelLike(page.textOf(box.firstElementChild, { max: MAX_LABEL }));
        if (text) return text;
      }
    }
    return "";
  };
})();
