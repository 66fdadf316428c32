// Ids that stay with their elements even if renamed, are found again after a re-render, and are never reused.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "IdBook")) return;

  const MAX_RECORDS = 3_000; // ids a task may refer to again; beyond that the oldest of removed elements are forgotten

  page.IdBook = class IdBook {
    taskKey = "";
    /** Before each number: `"2:"` in frame 2. */
    prefix = "";
    next = 1;
    /** @type {WeakMap<Element, IdRecord>} */
    #byElement = new WeakMap();
    /** @type {Map<string, IdRecord>} */
    #byId = new Map();
    #round = 0;

    /** Starts over for another task, but never below the numbers the task has used. @param {string} taskKey @param {number} next */
    open(taskKey, next) {
      if (taskKey !== this.taskKey) {
        this.taskKey = taskKey;
        this.next = 1;
        this.#byElement = new WeakMap();
        this.#byId = new Map();
      }
      this.next = Math.max(this.next, next, 1);
    }

    /** @param {string} id @returns {IdRecord | undefined} */
    get(id) {
      return this.#byId.get(id);
    }

    /** How an element was last reported. @param {Element} el @returns {IdRecord | undefined} */
    of(el) {
      return this.#byElement.get(el);
    }

    /** Ids for one observation, in its order. @param {readonly Sighting[]} sightings @returns {string[]} */
    assign(sightings) {
      this.#round += 1;
      const others = sightings.filter((sighting) => !this.#isUnchanged(sighting));
      if (others.length) this.#recordOthers(others);
      if (this.#byId.size > MAX_RECORDS) this.#forget();
      return sightings.map(({ el }) => /** @type {IdRecord} */ (this.#byElement.get(el)).id);
    }

    /** Elements that are new or show something else: renamed, re-rendered elsewhere, or new. @param {Sighting[]} others */
    #recordOthers(others) {
      const orphans = Map.groupBy(this.#orphans(others), page.signature);
      const shown = new Set(others.map(page.signature));
      const fresh = others.filter((sighting) => {
        const record = this.#byElement.get(sighting.el);
        // Content that the page moved into other elements keeps its id; content that is nowhere else was renamed.
        const moved = record && (shown.has(page.signature(record)) || orphans.has(page.signature(sighting)));
        if (!record || moved || record.role !== sighting.role || record.group !== sighting.group) return true;
        this.#record(sighting, record.id);
        return false;
      });
      for (const [key, group] of Map.groupBy(fresh, page.signature)) {
        const lost = lastSeen(orphans.get(key) ?? []);
        // They can be matched by order only if as many are found as were lost; otherwise no match is certain.
        group.forEach((sighting, at) => this.#record(sighting, lost.length === group.length ? lost[at].id : null));
      }
    }

    /** Drops the records not seen for the longest time, down to half; their numbers are not reused. */
    #forget() {
      const old = [...this.#byId.values()].filter(({ round }) => round < this.#round).sort((a, b) => a.round - b.round);
      for (const record of old.slice(0, this.#byId.size - MAX_RECORDS / 2)) {
        this.#byId.delete(record.id);
        const el = record.element.deref();
        if (el && this.#byElement.get(el) === record) this.#byElement.delete(el);
      }
    }

    /** @param {Sighting} sighting */
    #isUnchanged({ el, role, name, group }) {
      const record = this.#byElement.get(el);
      if (!record || record.role !== role || record.name !== name) return false;
      record.group = group;
      record.round = this.#round;
      return true;
    }

    /** @param {Sighting} sighting @param {string | null} id */
    #record({ el, role, name, group }, id) {
      const record = { id: id ?? `${this.prefix}${this.next++}`, role, name, group, round: this.#round, element: new WeakRef(el) };
      this.#byElement.set(el, record);
      this.#byId.set(record.id, record);
    }

    /** Records whose element is gone or shows something else. @param {Sighting[]} others */
    #orphans(others) {
      const reused = others.flatMap(({ el }) => this.#byElement.get(el) ?? []);
      return [...[...this.#byId.values()].filter(({ element }) => !element.deref()?.isConnected), ...reused];
    }
  };

  /** Those that were last seen together, most recently. @param {IdRecord[]} records */
  function lastSeen(records) {
    const round = Math.max(0, ...records.map((record) => record.round));
    return records.filter((record) => record.round === round);
  }

  page.signature = ({ role, name, group }) => JSON.stringify([role, name, group]);
})();
