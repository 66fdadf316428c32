// Captures a page, or a part of it, as HTML to learn: its words in order, without typed text, identifying values or scripts.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "capture")) return;

  const DROPPED = new Set(("script style noscript template link meta base title head svg canvas object embed applet audio video source track param map area datalist "
    + "frame frameset portal").split(" "));
  const TYPED = new Set(["textbox", "searchbox", "spinbutton", "combobox"]); // roles of elements that show a value
  const CHOICES = new Set(["listbox", "option", "menu", "dialog"]); // roles inside such elements that are not the value
  const PUSHED = new Set(["submit", "button", "reset"]);
  // Parts of parameter names whose values grant access.
  const KEY = /token|secret|session|passw|passcode|api_?key|access_?key|signature|credential|^(?:sid|sig|auth|authorization|code|ticket|jwt|otp|nonce|csrf|xsrf|key)$|csrf|xsrf|sessid/i;
  const LEAST_SECRET = 4; // characters: shorter values occur in other words
  const MAX_FIELDS = 2_000;

  /** @param {Element} el */
  const isNeverLearned = (el) => DROPPED.has(el.localName) || page.isOverlay(el) || (el.localName === "input" && /** @type {HTMLInputElement} */ (el).type === "hidden");

  /** How the text of an element is treated: "typed" is somebody's input, "own" is the page's text, null as its parent. @param {Element} el */
  const textKind = (el) => {
    const editable = el.getAttribute("contenteditable");
    if (el.localName === "textarea" || (editable !== null && editable !== "false")) return "draft";
    const role = (el.getAttribute("role") ?? "").trim().split(/\s+/)[0];
    if (TYPED.has(role)) return "typed";
    return CHOICES.has(role) ? "own" : null;
  };

  /** The label of an input that is a button. @param {Element} el */
  const buttonWords = (el) => {
    const { localName, type, value } = /** @type {HTMLInputElement} */ (el);
    return localName === "input" && PUSHED.has(type) ? value : "";
  };

  /** An address without credentials; "" for one that leads nowhere. @param {string} href */
  const plainAddress = (href) => {
    if (!URL.canParse(href, document.baseURI)) return "";
    const url = new URL(href, document.baseURI);
    if (!/^(https?|mailto|tel):$/.test(url.protocol)) return "";
    url.username = "";
    url.password = "";
    for (const name of [...url.searchParams.keys()]) if (KEY.test(name)) url.searchParams.delete(name);
    if (/[=&]/.test(url.hash) && [...new URLSearchParams(url.hash.replace(/^#\/?\??/, "")).keys()].some((name) => KEY.test(name))) url.hash = "";
    return url.href;
  };

  /** The values of secret fields, which the page might repeat elsewhere. @param {ParentNode} root */
  const secretsIn = (root) =>
    [...root.querySelectorAll("input")].slice(0, MAX_FIELDS).filter((el) => page.isSecret(el)).map(({ value }) => value).filter((value) => value.length >= LEAST_SECRET);

  const MAX_CHARACTERS = 3_000_000; // per capture: a request holds 10 MB, a character takes at most three bytes
  const MAX_ELEMENTS = 60_000;
  const MAX_DEPTH = 250;
  const TINY = 2; // CSS pixels
  const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
  // Only these attributes are kept: others may hold anything.
  const KEPT = ("id class role lang dir title alt placeholder type required disabled multiple label for colspan rowspan scope headers abbr datetime open min max maxlength start reversed "
    + "aria-label aria-labelledby aria-modal aria-required aria-expanded aria-level aria-current aria-disabled").split(" ");
  // Metadata that the author wrote for readers.
  const FACTS = new Set([
    "description", "keywords", "author", "date", "language", "last-modified", "og:title", "og:description", "og:site_name", "og:locale", "og:type", "og:updated_time",
    "article:published_time", "article:modified_time", "article:author", "article:section",
  ]);

  /** @param {string} name of a meta element, in lower case */
  const isFact = (name) => FACTS.has(name) || name.startsWith("dc.") || name.startsWith("dcterms.");

  /** @param {string} text */
  const quoted = (text) => page.escapeHtml(text).replace(/"/g, "&quot;");

  /** Whether an element is visible, hidden until something opens it, or never visible. @param {Element} el @returns {"shown" | "hidden" | "unseen"} */
  function seenAs(el) {
    if (!page.isShown(el)) return "hidden";
    const style = getComputedStyle(el);
    if (style.display === "contents") return "shown";
    if (style.opacity === "0") return style.pointerEvents === "none" || /^(dialog|menu|listbox)$/.test(page.partRole(el)) ? "hidden" : "unseen";
    if (style.fontSize === "0px") return "unseen";
    const isOut = style.position === "absolute" || style.position === "fixed";
    const clips = style.overflow !== "visible" && (el.clientWidth < TINY || el.clientHeight < TINY) && style.display !== "inline";
    if (clips && el.firstChild && el.getClientRects().length > 0) return isOut ? "unseen" : "hidden";
    if (!isOut) return "shown";
    const { right, bottom, width } = el.getBoundingClientRect();
    return width > 0 && (right + scrollX < 0 || bottom + scrollY < 0) ? "unseen" : "shown";
  }

  /** Child nodes as rendered, including open shadow roots. @param {Element} el @returns {Iterable<Node>} */
  function nodesOf(el) {
    if (el.shadowRoot) return el.shadowRoot.childNodes;
    if (el.localName === "slot") {
      const given = /** @type {HTMLSlotElement} */ (el).assignedNodes({ flatten: true });
      if (given.length > 0) return given;
    }
    if (el.localName !== "iframe") return el.childNodes;
    try {
      return /** @type {HTMLIFrameElement} */ (el).contentDocument?.body?.childNodes ?? [];
    } catch {
      return []; // of another origin
    }
  }

  /** Custom elements are written as standard ones with the same appearance. @param {Element} el */
  function tagOf(el) {
    if (el.localName === "iframe") return "section";
    if (!el.localName.includes("-")) return el.localName;
    return getComputedStyle(el).display.startsWith("inline") ? "span" : "div";
  }

  class Writer {
    /** @type {string[]} */
    #parts = [];
    #length = 0;
    #elements = 0;
    cut = false;

    /** @param {{hidden: boolean, secrets: readonly string[], editors: ReadonlySet<Element>}} how `hidden`: whether hidden parts are included */
    constructor(how) {
      this.how = how;
    }

    get html() {
      return this.#parts.join("");
    }

    /** @param {string} text */
    put(text) {
      this.#parts.push(text);
      this.#length += text.length;
    }

    get #full() {
      this.cut ||= this.#length > MAX_CHARACTERS || this.#elements > MAX_ELEMENTS;
      return this.cut;
    }

    /** @param {Node} node @param {{depth: number, mute: boolean, hidden: boolean}} at */
    node(node, at) {
      if (this.#full) return;
      if (node.nodeType === Node.TEXT_NODE) this.#text(node.nodeValue ?? "", at.mute);
      else if (node.nodeType === Node.ELEMENT_NODE) this.element(/** @type {Element} */ (node), at);
    }

    /** @param {string} text @param {boolean} mute */
    #text(text, mute) {
      if (mute || this.how.secrets.some((secret) => text.includes(secret))) return;
      const room = Math.max(0, MAX_CHARACTERS - this.#length);
      this.cut ||= text.length > room;
      this.put(page.escapeHtml(text.slice(0, room)));
    }

    /** @param {Element} el @param {{depth: number, mute: boolean, hidden: boolean}} at @param {boolean} [isRoot] always captured, even while it is fading in */
    element(el, at, isRoot = false) {
      if (isNeverLearned(el) || at.depth > MAX_DEPTH) return;
      const seen = isRoot || at.hidden ? "shown" : seenAs(el);
      if (seen === "unseen" || (seen === "hidden" && !this.how.hidden)) return;
      this.#elements += 1;
      const tag = el.localName === "slot" ? "" : tagOf(el);
      if (tag) this.put(`<${tag}${this.#attributes(el, isRoot)}${seen === "hidden" ? " hidden" : ""}>`);
      if (VOID.has(tag)) return;
      this.#children(el, { depth: at.depth + 1, mute: at.mute, hidden: at.hidden || seen === "hidden" });
      if (tag) this.put(`</${tag}>`);
    }

    /** @param {Element} el @param {{depth: number, mute: boolean, hidden: boolean}} at */
    #children(el, at) {
      const kind = textKind(el);
      if (kind === "draft" || this.how.editors.has(el)) return;
      const mute = kind === "typed" ? true : kind === "own" ? false : at.mute;
      for (const node of nodesOf(el)) this.node(node, { ...at, mute });
    }

    /** @param {Element} el @param {boolean} isRoot */
    #attributes(el, isRoot) {
      const { value = "" } = /** @type {HTMLInputElement} */ (el);
      const isField = /^(input|textarea|select)$/.test(el.localName);
      const attributes = KEPT.flatMap((name) => {
        const text = el.getAttribute(name);
        // Some fields repeat the typed text in a tooltip.
        const isTyped = isField && text !== null && text !== "" && name !== "type" && text === value;
        return text === null || isTyped || this.how.secrets.some((secret) => text.includes(secret)) ? [] : [[name, text]];
      });
      if (el.localName === "a") attributes.push(["href", plainAddress(el.getAttribute("href") ?? "")]);
      if (buttonWords(el)) attributes.push(["value", buttonWords(el)]);
      // The element that names the part may be outside of it.
      if (isRoot && el.hasAttribute("aria-labelledby") && !el.hasAttribute("aria-label")) attributes.push(["aria-label", page.partName(el)]);
      return attributes.filter(([name, text]) => name !== "href" || text).map(([name, text]) => ` ${name}="${quoted(text)}"`).join("");
    }
  }

  /** The frames of code editors, which show what somebody is writing. @param {ParentNode} root */
  function editorsIn(root) {
    return new Set([...root.querySelectorAll("textarea")].flatMap((field) => page.editorOf(field)?.frame ?? []));
  }

  /** @param {ParentNode} root @param {boolean} hidden */
  const writer = (root, hidden) => new Writer({ hidden, secrets: secretsIn(document), editors: editorsIn(root) });

  function head() {
    const canonical = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))?.href;
    const facts = [...document.querySelectorAll("meta")].flatMap((meta) => {
      const name = meta.getAttribute("name") ?? meta.getAttribute("property") ?? "";
      return isFact(name.toLowerCase()) ? [`<meta name="${quoted(name)}" property="${quoted(name)}" content="${quoted(meta.content)}">`] : [];
    });
    const link = canonical ? `<link rel="canonical" href="${quoted(plainAddress(canonical))}">` : "";
    return `<head><title>${page.escapeHtml(document.title)}</title>${link}${facts.join("")}</head>`;
  }

  page.capture = (root = null) => {
    const written = writer(root ?? document, root === null);
    const at = { depth: 0, mute: false, hidden: false };
    const lang = root === null && document.documentElement.lang ? ` lang="${quoted(document.documentElement.lang)}"` : "";
    if (root !== null) written.element(root, at, true);
    else if (document.body) written.element(document.body, at, true);
    const html = root === null ? `<!doctype html><html${lang}>${head()}${written.html}</html>` : written.html;
    return { html, cut: written.cut, url: plainAddress(location.href), title: page.collapse(document.title) };
  };

  const NAMED = new Set("dialog menu listbox tabpanel form region article details table main complementary".split(" "));
  const BARE = new Set("dialog menu listbox tabpanel form main".split(" "));
  const BY_TAG = new Map(Object.entries({ dialog: "dialog", main: "main", form: "form", article: "article", details: "details", table: "table", menu: "menu", aside: "complementary" }));
  const HOLDERS = new Set("div section article main aside form fieldset dialog details table ul ol dl menu body".split(" "));
  const LONGEST_NAME = 80; // characters
  const LONGEST_ID = 64;
  const HEADINGS = "h1,h2,h3,h4,h5,h6,legend";
  const MAX_TEXT = 400; // characters read of an element that names a part

  /** Whether an id was written by a person and not generated. @param {string} id */
  const isStable = (id) => id.length <= LONGEST_ID && /^[A-Za-z][A-Za-z0-9_.-]*$/.test(id) && !/\d{4}/.test(id);

  /** @param {string} role @param {string} id @param {string} name @returns {string} "dialog[Add patient]", "#filters", "form", or "" */
  const containerName = (role, id, name) => {
    const kind = role === "alertdialog" ? "dialog" : role;
    const words = page.collapse(name).replaceAll("[", "(").replaceAll("]", ")");
    const short = [...words].slice(0, LONGEST_NAME).join("").trim();
    if (NAMED.has(kind) && kind !== "main" && short) return `${kind}[${short}]`;
    if (kind !== "main" && isStable(id)) return `#${id}`;
    return BARE.has(kind) ? kind : "";
  };

  page.partRole = (el) => {
    const roles = (el.getAttribute("role") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    if (el.getAttribute("aria-modal")?.toLowerCase() === "true" || roles[0] === "alertdialog") return "dialog";
    if (roles.length > 0) return roles[0];
    if (/^(section|div)$/.test(el.localName) && (el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby"))) return "region";
    return BY_TAG.get(el.localName) ?? "";
  };

  /** @param {Element | null | undefined} el */
  const textOf = (el) => page.collapse(el?.textContent?.slice(0, MAX_TEXT));

  page.partName = (el) => {
    const label = el.getAttribute("aria-label")?.trim();
    if (label) return label;
    const named = page.refs(el, "aria-labelledby").map(textOf).join(" ").trim();
    if (named) return named;
    const role = page.partRole(el);
    if (role === "details") return textOf(el.querySelector("summary"));
    if (role === "table") return textOf(el.querySelector("caption"));
    return role === "main" ? "" : textOf(el.querySelector(HEADINGS));
  };

  page.containerOf = (start) => {
    for (let el = /** @type {Element | null} */ (start); el; el = page.parentOf(el)) {
      const role = page.partRole(el);
      if (!NAMED.has(role) && !HOLDERS.has(el.localName) && !el.hasAttribute("role")) continue;
      const name = containerName(role, el.id, NAMED.has(role) ? page.partName(el) : "");
      if (name) return name;
    }
    return "";
  };
})();
