// What is different from the last observation, in words.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "describeChanges")) return;

  const MAX_EVENTS = 12;
  const MAX_LINE = 100;

  /** @param {V3Node} node */
  const called = ({ r, n, g }) => `${r} "${n ?? ""}"${g ? ` in ${g}` : ""}`;

  /** @param {V3Node} before @param {V3Node} now @returns {string[]} */
  function differences(before, now) {
    const states = (/** @type {V3Node} */ node) => (node.s ?? []).filter((state) => state !== "focused").join(" ");
    const lines = [];
    if ((before.v ?? "") !== (now.v ?? "")) lines.push(`changed: ${now.r} "${now.n ?? ""}" from "${before.v ?? ""}" to "${now.v ?? ""}"`);
    if (states(before) !== states(now)) lines.push(`now: ${now.r} "${now.n ?? ""}" ${states(now) || "without states"}${states(before) ? ` (was ${states(before)})` : ""}`);
    return lines;
  }

  /**
   * Up to 12 lines: values and states first, then what came, then what went.
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
    const added = now.filter((node) => !was.has(node.i)).map((node) => `added: ${called(node)}`);
    const removed = before.filter((node) => !is.has(node.i)).map((node) => `removed: ${called(node)}`);
    const lines = [...changed, ...added, ...removed];
    const shown = lines.length > MAX_EVENTS ? [...lines.slice(0, MAX_EVENTS - 1), `and ${lines.length - MAX_EVENTS + 1} more`] : lines;
    return shown.map((line) => page.clip(line, MAX_LINE));
  };
})();
