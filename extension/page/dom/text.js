/** The object the page scripts share; it survives a second injection, so that ids and observers live on. */
globalThis.__tabwright ??= /** @type {PageNamespace} */ ({});

// Text as a person reads it: with whitespace collapsed and cut to length.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "collapse")) return;

  page.collapse = (text) => (text ?? "").replace(/[\s\u00a0\u200b-\u200f\ufeff]+/g, " ").trim();

  /** Cuts after `max` characters, never within a surrogate pair. */
  page.clip = (text, max) => {
    if (text.length <= max) return text;
    const cut = text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "");
    return `${cut.trimEnd()}…`;
  };

  /** Without trailing white space and the given characters. */
  page.withoutEnd = (text, signs) => {
    let end = text.length;
    while (end > 0 && (signs.includes(text[end - 1]) || !text[end - 1].trim())) end -= 1;
    return text.slice(0, end);
  };

  /** Splits an identifier into words: `"user_firstName-2"` becomes `"user first name 2"`. */
  page.words = (token) =>
    page.collapse(token.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_.[\]:/#]+/g, " ")).toLowerCase();
})();
