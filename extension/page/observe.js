// One look at the page: the V3 tree and what surrounds it (CONTRACT, "V3 node").
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "Eyes")) return;

  const MAX_NODES = 500; // the server takes 2,000; more than this is no smaller than the page

  /** @param {DOMRect} rect @returns {[number, number, number, number]} */
  const boxOf = ({ x, y, width, height }) => [Math.round(x), Math.round(y), Math.round(width), Math.round(height)];

  /** @param {Element} scroller */
  function scrollOf({ scrollTop, scrollHeight, clientHeight }) {
    const room = scrollHeight - clientHeight;
    return { depth: room > 0 ? `${Math.round((100 * scrollTop) / room)}%` : "0%", h: room - scrollTop > 2 };
  }

  /** Whether it is scrolled out of its container. @param {DOMRect} rect @param {DOMRect} around */
  const isCut = (rect, around) => rect.top >= around.bottom || rect.bottom <= around.top || rect.left >= around.right || rect.right <= around.left;

  /** Leaves out what does not apply. @param {V3Node} node @returns {V3Node} */
  const compact = (node) => /** @type {V3Node} */ (Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined && value !== "" && value !== false && !(Array.isArray(value) && value.length === 0))));

  /** @param {Candidate} candidate @param {string} name @param {string} group @param {boolean} occ @returns {V3Node} */
  function nodeOf({ el, role, rect, scroller }, name, group, occ) {
    const [x, y, width, height] = boxOf(rect);
    const value = page.valueOf(el, role);
    const node = compact({
      i: "", r: role, n: name, s: page.statesOf(el, role), xy: [Math.round(x + width / 2), Math.round(y + height / 2)], box: [x, y, width, height],
      t: page.inputType(el, role), o: page.optionsOf(el, role), g: group, h: page.hintOf(el, role, name), occ,
      scr: scroller && isCut(rect, scroller.rect) ? scrollOf(scroller.el) : undefined,
    });
    if (value !== undefined) node.v = value;
    return node;
  }

  /** Messages as nodes, so that their coming can be checked. @param {Message} message @returns {Candidate} */
  const messageCandidate = ({ el }) => ({ el, role: "txt", rect: el.getBoundingClientRect(), source: "aria", box: el, scroller: null, owner: null, parts: [] });

  page.Eyes = class Eyes {
    ids = new page.IdBook();
    /** @type {V3Node[] | null} */
    #last = null;
    /** The messages shown at the last look. @type {readonly Message[]} */
    messages = [];

    /** The controls now, with their names and groups. @returns {Seen[]} */
    look() {
      const root = document.body ?? document.documentElement;
      page.forgetRoots();
      const controls = page.nearest(page.prune(page.walk(root)), MAX_NODES);
      this.messages = page.findMessages(); // after the walk, which has found the shadow roots
      const groupOf = page.groupsOn();
      const modal = page.modal();
      const seen = controls.map((candidate) => {
        const name = page.nameOf(candidate.el, candidate.role);
        return { candidate, name, group: groupOf(candidate.el, name), occ: page.isOccluded(candidate, modal), text: "" };
      });
      const spoken = this.messages.filter(({ live, kind }) => live || kind !== "info").map((message) => ({
        candidate: messageCandidate(message), name: page.clip(message.text, 80), group: groupOf(message.el, ""), occ: false, text: message.state,
      }));
      const own = new Set(spoken.map(({ candidate }) => candidate.el));
      const all = [...seen.filter(({ candidate }) => !own.has(candidate.el)), ...spoken].filter(({ name, candidate, occ }) => name || (candidate.source !== "looks" && !occ));
      // A dialog is what the person has before them: first.
      return modal ? [...all.filter(inside(modal)), ...all.filter((one) => !inside(modal)(one))] : all;
    }

    /**
     * @param {{taskKey: string, nextId: number}} request @param {Watch} watch
     * @returns {PageObservation}
     */
    observe({ taskKey, nextId }, watch) {
      const started = performance.now();
      if (taskKey !== this.ids.taskKey) this.#last = null;
      this.ids.open(taskKey, nextId);
      const seen = this.look();
      watch.follow(page.roots());
      const tree = this.#tree(seen);
      const { errors, successes } = page.newMessages([...this.messages, ...watch.heard()], watch.messagesBefore);
      const recentEvents = page.describeChanges(this.#last, tree);
      this.#last = tree;
      return {
        url: location.href, title: document.title, tree, viewport: { width: innerWidth, height: innerHeight },
        pageSummary: page.summarize(), scrollPosition: scrollOf(document.scrollingElement ?? document.documentElement).depth,
        scrollableContainers: scrollers(seen), recentEvents,
        hasErrors: errors.length > 0, hasSuccess: successes.length > 0, errors_detected: errors, success_messages: successes,
        nextId: this.ids.next, extractMs: Math.round((performance.now() - started) * 10) / 10,
      };
    }

    /** @param {Seen[]} seen @returns {V3Node[]} */
    #tree(seen) {
      const ids = this.ids.assign(seen.map(({ candidate, name, group }) => ({ el: candidate.el, role: candidate.role, name, group })));
      return seen.map(({ candidate, name, group, occ, text }, at) => {
        const node = nodeOf(candidate, name, group, occ);
        if (text) node.s = [text];
        return { ...node, i: ids[at] };
      });
    }
  };

  /** @param {Element} dialog */
  const inside = (dialog) => (/** @type {Seen} */ { candidate }) => page.composedContains(dialog, candidate.el);

  /** The containers that hold controls and scroll, in words. @param {Seen[]} seen @returns {string[]} */
  function scrollers(seen) {
    const found = new Map(seen.flatMap(({ candidate: { scroller } }) => (scroller ? [[scroller.el, scroller]] : [])));
    return [...found.values()].slice(0, 5).map(({ el }) => {
      const { depth, h } = scrollOf(el);
      const below = el.scrollHeight - el.clientHeight - el.scrollTop;
      const name = page.collapse(el.getAttribute("aria-label")) || el.id || el.localName;
      return h ? `${name}: at ${depth}, ${Math.round(below)} px more below` : `${name}: at ${depth}`;
    });
  }
})();
