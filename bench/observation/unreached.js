// Of each control that the page scripts offer: whether a hit test at one of 25 points of it, or of its
// label, arrives at it. Returns the names of those where none does.
(async () => {
  const {ids} = globalThis.__tabwright.observer;
  const {result} = await globalThis.__tabwright.answer({id: 2, kind: "observe", taskKey: "bench", nextId: 1});
  const parentOf = (node) => (node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode);
  const within = (box, x, y) => {
    let hit = document.elementFromPoint(x, y);
    for (let inner = hit?.shadowRoot?.elementFromPoint(x, y); inner && inner !== hit; inner = hit.shadowRoot?.elementFromPoint(x, y)) hit = inner;
    for (let up = hit; up; up = parentOf(up)) if (up === box) return true;
    return false;
  };
  const reached = (el) => [el, ...(el.labels ?? []), parentOf(el)].some((box) => {
    const {left, top, width, height} = box.getBoundingClientRect();
    for (let n = 0; n < 25; n++) if (within(box, left + width * (0.1 + 0.2 * (n % 5)), top + height * (0.1 + 0.2 * Math.floor(n / 5)))) return true;
    return false;
  });
  const onScreen = ({box: [x, y, w, h]}) => x + w / 2 >= 0 && y + h / 2 >= 0 && x + w / 2 < innerWidth && y + h / 2 < innerHeight;
  return result.tree.filter((node) => !node.occ && !node.scr && node.r !== "txt" && onScreen(node))
    .filter((node) => { const el = ids.get(node.i)?.element.deref(); return el && !reached(el); })
    .map((node) => `${node.r} ${node.n ?? ""}`);
})();
