// Finds the messages by which the page reports success and failure.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "findMessages")) return;

  const MAX_MESSAGES = 10;
  const MAX_TEXT = 200; // characters; a longer text is no message
  const MAX_MARKUP = 2_000; // characters of text in an element that may be a message
  const LIVE = "[role=alert],[role=status],[role=alertdialog],[aria-live=polite],[aria-live=assertive],output";
  // Parts of the words in class names, without their first letter, which may be upper or lower case.
  const PARTS = ["oast", "nackbar", "lert", "otif", "otice", "lash", "rror", "uccess", "essage", "eedback", "nvalid"];
  const STATED = ["state", "status", "type"].map((name) => `[data-${name}=error],[data-${name}=success]`).join(",");
  // Words in class names and attributes, whatever language the page is in.
  const ERROR = /(^|[\s_-])(error|errors|errorlist|errortext|errormessages?|danger|invalid|fail|failed|failure|critical|negative)($|[\s_-])/i;
  const SUCCESS = /(^|[\s_-])(success|successful|succeeded|positive|confirmation)($|[\s_-])/i;
  const PASSING = /(^|[\s_-])(toast|snackbar|notification|flash|alert|notice)($|[\s_-])/i;
  // Classes that only set colour or shape, and elements that have such colours permanently.
  const COLOUR = /^(?:text|bg|border|btn|badge|link|table|list-group-item|icon|fa|is|has|label|tag|chip|pill|dot)[-_]/i;
  const BADGE = /(^|[\s_-])(badge|tag|chip|pill|label|dot|count|counter|status|state|btn|button|icon)($|[\s_-])/i;
  const BADGE_TEXT = 24; // characters
  const ELSEWHERE = "nav,[role=navigation],[role=menu],[role=menubar],[role=tablist],[role=log],[role=feed],[role=grid],thead";
  const FIELDS = "input:not([type=hidden]),select,textarea";

  /** The kind of a message: "alert" for failures, "status" for the rest. @param {string} signs class names and attributes @param {string} role @param {string} text @returns {MessageKind} */
  page.messageKind = (signs, role, text) => {
    const plain = plainSigns(signs);
    if (ERROR.test(plain)) return "error";
    if (SUCCESS.test(plain)) return "success";
    return page.toneOf(text) || (role === "alert" ? "error" : "info");
  };

  /** @param {string} signs */
  const plainSigns = (signs) => signs.replace(/([a-z])([A-Z])/g, "$1-$2");

  /** @param {Element} el */
  const signsOf = (el) => ["class", "data-state", "data-status", "data-type"].map((name) => el.getAttribute(name) ?? "").join(" ");

  /** Whether it is a message, not a field, a button or a region full of controls. @param {Element} el */
  function isMessage(el) {
    if (el.matches("input,select,textarea,button,a,form,body,label,option,[role=option],[role=dialog]") || !page.isShown(el)) return false;
    if (el.querySelector(`${FIELDS},form`)) return false;
    const { width, height } = el.getBoundingClientRect();
    return width > 1 && height > 1;
  }

  /** The visible messages, outermost only, in document order. @returns {Message[]} */
  page.findMessages = () => {
    /** @type {Message[]} */
    const found = [];
    for (const el of [...page.queryAll(page.MESSAGE), ...page.toasts()]) {
      if (found.length >= MAX_MESSAGES) break;
      const message = found.some((outer) => page.composedContains(outer.el, el)) ? null : page.messageAt(el);
      if (message) found.push(message);
    }
    /** @param {{el: Element}} one */
    const isNew = ({ el }) => !found.some((message) => message.el.contains(el) || el.contains(message.el));
    found.push(...page.wrongFields(MAX_MESSAGES).filter(isNew).map(complaint));
    found.push(...page.fieldErrors().filter(isNew).slice(0, MAX_MESSAGES).map(complaint));
    return found;
  };

  /** @param {{el: Element, text: string}} about @returns {Message} */
  const complaint = ({ el, text }) => ({ el, text, live: false, kind: "error", state: "alert" });

  /** Elements that might be messages. */
  page.MESSAGE = `${LIVE},${PARTS.map((part) => `[class*=${part}]`).join(",")},${STATED}`;

  /** The message an element shows; null if it shows none. @param {Element} el @returns {Message | null} */
  page.messageAt = (el) => {
    const live = el.matches(LIVE);
    const signs = signsOf(el);
    const named = !live && isNotice(el, signs);
    if (!live && !named && !page.isToast(el)) return null;
    if (!isMessage(el) || el.closest(ELSEWHERE)) return null;
    const whole = page.textOf(el, { max: MAX_TEXT, skip: isButton });
    if (!/\p{L}{2}/u.test(whole) || (!live && isBadge(el, signs, whole))) return null;
    const text = page.clip(whole, MAX_TEXT);
    const role = el.getAttribute("role") ?? (el.getAttribute("aria-live") === "assertive" ? "alert" : "");
    const kind = isQuestion(el, role) ? "info" : page.messageKind(live || named ? signs : "", role, whole.length > MAX_TEXT ? "" : text);
    return live || named || kind !== "info" ? { el, text, live, kind, state: role === "alert" ? "alert" : "status" } : null;
  };

  /** Whether an alert offers a choice, so that it is a question. @param {Element} el @param {string} role */
  const isQuestion = (el, role) => role === "alertdialog" && [...el.querySelectorAll("button,[role=button]")].filter((button) => page.nameOf(button, "btn")).length > 1;

  /** @param {Element} el */
  const isButton = (el) => el.matches("button,[role=button]");

  /** Whether it is a badge, such as a coloured "Active" in a table. @param {Element} el @param {string} signs @param {string} text */
  function isBadge(el, signs, text) {
    if (text.length <= BADGE_TEXT && BADGE.test(plainSigns(signs))) return true;
    const cell = el.closest("td,th,[role=gridcell],[role=cell]");
    return cell !== null && !cell.querySelector(FIELDS);
  }

  /** Whether a class name alone is enough: only if it says success, failure or toast. @param {Element} el @param {string} signs */
  function isNotice(el, signs) {
    const plain = plainSigns(signs.split(/\s/).filter((sign) => !COLOUR.test(sign)).join(" "));
    return (ERROR.test(plain) || SUCCESS.test(plain) || PASSING.test(plain)) && (el.textContent ?? "").length < MAX_MARKUP;
  }

  /** The messages that were not there when the last action began, whether gone again or not. @param {readonly Pick<Message, "text" | "kind">[]} messages @param {ReadonlySet<string>} before */
  page.newMessages = (messages, before) => {
    const fresh = messages.filter(({ text }) => !before.has(text));
    const texts = (/** @type {MessageKind} */ kind) => [...new Set(fresh.filter((message) => message.kind === kind).map(({ text }) => text))];
    return { errors: texts("error"), successes: texts("success") };
  };
})();
