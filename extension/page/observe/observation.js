// One observation of the page: the tree of controls and its context (CONTRACT, "V3 node"), and what has changed since the last one.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "Observer")) return;

  const MAX_NODES = 500; // the server takes 2,000; a longer list is no smaller than the page
  const HITS_MS = 1_500; // time for hit tests: on crowded pages each is slow, and acting on the rest reveals what covers it

  /** @param {DOMRect} rect @returns {[number, number, number, number]} */
  const boxOf = ({ x, y, width, height }) => [Math.round(x), Math.round(y), Math.round(width), Math.round(height)];

  /** Whether it is scrolled out of its container. @param {DOMRect} rect @param {DOMRect} around */
  const isCut = (rect, around) => rect.top >= around.bottom || rect.bottom <= around.top || rect.left >= around.right || rect.right <= around.left;

  /** Leaves out fields that do not apply. @param {V3Node} node @returns {V3Node} */
  const compact = (node) => /** @type {V3Node} */ (Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined && value !== "" && value !== false && !(Array.isArray(value) && value.length === 0))));

  /** @param {Seen} seen @returns {V3Node} */
  function nodeOf({ candidate: { el, role, rect, scroller }, name, group, occ, at }) {
    const [x, y, width, height] = boxOf(rect);
    const value = page.valueOf(el, role);
    const node = compact({
      i: "", r: role, n: name, s: page.statesOf(el, role), xy: at ? [Math.round(at.x), Math.round(at.y)] : [Math.round(x + width / 2), Math.round(y + height / 2)], box: [x, y, width, height],
      t: page.inputType(el, role), o: page.optionsOf(el, role), g: group, k: page.looksOf(el), h: page.hintOf(el, role, name) || (el.localName === "text" ? page.drawnName(el, rect) : ""), occ,
      scr: scroller && isCut(rect, scroller.rect) ? page.scrollOf(scroller.el) : undefined,
    });
    if (value !== undefined) node.v = value;
    return node;
  }

  /** Messages as nodes, so that a later check can expect them. @param {Message} message @returns {Candidate} */
  const messageCandidate = ({ el }) => ({ el, role: "txt", rect: el.getBoundingClientRect(), source: "aria", box: el, scroller: null, owner: null, parts: [] });

  page.Observer = class Observer {
    ids = new page.IdBook();
    /** @type {V3Node[] | null} */
    #last = null;
    /** Names and groups at one revision of the page. @type {WeakMap<Element, {at: string, name: string, group: string}>} */
    #known = new WeakMap();
    /** The scroll position when the last look left something out; null if it saw everything. @type {number | null} */
    #reach = null;
    /** What the last look left out. @type {Map<Element | null, LeftOut>} */
    #left = new Map();
    /** The messages at the last look. @type {readonly Message[]} */
    messages = [];

    /** The current controls with their names and groups. @returns {Seen[]} */
    findControls() {
      const root = document.body ?? document.documentElement;
      const rules = page.updateHoverSelectors(); // including the roots found last time
      const horizon = new page.Horizon(rules, page.screenHits);
      page.clearRoots();
      const all = page.filterCandidates(page.findCandidates(root, horizon));
      const controls = page.nearest(all, MAX_NODES);
      if (controls.length < all.length) for (const { rect, scroller } of withoutKept(all, controls)) horizon.add(rect, scroller, 1);
      this.#left = horizon.left;
      this.messages = page.findMessages(); // after the walk, which finds the shadow roots
      const groupOf = page.groupsOn();
      const modal = page.modal();
      const veil = modal ? null : page.veil();
      const end = performance.now() + HITS_MS;
      const seen = controls.map((candidate) => {
        const { name, group } = this.#nameAndGroup(candidate, groupOf);
        return { candidate, name, group, ...(performance.now() < end ? page.coverOf(candidate, modal, veil) : { occ: false, at: null }), text: "" };
      });
      const spoken = this.messages.filter(({ live, kind }) => live || kind !== "info").map((message) => ({
        candidate: messageCandidate(message), name: page.clip(message.text, 80), group: groupOf(message.el, ""), occ: false, at: null, text: message.state,
      }));
      const own = new Set(spoken.map(({ candidate }) => candidate.el));
      const shown = [...seen.filter(({ candidate }) => !own.has(candidate.el)), ...spoken].filter(({ name, candidate, occ }) => name || (!occ && (candidate.source !== "looks" || page.isTangible(candidate.el, candidate.rect))));
      // An open dialog comes first, since it is in front of the person.
      return modal ? [...shown.filter(isInside(modal)), ...shown.filter((one) => !isInside(modal)(one))] : shown;
    }

    /**
     * Its name and group, cached while the page does not change.
     * @param {Candidate} candidate @param {(el: Element, name: string) => string} groupOf @returns {{name: string, group: string}}
     */
    #nameAndGroup({ el, role }, groupOf) {
      const before = this.#known.get(el);
      const at = page.activity ? `${page.activity.version()} ${role} ${innerWidth}` : "";
      if (before && at !== "" && before.at === at) return before;
      const name = page.nameOf(el, role);
      const known = { at, name, group: groupOf(el, name) };
      this.#known.set(el, known);
      return known;
    }

    /**
     * @param {{taskKey: string, nextId: number}} request @param {ActivityMonitor} activity
     * @returns {PageObservation}
     */
    observe({ taskKey, nextId }, activity) {
      const started = performance.now();
      if (taskKey !== this.ids.taskKey) this.#last = null;
      this.ids.open(taskKey, nextId);
      const seen = this.findControls();
      activity.follow(page.roots());
      const tree = this.#tree(seen);
      const messages = activity.recentMessages();
      const { errors, successes } = page.newMessages([...this.messages, ...messages], activity.messagesBefore);
      const gone = messages.filter(({ text }) => !this.messages.some((message) => message.text === text));
      const passed = gone.map(({ text, after }) => `Came ${(after / 1_000).toFixed(1)} s after the action and is gone: "${text}"`);
      const recentEvents = [...page.describeChanges(this.#stillThere(this.#last, tree), this.#notScrolledIn(tree)), ...passed];
      this.#reach = this.#left.size > 0 ? scrollY : null;
      this.#last = tree;
      return {
        url: location.href, title: document.title, tree, viewport: { width: innerWidth, height: innerHeight },
        ...page.summarize(seen, tree), scrollPosition: page.scrollOf(document.scrollingElement ?? document.documentElement).depth,
        scrollableContainers: page.describeScrollers(seen.map(({ candidate }) => candidate), this.#left), recentEvents,
        hasErrors: errors.length > 0, hasSuccess: successes.length > 0, errors_detected: errors, success_messages: successes,
        ...(page.isStillLoading() ? { stillLoading: true } : {}),
        nextId: this.ids.next, extractMs: Math.round((performance.now() - started) * 10) / 10,
      };
    }

    /** The last tree without controls that are merely out of reach now, since they were not removed. @param {V3Node[] | null} before @param {V3Node[]} now */
    #stillThere(before, now) {
      if (!before || this.#left.size === 0) return before;
      const sent = new Set(now.map(({ i }) => i));
      return before.filter(({ i }) => {
        const el = sent.has(i) ? null : this.ids.get(i)?.element.deref();
        return !el?.isConnected || !page.isShown(el);
      });
    }

    /** The current tree without controls the last look did not reach, since they were not added. @param {V3Node[]} now */
    #notScrolledIn(now) {
      const by = this.#reach === null ? 0 : scrollY - this.#reach;
      if (by === 0) return now;
      const seen = new Set(this.#last?.map(({ i }) => i));
      // Within a screen of the former position.
      return now.filter(({ i, xy }) => seen.has(i) || !xy || (xy[1] + by > -innerHeight && xy[1] + by < 2 * innerHeight));
    }

    /** @param {Seen[]} seen @returns {V3Node[]} */
    #tree(seen) {
      const ids = this.ids.assign(seen.map(({ candidate, name, group }) => ({ el: candidate.el, role: candidate.role, name, group })));
      return seen.map((one, n) => {
        const node = nodeOf(one);
        if (one.text) node.s = [one.text];
        return { ...node, i: ids[n] };
      });
    }
  };

  /** @param {Candidate[]} all @param {Candidate[]} kept */
  function withoutKept(all, kept) {
    const set = new Set(kept);
    return all.filter((candidate) => !set.has(candidate));
  }

  /** @param {Element} dialog */
  const isInside = (dialog) => (/** @type {Seen} */ { candidate }) => page.composedContains(dialog, candidate.el);

  const MAX_EVENTS = 12;
  const MAX_LINE = 100;
  const MANY = 4; // controls of one place; with more, they are counted instead of listed
  const NAMED = 3; // of them that are named
  const RECORD = /(?:^| > )(row|item): [^>]*$/;

  /** @param {V3Node} node */
  const describeNode = ({ r, n, g }) => `${r} "${n ?? ""}"${g ? ` in ${g}` : ""}`;

  /** @param {V3Node} node */
  const statesOf = (node) => (node.s ?? []).filter((state) => state !== "focused").join(" ");

  /** @param {V3Node} before @param {V3Node} now @returns {string[]} */
  function differences(before, now) {
    const lines = [];
    if ((before.v ?? "") !== (now.v ?? "")) lines.push(`changed: ${now.r} "${now.n ?? ""}" from "${before.v ?? ""}" to "${now.v ?? ""}"`);
    const [was, is] = [statesOf(before), statesOf(now)];
    if (was !== is) lines.push(`now: ${now.r} "${now.n ?? ""}" ${is || "without states"}${was ? ` (was ${was})` : ""}`);
    return lines;
  }

  /** @param {V3Node} node */
  const likeness = ({ r, n, g }) => JSON.stringify([r, n ?? "", g ?? ""]);

  /** Those without a match among the others: a re-rendered row has neither come nor gone. @param {readonly V3Node[]} nodes @param {readonly V3Node[]} others */
  function unmatched(nodes, others) {
    /** @type {Map<string, number>} */
    const left = new Map();
    for (const other of others) left.set(likeness(other), (left.get(likeness(other)) ?? 0) + 1);
    return nodes.filter((node) => {
      const count = left.get(likeness(node)) ?? 0;
      if (count > 0) left.set(likeness(node), count - 1);
      return count === 0;
    });
  }

  /** The container that holds the records, and the record a control stands in. @param {V3Node} node */
  function placeOf({ g = "" }) {
    const record = g.match(RECORD);
    return record ? { around: g.slice(0, record.index), kind: record[1], record: g } : { around: g, kind: "", record: "" };
  }

  /** Lines for added or removed controls, grouped by place if there are many. @param {string} verb @param {readonly V3Node[]} nodes @returns {string[]} */
  function linesOf(verb, nodes) {
    const byPlace = Map.groupBy(nodes, (node) => {
      const { around, kind } = placeOf(node);
      return around || kind ? `${around}|${kind}` : `|${node.i}`;
    });
    return [...byPlace.values()].flatMap((together) => (together.length < MANY ? together.map((node) => `${verb}: ${describeNode(node)}`) : [countedLine(verb, together)]));
  }

  /** `added: 12 rows in list: Patients`, or the first names of other controls. @param {string} verb @param {readonly V3Node[]} nodes */
  function countedLine(verb, nodes) {
    const { around, kind } = placeOf(nodes[0]);
    const records = new Set(nodes.map((node) => placeOf(node).record));
    const where = around ? ` in ${around}` : "";
    if (kind && records.size > 1) return `${verb}: ${records.size} ${kind}s${where}`;
    const names = nodes.slice(0, NAMED).map(({ r, n }) => `${r} "${n ?? ""}"`).join(", ");
    return `${verb}: ${names} and ${nodes.length - NAMED} more in ${nodes[0].g}`;
  }

  /** Up to 12 lines: changed values and states first, then added, then removed controls. @param before null at the first look */
  page.describeChanges = (before, now) => {
    if (!before) return [];
    const was = new Map(before.map((node) => [node.i, node]));
    const is = new Set(now.map((node) => node.i));
    const changed = now.flatMap((node) => {
      const old = was.get(node.i);
      return old ? differences(old, node) : [];
    });
    const came = now.filter((node) => !was.has(node.i));
    const gone = before.filter((node) => !is.has(node.i));
    const lines = [...changed, ...linesOf("added", unmatched(came, gone)), ...linesOf("removed", unmatched(gone, came))];
    const shown = lines.length > MAX_EVENTS ? [...lines.slice(0, MAX_EVENTS - 1), `and ${lines.length - MAX_EVENTS + 1} more`] : lines;
    return shown.map((line) => page.clip(line, MAX_LINE));
  };
})();
