/**
 * Side effects of an action outside the DOM: browser dialogs, new windows, copied text, saved files.
 * They must be answered at once, in the page's own world; this is injected there once per document.
 * It does nothing until it is armed, and restores the page's own functions afterwards.
 *
 * It is armed, and reports, through events whose names begin with `token`, new for each injection. Its
 * reports are as untrusted as any other text of the page.
 *
 * The function is sent as text: it may use nothing from outside itself.
 *
 * @param {string} token
 */
export function dialogsInPage(token) {
  const OPENS_HERE = new Set(["_self", "_parent", "_top"]);
  const ARM = `${token}:arm`;
  const TOLD = `${token}:told`;
  const { dispatchEvent } = document;

  /** The agent's decision about a dialog; null if there is none. @type {{accept: boolean, text?: string, about?: string[]} | null} */
  let decision = null;
  let armed = false;
  /** The page's own functions. @type {Map<string, PropertyDescriptor | undefined>} */
  const originals = new Map();

  /** @param {object} told */
  const report = (told) => void dispatchEvent.call(document, new CustomEvent(TOLD, { detail: JSON.stringify(told) }));
  const shortText = (/** @type {unknown} */ message) => (message === undefined ? "" : String(message).slice(0, 1_000));

  /** @param {string} type @param {unknown} message @param {boolean} accepted @param {string} [text] */
  function reportDialog(type, message, accepted, text) {
    report({ type, message: shortText(message), accepted, foreseen: decisionFor(message) !== null, ...(text === undefined ? {} : { text }) });
  }

  /** The decision, if it is about this dialog; one that says more than expected is left to a person. @param {unknown} message */
  function decisionFor(message) {
    if (!decision?.accept || !decision.about) return decision;
    const known = new Set(decision.about);
    const words = String(message ?? "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return words.every((word) => known.has(word)) ? decision : null;
  }

  const STAND_INS = /** @type {Record<string, (...args: any[]) => any>} */ ({
    alert: function alert(message) {
      reportDialog("alert", message, true);
    },
    confirm: function confirm(message) {
      const accepted = decisionFor(message)?.accept === true;
      reportDialog("confirm", message, accepted);
      return accepted;
    },
    prompt: function prompt(message, preset) {
      const accepted = decisionFor(message)?.accept === true;
      const text = accepted ? (decision?.text ?? shortText(preset)) : undefined;
      reportDialog("prompt", message, accepted, text);
      return text ?? null;
    },
    print: function print() {
      reportDialog("print", document.title, false);
    },
    open: function open(url, target, features) {
      if (leadsNowhereNew(target)) return native("open")(url, target, features);
      const win = createWindowStandIn();
      if (url !== undefined && String(url) !== "") win.location.href = String(url);
      return /(^|[\s,])no(opener|referrer)\b/i.test(String(features ?? "")) ? null : win;
    },
  });

  /** Whether the window exists already, or the person's own click opens it. @param {unknown} target */
  function leadsNowhereNew(target) {
    const name = String(target ?? "").toLowerCase();
    if (OPENS_HERE.has(name) || navigator.userActivation.isActive) return true;
    return name !== "" && name !== "_blank" && document.querySelector(`iframe[name="${CSS.escape(String(target))}"]`) !== null;
  }

  /** Stands in for a window that the browser would not open for a script: it can be navigated, closed and focused. */
  function createWindowStandIn() {
    const go = (/** @type {unknown} */ url) => report({ type: "open", url: new URL(String(url), document.baseURI).href });
    const place = { assign: go, replace: go, reload() {}, toString: () => "about:blank" };
    Object.defineProperty(place, "href", { get: () => "about:blank", set: go });
    const win = { closed: false, opener: window, name: "", focus() {}, blur() {}, postMessage() {}, close() { win.closed = true; } };
    Object.defineProperty(win, "location", { get: () => place, set: go });
    return /** @type {any} */ (win);
  }

  /** Ways to copy, each with a replacement that leaves the person's clipboard alone. @type {[object, string, (...args: any[]) => any][]} */
  const COPIES = [
    [globalThis.Clipboard?.prototype ?? {}, "writeText", async (text) => report({ type: "copied", text: String(text) })],
    [globalThis.Clipboard?.prototype ?? {}, "write", async (items) => {
      for (const item of items) if (item.types.includes("text/plain")) report({ type: "copied", text: await (await item.getType("text/plain")).text() });
    }],
    [Document.prototype, "execCommand", () => {
      report({ type: "copied", text: copiedText() });
      return true;
    }],
  ];
  /** Restores the page's own ways to copy. @type {(() => void)[]} */
  let restoreCopies = [];

  /** The text a copy puts on the clipboard: the page's, else the selection. */
  function copiedText() {
    const field = /** @type {HTMLInputElement} */ (document.activeElement ?? document.body);
    const clipboardData = new DataTransfer();
    const free = field.dispatchEvent(new ClipboardEvent("copy", { bubbles: true, cancelable: true, composed: true, clipboardData }));
    if (!free) return clipboardData.getData("text/plain");
    const isField = (field.localName === "input" && field.type !== "password") || field.localName === "textarea";
    return isField ? field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0) : String(getSelection() ?? "");
  }

  /** Catches what the page copies during the agent's action; a person's own click copies as usual. */
  function interceptCopies() {
    restoreCopies = COPIES.filter(([owner, name]) => name in owner).map(([owner, name, take]) => {
      const original = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(owner, name));
      /** @this {unknown} @param {any[]} args */
      const replacement = function (...args) {
        const isOther = name === "execCommand" && String(args[0]).toLowerCase() !== "copy";
        return isOther || window.event?.isTrusted ? original.value.apply(this, args) : take(...args);
      };
      Object.defineProperty(owner, name, { ...original, value: replacement });
      return () => void (/** @type {any} */ (owner)[name] === replacement && Object.defineProperty(owner, name, original));
    });
  }

  /** Object URLs revoked by the page: a file saved from one must be read first. @type {string[]} */
  let revoked = [];
  /** Restores the page's own ways to save. @type {(() => void)[]} */
  let restoreSaves = [];

  /** Reports files that the page saves by clicking a link, which need not be in the document. */
  function watchSaves() {
    const reportSave = (/** @type {unknown} */ link) => {
      if (link instanceof HTMLAnchorElement && !link.isConnected && link.hasAttribute("download")) report({ type: "saved", url: link.href, name: link.download });
    };
    restoreSaves = /** @type {[object, string, (self: unknown, args: any[]) => unknown][]} */ ([
      [HTMLElement.prototype, "click", reportSave],
      [EventTarget.prototype, "dispatchEvent", (self, [event]) => event instanceof Event && event.type === "click" && reportSave(self)],
    ]).map(([owner, name, hear]) => {
      const original = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(owner, name));
      /** @this {unknown} @param {any[]} args */
      const replacement = function (...args) {
        hear(this, args);
        return original.value.apply(this, args);
      };
      Object.defineProperty(owner, name, { ...original, value: replacement });
      return () => void (/** @type {any} */ (owner)[name] === replacement && Object.defineProperty(owner, name, original));
    });
    const { revokeObjectURL } = URL;
    const later = (/** @type {unknown} */ url) => void revoked.push(String(url));
    URL.revokeObjectURL = later;
    restoreSaves.push(() => {
      if (URL.revokeObjectURL === later) URL.revokeObjectURL = revokeObjectURL;
      for (const url of revoked.splice(0)) revokeObjectURL.call(URL, url);
    });
  }

  /** @param {string} name the page's own function @returns {(...args: unknown[]) => unknown} */
  function native(name) {
    const original = originals.get(name);
    const fn = original ? (original.value ?? original.get?.call(window)) : Object.getPrototypeOf(window)[name];
    return typeof fn === "function" ? fn.bind(window) : () => null;
  }

  /** @param {string} name */
  function replace(name) {
    originals.set(name, Object.getOwnPropertyDescriptor(window, name));
    Object.defineProperty(window, name, { value: STAND_INS[name], writable: true, configurable: true, enumerable: true });
  }

  /** @param {string} name restores the page's own function, unless the page has replaced it meanwhile */
  function restore(name) {
    if (/** @type {any} */ (window)[name] !== STAND_INS[name]) return;
    const original = originals.get(name);
    if (original) Object.defineProperty(window, name, original);
    else delete (/** @type {any} */ (window)[name]);
  }

  /** Restores the page's handlers for leaving. @type {(() => void)[]} */
  let restoreLeaveHandlers = [];

  /** Runs the page's handlers for leaving, but keeps them from asking "Leave site?". */
  function suppressLeaveDialog() {
    let asked = false;
    const ask = () => {
      if (!asked) reportDialog("beforeunload", "", true);
      asked = true;
    };
    const { preventDefault } = Event.prototype;
    /** @this {Event} */
    const replacement = function () {
      if (this.type === "beforeunload") ask();
      else preventDefault.call(this);
    };
    Event.prototype.preventDefault = replacement;
    const returned = Object.getOwnPropertyDescriptor(BeforeUnloadEvent.prototype, "returnValue") ?? {};
    Object.defineProperty(BeforeUnloadEvent.prototype, "returnValue", { ...returned, set: (value) => void (value !== "" && value !== true && ask()) });
    const handler = window.onbeforeunload;
    const unasked = (/** @type {BeforeUnloadEvent} */ event) => void (handler?.call(window, event) != null && ask());
    if (handler) window.onbeforeunload = unasked;
    restoreLeaveHandlers = [
      () => void (Event.prototype.preventDefault === replacement && (Event.prototype.preventDefault = preventDefault)),
      () => void Object.defineProperty(BeforeUnloadEvent.prototype, "returnValue", returned),
      () => void (handler && window.onbeforeunload === unasked && (window.onbeforeunload = handler)),
    ];
  }

  function disarm() {
    if (!armed) return;
    armed = false;
    decision = null;
    for (const name of Object.keys(STAND_INS)) restore(name);
    for (const undo of [...restoreLeaveHandlers, ...restoreCopies, ...restoreSaves]) undo();
  }

  document.addEventListener(ARM, (event) => {
    const order = JSON.parse(/** @type {CustomEvent} */ (event).detail);
    if (!order.armed) return disarm();
    decision = order.decision;
    if (armed) return;
    armed = true;
    for (const name of Object.keys(STAND_INS)) replace(name);
    suppressLeaveDialog();
    interceptCopies();
    watchSaves();
  });
}
