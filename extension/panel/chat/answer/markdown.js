import { Marked } from "../../../vendor/marked.esm.js";
import purify from "../../../vendor/purify.es.mjs";

const TAGS = ["a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "strong", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"];
const BREAK = /^<br ?\/?>$/i; // a table cell cannot break a line otherwise
const WEB = /^https?:\/\//i;
const ABOVE = 2; // heading levels used by the panel and the tab
const DEEPEST = 6;

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const MARKER = /^\[(\d{1,3})\]/;

/** A `[1]` marker: plain text in code or after a backslash, and never a link. */
const marker = {
  name: "marker",
  level: /** @type {const} */ ("inline"),
  start: (/** @type {string} */ text) => text.indexOf("["),
  tokenizer(/** @type {string} */ text) {
    const found = MARKER.exec(text);
    return found ? { type: "marker", raw: found[0], text: found[1] } : undefined;
  },
  renderer: (/** @type {import("../../../vendor/marked.esm.js").Token} */ { text }) => `<sup>${text}</sup>`,
};

/**
 * HTML in the text is shown as text, an image becomes its label, and only web links remain links. Link
 * definitions are ignored: a text must not redirect another's `[1]`.
 */
const marked = new Marked({
  gfm: true,
  breaks: false,
  extensions: [marker],
  tokenizer: { def: () => undefined },
  renderer: {
    html: ({ raw }) => (BREAK.test(raw) ? "<br>" : escaped(raw)),
    image: ({ text }) => escaped(text),
    checkbox: () => "",
    heading({ tokens = [], depth = 1 }) {
      const level = Math.min(depth + ABOVE, DEEPEST);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`; // as after every block
    },
    link({ href = "", tokens = [] }) {
      const inside = this.parser.parseInline(tokens);
      return WEB.test(href) ? `<a href="${escaped(href)}">${inside}</a>` : inside;
    },
  },
});

/** @param {DocumentFragment} made its headings skip no level afterwards */
function inOrder(made) {
  let before = ABOVE;
  for (const heading of made.querySelectorAll("h3, h4, h5, h6")) {
    const level = Math.min(Number(heading.tagName[1]), before + 1);
    if (level !== Number(heading.tagName[1])) {
      const lifted = document.createElement(`h${level}`);
      lifted.append(...heading.childNodes);
      heading.replaceWith(lifted);
    }
    before = level;
  }
}

/** @param {DocumentFragment} made its links open in a new tab without a referrer; wide tables scroll on their own */
function finish(made) {
  for (const link of made.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    link.title = link.href;
  }
  for (const table of made.querySelectorAll("table")) {
    const frame = document.createElement("div");
    for (const [name, value] of [["class", "wide"], ["role", "region"], ["aria-label", "Table"], ["tabindex", "0"]]) frame.setAttribute(name, value);
    table.replaceWith(frame);
    frame.append(table);
  }
}

/**
 * Markdown as inert elements; each source marker becomes a `sup`.
 *
 * @param {string} text untrusted: from documents, a model or the web @returns {DocumentFragment}
 */
export function renderMarkdown(text) {
  const made = purify.sanitize(marked.parse(text, { async: false }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "start", "align"],
    ALLOWED_URI_REGEXP: WEB,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  inOrder(made);
  finish(made);
  return made;
}
