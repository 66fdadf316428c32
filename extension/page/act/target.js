// Finds the element of an id, and a point where a click reaches it.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "resolve")) return;

  const MAX_CANDIDATES = 3;
  const MAX_FRAMES = 4; // boxes around a field that may be drawn as the field
  const FRAME_PX = 160; // largest height of a field that shows its choices
  const CONTROLS = "input:not([type=hidden]),textarea,select,button,[role=combobox],[role=textbox]";
  const POPUP = "[role=listbox],[role=menu],[role=option],[role=menuitem],[role=grid],[role=tooltip]";
  const LEAVE_MS = 2_000; // for a list that fades out on a busy machine; most take 100 to 400
  const HOVER_MS = 120; // menus that open on hover do so at once; slower ones take a hover action
  const VEILED_MS = 5_000; // a "Please wait…" layer goes by itself in this time, or is none
  const PRESSED = "button,[role=button],a[href],input:not([type=hidden]),select,textarea,[tabindex]:not([tabindex='-1'])";
  const REACH_MS = 500; // style sheets move elements in 150 to 400 ms
  const COME_MS = 1_500; // for a button that slides in, or a panel that unfolds over it
  // Below this share of common words two names count as unrelated.
  const MIN_LIKENESS = 0.3;

  /** Share of common words, 0 to 1 (Dice). @param {string} a @param {string} b */
  const likeness = (a, b) => {
    const [left, right] = [new Set(page.words(a).split(" ")), new Set(page.words(b).split(" "))];
    const common = [...left].filter((word) => word && right.has(word)).length;
    return (2 * common) / Math.max(1, left.size + right.size);
  };

  /**
   * The element of an id: the original one even if renamed, or the only one with the same role, name and group if the page has
   * redrawn it.
   * @throws {ActionFailure} ELEMENT_NOT_FOUND, naming the nearest candidates
   */
  page.resolve = (observer, id) => {
    const record = observer.ids.get(id);
    if (!record) throw new page.ActionFailure("ELEMENT_NOT_FOUND", `No element has the id ${id} in this page.`);
    const el = record.element.deref();
    if (el?.isConnected && (page.nameOf(el, record.role) === record.name || record.role === "txt")) return { el, role: record.role, name: record.name };
    const seen = observer.findControls();
    const same = seen.filter((one) => {
      const [now, was] = [{ role: one.candidate.role, name: one.name, group: one.group }, observer.ids.of(one.candidate.el)];
      return page.signature(now) === page.signature(record) && !(was && was !== record && page.signature(was) === page.signature(now));
    });
    if (same.length === 1) return { el: same[0].candidate.el, role: record.role, name: record.name };
    // Still in place but renamed ("Save" became "Saving…").
    const renamed = el?.isConnected && same.length === 0 ? seen.find(({ candidate, group }) => candidate.el === el && group === record.group && candidate.role === record.role) : null;
    if (renamed) return { el: renamed.candidate.el, role: record.role, name: renamed.name };
    throw new page.ActionFailure("ELEMENT_NOT_FOUND", `${record.role} "${record.name}" (${id}) is no longer on the page.${nearestNames(record, seen)}`);
  };

  /** @throws {ActionFailure} if an element's name has changed since it was last reported */
  page.refuseRenamed = (observer, ids) => {
    for (const id of ids) {
      const record = observer.ids.get(String(id));
      const now = record && page.resolve(observer, record.id).name;
      if (record && now !== record.name) throw new page.ActionFailure("ELEMENT_NOT_FOUND", `"${record.name}" (${record.id}) is called "${now}" by now.`);
    }
  };

  /** @param {{role: string, name: string}} record @param {Seen[]} seen */
  function nearestNames(record, seen) {
    const scored = seen
      .map((one) => ({ one, score: likeness(record.name, one.name) + (one.candidate.role === record.role ? 0.2 : 0) }))
      .filter(({ score }) => score > MIN_LIKENESS)
      .sort((a, b) => b.score - a.score);
    const names = scored.slice(0, MAX_CANDIDATES).map(({ one }) => `${one.candidate.role} "${one.name}"`);
    return names.length ? ` Nearest: ${names.join(", ")}.` : "";
  }

  /** The visible element of a control: itself, or its label if it is hidden behind one. */
  page.boxOf = (el) => {
    const drawn = page.editorOf(el)?.frame ?? page.pickerOf(el);
    if (drawn) return drawn;
    const rect = el.getBoundingClientRect();
    const shown = page.isShown(el) && rect.width >= 4 && rect.height >= 4 && reachableAfterScroll(el);
    return shown ? el : (page.labelsOf(el).find((label) => label.getBoundingClientRect().width > 0) ?? frameOf(el) ?? el);
  };

  /** The box drawn over a field that lies under it: it opens its list or shows its choices. @param {Element} el @returns {Element | null} */
  function frameOf(el) {
    if (!el.matches("input,textarea,select,[role=combobox]")) return null;
    for (let up = page.parentOf(el), level = 0; up && level < MAX_FRAMES; up = page.parentOf(up), level += 1) {
      const { height } = up.getBoundingClientRect();
      const shared = [...up.querySelectorAll(CONTROLS)].some((other) => other !== el && !page.composedContains(other, el) && page.roleOf(other) !== "btn" && page.reachablePoint(other, other));
      if (height > FRAME_PX || shared) return null;
      if (height >= 4 && page.reachablePoint(up, up)) return up;
    }
    return null;
  }

  /** Scrolls an element into view if needed and returns whether a click reaches it. @param {Element} el */
  const reachableAfterScroll = (el) => {
    if (page.reachablePoint(el, el)) return true;
    el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    return page.reachablePoint(el, el) !== null;
  };

  /**
   * Scrolls a control into view and finds a point to click.
   * @param {Target} target @returns {{x: number, y: number, hit: Element}}
   * @throws {ActionFailure} NOT_INTERACTABLE naming what covers it
   */
  const approach = ({ el, role, name }) => {
    if (page.isDisabled(el)) throw new page.ActionFailure("NOT_INTERACTABLE", `${role} "${name}" is disabled.`);
    const box = page.boxOf(el);
    const point = page.reachablePoint(el, box) ?? reachAfterScroll(el, box);
    if (point) return point;
    const { left, top, width, height } = box.getBoundingClientRect();
    if (width < 1 || height < 1 || !page.isShown(box)) throw new page.ActionFailure("NOT_INTERACTABLE", `${role} "${name}" is not visible.`);
    const cover = page.hitAt(left + width / 2, top + height / 2);
    throw new page.ActionFailure("NOT_INTERACTABLE", `${role} "${name}" is covered by ${cover ? describe(cover, el) : "the edge of the window"}.`);
  };

  /**
   * The same, after waiting for movement to end (a popup being placed, a panel sliding in, an overlay fading out).
   * @throws {ActionFailure} NOT_INTERACTABLE
   */
  page.reach = async (target) => {
    const point = await reachNow(target);
    const text = point.hit.textContent;
    const moved = await waitUntilStill(target.el);
    if (target.el.isConnected) return moved || !point.hit.isConnected ? reachNow(target) : point;
    // A virtual list has recreated this line while scrolling.
    const hit = page.hitAt(point.x, point.y);
    return hit?.textContent === text ? { ...point, hit } : reachNow(target);
  };

  /** Waits until an element stops moving; one that never stops is taken where it is. @param {Element} el @returns {Promise<boolean>} whether it moved */
  async function waitUntilStill(el) {
    let before = placeOf(el);
    let moved = false;
    for (const end = performance.now() + COME_MS; performance.now() < end; moved = true) {
      await page.frame();
      const now = placeOf(el);
      if (now === before) break;
      before = now;
    }
    return moved;
  }

  /** @param {Element} el */
  function placeOf(el) {
    const { left, top, width, height } = page.boxOf(el).getBoundingClientRect();
    return `${left} ${top} ${width} ${height}`;
  }

  /** @param {Target} target @returns {Promise<Point>} */
  async function reachNow(target) {
    /** @type {unknown} */
    let failure = null;
    const point = await page.until(() => {
      try {
        return approach(target);
      } catch (error) {
        failure = error;
        if (!target.el.isConnected) throw error; // a disabled control may be enabled by the input just made
        return null;
      }
    }, REACH_MS);
    if (point) return point;
    const uncovered = (await reachAfterClosingPopup(target)) ?? (await reachByHover(target)) ?? (await reachAfterVeil(target));
    if (uncovered) return uncovered;
    throw failure;
  }

  /** A point for a target that an open list covers, after closing the list by a press beside it. @param {Target} target @returns {Promise<Point | null>} */
  async function reachAfterClosingPopup({ el }) {
    const box = page.boxOf(el);
    const { left, top, width, height } = box.getBoundingClientRect();
    const popup = page.closest(page.hitAt(left + width / 2, top + height / 2), POPUP);
    if (!popup || page.composedContains(popup, el)) return null;
    page.pressBeside();
    return page.until(() => page.reachablePoint(el, box), LEAVE_MS);
  }

  /** A point for a target that shows only on hover: hovers its ancestors, the nearest first. @param {Target} target @returns {Promise<Point | null>} */
  async function reachByHover(target) {
    for (const around of page.hoverTargets(target.el)) {
      const over = page.reachablePoint(around, around) ?? reachAfterScroll(around, around);
      if (!over) continue;
      page.moveTo(over);
      const point = await page.until(() => page.reachablePoint(target.el, page.boxOf(target.el)), HOVER_MS);
      if (point) return point;
    }
    return null;
  }

  /** A point for a target under a "Please wait" layer: larger than the target and without controls. @param {Target} target @returns {Promise<Point | null>} */
  async function reachAfterVeil({ el }) {
    const { left, top, width, height } = page.boxOf(el).getBoundingClientRect();
    const hit = page.hitAt(left + width / 2, top + height / 2);
    const layer = hit && layerOf(hit, el);
    if (!layer || !LAYERS.has(getComputedStyle(layer).position) || page.composedContains(layer, el)) return null;
    const over = layer.getBoundingClientRect();
    const isLarge = over.left < left && over.top < top && over.right > left + width && over.bottom > top + height;
    if (!isLarge || layer.querySelector(PRESSED)) return null;
    return page.until(() => (el.isConnected ? page.reachablePoint(el, page.boxOf(el)) : null), VEILED_MS);
  }

  page.pointAt = (x, y) => {
    const hit = page.hitAt(x, y);
    if (!hit) throw new page.ActionFailure("NOT_INTERACTABLE", `There is nothing at ${x}, ${y}: the window is ${innerWidth} by ${innerHeight} pixels.`);
    return { x, y, hit };
  };

  /** @param {Element} el @param {Element} box */
  function reachAfterScroll(el, box) {
    for (const block of /** @type {ScrollLogicalPosition[]} */ (["center", "start", "end"])) {
      box.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
      const point = page.reachablePoint(el, box);
      if (point) return point;
    }
    return null;
  }

  const LAYERS = new Set(["fixed", "sticky", "absolute"]);

  /** The whole covering element, such as a banner or a panel, not just the part that was hit. @param {Element} hit @param {Element} target */
  function layerOf(hit, target) {
    const dialog = page.closest(hit, "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]");
    if (dialog) return dialog;
    let layer = hit;
    for (let up = page.parentOf(hit); up && up !== document.body && !page.composedContains(up, target); up = page.parentOf(up)) {
      if (LAYERS.has(getComputedStyle(up).position)) layer = up;
    }
    return layer;
  }

  page.describeCover = (hit, target) => describe(hit, target);

  /** Describes it: its kind, its text, and how to close it. @param {Element} hit @param {Element} target */
  function describe(hit, target) {
    const layer = layerOf(hit, target);
    const isDialog = layer.matches("dialog,[role=dialog],[role=alertdialog],[aria-modal=true]");
    const buttons = [...layer.querySelectorAll("button,[role=button],a[href],input[type=submit],input[type=button]")].filter(page.isShown);
    const names = buttons.slice(0, MAX_CANDIDATES).map((button) => page.nameOf(button, "btn")).filter(Boolean);
    const label = page.collapse(layer.getAttribute("aria-label"));
    const text = label || page.clip(page.textOf(layer, { max: 60, skip: (inner) => buttons.includes(inner) }), 60);
    const kind = isDialog ? "dialog" : layer.localName;
    const what = text ? `${kind} "${text}"` : `${kind}${layer.id ? ` #${layer.id}` : ""}`;
    return names.length ? `${what} with ${page.quoteList(names)}` : what;
  }
})();
