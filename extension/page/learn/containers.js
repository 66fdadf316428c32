// Names the parts of a page by the rule of knowledge/html/containers.py, so that a captured part is found again there.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "containerName")) return;

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

  page.containerName = (role, id, name) => {
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
      const name = page.containerName(role, el.id, NAMED.has(role) ? page.partName(el) : "");
      if (name) return name;
    }
    return "";
  };
})();
