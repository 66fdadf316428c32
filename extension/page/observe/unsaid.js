// What of a text the controls beside it, and the names of what they stand in, do not say already.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "unsaid")) return;

  const BETWEEN = " | "; // cells of a row

  /** @param {string} text */
  const folded = (text) => page.withoutEnd(page.collapse(text), ":*.").toLowerCase();

  /** @param {string} text */
  const squeezed = (text) => folded(text).replaceAll(" ", "");

  /** The names of the containers of a group. @param {string} group */
  const labels = (group) => group.split(" > ").map((place) => folded(place.slice(place.indexOf(":") + 1)));

  /** Whether the name of a row, which is made of some of its cells, has this one. @param {string} row @param {string} cell */
  const hasCell = (row, cell) => `, ${row}, `.includes(`, ${cell}, `) || row.split(", ").some((part) => part.endsWith("…") && cell.startsWith(part.slice(0, -1)));

  /**
   * @param {string} text @param {Text[]} nodes where each of its cells begins, those that are said already taken out of both
   * @param {Element} block the line it is a part of @param {{el: Element, node: V3Node}[]} beside the controls
   * before and after it @param {V3Node | undefined} around the control that it is in
   */
  page.unsaid = (text, nodes, block, beside, around) => {
    const said = folded(text);
    if (around && [`${around.n ?? ""} ${around.v ?? ""}`, ...labels(around.g ?? "")].some((one) => squeezed(one).includes(squeezed(said)))) return "";
    if (beside.some(({ node: { n = "", h = "", g = "" } }) => [folded(n), folded(h), ...labels(g)].includes(said))) return "";
    const row = beside.filter(({ el }) => page.composedContains(block, el)).map(({ node }) => labels(node.g ?? "").at(-1) ?? "");
    const cells = text.split(BETWEEN);
    const left = [...cells.keys()].filter((at) => !row.some((one) => hasCell(one, folded(cells[at]))));
    if (cells.length === nodes.length) nodes.splice(0, nodes.length, ...left.map((at) => nodes[at]));
    return left.map((at) => cells[at]).join(BETWEEN);
  };
})();
