// One action by its name and arguments (CONTRACT, "Actions"), with what came of it.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "act")) return;

  const LONGEST_MS = 30_000;

  /**
   * @param {Target | null} target null for the whole page @param {string} text "" for any change @param {number} ms
   * @throws {ActionFailure} TIMEOUT
   */
  page.waitFor = async (target, text, ms) => {
    const before = toldOf(target);
    const wanted = text.toLowerCase();
    const holds = () => (wanted ? toldOf(target).toLowerCase().includes(wanted) : toldOf(target) !== before);
    const limit = Math.min(Math.max(ms, 0), LONGEST_MS);
    if (await page.until(holds, limit)) return;
    const what = wanted ? `"${page.clip(text, 80)}" did not show` : "Nothing changed";
    throw new page.ActionFailure("TIMEOUT", `${what} ${target ? `in "${target.name}" ` : ""}within ${limit} ms.`);
  };

  /** What a person sees of it: words, value, states and colour. @param {Target | null} target */
  function toldOf(target) {
    if (!target) return document.body.innerText;
    const { el } = target;
    const role = /** @type {WireRole} */ (target.role);
    const { color, backgroundColor } = getComputedStyle(el);
    return [page.nameOf(el, role), page.textOf(el), page.valueOf(el, role), page.statesOf(el, role), page.drawnName(el, el.getBoundingClientRect()), page.looksOf(el), color, backgroundColor].join("\n");
  }

  const OUTLINE_MS = 700;
  const LONGEST_PRESS_MS = 10_000;

  /** @type {Record<string, (eyes: Observer, args: ActionArgs) => Promise<ActionNote | void> | ActionNote | void>} */
  const ACTIONS = {
    click: (eyes, { id }) => page.click(touch(eyes, id)),
    clickAt: (_eyes, { x, y }) => {
      const point = page.pointAt(Number(x), Number(y));
      return page.pressAndCheck(point, page.clip(page.textOf(point.hit, { max: 80 }), 80) || point.hit.localName);
    },
    doubleClick: async (eyes, args) => page.pressTwice(await placeOf(eyes, args)),
    rightClick: async (eyes, args) => page.pressRight(await placeOf(eyes, args)),
    press: async (eyes, args) => page.pressFor(await placeOf(eyes, args), Math.min(Math.max(Number(args.ms) || 0, 0), LONGEST_PRESS_MS)),
    drag: (_eyes, { x1, y1, x2, y2 }) => page.dragAlong(inWindow([[Number(x1), Number(y1)], [Number(x2), Number(y2)]])),
    draw: (_eyes, { points }) => page.dragAlong(inWindow(/** @type {[number, number][]} */ (points))),
    selectText: (eyes, { id, text }) => page.selectText(id === "page" ? { el: document.body, role: "el", name: "the page" } : touch(eyes, id), String(text ?? "")),
    setValue: (eyes, { id, text }) => page.setValue(touch(eyes, id), String(text ?? "")),
    selectOption: (eyes, { id, label }) => page.selectOption(touch(eyes, id), String(label ?? "")),
    setChecked: (eyes, { id, checked }) => page.setChecked(touch(eyes, id), checked === true || checked === "true"),
    pressKey: (_eyes, { key }) => page.pressKey(String(key ?? "")),
    hover: async (eyes, args) => page.moveTo(await placeOf(eyes, args)),
    scroll: (eyes, { id, direction, x, y }) => {
      const target = id === undefined || id === "page" ? null : scrolled(eyes, String(id));
      return x === undefined ? page.scrollIn(target, String(direction ?? "down")) : page.scrollFor(target, Number(x), Number(y));
    },
    wait: async (eyes, { id, shows, ms }) => page.waitFor(id === "page" ? null : page.resolve(eyes, String(id)), String(shows ?? ""), Number(ms) || 0),
    dragTo: (eyes, { id, targetId, x, y }) => {
      const source = touch(eyes, id);
      return x === undefined ? page.dragTo(source, page.resolve(eyes, String(targetId))) : page.dragOnto(source, inWindow([[Number(x), Number(y)]])[0]);
    },
  };

  /** Nothing is let go of outside. @param {readonly [number, number][]} points @returns {{x: number, y: number}[]} @throws {ActionFailure} NOT_INTERACTABLE */
  function inWindow(points) {
    for (const [x, y] of [points[0], points[points.length - 1]]) page.pointAt(x, y);
    return points.map(([x, y]) => ({ x, y }));
  }

  /** Where a control is reached, or a point of the window. @param {Observer} eyes @param {ActionArgs} args */
  const placeOf = async (eyes, { id, x, y }) => (id === undefined ? page.pointAt(Number(x), Number(y)) : page.reach(touch(eyes, id)));

  /** Resolves an id and shows the person what is touched. @param {Observer} eyes @param {unknown} id */
  function touch(eyes, id) {
    const target = page.resolve(eyes, String(id));
    const box = page.boxOf(target.el);
    page.outline([box.getBoundingClientRect()], OUTLINE_MS);
    return target;
  }

  /** What elements scrolled in, by id: a long list drops its first lines as it is scrolled. @type {Map<string, WeakRef<Element>>} */
  const scrollers = new Map();

  /** The element that scrolling is about, which need not show; of one that was scrolled out of being, its container. @param {Observer} eyes @param {string} id @returns {Target} */
  function scrolled(eyes, id) {
    const known = scrollers.get(id)?.deref();
    try {
      const target = page.resolve(eyes, id);
      const scroller = page.scrollerAround(target.el);
      if (scroller) scrollers.set(id, new WeakRef(scroller));
      page.outline([(scroller ?? target.el).getBoundingClientRect()], OUTLINE_MS);
      return target;
    } catch (error) {
      if (known?.isConnected) return { el: known, role: "el", name: "" };
      throw error;
    }
  }

  /**
   * Never throws: what went wrong is in the result.
   * @param {Observer} eyes @param {ActivityMonitor} watch
   * @param {{name: string, args: ActionArgs, grave?: boolean}} request `grave`: agreed to under the name that the element was last seen with
   * @returns {Promise<ActionResult>}
   */
  page.act = async (eyes, watch, { name, args, grave }) => {
    watch.reset(page.findMessages());
    page.actionState = "acting";
    try {
      const action = ACTIONS[name];
      if (!action) throw new page.ActionFailure("NOT_INTERACTABLE", `The page cannot do "${name}".`);
      if (grave) page.refuseRenamed(eyes, [args.id, args.targetId]);
      const result = await action(eyes, args ?? {});
      await page.scrollSettled();
      return { status: "success", ...result };
    } catch (error) {
      const known = error instanceof page.ActionFailure;
      return { status: "failure", error: { code: known ? error.code : "NOT_INTERACTABLE", message: error instanceof Error ? error.message : String(error) } };
    } finally {
      page.actionState = "";
    }
  };

  /** The person stopped the run: what is under way does nothing more. */
  page.halt = () => {
    if (page.actionState) page.actionState = "halted";
    page.clearOutline();
  };
})();
