// What of a page is a person's own and no knowledge: what they typed or chose, what identifies them, what only scripts read.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isNeverLearned")) return;

  const DROPPED = new Set(("script style noscript template link meta base title head svg canvas object embed applet audio video source track param map area datalist "
    + "frame frameset portal").split(" "));
  const TYPED = new Set(["textbox", "searchbox", "spinbutton", "combobox"]); // roles of what shows a value
  const CHOICES = new Set(["listbox", "option", "menu", "dialog"]); // of what stands in such an element and is none
  const PUSHED = new Set(["submit", "button", "reset"]);
  // Parts of names of parameters that open something to whoever has them.
  const KEY = /token|secret|session|passw|passcode|api_?key|access_?key|signature|credential|^(?:sid|sig|auth|authorization|code|ticket|jwt|otp|nonce|csrf|xsrf|key)$|csrf|xsrf|sessid/i;
  const LEAST_SECRET = 4; // characters: shorter ones stand in other words
  const MAX_FIELDS = 2_000;

  page.isNeverLearned = (el) => DROPPED.has(el.localName) || page.isOverlay(el) || (el.localName === "input" && /** @type {HTMLInputElement} */ (el).type === "hidden");

  /** What begins here as to text: "typed" shows what somebody wrote, "own" is the page's words again, null goes on as it was. @param {Element} el */
  page.textKind = (el) => {
    const editable = el.getAttribute("contenteditable");
    if (el.localName === "textarea" || (editable !== null && editable !== "false")) return "draft";
    const role = (el.getAttribute("role") ?? "").trim().split(/\s+/)[0];
    if (TYPED.has(role)) return "typed";
    return CHOICES.has(role) ? "own" : null;
  };

  page.buttonWords = (el) => {
    const { localName, type, value } = /** @type {HTMLInputElement} */ (el);
    return localName === "input" && PUSHED.has(type) ? value : "";
  };

  page.plainAddress = (href) => {
    if (!URL.canParse(href, document.baseURI)) return "";
    const url = new URL(href, document.baseURI);
    if (!/^(https?|mailto|tel):$/.test(url.protocol)) return "";
    url.username = "";
    url.password = "";
    for (const name of [...url.searchParams.keys()]) if (KEY.test(name)) url.searchParams.delete(name);
    if (/[=&]/.test(url.hash) && [...new URLSearchParams(url.hash.replace(/^#\/?\??/, "")).keys()].some((name) => KEY.test(name))) url.hash = "";
    return url.href;
  };

  /** What stands in fields that nobody may read: a page that repeats it elsewhere is not believed. @param {ParentNode} root */
  page.secretsIn = (root) =>
    [...root.querySelectorAll("input")].slice(0, MAX_FIELDS).filter((el) => page.isSecret(el)).map(({ value }) => value).filter((value) => value.length >= LEAST_SECRET);
})();
