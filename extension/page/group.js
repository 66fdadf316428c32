// Where a control stands: the dialogs, forms, rows, items and sections around it, as `Node.group` of app/domain/page.py.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "groupsOn")) return;

  const MAX_GROUP = 120; // characters in all
  const MAX_LABEL = 50;
  const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading],legend,caption,summary,.card-header,.card-title,.modal-title,.panel-heading,.panel-title";
  const CONTROL = "a[href],button,input,select,textarea,[role=button],[role=checkbox],[role=combobox],[tabindex]";
  const CELLS = "td,th,[role=cell],[role=gridcell],[role=rowheader]";

  /** @type {[string, string][]} kinds and what they look like, the first that matches counts */
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
    ["list", "[role=listbox],[role=list],[role=grid]"],
    ["item", "li,[role=listitem],article,[role=article]"],
    ["section", "section,aside,main,header,footer,[role=region],[role=complementary],[role=main],.card,.panel"],
  ];
  const ANY = KINDS.map(([, selector]) => selector).join(",");
  // These say where something is even without a label; the others are noise then.
  const WITHOUT_LABEL = new Set(["dialog", "form", "menu", "tablist", "nav", "toolbar", "tree"]);

  /** @param {Element} el @returns {string | null} */
  function kindOf(el) {
    if (el.matches(ANY)) return KINDS.find(([, selector]) => el.matches(selector))?.[0] ?? null;
    return isRepeated(el) ? "item" : null;
  }

  /** Whether it is one of several siblings made alike, each with more than one thing in it: a card or line of a list. @param {Element} el */
  function isRepeated(el) {
    const parent = el.parentElement;
    if (!parent || el.childElementCount < 2 || el.localName === "td" || parent.childElementCount < 2) return false;
    const name = el.getAttribute("class");
    if (!name) return false;
    const alike = [el.previousElementSibling, el.nextElementSibling].some((other) => other?.localName === el.localName && other.getAttribute("class")?.split(" ")[0] === name.split(" ")[0]);
    return alike && !isGridRow(el) && !el.matches("td,th,label,button,a,p,option,[class*=col-],.form-group");
  }

  /** A row of a layout grid is made of columns; a line of a list may have the same class. @param {Element} el */
  const isGridRow = (el) => el.matches(".row") && [...el.children].some((child) => /(^|\s)col(-|\s|$)/.test(child.getAttribute("class") ?? ""));

  /** Text of the first cells, without what is clicked or typed into; none for headers and for rows of links, as in a calendar. @param {Element} row */
  function rowLabel(row) {
    if (row.parentElement?.localName === "thead") return "";
    const texts = [];
    const cells = [...row.querySelectorAll(CELLS)];
    if (cells.length > 2 && cells.filter((cell) => cell.querySelector("a,button")).length > 2 && cells.every((cell) => cell.childElementCount > 0 || !cell.textContent?.trim())) return "";
    for (const cell of cells) {
      const text = page.textOf(cell, { max: 60, skip: (inner) => inner.matches("button,input,select,textarea,[role=button]") });
      if (text) texts.push(page.clip(text, 40));
      if (texts.length === 2) break;
    }
    return texts.join(", ");
  }

  /** A cross or a star to click: no part of what a thing is called. @param {Element} el */
  const isSign = (el) => el.childElementCount === 0 && /^[^\p{L}\p{N}]{1,2}$/u.test(el.textContent?.trim() ?? "");

  /** A heading in it, else its first lines. @param {Element} el */
  function itemLabel(el) {
    const heading = el.querySelector(HEADINGS);
    if (heading) return page.textOf(heading, { max: 60 });
    const skip = (/** @type {Element} */ inner) => inner.matches("button,input,select,textarea,ul,ol,[role=button],[role=group],[tabindex]") || isSign(inner);
    // What is listed in it has labels of its own, and would make every list seem to be about everything.
    return page.textOf(el, { max: 80, skip: (inner) => skip(inner) || isRepeated(inner) }) || page.textOf(el, { max: 80, skip });
  }

  /** @param {Element} el */
  function givenLabel(el) {
    const label = page.collapse(el.getAttribute("aria-label"));
    if (label) return label;
    return page.collapse(page.refs(el, "aria-labelledby").map((ref) => page.textOf(ref, { max: 60 })).join(" "));
  }

  /** The heading that is its own and not that of a part of it. @param {Element} el */
  function headingLabel(el) {
    const heading = el.querySelector(HEADINGS);
    if (!heading || !page.isShown(heading)) return "";
    const owner = page.closest(page.parentOf(heading), "dialog,[role=dialog],form,fieldset,section,article,aside,li,tr");
    return owner === el || owner === null || page.composedContains(owner, el) ? page.textOf(heading, { max: 60 }) : "";
  }

  /** @param {Element} el @param {string} kind */
  function labelOf(el, kind) {
    const given = givenLabel(el);
    if (given) return given;
    if (kind === "row") return rowLabel(el);
    if (kind === "item") return itemLabel(el);
    if (kind === "dialog") return headingLabel(el) || dialogTitle(el);
    return ["form", "fieldset", "section", "tabpanel"].includes(kind) ? headingLabel(el) : "";
  }

  /** What stands in the title bar of a dialog without a heading. @param {Element} el */
  function dialogTitle(el) {
    const bar = el.querySelector("[class*=title],[class*=header]");
    return bar ? page.textOf(bar, { max: 60, skip: (inner) => inner.matches("button,[role=button]") }) : "";
  }

  /** @typedef {{kind: string, label: string, el: Element}} Place */

  /**
   * Reads groups, each container once: `groupsOn()(el, name)` is the group of one control.
   * @returns {(el: Element, name: string) => string}
   */
  page.groupsOn = () => {
    /** @type {Map<Element, Place[]>} */
    const known = new Map();
    /** @param {Element | null} el @returns {Place[]} */
    const placesAround = (el) => {
      if (!el || el.localName === "body") return [];
      const found = known.get(el);
      if (found) return found;
      const outer = placesAround(page.parentOf(el));
      const place = placeOf(el);
      const places = place ? [...outer, place] : outer;
      known.set(el, places);
      return places;
    };
    return (el, name) => page.groupText(placesAround(page.parentOf(el)).filter((place) => tells(place, name)));
  };

  /** @param {Element} el @returns {Place | null} */
  function placeOf(el) {
    const kind = kindOf(el);
    if (!kind) return null;
    const label = page.clip(labelOf(el, kind).replace(/ > /g, " › "), MAX_LABEL);
    if (!label && !WITHOUT_LABEL.has(kind)) return null;
    if (kind === "item" && !el.querySelector(CONTROL) && !el.matches("li")) return { kind, label, el };
    return { kind, label, el };
  }

  /** An item that says no more than the control's own name tells nothing. @param {Place} place @param {string} name */
  function tells({ kind, label }, name) {
    if (kind !== "item" && kind !== "row") return true;
    return label !== name && !name.startsWith(label.replace(/…$/, ""));
  }

  /**
   * Containers as one text, the innermost kept when there is no room for all; a dialog always.
   * @param {readonly {kind: string, label: string}[]} places @returns {string}
   */
  page.groupText = (places) => {
    /** @type {string[]} */
    const kept = [];
    let room = MAX_GROUP;
    const dialog = places.findLastIndex((place) => place.kind === "dialog");
    const inner = places.slice(Math.max(dialog, 0));
    for (const [index, { kind, label }] of [...inner.entries()].reverse()) {
      const text = label ? `${kind}: ${label}` : kind;
      const reserve = index > 0 && inner[0].kind === "dialog" ? 40 : 0;
      if (text.length + 3 > room - reserve) continue;
      kept.unshift(text);
      room -= text.length + 3;
    }
    return kept.join(" > ");
  };
})();
