// Chooses from a list that a control opens: by ARIA roles where present, else by the texts that appear.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "chooseFromList")) return;

  const { ActionFailure } = page;
  const OPEN_MS = 1_500; // a list that takes longer to open or load does not open by a click
  const CLOSED_MS = 600; // for one that is still marked as closed after the press
  const SETTLE_MS = 500; // an open list without the option after this time is considered complete
  const TAKE_MS = 400; // a choice is displayed within this time
  const OPTIONS = "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem],[role=listbox] li";
  const MAX_TEXTS = 4_000; // text nodes checked for new texts
  const MAX_TURNS = 150; // scroll steps through a long list
  const DRAW_MS = 50; // a list draws what was scrolled to within this time
  const FIELD_PX = 160; // largest height of a control that shows its choice
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "TITLE"]);

  /** @typedef {{el: Element, label: string}} Offer */
  /** The last offered options per control: if a list is still fading out, they identify it. @type {WeakMap<Element, Set<Element>>} */
  const offeredBy = new WeakMap();

  /** Visible elements with text of their own. */
  page.shownTexts = () => {
    /** @type {Set<Element>} */
    const found = new Set();
    /** @param {Element} el */
    const read = (el) => {
      for (const child of page.childrenOf(el)) {
        if (found.size > MAX_TEXTS) return;
        if (child.nodeType === Node.TEXT_NODE) {
          if (child.nodeValue?.trim() && isVisible(el)) found.add(el);
        } else if (child instanceof Element && !SKIPPED.has(child.tagName) && !page.isOverlay(child)) read(child);
      }
    };
    if (document.body) read(document.body);
    return found;
  };

  /** @param {Element} el */
  function isVisible(el) {
    const { width, height } = el.getBoundingClientRect();
    return width > 1 && height > 1 && page.isShown(el);
  }

  /** Whether an option is visible, not a copy for screen readers in a box without size. @param {Element} option */
  function isOnOffer(option) {
    if (!isVisible(option) || option.getAttribute("aria-disabled") === "true") return false;
    for (let up = page.parentOf(option); up && up !== document.body; up = page.parentOf(up)) {
      const { width, height } = up.getBoundingClientRect();
      if ((width < 2 || height < 2) && getComputedStyle(up).overflow !== "visible") return false;
    }
    return true;
  }

  /** Matching elements in the document and in the shadow roots around a control. @param {Element} el @param {string} selector */
  function everywhere(el, selector) {
    const roots = new Set([el.getRootNode(), document, page.shadowOf(el)]);
    return [...roots].flatMap((root) => (root instanceof Document || root instanceof ShadowRoot ? [...root.querySelectorAll(selector)] : []));
  }

  /** The current options: of the list the control refers to, those inside it, any list's, else the texts that appeared. @param {Element} el @param {ReadonlySet<Element>} before @returns {Offer[]} */
  function offersOf(el, before) {
    const own = ownOptions(el);
    const byRole = own.length ? own : everywhere(el, OPTIONS).filter((option) => !before.has(option) && !option.closest("nav,[role=menubar],[role=tree]") && isOnOffer(option));
    if (byRole.length) return byRole.map((option) => ({ el: option, label: page.nameOf(option, "opt") }));
    const fresh = [...page.shownTexts()].filter((text) => !before.has(text) && !page.composedContains(el, text));
    return fresh.map((text) => ({ el: text, label: page.textOf(text, { max: 80 }) })).filter(({ label }) => label);
  }

  /** The options of the list a control refers to, or inside the control. @param {Element} el */
  function ownOptions(el) {
    const named = [...page.refs(el, "aria-controls"), ...page.refs(el, "aria-owns")].flatMap((list) => [...list.querySelectorAll(OPTIONS), ...slotted(list)]).filter(isOnOffer);
    return named.length ? named : [...el.querySelectorAll(OPTIONS)].filter(isOnOffer);
  }

  /** Options slotted into a list. @param {Element} list */
  const slotted = (list) => [...list.querySelectorAll("slot")].flatMap((slot) => slot.assignedElements({ flatten: true })).filter((el) => el.matches(OPTIONS));

  /** @throws {ActionFailure} OPTION_NOT_FOUND, NOT_INTERACTABLE, VALUE_NOT_ACCEPTED */
  page.chooseFromList = async (target, label) => {
    const { el, name } = target;
    let opened = await openList(target);
    // The press closed a list that was open without saying so: press again.
    if (!el.matches("[role=listbox]") && !isWritable(el) && opened.offers().length === 0) opened = await openList(target);
    const { offers } = opened;
    const path = label.split(/[/>\u203a\u00bb]/).map((part) => part.trim()).filter(Boolean);
    const step = path.length > 1 && !pickOffer(offers(), label) ? await waitForOffer(offers, path[0]) : null;
    if (step) return followPath(target, offers, step, path);
    const offer = pickOffer(offers(), label) ?? (offers().length ? await waitForOffer(offers, label) : null) ?? (await findByTyping(target, offers, label)) ?? (await findByScrolling(offers, label));
    if (!offer) {
      const labels = offers().map((one) => one.label);
      throw new ActionFailure("OPTION_NOT_FOUND", `"${name}" offers no "${label}"${labels.length ? `; it offers ${page.quoteList(labels)}` : ""}.`);
    }
    offeredBy.set(el, new Set(offers().map((one) => one.el)));
    const point = await page.reach({ el: offer.el, role: "opt", name: offer.label });
    const was = displayedChoice(el);
    page.press(point);
    return confirm(target, offer, was);
  };

  /** The toggle of a collapsed tree line: its first clickable part without text; a press on the line would choose it. @param {Element} el */
  function expanderOf(el) {
    const line = page.closest(el, "[role=treeitem][aria-expanded=false]");
    return line && ([...line.querySelectorAll("*")].find((part) => !part.textContent?.trim() && isVisible(part) && page.isHandCursor(getComputedStyle(part).cursor)) ?? null);
  }

  /**
   * Nested choices ("Norway / Oslo"), one after another.
   * @param {Target} target @param {() => Offer[]} offers @param {Offer} first @param {readonly string[]} path @returns {Promise<{note?: string}>}
   */
  async function followPath(target, offers, first, path) {
    const was = displayedChoice(target.el);
    let offer = first;
    for (const [at, label] of path.entries()) {
      const next = at === 0 ? first : await waitForOffer(offers, label);
      if (!next) throw new ActionFailure("OPTION_NOT_FOUND", `"${offer.label}" leads to no "${label}"; there is ${page.quoteList(offers().map((one) => one.label))}.`);
      offer = next;
      const expander = at < path.length - 1 ? expanderOf(offer.el) : null;
      page.press(await page.reach({ el: expander ?? offer.el, role: "opt", name: offer.label }));
      await page.tick();
    }
    return confirm(target, offer, was);
  }

  /** Opens the list, unless it is open, and waits for its first options. @param {Target} target @returns {Promise<{offers: () => Offer[]}>} */
  async function openList(target) {
    const { el } = target;
    if (el.matches("[role=listbox]") || (el.getAttribute("aria-expanded") === "true" && ownOptions(el).length)) return { offers: () => offersOf(el, new Set()) };
    const before = page.shownTexts();
    for (const option of everywhere(el, OPTIONS)) if (isOnOffer(option)) before.add(option);
    for (const option of offeredBy.get(el) ?? []) before.delete(option);
    page.press(await page.reach(target));
    const offers = () => offersOf(el, before);
    await page.tick();
    await page.until(() => offers().length > 0 || !el.isConnected, el.getAttribute("aria-expanded") === "false" ? CLOSED_MS : OPEN_MS);
    return { offers };
  }

  /** @param {Offer[]} offers @param {string} label */
  const pickOffer = (offers, label) => offers[page.matchLabel(offers.map((offer) => offer.label), label)] ?? null;

  /** Waits for the option; gives up when the list has been open for long without it. @param {() => Offer[]} offers @param {string} label */
  async function waitForOffer(offers, label) {
    const end = performance.now() + OPEN_MS;
    let since = 0;
    let count = 0;
    return page.until(() => {
      const now = offers();
      const found = pickOffer(now, label);
      if (found) return { offer: found };
      if (now.length !== count) [since, count] = [performance.now(), now.length];
      const complete = count > 1 && performance.now() - since > SETTLE_MS;
      return complete || performance.now() > end ? { offer: null } : null;
    }, OPEN_MS).then((result) => result?.offer ?? null);
  }

  /** Types into the field that filters the list: the control itself, or the field that got the focus on opening. @param {Target} target @param {() => Offer[]} offers @param {string} label */
  async function findByTyping(target, offers, label) {
    const own = isWritable(target.el) ? target.el : [...target.el.querySelectorAll("input")].find(isWritable);
    const focused = page.focusedElement();
    const field = own ?? (focused && isWritable(focused) ? focused : null);
    if (!field) return null;
    const otherOffers = () => offers().filter(({ el }) => !page.composedContains(target.el, el));
    // The whole label, then its first word: some lists only match prefixes, some generate options from the text.
    for (const text of new Set([label, label.split(/[^\p{L}\p{N}]+/u)[0]])) {
      if (!(await typeFilter({ ...target, el: field, role: "inp" }, text))) return null;
      const offer = await waitForOffer(otherOffers, label);
      if (offer) return offer;
    }
    return null;
  }

  /** @param {Target} field @param {string} text @returns {Promise<boolean>} whether the field accepted the text */
  async function typeFilter(field, text) {
    try {
      if (text) await page.setValue(field, text);
      return text !== "";
    } catch (error) {
      if (error instanceof ActionFailure) return false;
      throw error;
    }
  }

  /** @param {Element} el */
  const isWritable = (el) => page.nativeRole(el) === "inp" && !(/** @type {HTMLInputElement} */ (el).readOnly) && !page.isDisabled(el);

  /** The scroll container of a list; some hide their overflow and move the content themselves. @param {Element} el */
  function listScroller(el) {
    for (let up = page.parentOf(el); up && up !== document.body; up = page.parentOf(up)) {
      if (up.scrollHeight > up.clientHeight + 2 && up.clientHeight > 20 && getComputedStyle(up).overflowY !== "visible") return up;
    }
    return null;
  }

  /** Scrolls through a list that renders only its visible part. @param {() => Offer[]} offers @param {string} label */
  async function findByScrolling(offers, label) {
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const last = offers().at(-1);
      const scroller = last ? listScroller(last.el) : null;
      if (!last || !scroller) return null;
      const by = Math.max(40, scroller.clientHeight * 0.8);
      const at = scroller.scrollTop;
      scroller.scrollTop = turn === 0 ? 0 : at + by;
      if (turn > 0 && scroller.scrollTop === at) return null;
      await page.until(() => offers().at(-1)?.label !== last.label, DRAW_MS);
      const offer = pickOffer(offers(), label);
      if (offer) return offer;
    }
    return null;
  }

  /** The box of one field: the largest ancestor without another control. @param {Element} el */
  function fieldBox(el) {
    let box = el;
    for (let up = page.parentOf(el), level = 0; up && level < 8; up = page.parentOf(up), level += 1) {
      if (up.getBoundingClientRect().height > FIELD_PX || [...up.querySelectorAll("input,select,textarea,[role=combobox]")].some((other) => !page.composedContains(el, other) && isVisible(other))) break;
      box = up;
    }
    return box;
  }

  /** Moves through a list with an arrow key until the option is active, or the active one no longer changes. @param {() => Element | null} active @param {Element} option @param {string} key */
  async function goTo(active, option, key) {
    for (let turn = 0, before = null; turn < MAX_TURNS && active() !== option && (turn === 0 || active() !== before); turn += 1) {
      before = active();
      page.pressKey(key);
      await page.tick();
    }
  }

  page.chooseByKeys = (option) => {
    const list = page.closest(option, "[role=listbox][tabindex]");
    if (!list || page.isChecked(option)) return null;
    const state = chosenState(option);
    const isTaken = () => !isVisible(option) || chosenState(option) !== state;
    const active = () => page.refs(list, "aria-activedescendant")[0] ?? null;
    return async () => {
      if (await page.until(isTaken, TAKE_MS)) return true;
      page.focusOn(list);
      await goTo(active, option, "ArrowDown");
      await goTo(active, option, "ArrowUp");
      if (active() !== option) return false;
      page.pressKey("Enter");
      return (await page.until(isTaken, TAKE_MS)) === true;
    };
  };

  /** The choice as displayed by a control and the boxes around it. @param {Element} el */
  function displayedChoice(el) {
    const around = page.parentOf(el) ?? el;
    const value = /** @type {HTMLInputElement} */ (el).value;
    return JSON.stringify([typeof value === "string" ? value : "", page.textOf(el), ...[around, page.parentOf(around) ?? around, fieldBox(el)].map((box) => page.textOf(box))]);
  }

  /** @param {Element} option */
  const chosenState = (option) => [option.getAttribute("aria-selected"), option.getAttribute("aria-checked"), option.getAttribute("class"), option.parentElement?.className].join();

  /** Checks the effect: the control shows another choice, the list closed, or the option is marked. @param {Target} target @param {Offer} offer @param {string} was @returns {Promise<{note?: string}>} */
  async function confirm({ el, name }, offer, was) {
    const state = chosenState(offer.el);
    await page.tick();
    const took = await page.until(() => !el.isConnected || !isVisible(offer.el) || displayedChoice(el) !== was || chosenState(offer.el) !== state || offer.el.getAttribute("aria-selected") === "true", TAKE_MS);
    if (!took) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" did not take "${offer.label}".`);
    return {};
  }
})();
