// The page as HTML, for a server that needs more than the list of controls: `data-llm-id`s are the ids of that list.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "serialise")) return;

  const FRAMES = new Set(["iframe", "frame", "object"]);
  const VOID = new Set("area br col embed hr img input wbr".split(" "));
  const EMPTY = /^(img|hr|input|canvas|video|audio|progress|meter|td|th)$/; // elements that mean something even when empty
  const CONTROL_TEXT = 200; // characters of a control's text, in a skeleton
  const OPTIONS = { semantic: 100, skeleton: 20, full: 1_000 };
  const LONE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g; // an unpaired surrogate or a NUL: no store accepts them
  const CUT = "<!-- cut here: the page is longer -->";

  /** Size of a text within the JSON of a request, in bytes. @param {string} text @returns {number} */
  const jsonBytes = (text) => {
    let bytes = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code < 0x20) bytes += code === 10 || code === 9 || code === 13 ? 2 : 6;
      else if (code < 0x80) bytes += code === 34 || code === 92 ? 2 : 1;
      else bytes += code < 0x800 ? 2 : 3; // a surrogate pair takes four bytes: counted as twice three here
    }
    return bytes;
  };

  /** Collects the text; a tag without content may be left out. */
  class Writer {
    /** @type {string[]} */
    #parts = [];
    /** Tags that are written once they have content; their end tags are counted when they open. @type {{tag: string, close: string, open: boolean}[]} */
    #openTags = [];
    #left;
    cut = false;

    /** @param {number} maxBytes */
    constructor(maxBytes) {
      this.#left = maxBytes;
    }

    /** @param {string} text */
    #append(text) {
      this.#left -= jsonBytes(text);
      if (this.#left < 0) this.cut = true;
      else this.#parts.push(text);
    }

    /** @param {string} text */
    write(text) {
      if (this.cut) return;
      for (const tag of this.#openTags.filter(({ open }) => !open)) {
        this.#left -= tag.close.length;
        this.#append(tag.tag);
        if (this.cut) return;
        tag.open = true;
      }
      this.#append(text);
    }

    /** @param {string} text separator between words and lines: never doubled, never alone */
    space(text) {
      const last = this.#parts.at(-1) ?? "\n";
      if (!this.cut && !last.endsWith("\n") && !(text === " " && /\s$/.test(last))) this.#append(text);
    }

    /** @param {string} tag with its attributes @param {string} name @param {boolean} always also when empty @param {() => void} inner */
    element(tag, name, always, inner) {
      const entry = { tag, close: VOID.has(name) ? "" : `</${name}>`, open: false };
      this.#openTags.push(entry);
      if (always) this.write("");
      if (!VOID.has(name)) inner();
      this.#openTags.pop();
      if (entry.open) this.#parts.push(entry.close);
    }

    /** @returns {string} */
    text() {
      return (this.#parts.join("") + (this.cut ? `\n${CUT}` : "")).trim();
    }
  }

  /**
   * @typedef {object} Place
   * @property {boolean} raw whitespace counts
   * @property {{left: number} | null} room for the text of the surrounding control, in a skeleton; null outside of one
   * @property {boolean} gone an ancestor is not rendered
   * @property {boolean} unseen an ancestor is not rendered or not visible
   */

  /** Walks the rendered document and writes it in one form. */
  class Copy {
    #mode;
    #known;
    #writer;

    /** @param {SerialMode} mode @param {Map<Element, {id: string, name: string}>} known @param {Writer} writer */
    constructor(mode, known, writer) {
      this.#mode = mode;
      this.#known = known;
      this.#writer = writer;
    }

    /** @param {Text} node @param {Place} place */
    #text(node, { raw, room, unseen }) {
      if (this.#mode === "skeleton" && (!room || room.left <= 0)) return;
      if (unseen && this.#mode !== "full") return;
      const own = node.nodeValue ?? "";
      const words = raw ? own : page.collapse(own);
      if (!words) return this.#writer.space(" ");
      if (/^\s/.test(own)) this.#writer.space(" ");
      this.#writer.write(page.escapeHtml(room ? page.clip(words, room.left) : words));
      if (room) room.left -= words.length;
      if (/\s$/.test(own)) this.#writer.space(" ");
    }

    /** @param {HTMLSelectElement} select */
    #options(select) {
      const most = OPTIONS[this.#mode];
      const shown = [...select.options].filter(({ hidden }) => !hidden);
      for (const option of shown.slice(0, most)) {
        this.#writer.write(`<option${attributesOf(option, this.#mode, null)}>${page.escapeHtml(page.optionLabel(option))}</option>`);
      }
      if (shown.length > most) this.#writer.write(`<!-- ${shown.length - most} more options -->`);
    }

    /** @param {Element} el @param {Place} place */
    #writeContent(el, place) {
      if (el.localName === "select") return this.#options(/** @type {HTMLSelectElement} */ (el));
      if (el.localName === "textarea") return this.#writer.write(page.escapeHtml(page.clip(/** @type {HTMLTextAreaElement} */ (el).value, this.#mode === "full" ? 20_000 : 2_000)));
      if (FRAMES.has(el.localName)) {
        const key = page.frameKey(el);
        return key ? this.#writer.write(`<!--frame:${key}-->`) : undefined;
      }
      for (const child of page.childrenOf(el)) {
        if (this.#writer.cut) return;
        if (child.nodeType === Node.TEXT_NODE) this.#text(/** @type {Text} */ (child), place);
        else if (child.nodeType === Node.ELEMENT_NODE) this.visit(/** @type {Element} */ (child), place);
      }
    }

    /** @param {Element} el @param {Place} around */
    visit(el, around) {
      if (isOmitted(el)) return;
      const [mode, own, style] = [this.#mode, this.#known.get(el) ?? null, getComputedStyle(el)];
      if (style.display === "none" && mode !== "full" && !own) return;
      const gone = around.gone || style.display === "none"; // with everything in it; invisible elements may contain visible ones
      const unseen = gone || style.visibility !== "visible";
      const room = own && mode === "skeleton" ? around.room ?? { left: CONTROL_TEXT } : around.room;
      const place = { raw: el.localName === "pre", room, gone, unseen };
      const line = !style.display.startsWith("inline") && style.display !== "contents";
      if (line) this.#writer.space("\n");
      if (own || keepsTag(el, mode)) this.#element(el, own, place, unseen && !around.unseen);
      else this.#writeContent(el, place);
      if (line) this.#writer.space("\n");
    }

    /** @param {Element} el @param {{id: string, name: string} | null} own @param {Place} place @param {boolean} hides whether it starts a hidden part of the page */
    #element(el, own, place, hides) {
      const mode = this.#mode;
      const mark = mode === "full" && hides && !el.hasAttribute("hidden") ? " hidden" : "";
      const always = own !== null || mode === "full" || (mode === "semantic" && !place.unseen && EMPTY.test(el.localName));
      this.#writer.element(`<${el.localName}${attributesOf(el, mode, own)}${mark}>`, el.localName, always, () => this.#writeContent(el, place));
    }
  }

  /** The document in one form, cut if it is too long. @param known the controls of the last observation @param maxBytes of the result within JSON */
  page.serialise = (mode, known, maxBytes) => {
    const writer = new Writer(maxBytes);
    writer.write(`<title>${page.escapeHtml(page.collapse(document.title))}</title>\n`);
    new Copy(mode, known, writer).visit(document.body ?? document.documentElement, { raw: false, room: null, gone: false, unseen: false });
    return { dom: writer.text().replace(LONE, "\ufffd"), cut: writer.cut };
  };

  /** What the runner requests, with the ids of the observation it just received. */
  page.pageAsHtml = (observer, { mode, ids, maxBytes }) => {
    /** @type {Map<Element, {id: string, name: string}>} */
    const known = new Map();
    for (const id of ids) {
      const record = observer.ids.get(id);
      const el = record?.element.deref();
      if (record && el) known.set(el, record);
    }
    return page.serialise(mode, known, maxBytes);
  };

  /** Removes our overlays from the page, and waits until that is drawn. */
  page.hideOverlays = async () => {
    page.clearOutline();
    page.clearQuestion();
    const drawn = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.race([drawn, new Promise((done) => setTimeout(done, 200))]); // a hidden page draws nothing
    return {};
  };

  const MASK = "••••••"; // app/domain/page.py, MASK: a password never leaves the page
  const DROPPED = new Set(["script", "style", "noscript", "template", "link", "meta", "base", "head", "source", "track", "param"]);
  const DRAWING = new Set(["path", "defs", "symbol", "clippath", "mask", "filter", "lineargradient", "radialgradient", "pattern", "marker", "use", "metadata"]);
  const MEANS = new Set(("h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr th td form fieldset legend label nav main header footer "
    + "aside article section dialog details summary figure figcaption blockquote pre code a button frame frameset object input select option optgroup textarea output progress "
    + "meter img iframe canvas video audio time mark strong em b i s del ins sup sub hr").split(" "));
  const HOLDS = new Set("table thead tbody tr ul ol li form fieldset nav main header footer aside article section dialog details iframe frame frameset object".split(" "));
  const SHORT = "role type placeholder href aria-label aria-expanded aria-selected aria-checked aria-pressed aria-current aria-haspopup aria-disabled aria-invalid aria-modal disabled required readonly multiple";
  const SAYS = new Set((`${SHORT} name title alt for colspan rowspan scope min max step pattern maxlength open contenteditable datetime download draggable lang `
    + "aria-required aria-readonly aria-valuenow aria-valuemin aria-valuemax aria-valuetext aria-sort aria-level aria-live aria-multiselectable aria-placeholder aria-roledescription").split(" "));
  const BRIEF = new Set(SHORT.split(" "));
  // Attributes into which a script could have put the value are left out of secret fields.
  const HARMLESS = new Set([...SAYS, "id", "class", "autocomplete"]);
  const NEVER = /^(on|style$|value$|checked$|selected$|nonce$|integrity$|srcset$|sizes$|srcdoc$|ping$|data-llm-id$)/;
  const SECRET = /(^|\s)(current-password|new-password|one-time-code|cc-csc)(\s|$)/;

  /** Longest attribute and longest value, in characters. @type {Record<SerialMode, [number, number]>} */
  const LENGTHS = { semantic: [200, 2_000], skeleton: [100, 100], full: [500, 20_000] };

  /** Whether an element is never written. @param {Element} el */
  const isOmitted = (el) => {
    const tag = el.localName.toLowerCase();
    return DROPPED.has(tag) || DRAWING.has(tag) || page.isOverlay(el) || (tag === "input" && /** @type {HTMLInputElement} */ (el).type === "hidden");
  };

  /** Whether a field holds a secret. */
  page.isSecret = (el) => page.isWithheld(el) || el.localName === "input" && (/** @type {HTMLInputElement} */ (el).type === "password" || SECRET.test(el.getAttribute("autocomplete") ?? ""));

  /** @param {Element} el */
  const speaks = (el) => el.hasAttribute("aria-label") || !/^(|none|presentation|generic)$/.test(el.getAttribute("role") ?? "");

  /** Whether the tag itself is written, and not only its content. @param {Element} el @param {SerialMode} mode */
  const keepsTag = (el, mode) => {
    if (mode === "full" && !(el instanceof SVGElement)) return true;
    return speaks(el) || (mode === "skeleton" ? HOLDS : MEANS).has(el.localName);
  };

  page.escapeHtml = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  /** @param {string} name @param {string} value @param {number} max */
  const attributeText = (name, value, max) => (value === "" ? ` ${name}` : ` ${name}="${page.escapeHtml(page.clip(page.collapse(/^\s*data:/i.test(value) ? "data:" : value), max)).replace(/"/g, "&quot;")}"`);

  /** The current value as displayed, which the attributes do not contain. @param {Element} el @param {number} max @returns {string} */
  function liveState(el, max) {
    const { localName, value, type, checked, selected, indeterminate } = /** @type {HTMLInputElement & HTMLOptionElement} */ (el);
    if (localName === "option") return selected ? " selected" : "";
    if (localName !== "input") return "";
    if (page.isSecret(el)) return value ? attributeText("value", MASK, max) : "";
    if (type === "checkbox" || type === "radio") return (checked ? " checked" : "") + (indeterminate ? ' aria-checked="mixed"' : "");
    return type === "file" || value === "" ? "" : attributeText("value", value, max);
  }

  /**
   * The attributes as they are written.
   * @param {Element} el @param {SerialMode} mode @param {{id: string, name: string} | null} known its id and name in the observation
   * @returns {string}
   */
  const attributesOf = (el, mode, known) => {
    const [max, maxValue] = LENGTHS[mode];
    const allowed = page.isSecret(el) ? HARMLESS : mode === "full" ? null : mode === "skeleton" ? BRIEF : SAYS;
    const own = [...el.attributes].filter(({ name }) => !NEVER.test(name) && (allowed === null || allowed.has(name)) && (mode === "full" || /^[\w:-]+$/.test(name)));
    const texts = own.map(({ name, value }) => attributeText(name, value, max)).join("");
    const id = known ? attributeText("data-llm-id", known.id, max) : "";
    const field = known?.name && mode !== "full" && !el.hasAttribute("aria-label") && /^(input|select|textarea)$/.test(el.localName);
    const nameless = field && (mode === "skeleton" || page.labelsOf(el).length === 0);
    return id + texts + (nameless ? attributeText("aria-label", known.name, max) : "") + liveState(el, maxValue);
  };
})();
