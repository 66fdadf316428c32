// Choosing from a list that a control opens: by its roles where it has them, else by what appears.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "chooseFromList")) return;

  const { ActionFailure } = page;
  const OPEN_MS = 1_500; // a list that takes longer to open, or to be fetched, is not opened by a click
  const CLOSED_MS = 600; // for one that still calls itself closed after the press
  const SETTLE_MS = 500; // after which an open list without the option is taken to be complete
  const TAKE_MS = 400; // within which a choice is shown
  const OPTIONS = "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem],[role=listbox] li";
  const MAX_TEXTS = 4_000; // text nodes looked at for what has appeared
  const MAX_TURNS = 40; // of a long list, read by scrolling it
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "TITLE"]);

  /** @typedef {{el: Element, label: string}} Offer */
  /** What each control offered when it was last chosen from: a list still fading out then is its own. @type {WeakMap<Element, Set<Element>>} */
  const offeredBy = new WeakMap();

  /** Elements with text of their own that are shown now. @returns {Set<Element>} */
  function shownTexts() {
    /** @type {Set<Element>} */
    const found = new Set();
    /** @param {Element} el */
    const read = (el) => {
      for (const child of page.childrenOf(el)) {
        if (found.size > MAX_TEXTS) return;
        if (child.nodeType === Node.TEXT_NODE) {
          if (child.nodeValue?.trim() && isVisible(el)) found.add(el);
        } else if (child instanceof Element && !SKIPPED.has(child.tagName) && child !== page.overlay) read(child);
      }
    };
    if (document.body) read(document.body);
    return found;
  }

  /** @param {Element} el */
  function isVisible(el) {
    const { width, height } = el.getBoundingClientRect();
    return width > 1 && height > 1 && page.isShown(el);
  }

  /** Whether an option is drawn and not a copy for screen readers in a box of no size. @param {Element} option */
  function isOnOffer(option) {
    if (!isVisible(option) || option.getAttribute("aria-disabled") === "true") return false;
    for (let up = page.parentOf(option); up && up !== document.body; up = page.parentOf(up)) {
      const { width, height } = up.getBoundingClientRect();
      if ((width < 2 || height < 2) && getComputedStyle(up).overflow !== "visible") return false;
    }
    return true;
  }

  /** Elements in the document and its shadow roots along the way to a control. @param {Element} el @param {string} selector */
  function everywhere(el, selector) {
    const roots = new Set([el.getRootNode(), document, page.shadowOf(el)]);
    return [...roots].flatMap((root) => (root instanceof Document || root instanceof ShadowRoot ? [...root.querySelectorAll(selector)] : []));
  }

  /** What can be chosen now: what the control names as its list, what is in it, any list, else whatever has appeared. @param {Element} el @param {ReadonlySet<Element>} before @returns {Offer[]} */
  function offersOf(el, before) {
    const own = ownOptions(el);
    const byRole = own.length ? own : everywhere(el, OPTIONS).filter((option) => !before.has(option) && !option.closest("nav,[role=menubar],[role=tree]") && isOnOffer(option));
    if (byRole.length) return byRole.map((option) => ({ el: option, label: page.nameOf(option, "opt") }));
    const fresh = [...shownTexts()].filter((text) => !before.has(text) && !page.composedContains(el, text));
    return fresh.map((text) => ({ el: text, label: page.textOf(text, { max: 80 }) })).filter(({ label }) => label);
  }

  /** The options of the list that a control names, or that are in it. @param {Element} el */
  function ownOptions(el) {
    const named = [...page.refs(el, "aria-controls"), ...page.refs(el, "aria-owns")].flatMap((list) => [...list.querySelectorAll(OPTIONS), ...slotted(list)]).filter(isOnOffer);
    return named.length ? named : [...el.querySelectorAll(OPTIONS)].filter(isOnOffer);
  }

  /** Options given to the slots of a list. @param {Element} list */
  const slotted = (list) => [...list.querySelectorAll("slot")].flatMap((slot) => slot.assignedElements({ flatten: true })).filter((el) => el.matches(OPTIONS));

  /**
   * @param {Target} target @param {string} label @returns {Promise<{note?: string}>}
   * @throws {ActionFailure} OPTION_NOT_FOUND, NOT_INTERACTABLE, VALUE_NOT_ACCEPTED
   */
  page.chooseFromList = async (target, label) => {
    const { el, name } = target;
    let opened = await open(target);
    // An open list that says nothing of it was closed by the press: once more.
    if (!el.matches("[role=listbox]") && !isWritable(el) && opened.offers().length === 0) opened = await open(target);
    const { offers } = opened;
    const offer = pick(offers(), label) ?? (offers().length ? await settled(offers, label) : null) ?? (await filtered(target, offers, label)) ?? (await scrolled(offers, label));
    if (!offer) {
      const labels = offers().map((one) => one.label);
      throw new ActionFailure("OPTION_NOT_FOUND", `"${name}" offers no "${label}"${labels.length ? `; it offers ${page.listed(labels)}` : ""}.`);
    }
    offeredBy.set(el, new Set(offers().map((one) => one.el)));
    const point = await page.reach({ el: offer.el, role: "opt", name: offer.label });
    const was = shownBy(el);
    page.press(point);
    return confirm(target, offer, was);
  };

  /** Opens the list, unless it stands open, and waits for the first of it. @param {Target} target @returns {Promise<{offers: () => Offer[]}>} */
  async function open(target) {
    const { el } = target;
    if (el.matches("[role=listbox]") || (el.getAttribute("aria-expanded") === "true" && ownOptions(el).length)) return { offers: () => offersOf(el, new Set()) };
    const before = shownTexts();
    for (const option of everywhere(el, OPTIONS)) if (isOnOffer(option)) before.add(option);
    for (const option of offeredBy.get(el) ?? []) before.delete(option);
    page.press(await page.reach(target));
    const offers = () => offersOf(el, before);
    await page.tick();
    await page.until(() => offers().length > 0 || !el.isConnected, el.getAttribute("aria-expanded") === "false" ? CLOSED_MS : OPEN_MS);
    return { offers };
  }

  /** @param {Offer[]} offers @param {string} label */
  const pick = (offers, label) => offers[page.matchLabel(offers.map((offer) => offer.label), label)] ?? null;

  /** The option, once it is there; given up when the list has long been open without it. @param {() => Offer[]} offers @param {string} label */
  async function settled(offers, label) {
    const end = performance.now() + OPEN_MS;
    let since = 0;
    let count = 0;
    return page.until(() => {
      const now = offers();
      const found = pick(now, label);
      if (found) return { offer: found };
      if (now.length !== count) [since, count] = [performance.now(), now.length];
      const complete = count > 1 && performance.now() - since > SETTLE_MS;
      return complete || performance.now() > end ? { offer: null } : null;
    }, OPEN_MS).then((result) => result?.offer ?? null);
  }

  /** Typed into the field that filters the list: the control, or the field that got the focus when it opened. @param {Target} target @param {() => Offer[]} offers @param {string} label */
  async function filtered(target, offers, label) {
    const own = isWritable(target.el) ? target.el : [...target.el.querySelectorAll("input")].find(isWritable);
    const focused = page.focused();
    const field = own ?? (focused && isWritable(focused) ? focused : null);
    if (!field) return null;
    try {
      await page.setValue({ ...target, el: field, role: "inp" }, label);
    } catch (error) {
      if (error instanceof ActionFailure) return null;
      throw error;
    }
    return settled(() => offers().filter(({ el }) => !page.composedContains(target.el, el)), label);
  }

  /** @param {Element} el */
  const isWritable = (el) => page.nativeRole(el) === "inp" && !(/** @type {HTMLInputElement} */ (el).readOnly) && !page.isDisabled(el);

  /** Found further down in a list that draws only what is in view. @param {() => Offer[]} offers @param {string} label */
  async function scrolled(offers, label) {
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const last = offers().at(-1);
      if (!last || !page.scrollBy(last.el, 0, Math.max(80, last.el.getBoundingClientRect().height * 5))) return null;
      for (let wait = 0; wait < 3; wait += 1) await page.tick();
      await new Promise((resolve) => setTimeout(resolve, 30));
      const found = pick(offers(), label);
      if (found) return found;
    }
    return null;
  }

  /** What a control and the box around it show of its choice. @param {Element} el */
  function shownBy(el) {
    const around = page.parentOf(el) ?? el;
    const value = /** @type {HTMLInputElement} */ (el).value;
    return JSON.stringify([typeof value === "string" ? value : "", page.textOf(el), page.textOf(around), page.textOf(page.parentOf(around) ?? around)]);
  }

  /** @param {Element} option */
  const chosenState = (option) => [option.getAttribute("aria-selected"), option.getAttribute("aria-checked"), option.getAttribute("class")].join();

  /** Sees that something came of it: the control shows another choice, the list went, the option is marked. @param {Target} target @param {Offer} offer @param {string} was @returns {Promise<{note?: string}>} */
  async function confirm({ el, name }, offer, was) {
    const state = chosenState(offer.el);
    await page.tick();
    const took = await page.until(() => !el.isConnected || !isVisible(offer.el) || shownBy(el) !== was || chosenState(offer.el) !== state || offer.el.getAttribute("aria-selected") === "true", TAKE_MS);
    if (!took) throw new ActionFailure("VALUE_NOT_ACCEPTED", `"${name}" did not take "${offer.label}".`);
    return {};
  }
})();
