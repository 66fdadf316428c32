// Changes a page makes constantly by itself (clocks, tickers, scripted animations): not an effect of an action, and not waited for.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "BackgroundChanges")) return;

  const WINDOW_MS = 1_000;
  const OFTEN = 4; // changes per second that leave no quiet 300 ms
  const EVENLY_MS = 5_000; // time span in which regular changes are told from occasional ones
  const SLOWEST_MS = 1_200; // longest interval of regular changes: a late clock second; less than between two actions
  const OURS_MS = 1_500; // changes this soon after an action may be its effect
  const KEPT = 200; // changes remembered
  const LOOKED_AT = 20; // records checked per task
  const MOST = 200; // records per task; with more, the page is a different one
  const NAMED = 4; // added or removed nodes that identify a change
  const MAX_SHARE = 0.25; // of the screen: a larger changing part is the page itself

  /** @typedef {{node: WeakRef<Node>, what: string, at: number, ours: boolean}} Change */

  /** @param {NodeList} nodes */
  const namesOf = (nodes) => [...nodes].slice(0, NAMED).map((node) => node.nodeName);

  /** Distinguishes changes by the nodes that came or went, so that a dialog differs from a part that is constantly re-rendered. @param {MutationRecord} record */
  const kindOf = ({ type, attributeName, addedNodes, removedNodes }) => (type === "childList" ? `childList +${namesOf(addedNodes)} -${namesOf(removedNodes)}` : `${type} ${attributeName ?? ""}`);

  /** Whether changes come at regular intervals. @param {readonly number[]} times ms, in order @param {number} now ms */
  function isEven(times, now) {
    if (times.length < OFTEN) return false;
    const gaps = times.slice(1).map((at, n) => at - times[n]);
    const mean = (times[times.length - 1] - times[0]) / gaps.length;
    return Math.max(...gaps, now - times[times.length - 1]) <= Math.min(2 * mean, SLOWEST_MS);
  }

  /** @param {Node} node whether changes inside it count as changes of it */
  function isSmall(node) {
    const el = node instanceof Element ? node : node.parentElement;
    if (!el || el === document.body) return false;
    const { width, height } = el.getBoundingClientRect();
    return width * height < innerWidth * innerHeight * MAX_SHARE;
  }

  /** @param {readonly Change[]} changes of one kind @param {number} now ms */
  function isContinuous(changes, now) {
    const often = changes.filter(({ at }) => now - at <= WINDOW_MS).length >= OFTEN;
    return often || isEven(changes.filter(({ ours }) => !ours).map(({ at }) => at), now);
  }

  page.BackgroundChanges = class BackgroundChanges {
    /** @type {Change[]} */
    #recent = [];
    /** Kinds of background changes, by node. @type {Map<Node, Set<string>>} */
    #known = new Map();
    /** Small parts of the page with constantly changing content. @type {Node[]} */
    #parts = [];
    #actedAt = -Infinity;

    /** Remembers changes. @param {readonly MutationRecord[]} records of one turn of the page @param {number} [now] ms */
    note(records, now = performance.now()) {
      const seen = new Map(records.slice(0, LOOKED_AT).map((record) => [record.target, record]));
      const ours = now - this.#actedAt < OURS_MS;
      for (const [node, record] of seen) this.#recent.push({ node: new WeakRef(node), what: kindOf(record), at: now, ours });
      if (this.#recent.length > 2 * KEPT) this.#recent = this.#recent.slice(-KEPT);
    }

    /** An action begins: changes that were already going on are not its effect. @param {number} [now] ms */
    begin(now = performance.now()) {
      const sinceLast = now - this.#actedAt;
      this.#actedAt = now;
      if (sinceLast >= OURS_MS) this.#learn(now);
    }

    /** The page is awaited before any action: all changes are its own. @param {number} [now] ms */
    waited(now = performance.now()) {
      if (this.#actedAt === -Infinity) this.#learn(now);
    }

    /** @param {number} now ms */
    #learn(now) {
      const known = new Map();
      for (const [node, own] of this.#changes(now)) {
        const before = this.#known.get(node);
        const going = [...own].filter(([what, changes]) => before?.has(what) || isContinuous(changes, now)).map(([what]) => what);
        if (going.length) known.set(node, new Set(going));
      }
      this.#known = known;
      this.#parts = [...known].filter(([node, whats]) => [...whats].some((what) => what.startsWith("childList")) && isSmall(node)).map(([node]) => node);
    }

    /** The recent changes by node and kind. @param {number} now ms */
    #changes(now) {
      /** @type {Map<Node, Map<string, Change[]>>} */
      const found = new Map();
      for (const change of this.#recent.filter(({ at }) => now - at <= EVENLY_MS)) {
        const target = change.node.deref();
        if (!target?.isConnected) continue;
        const own = found.get(target) ?? new Map();
        found.set(target, own.set(change.what, [...own.get(change.what) ?? [], change]));
      }
      return found;
    }

    /** Whether all of these are background changes, including immediate changes of the nodes they add. @param {readonly MutationRecord[]} records */
    explains(records) {
      if (this.#known.size === 0 || records.length > MOST) return false;
      const usual = new Set(records.slice(0, LOOKED_AT).filter((record) => this.#isUsual(record)));
      if (usual.size === records.length) return true;
      const came = [...usual].flatMap(({ addedNodes }) => [...addedNodes]);
      return came.length > 0 && records.every((record) => usual.has(record) || came.some((node) => node.contains(record.target)));
    }

    /** @param {MutationRecord} record */
    #isUsual(record) {
      return Boolean(this.#known.get(record.target)?.has(kindOf(record))) || this.#parts.some((part) => part.contains(record.target));
    }
  };
})();
