// Controls that show only while the mouse is over something around them: the buttons of a row.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "revealerOf")) return;

  /** Whether a style rule shows this hidden element when the mouse is over what is around it. @param {Element} el */
  page.isRevealed = (el) => {
    const { revealed } = page.handSelectors();
    return revealed !== "" && el.matches(revealed);
  };

  const CONTROL = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=link],[role=menuitem]";

  /** Whether it is a menu of lines without controls that shows while the mouse is over what is around it. @param {Element} el */
  page.isHoverMenu = (el) => {
    const [first] = el.children;
    return el.childElementCount > 1 && page.isRevealed(el) && [...el.children].every((line) => line.localName === first.localName) && el.querySelector(CONTROL) === null;
  };

  /** Whether such a menu hangs on it. @param {Element} el */
  page.opensHoverMenu = (el) => page.handSelectors().revealed !== "" && [...el.children].some(page.isHoverMenu);

  /** @param {CSSStyleDeclaration} style */
  const isHidden = ({ display, visibility, opacity }) => display === "none" || visibility === "hidden" || opacity === "0";

  /**
   * What the mouse must be over for this hidden control to show: the nearest thing around it that is shown.
   * @param {Element} el @returns {Element | null} null when it is not hidden, or not in that way
   */
  page.revealerOf = (el) => {
    let found = false;
    for (let up = /** @type {Element | null} */ (el); up && up !== document.body; up = page.parentOf(up)) {
      const hidden = isHidden(getComputedStyle(up));
      if (found && !hidden && page.isShown(up)) return up;
      if (hidden && !found) {
        found = page.isRevealed(up);
        // Visibility is handed down: the rule may be about something further out.
        if (!found && getComputedStyle(up).visibility !== "hidden") return null;
      }
    }
    return null;
  };
})();
