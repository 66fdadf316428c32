// Reduces candidates to controls: one node per thing a person sees, and the nearest to the screen if there are many.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "filterCandidates")) return;

  const LEAVES = new Set(["btn", "link", "opt", "menu", "tab", "sel", "tree"]);
  const FIELDS = new Set(["inp", "sel", "chk", "rad", "range", "file"]);
  const TICKS = new Set(["chk", "rad", "range"]);
  const TYPED = new Set(["inp", "sel", "range"]);

  /** The text of a candidate outside the controls in it. @param {Candidate} candidate */
  const ownText = ({ el, parts }) => {
    const inner = new Set(parts.map((part) => part.el));
    return page.textOf(el, { max: 80, skip: (child) => inner.has(child) });
  };

  /** Whether it only wraps controls, which stand for it. @param {Candidate} candidate @param {Candidate[]} live */
  function isWrapper(candidate, live) {
    if (candidate.source === "native") return false;
    if (candidate.source === "aria") return live.length === 1 && live[0].source === "native" && FIELDS.has(live[0].role) && candidate.role === live[0].role;
    if (live.some(({ box }) => box === candidate.el)) return true; // it is the visible part of the field
    // Around a single text field or picker, a click does the same as on the field.
    if (live.length === 1 && candidate.source === "looks" && TYPED.has(live[0].role)) return true;
    // A calendar day and a control in it are two things.
    return live.length > 0 && !ownText(candidate) && !(candidate.el.matches("[role=gridcell]") && page.givenLabel(candidate.el));
  }

  /** Drops duplicates: the clickable box around a link, the styled text in a button. @param candidates in document order */
  page.filterCandidates = (candidates) => {
    /** @type {Set<Candidate>} */
    const dropped = new Set();
    for (const candidate of candidates) if (isInsideLeaf(candidate)) dropped.add(candidate);
    // Innermost first, so that a wrapper of a wrapper sees the result.
    for (const candidate of [...candidates].reverse()) {
      const live = candidate.parts.filter((part) => !dropped.has(part));
      candidate.parts = live;
      if (isWrapper(candidate, live)) {
        dropped.add(candidate);
        candidate.owner?.parts.push(...live);
      } else if (candidate.role === "el") candidate.role = page.customRole(candidate.el, live.length > 0);
    }
    return candidates.filter((candidate) => !dropped.has(candidate));
  };

  /** @param {Candidate} candidate */
  function isInsideLeaf({ el, owner, source, role }) {
    if (owner && TICKS.has(owner.role)) return source === "looks";
    if (!owner || !LEAVES.has(owner.role)) return false;
    if (owner.role === "tree") return source === "looks";
    if (source === "looks" || source === "says") return true;
    if (FIELDS.has(role)) return owner.role === "sel" && role === "inp" && (/** @type {HTMLInputElement} */ (el).readOnly || el.getAttribute("aria-readonly") === "true");
    return page.textOf(el, { max: 80 }) === page.textOf(owner.box, { max: 80 });
  }

  /** Distance of a box from the screen, in CSS pixels. @param {DOMRect} rect */
  const distance = (rect) => {
    const { left, top, right, bottom } = page.visiblePane();
    return Math.max(top - rect.bottom, rect.top - bottom, 0) + Math.max(left - rect.right, rect.left - right, 0);
  };

  /** The `max` nearest to the screen, in document order. */
  page.nearest = (candidates, max) => {
    if (candidates.length <= max) return candidates;
    const sorted = candidates.map(({ rect }) => distance(rect)).sort((a, b) => a - b);
    const limit = sorted[max - 1];
    return candidates.filter(({ rect }) => distance(rect) <= limit).slice(0, max);
  };
})();
