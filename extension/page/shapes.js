// What is drawn: the shapes of an SVG, a canvas, a coloured box. None says what it is but by its looks.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isShape")) return;

  /** @type {Record<string, string>} */
  const KINDS = { circle: "circle", ellipse: "ellipse", line: "line", polyline: "line", text: "text", image: "picture", canvas: "canvas" };
  const SHAPES = "circle,ellipse,rect,line,polyline,polygon,text,image";
  const MAX_SHAPES = 60; // of one drawing; one with more is an illustration or a chart
  const LEAST_DRAWING = 48; // CSS pixels on a side; a smaller one is an icon
  const LEAST_SHAPE = 3;
  const MOST_PIXELS = 16_777_216; // of a canvas; a larger one takes too long to read
  const SAMPLE = 48; // pixels on a side of what is looked at of a canvas
  /** @type {OffscreenCanvasRenderingContext2D | null} */
  let sample = null;
  const SQUARE = 0.05; // by how much the sides of a square may differ
  /** Red, green and blue of the colours people name, 0 to 255. @type {Record<string, [number, number, number]>} */
  const COLOURS = {
    black: [0, 0, 0], white: [255, 255, 255], gray: [128, 128, 128], red: [255, 0, 0], orange: [255, 165, 0], yellow: [255, 255, 0],
    green: [0, 128, 0], lime: [0, 255, 0], cyan: [0, 255, 255], blue: [0, 0, 255], purple: [128, 0, 128], magenta: [255, 0, 255], pink: [255, 192, 203], brown: [150, 75, 0],
  };

  /** Whether it is a part of a drawing that a person would point at, or a canvas. @param {Element} el @param {DOMRect} rect */
  page.isShape = (el, rect) => {
    if (el.localName === "canvas") return rect.width >= LEAST_DRAWING && rect.height >= LEAST_DRAWING;
    const drawing = el.matches(SHAPES) ? /** @type {SVGElement} */ (el).ownerSVGElement : null;
    if (!drawing || el.closest("defs,clipPath,mask,pattern,symbol") || Math.max(rect.width, rect.height) < LEAST_SHAPE) return false;
    return page.once("drawing", drawing, () => {
      const { width, height } = drawing.getBoundingClientRect();
      return width >= LEAST_DRAWING && height >= LEAST_DRAWING && drawing.querySelectorAll(SHAPES).length <= MAX_SHAPES;
    });
  };

  /** "red circle", "blue box" where nothing else names it, else "". @param {Element} el @param {DOMRect} rect */
  page.drawnName = (el, rect) => {
    if (el.localName === "canvas") return "canvas";
    const isSvg = el instanceof SVGElement;
    const { fill, stroke, backgroundColor } = getComputedStyle(el);
    const colour = isSvg ? colourOf(fill) || colourOf(stroke) : colourOf(backgroundColor);
    const kind = isSvg ? kindOf(el, rect) : colour && "box";
    return kind && [colour, kind].filter(Boolean).join(" ");
  };

  /** A fingerprint of what a canvas shows, undefined where there is none or it may not be read. @param {Element} el */
  page.looksOf = (el) => {
    if (!(el instanceof HTMLCanvasElement) || el.width * el.height > MOST_PIXELS || !el.width || !el.height) return undefined;
    const small = (sample ??= new OffscreenCanvas(SAMPLE, SAMPLE).getContext("2d", { willReadFrequently: true }));
    if (!small) return undefined;
    try {
      small.clearRect(0, 0, SAMPLE, SAMPLE);
      small.drawImage(el, 0, 0, SAMPLE, SAMPLE);
      let hash = 0;
      for (const byte of small.getImageData(0, 0, SAMPLE, SAMPLE).data) hash = (Math.imul(hash, 31) + byte) | 0;
      return (hash >>> 0).toString(36);
    } catch {
      sample = null; // a picture of another site was drawn into it: it may not be read any more
      return undefined;
    }
  };

  /** @param {SVGElement} el @param {DOMRect} rect */
  function kindOf(el, rect) {
    if (el.localName === "rect") return Math.abs(rect.width - rect.height) <= SQUARE * rect.width ? "square" : "rectangle";
    if (el.localName === "polygon") return /** @type {SVGPolygonElement} */ (el).points.numberOfItems === 3 ? "triangle" : "polygon";
    return KINDS[el.localName] ?? "";
  }

  /** The nearest colour with a name, "" for none that is seen. @param {string} css as computed */
  function colourOf(css) {
    const [red, green, blue, alpha = 1] = (css.match(/^rgba?\(([\d.,\s/]+)\)$/)?.[1] ?? "").split(/[\s,/]+/).filter(Boolean).map(Number);
    if (blue === undefined || alpha === 0) return "";
    const far = Object.entries(COLOURS).map(([name, [r, g, b]]) => ({ name, by: (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2 }));
    return far.reduce((one, other) => (other.by < one.by ? other : one)).name;
  }
})();
