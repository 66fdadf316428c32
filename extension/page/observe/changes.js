// Describes what has changed since the last observation.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "describeChanges")) return;

  const MAX_EVENTS = 12;
  const MAX_LINE = 100;
  const MANY = 4; // controls of one place; with more, they are counted instead of listed
  const NAMED = 3; // of them that are named
  const RECORD = /(?:^| > )(row|item): [^>]*$/;

  /** @param {V3Node} node */
  const called = ({ r, n, g }) => `${r} "${n ?? ""}"${g ? ` in ${g}` : ""}`;

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
  function without(nodes, others) {
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
    /** @type {Map<string, V3Node[]>} */
    const byPlace = new Map();
    for (const node of nodes) {
      const { around, kind } = placeOf(node);
      const key = around || kind ? `${around}|${kind}` : `|${node.i}`;
      byPlace.set(key, [...byPlace.get(key) ?? [], node]);
    }
    return [...byPlace.values()].flatMap((together) => (together.length < MANY ? together.map((node) => `${verb}: ${called(node)}`) : [counted(verb, together)]));
  }

  /** `added: 12 rows in list: Patients`, or the first names of other controls. @param {string} verb @param {readonly V3Node[]} nodes */
  function counted(verb, nodes) {
    const { around, kind } = placeOf(nodes[0]);
    const records = new Set(nodes.map((node) => placeOf(node).record));
    const where = around ? ` in ${around}` : "";
    if (kind && records.size > 1) return `${verb}: ${records.size} ${kind}s${where}`;
    const names = nodes.slice(0, NAMED).map(({ r, n }) => `${r} "${n ?? ""}"`).join(", ");
    return `${verb}: ${names} and ${nodes.length - NAMED} more in ${nodes[0].g}`;
  }

  /**
   * Up to 12 lines: changed values and states first, then added, then removed controls.
   * @param {readonly V3Node[] | null} before null at the first look @param {readonly V3Node[]} now @returns {string[]}
   */
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
    const lines = [...changed, ...linesOf("added", without(came, gone)), ...linesOf("removed", without(gone, came))];
    const shown = lines.length > MAX_EVENTS ? [...lines.slice(0, MAX_EVENTS - 1), `and ${lines.length - MAX_EVENTS + 1} more`] : lines;
    return shown.map((line) => page.clip(line, MAX_LINE));
  };
})();
