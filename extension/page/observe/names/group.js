// The place of a control: the dialogs, forms, rows, items and sections around it, as `Node.group` of app/domain/page.py.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "groupsOn")) return;

  const MAX_GROUP = 72; // characters in all, since it is repeated for each control
  const MAX_LABEL = 40;
  const MAX_OUTER = 30; // of a container other than the innermost
  const CONTROL = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=checkbox],[role=switch],[role=combobox],[tabindex],[onclick],[contenteditable=true]";
  const TICKS = new Set(["checkbox", "radio"]);

  /** @type {[string, string][]} kinds of places and their selectors; the first match counts */
  const KINDS = [
    ["dialog", "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]"],
    ["form", "form,[role=form],[role=search]"],
    ["fieldset", "fieldset,[role=group],[role=radiogroup]"],
    ["row", "tr,[role=row]"],
    ["menu", "menu,[role=menu],[role=menubar]"],
    ["tablist", "[role=tablist]"],
    ["tabpanel", "[role=tabpanel]"],
    ["nav", "nav,[role=navigation]"],
    ["toolbar", "[role=toolbar]"],
    ["tree", "[role=tree]"],
    ["list", "[role=listbox],[role=list],[role=grid],[role=table],table"],
    ["item", "li,dd,[role=listitem],article,[role=article]"],
    ["section", "section,aside,main,header,footer,[role=region],[role=complementary],[role=main],.card,.panel"],
  ];
  const ANY = KINDS.map(([, selector]) => selector).join(",");
  // These are mentioned even without a label; others would be noise.
  const WITHOUT_LABEL = new Set(["dialog", "form", "menu", "tablist", "nav", "toolbar", "tree"]);
  const TITLED = new Set(["form", "section", "tabpanel"]);

  /** @param {Element} el @returns {string | null} */
  function kindOf(el) {
    const kind = el.matches(ANY) ? (KINDS.find(([, selector]) => el.matches(selector))?.[0] ?? null) : null;
    if (kind && (kind !== "section" || !el.matches(".card,.panel"))) return kind;
    if (page.isRepeated(el)) return isPartOfPage(el) ? "section" : "item";
    return kind;
  }

  /** Whether it is a card with its own table or form, and not an item in a list of cards. @param {Element} el */
  const isPartOfPage = (el) => el.querySelector("h1,h2,h3,h4,h5,h6") !== null && el.querySelector("table,form,ul,ol,dl") !== null;

  /** Whether it is one of several similar siblings with more than one thing in each: a card or a list item. */
  page.isRepeated = (el) => page.memoize("repeated", el, () => looksRepeated(el));

  /** @param {Element} el */
  function looksRepeated(el) {
    const parent = el.parentElement;
    if (parent?.childElementCount === 1 && el.childElementCount > 1 && el.localName === "div") return isOnlyIn(el, parent);
    if (!parent || el.childElementCount < 2 || parent.childElementCount < 2 || el.matches("td,th,label,button,a,p,option,span,[class*=col-],.form-group")) return false;
    const alike = [el.previousElementSibling, el.nextElementSibling].some((other) => other !== null && areAlike(el, other));
    return alike && !isGridRow(el) && !isOneField(el);
  }

  /** Whether it is the card that fills one of several similar columns. @param {Element} el @param {Element} column */
  function isOnlyIn(el, column) {
    const name = el.getAttribute("class")?.split(" ")[0];
    if (!name || isOneField(el) || isGridRow(el)) return false;
    return [column.previousElementSibling, column.nextElementSibling].some((other) => other?.childElementCount === 1 && other.className === column.className && other.children[0].getAttribute("class")?.split(" ")[0] === name && el.querySelector(CONTROL) !== null);
  }

  /** @param {Element} el @param {Element} other */
  function areAlike(el, other) {
    if (other.localName !== el.localName) return false;
    const [name, theirs] = [el.getAttribute("class"), other.getAttribute("class")];
    if (name || theirs) return name?.split(" ")[0] === theirs?.split(" ")[0];
    return shape(el) === shape(other) && el.querySelector(CONTROL) !== null;
  }

  /** @param {Element} el */
  const shape = (el) => [...el.children].map((child) => child.localName).join(" ");

  /** Whether it is a field with its label, which is a form line and not a record. @param {Element} el */
  function isOneField(el) {
    const controls = el.querySelectorAll(CONTROL);
    return controls.length === 1 && controls[0].matches("input,select,textarea,[role=switch],[role=checkbox],[role=combobox]");
  }

  /** Whether a row belongs to a layout grid, made of columns; list items may use the same class. @param {Element} el */
  const isGridRow = (el) => el.matches(".row") && [...el.children].some((child) => /(^|\s)col(-|\s|$)/.test(child.getAttribute("class") ?? ""));

  /** @param {Element} el @param {string} kind */
  function labelOf(el, kind) {
    const given = page.givenLabel(el);
    if (given) return given;
    if (kind === "row") return page.rowLabel(el);
    if (kind === "item") return page.itemLabel(el);
    if (kind === "dialog") return page.headingLabel(el) || page.dialogTitle(el);
    return TITLED.has(kind) ? page.headingLabel(el) : "";
  }

  /** @typedef {{kind: string, label: string}} Place */

  /** Finds groups, reading each container once: `groupsOn()(el, name)` is the group of one control. */
  page.groupsOn = () => {
    page.clearMemo();
    /** @type {Map<Element, Place[]>} */
    const known = new Map();
    /** @param {Element | null} el @returns {Place[]} */
    const placesAround = (el) => {
      if (!el || el.localName === "body") return [];
      const found = known.get(el);
      if (found) return found;
      const places = [...placesAround(page.parentOf(el)), ...placesOf(el)];
      known.set(el, places);
      return places;
    };
    return (el, name) => {
      const question = TICKS.has(/** @type {HTMLInputElement} */ (el).type ?? "") ? page.questionOver(el) : "";
      const around = placesAround(page.parentOf(el));
      const places = question ? [...around, createPlace("fieldset", question)] : around;
      return page.groupText(withoutRepeats(places).filter((place) => isInformative(place, name)));
    };
  };

  /** @param {string} kind @param {string} label @returns {Place} */
  const createPlace = (kind, label) => ({ kind, label: page.clip(page.withoutEnd(label, ":*").replace(/ > /g, " › "), MAX_LABEL) });

  /** The place an element makes, preceded by the heading above it. @param {Element} el @returns {Place[]} */
  function placesOf(el) {
    const over = page.headingOver(el);
    const kind = kindOf(el);
    const label = kind ? labelOf(el, kind) : "";
    const band = kind === "row" ? page.bandOf(el) : "";
    const places = [over, band].filter(Boolean).map((text) => createPlace("section", text));
    if (kind && (label || WITHOUT_LABEL.has(kind))) places.push(createPlace(kind, label));
    return places;
  }

  const VAGUE = new Set(["section", "item"]);

  /** Of two places with the same label, keeps the one with the more specific kind. @param {Place[]} places */
  const withoutRepeats = (places) => places.filter(({ kind, label }, at) => !places.some((other, there) => {
    if (there === at || other.label !== label || (!label && other.kind !== kind)) return false;
    if (VAGUE.has(kind) && VAGUE.has(other.kind)) return there > at;
    return VAGUE.has(kind) || (other.kind === kind && there < at);
  }));

  /** Whether a row, an item or a heading only repeats the control's own name. @param {Place} place @param {string} name */
  function isInformative({ kind, label }, name) {
    if (kind === "section") return label !== name;
    if (kind !== "item" && kind !== "row") return true;
    return label !== name && !name.startsWith(label.replace(/…$/, ""));
  }

  /** Containers as one text; the innermost are kept if there is no room for all, and a dialog always. */
  page.groupText = (places) => {
    /** @type {string[]} */
    const parts = [];
    const dialog = places.findLastIndex((place) => place.kind === "dialog");
    const inner = places.slice(Math.max(dialog, 0));
    let room = MAX_GROUP;
    for (const [index, { kind, label }] of [...inner.entries()].reverse()) {
      const short = index === inner.length - 1 ? label : page.clip(label, MAX_OUTER);
      const text = short ? `${kind}: ${short}` : kind;
      const isDialog = index === 0 && kind === "dialog";
      const reserve = !isDialog && inner[0].kind === "dialog" ? MAX_OUTER : 0;
      if (!isDialog && parts.length > 0 && text.length + 3 > room - reserve) continue;
      parts.unshift(text);
      room -= text.length + 3;
    }
    return parts.join(" > ");
  };
})();
