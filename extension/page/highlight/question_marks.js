// Shows on the page what a question is about: numbered badges on the candidates, or an outline around what is to be approved.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "showQuestion")) return;

  const REFRESH_MS = 300; // a page that changes constantly is not read constantly

  /**
   * @typedef {object} Mark
   * @property {PointedItem} item
   * @property {Element | null} el null while it is not on the page, or has been replaced
   * @property {Element | null} drawnOn the element its badge is at
   * @property {number} at the page's revision in which it was found
   * @property {HTMLElement} ring
   * @property {HTMLButtonElement | null} badge
   * @property {string} off its direction off the screen
   */
  /** @typedef {{marks: Mark[], host: HTMLElement, end: () => void}} Drawn */

  /** @type {Drawn | null} */
  let drawn = null;

  /** Observes the page once, if an element is not where it was. @param {Observer} observer @returns {() => Seen[]} */
  function lookOnce(observer) {
    /** @type {Seen[] | null} */
    let seen = null;
    return () => (seen ??= observer.findControls());
  }

  /**
   * The element with that id if it is unchanged (a row may show another record by now), else the one that matches now.
   * @param {Observer} observer @param {string} id @param {Element | null} known @param {() => Seen[]} look @returns {Element | null}
   */
  function elementOf(observer, id, known, look) {
    const record = observer.ids.get(id);
    if (!record) return null;
    const wanted = page.signature(record);
    const el = known?.isConnected ? known : record.element.deref();
    if (el?.isConnected) {
      const name = page.nameOf(el, record.role);
      if (page.signature({ role: record.role, name, group: page.groupsOn()(el, name) }) === wanted) return el;
    }
    const same = look().filter(({ candidate, name, group }) => page.signature({ role: candidate.role, name, group }) === wanted);
    return same.length === 1 ? same[0].candidate.el : null;
  }

  /** Finds the elements again after the page has changed. @param {Observer} observer @param {readonly Mark[]} marks */
  function refresh(observer, marks) {
    const at = page.activity?.version() ?? 0;
    const look = lookOnce(observer);
    for (const mark of marks) {
      if (mark.at === at && (!mark.el || mark.el.isConnected)) continue;
      mark.el = elementOf(observer, mark.item.elementId, mark.el, look);
      mark.at = at;
    }
  }

  /** @param {PointRequest} request @param {PointedItem} item @param {boolean} isChosen @returns {HTMLButtonElement} */
  function badgeOf({ multiple }, { number, label }, isChosen) {
    const badge = document.createElement("button");
    badge.type = "button";
    badge.textContent = number;
    badge.setAttribute("aria-label", `${number}: ${label}`);
    if (multiple) badge.setAttribute("aria-pressed", String(isChosen));
    return badge;
  }

  /** @param {PointRequest} request @param {PointedItem} item @param {Element} el @returns {Mark} */
  function markOf(request, item, el) {
    const ring = document.createElement("div");
    ring.className = request.approval ? "ring approve" : "ring";
    const badge = request.approval ? null : badgeOf(request, item, request.chosen.includes(item.option));
    return { item, el, drawnOn: el, at: page.activity?.version() ?? 0, ring, badge, off: "" };
  }

  /** Sets the style if it differs. @param {HTMLElement} el @param {string} style @returns {boolean} whether it did */
  function setStyle(el, style) {
    if (el.dataset.at === style) return false;
    el.dataset.at = style;
    el.style.cssText = style;
    return true;
  }

  /** Draws each mark at its element. @param {readonly Mark[]} marks @returns {boolean} whether any has moved */
  function placeMarks(marks) {
    /** @type {{x: number, y: number, width: number}[]} */
    const taken = [];
    const measured = marks.map((mark) => {
      const rect = mark.el?.isConnected ? page.drawnRect(mark.el) : null;
      return { mark, rect, pane: rect && mark.el ? page.paneOf(mark.el) : null, width: mark.badge?.offsetWidth ?? 0 };
    });
    let any = false;
    for (const { mark, rect, pane, width } of measured) {
      const shown = rect && pane ? { rect, pane } : null;
      mark.drawnOn = mark.el;
      mark.off = shown ? offscreenArrow(shown.rect, shown.pane) : "";
      mark.ring.hidden = !shown || mark.off !== "";
      if (shown) any = setStyle(mark.ring, ringStyle(shown.rect)) || any;
      if (!mark.badge) continue;
      mark.badge.hidden = !shown;
      if (!shown) continue;
      const text = mark.off ? `${mark.off} ${mark.item.number}` : mark.item.number;
      if (mark.badge.textContent !== text) [mark.badge.textContent, any] = [text, true];
      const spot = badgeSpot(shown.rect, shown.pane, width || 24, taken);
      taken.push(spot);
      any = setStyle(mark.badge, `transform:translate(${spot.x}px,${spot.y}px)`) || any;
    }
    return any;
  }

  /** @param {Mark} mark @param {ScrollBehavior} [behavior] */
  function bringIntoView({ el }, behavior = "instant") {
    el?.scrollIntoView({ block: "center", inline: "nearest", behavior });
  }

  /** The open modal dialog, null for none. */
  const modal = () => {
    const open = page.modal();
    return open?.matches(":modal") ? open : null;
  };

  /** Highlights these elements of this document until told otherwise; missing ones are left out. */
  page.showQuestion = (observer, request) => {
    page.clearQuestion();
    const look = lookOnce(observer);
    const marks = request.items.flatMap((item) => {
      const el = elementOf(observer, item.elementId, null, look);
      return el ? [markOf(request, item, el)] : [];
    });
    if (marks.length === 0) return;
    const layer = page.openOverlay({ hidden: request.approval });
    fillLayer(layer.root, request, marks);
    page.showOverlay(layer.host, modal());
    const tracker = page.trackPositions(
      () => marks.flatMap(({ el }) => el ?? []),
      createPlacer(layer.host, observer, marks),
    );
    const stopListening = request.approval ? () => undefined : page.listenForAnswers(layer, answerHandlers(observer, request, marks));
    addEventListener("pagehide", page.clearQuestion, { once: true });
    drawn = { marks, host: layer.host, end: () => [tracker.stop(), stopListening()] };
    if (marks.every(({ off }) => off)) bringIntoView(marks[0], matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");
  };

  /** @param {ShadowRoot} root @param {PointRequest} request @param {readonly Mark[]} marks */
  function fillLayer(root, { approval }, marks) {
    root.adoptedStyleSheets = [badgeSheet()];
    const group = document.createElement("div");
    group.className = "all";
    if (!approval) {
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", "Tabwright asks which one");
    }
    group.append(...marks.map(({ ring }) => ring), ...marks.flatMap(({ badge }) => badge ?? []));
    root.append(group);
  }

  /** @param {HTMLElement} host @param {Observer} observer @param {Mark[]} marks @returns {() => boolean} draws them; returns whether anything moved */
  function createPlacer(host, observer, marks) {
    let refreshed = performance.now();
    return () => {
      const around = modal();
      if (host.parentElement !== (around ?? document.documentElement)) page.showOverlay(host, around);
      if (performance.now() - refreshed > REFRESH_MS) {
        refresh(observer, marks);
        refreshed = performance.now();
      }
      return placeMarks(marks);
    };
  }

  /** The effects of a press. @param {Observer} observer @param {PointRequest} request @param {Mark[]} marks @returns {Parameters<typeof page.listenForAnswers>[1]} */
  function answerHandlers(observer, { hitlId }, marks) {
    /** @param {Mark} mark */
    const pick = (mark) => {
      mark.badge?.classList.add("picked");
      page.port?.postMessage({ kind: "picked", hitlId, option: mark.item.option });
    };
    /** @param {Element} badge */
    const ofBadge = (badge) => marks.find((mark) => mark.badge === badge);
    return {
      elements() {
        refresh(observer, marks);
        return marks.flatMap(({ el, drawnOn }) => [...new Set([el, drawnOn])]).filter((el) => el?.isConnected).map((el) => /** @type {Element} */ (el));
      },
      // A press on an element that was replaced has no effect, not even on the page: it was meant as an answer.
      picked: (el) => marks.filter((mark) => mark.el === el).slice(0, 1).forEach(pick),
      badge(badge) {
        const mark = ofBadge(badge);
        refresh(observer, marks);
        placeMarks(marks); // elements may have moved since the last frame
        // An invisible candidate is not chosen: the first press scrolls to it.
        if (mark?.off) bringIntoView(mark);
        else if (mark?.el) pick(mark);
      },
      focused(badge) {
        const mark = ofBadge(badge);
        placeMarks(marks);
        if (mark?.off) bringIntoView(mark);
      },
    };
  }

  /** Shows which options are chosen. @param chosen ids of options */
  page.markChosen = (chosen) => {
    for (const { badge, item } of drawn?.marks ?? []) {
      badge?.classList.remove("picked");
      if (badge?.hasAttribute("aria-pressed")) badge.setAttribute("aria-pressed", String(chosen.includes(item.option)));
      else badge?.classList.toggle("picked", chosen.includes(item.option));
    }
  };

  /** Removes all marks. */
  page.clearQuestion = () => {
    removeEventListener("pagehide", page.clearQuestion);
    drawn?.end();
    drawn?.host.remove();
    drawn = null;
  };

  const HIGH = 24; // CSS pixels: minimum target size (WCAG 2.5.8)
  const GAP = 4;
  const BY = 14; // overlap over the corner of its element
  const OUTSIDE = 3; // the ring

  // The panel's accent and danger colours of both themes, each with a contrasting ring: visible on any background.
  // Not on the host, whose variables the page could set.
  const STYLE = `
    .all { --ink: #fff; --accent: #1f5ed6; --edge: #fff; --danger: #b3261e }
    @media (prefers-color-scheme: dark) { .all { --ink: #10213f; --accent: #8ab4f8; --edge: #10213f; --danger: #f28b82 } }
    button, .ring { position: fixed; left: 0; top: 0; box-sizing: border-box }
    button { pointer-events: auto; min-width: ${HIGH}px; height: ${HIGH}px; padding: 0 6px; border: 2px solid var(--edge); border-radius: 12px;
      background: var(--accent); color: var(--ink); font: 600 13px/1 system-ui, sans-serif; white-space: nowrap; cursor: pointer }
    button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; box-shadow: 0 0 0 2px var(--edge) }
    button[aria-pressed=true]::after, button.picked::after { content: " ✓" }
    .ring { pointer-events: none; border: 2px solid var(--accent); border-radius: 4px; box-shadow: 0 0 0 1px var(--edge) }
    .approve { box-shadow: 0 0 0 3px var(--danger), 0 0 0 4px var(--edge) }
    [hidden] { display: none }`;

  /** @type {CSSStyleSheet | null} */
  let sheet = null;

  /** An adopted style sheet, since a page may forbid style elements. @returns {CSSStyleSheet} */
  const badgeSheet = () => {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
    }
    return sheet;
  };

  /** The direction in which it is off the visible area, "" if some of it is visible. @param {DOMRect} rect @param {Pane} pane */
  const offscreenArrow = (rect, pane) => {
    if (rect.bottom <= pane.top) return "↑";
    if (rect.top >= pane.bottom) return "↓";
    if (rect.right <= pane.left) return "←";
    return rect.left >= pane.right ? "→" : "";
  };

  /** @param {number} value @param {number} least @param {number} most */
  const clamp = (value, least, most) => Math.max(least, Math.min(value, most));

  /** @typedef {{x: number, y: number, width: number}} Spot */

  /** @param {Spot} one @param {Spot} other */
  const touch = (one, other) => Math.abs(one.y - other.y) < HIGH && one.x < other.x + other.width && other.x < one.x + one.width;

  /**
   * The position of a badge: over the corner of its element, or at the edge in its direction, next to other badges.
   * @param {DOMRect} rect @param {Pane} pane @param {number} width of the badge @param {readonly Spot[]} taken @returns {Spot}
   */
  const badgeSpot = (rect, pane, width, taken) => {
    const rtl = getComputedStyle(document.documentElement).direction === "rtl";
    const corner = rtl ? rect.left - BY : rect.right + BY - width; // at the end of a line of text, as on a counter
    const spot = { x: clamp(corner, pane.left, pane.right - width), y: clamp(rect.top - BY, pane.top, pane.bottom - HIGH), width };
    for (let other = taken.find((one) => touch(spot, one)), tries = 0; other && tries < 20; other = taken.find((one) => touch(spot, one)), tries += 1) {
      spot.x = other.x + other.width + GAP;
      if (spot.x + width > innerWidth) Object.assign(spot, { x: clamp(corner, 0, innerWidth - width), y: Math.max(0, other.y - HIGH - GAP) });
    }
    return { ...spot, x: Math.round(spot.x), y: Math.round(spot.y) };
  };

  /** @param {DOMRect} rect @returns {string} the place of the ring around it */
  const ringStyle = ({ left, top, width, height }) =>
    `transform:translate(${Math.round(left) - OUTSIDE}px,${Math.round(top) - OUTSIDE}px);width:${Math.round(width) + 2 * OUTSIDE}px;height:${Math.round(height) + 2 * OUTSIDE}px`;
})();
