// The isolated side of dialogs_main.js, and links that open a new tab.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "sideEffects")) return;

  const MOST_TOLD = 20; // reports per action; a page that opens dialogs endlessly is cut off
  const MOST_CHARS = 500;
  const MOST_COPIED = 100_000;
  const MOST_SAVED = 1_000_000; // bytes of a file that are passed on; as many as a request has room for
  const LONGEST_ARMED_MS = 30_000; // an action and its settling take at most 23 s; after that the runner may have died
  const DIALOGS = new Set(["alert", "confirm", "prompt", "print", "beforeunload"]);
  const KEEPS_PLACE = new Set(["", "_self", "_parent", "_top"]);

  let token = "";
  let armed = false;
  let timer = 0;
  let reported = 0;

  /** @param {unknown} text */
  const clipped = (text) => String(text ?? "").slice(0, MOST_CHARS);

  /** @param {any} message from the page's world, so it may contain anything @returns {SideEffectReport | null} */
  function validReport(message) {
    if (message?.type === "open") {
      const url = URL.canParse(message.url) ? new URL(message.url) : null;
      return url && /^https?:$/.test(url.protocol) ? { type: "open", url: url.href, tried: message.tried === true } : null;
    }
    if (!DIALOGS.has(message?.type)) return null;
    const text = typeof message.text === "string" ? { text: clipped(message.text) } : {};
    return { type: message.type, message: clipped(message.message), accepted: message.accepted === true, foreseen: message.foreseen === true, ...text };
  }

  /** @param {Blob} blob @returns {Promise<string>} base64 */
  function base64(blob) {
    return new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
      reader.readAsDataURL(blob);
    });
  }

  /**
   * A file saved by a link. Only this document can read a file that the page made itself; one of the same site is requested again.
   *
   * @param {string} url @param {string} name
   */
  async function reportSavedFile(url, name) {
    if (!armed || reported >= MOST_TOLD || !URL.canParse(url)) return;
    const { protocol, origin, pathname } = new URL(url);
    const isMade = /^(blob|data):$/.test(protocol);
    if (!isMade && origin !== location.origin) return; // for another site's file the browser asks whether to save it
    reported += 1;
    const { port } = page;
    if (!isMade) {
      const download = { name: clipped(name || pathname.split("/").at(-1) || "download"), url, again: true };
      port?.postMessage({ kind: "told", told: { type: "download", download } });
      return;
    }
    const blob = await fetch(url).then((response) => response.blob()).catch(() => null);
    const known = blob ? { size: blob.size, mime: blob.type, ...(blob.size > MOST_SAVED ? {} : { data: await base64(blob) }) } : {};
    port?.postMessage({ kind: "told", told: { type: "download", download: { name: clipped(name || "download"), url: "", ...known } } });
  }

  /** @param {unknown} message reported to the runner at once, since the document may be going away */
  function reportFact(message) {
    const fact = armed && reported < MOST_TOLD ? validReport(message) : null;
    if (!fact) return;
    reported += 1;
    page.port?.postMessage({ kind: "told", told: fact });
  }

  /** @param {Event} event */
  function receiveMessage(event) {
    try {
      const message = JSON.parse(String(/** @type {CustomEvent} */ (event).detail));
      if (message?.type === "saved") void reportSavedFile(String(message.url), String(message.name ?? ""));
      else if (message?.type !== "copied") reportFact(message);
      else if (armed) page.storeCopied(String(message.text ?? "").slice(0, MOST_COPIED));
    } catch {
      // Not our message: the page may dispatch events under any name.
    }
  }

  /** @param {string | null | undefined} target whether it opens another tab */
  function opensTab(target) {
    const name = (target || document.querySelector("base[target]")?.getAttribute("target") || "").toLowerCase();
    if (KEEPS_PLACE.has(name)) return false;
    return name === "_blank" || document.querySelector(`iframe[name="${CSS.escape(target ?? "")}"]`) === null;
  }

  /** The link that would open a tab on a scripted click. @param {MouseEvent} event @returns {string | null} its address */
  function newTabUrl(event) {
    if (event.defaultPrevented || event.isTrusted) return null;
    const link = event.composedPath().find((node) => node instanceof Element && node.matches("a[href],area[href]"));
    if (!(link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement)) return null;
    if (link.hasAttribute("download") || !opensTab(link.target) || !/^https?:$/.test(link.protocol)) return null;
    return link.href;
  }

  /** The current click, until its link has been handled. @type {MouseEvent | null} */
  let unhandledClick = null;

  /** A handler may create the file and its link during the click. @param {MouseEvent} event */
  function noteSave(event) {
    const link = event.isTrusted ? undefined : event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (link instanceof HTMLAnchorElement) queueMicrotask(() => {
      if (link.hasAttribute("download") && !event.defaultPrevented) void reportSavedFile(link.href, link.download);
    });
  }

  /** Runs before all handlers of the page. @param {MouseEvent} event */
  function noteClick(event) {
    noteSave(event);
    const url = newTabUrl(event);
    if (!url) return;
    unhandledClick = event;
    queueMicrotask(() => {
      // A handler of the page kept the click from followLink: the browser tried itself, and the person's settings may have allowed it.
      if (unhandledClick === event && !event.defaultPrevented) reportFact({ type: "open", url, tried: true });
      unhandledClick = null;
    });
  }

  /** A scripted click may not open a tab, but the runner may. Runs after all handlers of the page. @param {MouseEvent} event */
  function followLink(event) {
    const url = newTabUrl(event);
    if (!url) return;
    unhandledClick = null;
    event.preventDefault();
    reportFact({ type: "open", url });
  }

  /** A form that opens another tab: GET is opened there, POST is answered in this tab. @param {SubmitEvent} event */
  function followForm(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const by = event.submitter;
    const target = by?.getAttribute("formtarget") ?? form.getAttribute("target");
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || !opensTab(target)) return;
    const method = by?.getAttribute("formmethod") ?? form.getAttribute("method") ?? "get";
    if (method.toLowerCase() === "get") {
      event.preventDefault();
      reportFact({ type: "open", url: submittedUrl(form, by) });
      return;
    }
    const holder = by?.hasAttribute("formtarget") ? by : form;
    const name = holder === form ? "target" : "formtarget";
    const before = holder.getAttribute(name);
    holder.setAttribute(name, "_self");
    setTimeout(() => (before === null ? holder.removeAttribute(name) : holder.setAttribute(name, before)));
  }

  /** @param {HTMLFormElement} form @param {HTMLElement | null} by */
  function submittedUrl(form, by) {
    const url = new URL(by?.getAttribute("formaction") ?? form.getAttribute("action") ?? "", document.baseURI);
    const data = new FormData(form, by);
    url.search = new URLSearchParams([...data].map(([key, value]) => [key, String(value)])).toString();
    return url.href;
  }

  page.sideEffects = {
    connect(fresh) {
      if (token) return false;
      token = fresh;
      document.addEventListener(`${token}:told`, receiveMessage);
      return true;
    },
    arm(decision) {
      armed = true;
      clearTimeout(timer);
      timer = window.setTimeout(page.sideEffects.disarm, LONGEST_ARMED_MS);
      reported = 0;
      // Registered again each time, to come after the handlers the page has registered since.
      for (const [type, listener] of /** @type {[string, any][]} */ ([["click", followLink], ["submit", followForm]])) {
        removeEventListener(type, listener);
        addEventListener(type, listener);
      }
      addEventListener("click", noteClick, true);
      document.dispatchEvent(new CustomEvent(`${token}:arm`, { detail: JSON.stringify({ armed: true, decision }) }));
    },
    disarm() {
      if (!armed) return;
      armed = false;
      clearTimeout(timer);
      removeEventListener("click", noteClick, true);
      removeEventListener("click", followLink);
      removeEventListener("submit", followForm);
      document.dispatchEvent(new CustomEvent(`${token}:arm`, { detail: JSON.stringify({ armed: false }) }));
    },
  };
})();
