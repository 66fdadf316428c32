// What changes on a page all the time by itself (clocks, tickers, animations by script): no effect of an action, and nothing to wait for.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "Restless")) return;

  const WINDOW_MS = 1_000;
  const OFTEN = 4; // changes a second leave no 300 ms without one
  const OURS_MS = 1_500; // so soon after an action what moves may be its doing
  const KEPT = 200; // changes remembered
  const LOOKED_AT = 20; // records of one turn
  const MAX_SHARE = 0.25; // of the screen: the changing contents of more than this are the page itself

  /** @typedef {{node: WeakRef<Node>, what: string, at: number}} Change */

  /** @param {MutationRecord} record */
  const kindOf = ({ type, attributeName }) => `${type} ${attributeName ?? ""}`;

  /** @param {Node} node whether what is in it may be taken for a part of it */
  function isSmall(node) {
    const el = node instanceof Element ? node : node.parentElement;
    if (!el) return false;
    const { width, height } = el.getBoundingClientRect();
    return width * height < innerWidth * innerHeight * MAX_SHARE;
  }

  page.Restless = class Restless {
    /** @type {Change[]} */
    #recent = [];
    /** Kinds of changes that go on by themselves, by what changes. @type {Map<Node, Set<string>>} */
    #known = new Map();
    /** Small parts of the page whose contents do. @type {Node[]} */
    #parts = [];
    #actedAt = -Infinity;

    /** Remembers changes. @param {readonly MutationRecord[]} records of one turn of the page @param {number} [now] ms */
    note(records, now = performance.now()) {
      const seen = new Map(records.slice(0, LOOKED_AT).map((record) => [record.target, record]));
      for (const [node, record] of seen) this.#recent.push({ node: new WeakRef(node), what: kindOf(record), at: now });
      if (this.#recent.length > 2 * KEPT) this.#recent = this.#recent.slice(-KEPT);
    }

    /** An action begins: what has been going on is none of its doing. @param {number} [now] ms */
    begin(now = performance.now()) {
      const sinceLast = now - this.#actedAt;
      this.#actedAt = now;
      if (sinceLast < OURS_MS) return;
      /** @type {Map<Node, Map<string, number>>} */
      const counts = new Map();
      for (const { node, what, at } of this.#recent.filter((change) => now - change.at <= WINDOW_MS)) {
        const target = node.deref();
        if (!target?.isConnected) continue;
        const own = counts.get(target) ?? new Map();
        counts.set(target, own.set(what, (own.get(what) ?? 0) + 1));
      }
      this.#known = new Map();
      for (const [node, own] of counts) {
        const often = [...own].filter(([, count]) => count >= OFTEN).map(([what]) => what);
        if (often.length) this.#known.set(node, new Set(often));
      }
      this.#parts = [...this.#known].filter(([node, whats]) => [...whats].some((what) => what.startsWith("childList")) && isSmall(node)).map(([node]) => node);
    }

    /** Whether all of these go on anyway. @param {readonly MutationRecord[]} records */
    explains(records) {
      if (this.#known.size === 0 || records.length > LOOKED_AT) return false;
      return records.every((record) => this.#known.get(record.target)?.has(kindOf(record)) || this.#parts.some((part) => part.contains(record.target)));
    }
  };
})();
