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
  page.jsonBytes = (text) => {
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
    #open = [];
    #left;
    cut = false;

    /** @param {number} maxBytes */
    constructor(maxBytes) {
      this.#left = maxBytes;
    }

    /** @param {string} text */
    #put(text) {
      this.#left -= page.jsonBytes(text);
      if (this.#left < 0) this.cut = true;
      else this.#parts.push(text);
    }

    /** @param {string} text */
    write(text) {
      if (this.cut) return;
      for (const tag of this.#open.filter(({ open }) => !open)) {
        this.#left -= tag.close.length;
        this.#put(tag.tag);
        if (this.cut) return;
        tag.open = true;
      }
      this.#put(text);
    }

    /** @param {string} text separator between words and lines: never doubled, never alone */
    space(text) {
      const last = this.#parts.at(-1) ?? "\n";
      if (!this.cut && !last.endsWith("\n") && !(text === " " && /\s$/.test(last))) this.#put(text);
    }

    /** @param {string} tag with its attributes @param {string} name @param {boolean} always also when empty @param {() => void} inner */
    element(tag, name, always, inner) {
      const entry = { tag, close: VOID.has(name) ? "" : `</${name}>`, open: false };
      this.#open.push(entry);
      if (always) this.write("");
      if (!VOID.has(name)) inner();
      this.#open.pop();
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
        this.#writer.write(`<option${page.attributesOf(option, this.#mode, null)}>${page.escapeHtml(page.optionLabel(option))}</option>`);
      }
      if (shown.length > most) this.#writer.write(`<!-- ${shown.length - most} more options -->`);
    }

    /** @param {Element} el @param {Place} place */
    #inside(el, place) {
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
      if (page.isOmitted(el)) return;
      const [mode, own, style] = [this.#mode, this.#known.get(el) ?? null, getComputedStyle(el)];
      if (style.display === "none" && mode !== "full" && !own) return;
      const gone = around.gone || style.display === "none"; // with everything in it; invisible elements may contain visible ones
      const unseen = gone || style.visibility !== "visible";
      const room = own && mode === "skeleton" ? around.room ?? { left: CONTROL_TEXT } : around.room;
      const place = { raw: el.localName === "pre", room, gone, unseen };
      const line = !style.display.startsWith("inline") && style.display !== "contents";
      if (line) this.#writer.space("\n");
      if (own || page.keepsTag(el, mode)) this.#element(el, own, place, unseen && !around.unseen);
      else this.#inside(el, place);
      if (line) this.#writer.space("\n");
    }

    /** @param {Element} el @param {{id: string, name: string} | null} own @param {Place} place @param {boolean} hides whether it starts a hidden part of the page */
    #element(el, own, place, hides) {
      const mode = this.#mode;
      const mark = mode === "full" && hides && !el.hasAttribute("hidden") ? " hidden" : "";
      const always = own !== null || mode === "full" || (mode === "semantic" && !place.unseen && EMPTY.test(el.localName));
      this.#writer.element(`<${el.localName}${page.attributesOf(el, mode, own)}${mark}>`, el.localName, always, () => this.#inside(el, place));
    }
  }

  /**
   * The document in one form, cut if it is too long.
   * @param {SerialMode} mode @param {Map<Element, {id: string, name: string}>} known the controls of the last observation
   * @param {number} maxBytes of the result within JSON
   * @returns {{dom: string, cut: boolean}}
   */
  page.serialise = (mode, known, maxBytes) => {
    const writer = new Writer(maxBytes);
    writer.write(`<title>${page.escapeHtml(page.collapse(document.title))}</title>\n`);
    new Copy(mode, known, writer).visit(document.body ?? document.documentElement, { raw: false, room: null, gone: false, unseen: false });
    return { dom: writer.text().replace(LONE, "\ufffd"), cut: writer.cut };
  };

  /**
   * What the runner requests, with the ids of the observation it just received.
   * @param {Observer} observer @param {{mode: SerialMode, ids: string[], maxBytes: number}} request
   */
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
})();
