// The look and position of badges, of the rings around their elements, and of the hints at elements off the screen.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "badgeSheet")) return;

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
  page.badgeSheet = () => {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
    }
    return sheet;
  };

  /** The direction in which it is off the visible area, "" if some of it is visible. @param {DOMRect} rect @param {Pane} pane */
  page.offscreenArrow = (rect, pane) => {
    if (rect.bottom <= pane.top) return "↑";
    if (rect.top >= pane.bottom) return "↓";
    if (rect.right <= pane.left) return "←";
    return rect.left >= pane.right ? "→" : "";
  };

  /** @param {number} value @param {number} least @param {number} most */
  const within = (value, least, most) => Math.max(least, Math.min(value, most));

  /** @typedef {{x: number, y: number, width: number}} Spot */

  /** @param {Spot} one @param {Spot} other */
  const touch = (one, other) => Math.abs(one.y - other.y) < HIGH && one.x < other.x + other.width && other.x < one.x + one.width;

  /**
   * The position of a badge: over the corner of its element, or at the edge in its direction, next to other badges.
   * @param {DOMRect} rect @param {Pane} pane @param {number} width of the badge @param {readonly Spot[]} taken @returns {Spot}
   */
  page.badgeSpot = (rect, pane, width, taken) => {
    const rtl = getComputedStyle(document.documentElement).direction === "rtl";
    const corner = rtl ? rect.left - BY : rect.right + BY - width; // at the end of a line of text, as on a counter
    const spot = { x: within(corner, pane.left, pane.right - width), y: within(rect.top - BY, pane.top, pane.bottom - HIGH), width };
    for (let other = taken.find((one) => touch(spot, one)), tries = 0; other && tries < 20; other = taken.find((one) => touch(spot, one)), tries += 1) {
      spot.x = other.x + other.width + GAP;
      if (spot.x + width > innerWidth) Object.assign(spot, { x: within(corner, 0, innerWidth - width), y: Math.max(0, other.y - HIGH - GAP) });
    }
    return { ...spot, x: Math.round(spot.x), y: Math.round(spot.y) };
  };

  /** @param {DOMRect} rect @returns {string} the place of the ring around it */
  page.ringStyle = ({ left, top, width, height }) =>
    `transform:translate(${Math.round(left) - OUTSIDE}px,${Math.round(top) - OUTSIDE}px);width:${Math.round(width) + 2 * OUTSIDE}px;height:${Math.round(height) + 2 * OUTSIDE}px`;
})();
