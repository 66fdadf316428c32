// Which elements can be dragged, and where they can be dropped.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isDraggable")) return;

  // Cursors of movable elements, and styles of elements that handle touch where the browser would scroll.
  const DRAGS = /^(?:grab|grabbing|move|all-scroll|.+-resize)$/;
  const NOT_A_FRAME = "canvas,video,img,dialog,[role=dialog],[aria-modal=true]";
  const INNER = "a[href],button,input,select,textarea";
  const MOST_IN_TRACK = 50; // parts of a slider; a box with more is none
  const FINGERS = /^(?:none|pan-[xy]|pinch-zoom)/;

  /** Whether it is a knob: small and empty, in something about as thick and much longer. @param {Element} el */
  const isHandle = (el) => {
    if (el.childElementCount > 0 || el.textContent?.trim() || !el.parentElement) return false;
    const [own, track] = [el, el.parentElement].map((one) => one.getBoundingClientRect());
    const [long, thick] = track.width > track.height ? [track.width, track.height] : [track.height, track.width];
    const size = Math.max(own.width, own.height);
    return size > 4 && 2 * Math.min(own.width, own.height) > size && long > 1.5 * size && thick < 1.5 * size && getComputedStyle(el).position !== "static";
  };

  /** The similar handles in its track, including itself. */
  page.handlesBeside = (el) => {
    const inTrack = el.parentElement?.children ?? [];
    if (inTrack.length > MOST_IN_TRACK) return [el];
    return [...inTrack].filter((other) => other === el || (other.localName === el.localName && other.classList[0] === el.classList[0] && isHandle(other)));
  };

  /** Whether it is just the knob of a switch. */
  page.isSwitch = (el) => el.childElementCount === 1 && isHandle(el.children[0]) && el.getBoundingClientRect().width < 3 * el.children[0].getBoundingClientRect().width;

  /** Whether its knob is at the "on" end. */
  page.isSwitchedOn = (el) => {
    const [own, knob] = [el, el.children[0]].map((one) => one.getBoundingClientRect());
    return (knob.left + knob.right > own.left + own.right) !== (getComputedStyle(el).direction === "rtl");
  };

  /** Whether markup or looks make it draggable; links and images, which are draggable by default, do not count. */
  page.isDraggable = (el, role) => {
    if (el.getAttribute("draggable") === "true") return true;
    if (page.nativeRole(el) !== null) return false;
    const style = getComputedStyle(el);
    return DRAGS.test(style.cursor) || page.handlesTouch(style) || role === "range" || (role === "el" && (isHandle(el) || page.isPositioned(el, style)));
  };

  const SMALL = 100; // CSS pixels per side: a map, a carousel or a drawing area is larger
  const WRITTEN = "textarea,[contenteditable],input:not([type=checkbox]):not([type=radio]):not([type=hidden])";

  /** Whether it handles touch itself. */
  page.handlesTouch = ({ touchAction }) => FINGERS.test(touchAction ?? "");

  /** Whether it is a viewport onto something larger that is moved in it: a map, a timeline, slides. */
  page.isPannable = (el, rect, style) => {
    if (!(page.handlesTouch(style) || /^grab/.test(style.cursor)) || style.overflowX === "visible" || rect.width < SMALL || rect.height < SMALL) return false;
    if (el === document.body || el === document.documentElement || !(el instanceof HTMLElement) || el.matches(NOT_A_FRAME) || el.querySelector(WRITTEN) || page.roleOf(el) || page.isRepeated(el)) return false;
    const drawn = el.querySelector("canvas")?.getBoundingClientRect(); // a canvas is reported itself
    return !drawn || drawn.width * drawn.height < (rect.width * rect.height) / 2;
  };

  /** Whether it is one of several freely positioned boxes, as in a floor plan or on a board. */
  page.isPositioned = (el, style) => {
    if (style.position !== "absolute" || el.firstElementChild?.matches(INNER) || !page.isPainted(el)) return false;
    return isOneOfPlaced(el) || (el.previousElementSibling === null && el.parentElement !== null && isOneOfPlaced(el.parentElement));
  };

  /** @param {Element} el */
  function isOneOfPlaced(el) {
    const [kind] = el.classList;
    return kind !== undefined && [...el.parentElement?.children ?? []].some((other) => other !== el && other.classList[0] === kind && getComputedStyle(other).position === "absolute") && getComputedStyle(el).position === "absolute";
  }

  const DRAGGED = "[draggable=true]";
  const MAX_LEVELS = 3; // boxes between a dragged element and its list

  /** Its similar siblings, including itself. @param {Element} el */
  const alike = (el) => [...el.parentElement?.children ?? []].filter((other) => other.localName === el.localName && other.className === el.className);

  /** Whether it is just a box around one draggable element. @param {Element} el */
  const isWrapper = (el) => el.querySelectorAll(DRAGGED).length === 1 && !page.textOf(el, { max: 20, skip: (inner) => inner.matches(DRAGGED) });

  /** The lists of the dragged elements, and similar ones beside them, which may be empty. @param {Element} dragged @returns {Element[]} */
  function areasAround(dragged) {
    let box = dragged.parentElement;
    for (let level = 0; box && box !== document.body && level < MAX_LEVELS; level += 1, box = box.parentElement) {
      const areas = box.matches("td,th") ? [] : alike(box); // the cells of a row are not drop targets for the same things
      if (areas.length > 1 && !areas.every(isWrapper)) return areas;
    }
    return [];
  }

  page.dropAreas = () => page.memoize("drop areas", document.documentElement, () => {
    /** One element per list. @type {Map<Element | null, Element>} */
    const dragged = new Map(page.queryAll(DRAGGED).map((el) => [el.parentElement, el]));
    return new Set([...dragged.values()].flatMap(areasAround));
  });
})();
