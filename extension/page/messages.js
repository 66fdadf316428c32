// The sentinel: what the page tells the person about success and failure.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "findMessages")) return;

  const MAX_MESSAGES = 10;
  const MAX_TEXT = 200;
  const LIVE = "[role=alert],[role=status],[role=alertdialog],[aria-live=polite],[aria-live=assertive],output";
  const NAMED = "[class*=toast],[class*=Toast],[class*=snackbar],[class*=Snackbar],[class*=alert],[class*=notification],[class*=notice],[class*=flash],[class*=error],[class*=Error],[class*=invalid-feedback],[class*=success],[class*=Success],[class*=message],[class*=Message],[data-state=error],[data-status=error],[data-state=success],[data-status=success],[data-type=error],[data-type=success]";
  // Words of class names and attributes, not of any language a page is written in.
  const ERROR = /(^|[\s_-])(error|errors|danger|invalid|fail|failed|failure|critical|negative)($|[\s_-])/i;
  const SUCCESS = /(^|[\s_-])(success|successful|succeeded|positive|confirmation)($|[\s_-])/i;
  // And of the message itself, where its element does not say of which kind it is.
  const BAD_WORDS = /\b(error|failed|failure|invalid|incorrect|wrong|denied|not found|unable|cannot|can't|could not|couldn't|must|is required|already exists|try again|please (enter|fill|select|provide|choose))\b/i;
  const GOOD_WORDS = /\b(success(fully)?|saved|created|added|updated|deleted|removed|sent|submitted|completed|thank you|done|welcome)\b/i;

  /** What a message says: "alert" for failures, "status" for the rest. @param {string} signs class names and attributes @param {string} role @param {string} text @returns {MessageKind} */
  page.messageKind = (signs, role, text) => {
    const camel = signs.replace(/([a-z])([A-Z])/g, "$1-$2");
    if (ERROR.test(camel)) return "error";
    if (SUCCESS.test(camel)) return "success";
    if (BAD_WORDS.test(text)) return "error";
    if (GOOD_WORDS.test(text)) return "success";
    return role === "alert" ? "error" : "info";
  };

  /** @param {Element} el */
  const signsOf = (el) => ["class", "data-state", "data-status", "data-type"].map((name) => el.getAttribute(name) ?? "").join(" ");

  /** Whether it is a message and not a field, a button or a region full of controls. @param {Element} el */
  function isMessage(el) {
    if (el.matches("input,select,textarea,button,a,form,body,label,option,[role=option],[role=dialog]") || !page.isShown(el)) return false;
    if (el.querySelector("input:not([type=hidden]),select,textarea,form")) return false;
    const { width, height } = el.getBoundingClientRect();
    return width > 1 && height > 1;
  }

  /** The messages shown now, outermost only, in document order. @returns {Message[]} */
  page.findMessages = () => {
    /** @type {Message[]} */
    const found = [];
    for (const el of page.roots().flatMap((root) => [...root.querySelectorAll(page.MESSAGE)])) {
      if (found.length >= MAX_MESSAGES) break;
      const message = found.some((outer) => page.composedContains(outer.el, el)) ? null : page.messageAt(el);
      if (message) found.push(message);
    }
    found.push(...invalidFields(found));
    const red = page.fieldErrors().filter(({ el }) => !found.some((message) => message.el.contains(el) || el.contains(message.el)));
    return [...found, ...red.slice(0, MAX_MESSAGES).map(({ el, text }) => ({ el, text, live: false, kind: /** @type {MessageKind} */ ("error"), state: /** @type {"alert"} */ ("alert") }))];
  };

  /** What might be a message. */
  page.MESSAGE = `${LIVE},${NAMED}`;

  /** The message an element shows now; null if it shows none. @param {Element} el @returns {Message | null} */
  page.messageAt = (el) => {
    const live = el.matches(LIVE);
    const signs = signsOf(el);
    if ((!live && !isNotice(el, signs)) || !isMessage(el)) return null;
    const text = page.clip(page.textOf(el, { max: MAX_TEXT, skip: isButton }), MAX_TEXT);
    if (text.length < 2) return null;
    const role = el.getAttribute("role") ?? (el.getAttribute("aria-live") === "assertive" ? "alert" : "");
    return { el, text, live, kind: page.messageKind(signs, role, text), state: role === "alert" ? "alert" : "status" };
  };

  /** @param {Element} el */
  const isButton = (el) => el.matches("button,[role=button]");

  /** A class with such a word in it counts only where it says success, failure or a passing notice. @param {Element} el @param {string} signs */
  function isNotice(el, signs) {
    const camel = signs.replace(/([a-z])([A-Z])/g, "$1-$2");
    const passing = /(^|[\s_-])(toast|snackbar|notification|flash|alert|notice)($|[\s_-])/i.test(camel);
    return (ERROR.test(camel) || SUCCESS.test(camel) || passing) && (el.textContent ?? "").length < 2_000;
  }

  /** What is written about fields that are marked as wrong. @param {Message[]} found @returns {Message[]} */
  function invalidFields(found) {
    const fields = [...document.querySelectorAll("[aria-invalid=true]")].filter(page.isShown).slice(0, MAX_MESSAGES);
    return fields.flatMap((field) => {
      const told = [...page.refs(field, "aria-errormessage"), ...page.refs(field, "aria-describedby")];
      return told.filter((el) => page.isShown(el) && !found.some((message) => message.el.contains(el) || el.contains(message.el))).flatMap((el) => {
        const text = page.textOf(el, { max: MAX_TEXT });
        return text ? [{ el, text, live: false, kind: /** @type {MessageKind} */ ("error"), state: /** @type {"alert"} */ ("alert") }] : [];
      });
    });
  }

  /** Those not shown when the last action began, gone again or not. @param {readonly Pick<Message, "text" | "kind">[]} messages @param {ReadonlySet<string>} before */
  page.newMessages = (messages, before) => {
    const fresh = messages.filter(({ text }) => !before.has(text));
    const texts = (/** @type {MessageKind} */ kind) => [...new Set(fresh.filter((message) => message.kind === kind).map(({ text }) => text))];
    return { errors: texts("error"), successes: texts("success") };
  };
})();
