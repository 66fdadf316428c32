// Runs one action by name and arguments (CONTRACT, "Actions") and returns its result.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "act")) return;

  const LONGEST_MS = 30_000;

  /**
   * @param {Target | null} target null for the whole page @param {string} text "" for any change @param {number} ms
   * @throws {ActionFailure} TIMEOUT
   */
  const waitFor = async (target, text, ms) => {
    const before = visibleState(target);
    const wanted = text.toLowerCase();
    const holds = () => (wanted ? visibleState(target).toLowerCase().includes(wanted) : visibleState(target) !== before);
    const limit = Math.min(Math.max(ms, 0), LONGEST_MS);
    if (await page.until(holds, limit)) return;
    const what = wanted ? `"${page.clip(text, 80)}" did not show` : "Nothing changed";
    throw new page.ActionFailure("TIMEOUT", `${what} ${target ? `in "${target.name}" ` : ""}within ${limit} ms.`);
  };

  /** What a person sees of an element: text, value, states and colour. @param {Target | null} target */
  function visibleState(target) {
    if (!target) return document.body.innerText;
    const { el } = target;
    const role = /** @type {WireRole} */ (target.role);
    const { color, backgroundColor } = getComputedStyle(el);
    return [page.nameOf(el, role), page.textOf(el), page.valueOf(el, role), page.statesOf(el, role), page.drawnName(el, el.getBoundingClientRect()), page.looksOf(el), color, backgroundColor].join("\n");
  }

  const OUTLINE_MS = 700;
  const LONGEST_PRESS_MS = 10_000;

  /** @type {Record<string, (observer: Observer, args: ActionArgs) => Promise<ActionNote | void> | ActionNote | void>} */
  const ACTIONS = {
    click: (observer, { id }) => page.click(resolveAndOutline(observer, id)),
    clickAt: (_eyes, { x, y }) => {
      const point = page.pointAt(Number(x), Number(y));
      return page.pressAndCheck(point, page.clip(page.textOf(point.hit, { max: 80 }), 80) || point.hit.localName);
    },
    doubleClick: async (observer, args) => page.pressTwice(await placeOf(observer, args)),
    rightClick: async (observer, args) => page.pressRight(await placeOf(observer, args)),
    press: async (observer, args) => page.pressFor(await placeOf(observer, args), Math.min(Math.max(Number(args.ms) || 0, 0), LONGEST_PRESS_MS)),
    drag: (_eyes, { x1, y1, x2, y2 }) => page.dragAlong(inWindow([[Number(x1), Number(y1)], [Number(x2), Number(y2)]])),
    draw: (_eyes, { points }) => page.dragAlong(inWindow(/** @type {[number, number][]} */ (points))),
    selectText: (observer, { id, text }) => page.selectText(id === "page" ? { el: document.body, role: "el", name: "the page" } : resolveAndOutline(observer, id), String(text ?? "")),
    setValue: (observer, { id, text }) => page.setValue(resolveAndOutline(observer, id), String(text ?? "")),
    selectOption: (observer, { id, label }) => page.selectOption(resolveAndOutline(observer, id), String(label ?? "")),
    setChecked: (observer, { id, checked }) => page.setChecked(resolveAndOutline(observer, id), checked === true || checked === "true"),
    pressKey: (_eyes, { key }) => page.pressKey(String(key ?? "")),
    hover: async (observer, args) => page.moveTo(await placeOf(observer, args)),
    scroll: (observer, { id, direction, x, y }) => {
      const target = id === undefined || id === "page" ? null : resolveScrollTarget(observer, String(id));
      return x === undefined ? page.scrollIn(target, String(direction ?? "down")) : page.scrollFor(target, Number(x), Number(y));
    },
    wait: async (observer, { id, shows, ms }) => waitFor(id === "page" ? null : page.resolve(observer, String(id)), String(shows ?? ""), Number(ms) || 0),
    dragTo: (observer, { id, targetId, x, y }) => {
      const source = resolveAndOutline(observer, id);
      return x === undefined ? page.dragTo(source, page.resolve(observer, String(targetId))) : page.dragOnto(source, inWindow([[Number(x), Number(y)]])[0]);
    },
  };

  /** Refuses points outside the window. @param {readonly [number, number][]} points @returns {{x: number, y: number}[]} @throws {ActionFailure} NOT_INTERACTABLE */
  function inWindow(points) {
    for (const [x, y] of [points[0], points[points.length - 1]]) page.pointAt(x, y);
    return points.map(([x, y]) => ({ x, y }));
  }

  /** The point of a control, or the given one. @param {Observer} observer @param {ActionArgs} args */
  const placeOf = async (observer, { id, x, y }) => (id === undefined ? page.pointAt(Number(x), Number(y)) : page.reach(resolveAndOutline(observer, id)));

  /** Resolves an id and highlights the element for the person. @param {Observer} observer @param {unknown} id */
  function resolveAndOutline(observer, id) {
    const target = page.resolve(observer, String(id));
    const box = page.boxOf(target.el);
    page.outline([box.getBoundingClientRect()], OUTLINE_MS);
    return target;
  }

  /** The scroll container of elements, by id: a long list removes its first lines while scrolling. @type {Map<string, WeakRef<Element>>} */
  const scrollers = new Map();

  /** The element to scroll to or within, visible or not; its container if it is gone. @param {Observer} observer @param {string} id @returns {Target} */
  function resolveScrollTarget(observer, id) {
    const known = scrollers.get(id)?.deref();
    try {
      const target = page.resolve(observer, id);
      const scroller = page.scrollerAround(target.el);
      if (scroller) scrollers.set(id, new WeakRef(scroller));
      page.outline([(scroller ?? target.el).getBoundingClientRect()], OUTLINE_MS);
      return target;
    } catch (error) {
      if (known?.isConnected) return { el: known, role: "el", name: "" };
      throw error;
    }
  }

  /** Never throws: an error is part of the result. @param request `grave`: approved for the name that the element was last observed with */
  page.act = async (observer, activity, { name, args, grave }) => {
    activity.reset(page.findMessages());
    page.actionState = "acting";
    const result = await page.resultOf(async () => {
      const action = ACTIONS[name];
      if (!action) throw new page.ActionFailure("NOT_INTERACTABLE", `The page cannot do "${name}".`);
      if (grave) page.refuseRenamed(observer, [args.id, args.targetId]);
      const note = await action(observer, args ?? {});
      await page.scrollSettled();
      return note;
    });
    page.actionState = "";
    return result;
  };

  page.resultOf = async (action) => {
    try {
      return { status: "success", ...(await action()) };
    } catch (error) {
      const code = error instanceof page.ActionFailure ? error.code : "NOT_INTERACTABLE";
      return { status: "failure", error: { code, message: error instanceof Error ? error.message : String(error) } };
    }
  };

  /** The person stopped the run: the current action does nothing more. */
  page.halt = () => {
    if (page.actionState) page.actionState = "halted";
    page.clearOutline();
  };
})();
