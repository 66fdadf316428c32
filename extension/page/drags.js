// What can be dragged, and where it can be dropped.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isDraggable")) return;

  // What is moved, and what moves in answer to a finger, where the browser would else scroll.
  const DRAGS = /^(?:grab|grabbing|move|all-scroll|.+-resize)$/;
  const FINGERS = /^(?:none|pan-[xy]|pinch-zoom)/;

  /** Whether it is small and empty and lies in something about as thick and much longer: the knob of a slider or a switch. @param {Element} el */
  page.isHandle = (el) => {
    if (el.childElementCount > 0 || el.textContent?.trim() || !el.parentElement) return false;
    const [own, track] = [el, el.parentElement].map((one) => one.getBoundingClientRect());
    const [long, thick] = track.width > track.height ? [track.width, track.height] : [track.height, track.width];
    const size = Math.max(own.width, own.height);
    return size > 4 && 2 * Math.min(own.width, own.height) > size && long > 1.5 * size && thick < 1.5 * size && getComputedStyle(el).position !== "static";
  };

  /** Whether it is no more than a knob in its short track. @param {Element} el */
  page.isSwitch = (el) => el.childElementCount === 1 && page.isHandle(el.children[0]) && el.getBoundingClientRect().width < 3 * el.children[0].getBoundingClientRect().width;

  /** Whether its knob lies at the end that means on. @param {Element} el */
  page.isSwitchedOn = (el) => {
    const [own, knob] = [el, el.children[0]].map((one) => one.getBoundingClientRect());
    return (knob.left + knob.right > own.left + own.right) !== (getComputedStyle(el).direction === "rtl");
  };

  /** Whether it says or shows that it can be dragged; links and pictures, which browsers drag by themselves, do not. @param {Element} el @param {WireRole} role */
  page.isDraggable = (el, role) => {
    if (el.getAttribute("draggable") === "true") return true;
    if (page.nativeRole(el) !== null) return false;
    const { cursor, touchAction } = getComputedStyle(el);
    return DRAGS.test(cursor) || FINGERS.test(touchAction ?? "") || role === "range" || (role === "el" && page.isHandle(el));
  };

  const DRAGGED = "[draggable=true]";
  const MAX_LEVELS = 3; // boxes between what is dragged and the list that it lies in

  /** Those beside it made alike, itself among them. @param {Element} el */
  const alike = (el) => [...el.parentElement?.children ?? []].filter((other) => other.localName === el.localName && other.className === el.className);

  /** Whether it is no more than a box around one thing that is dragged. @param {Element} el */
  const isWrapper = (el) => el.querySelectorAll(DRAGGED).length === 1 && !page.textOf(el, { max: 20, skip: (inner) => inner.matches(DRAGGED) });

  /** The lists that things lie in, and those beside them made alike, which may be empty. @param {Element} dragged @returns {Element[]} */
  function areasAround(dragged) {
    let box = dragged.parentElement;
    for (let level = 0; box && box !== document.body && level < MAX_LEVELS; level += 1, box = box.parentElement) {
      const areas = box.matches("td,th") ? [] : alike(box); // the cells of a row are no places for the same things
      if (areas.length > 1 && !areas.every(isWrapper)) return areas;
    }
    return [];
  }

  page.dropAreas = () => page.once("drop areas", document.documentElement, () => {
    /** One of each list. @type {Map<Element | null, Element>} */
    const dragged = new Map(page.matching(DRAGGED).map((el) => [el.parentElement, el]));
    return new Set([...dragged.values()].flatMap(areasAround));
  });
})();
