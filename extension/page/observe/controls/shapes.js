// Drawn elements: SVG shapes, canvases, coloured boxes. Only their looks tell what they are.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "isShape")) return;

  /** @type {Record<string, string>} */
  const KINDS = { circle: "circle", ellipse: "ellipse", line: "line", polyline: "line", text: "text", image: "picture", canvas: "canvas" };
  const SHAPES = "circle,ellipse,rect,line,polyline,polygon,text,image";
  const MAX_SHAPES = 60; // per drawing; one with more is an illustration or a chart
  const LEAST_DRAWING = 48; // CSS pixels per side; smaller ones are icons
  const LEAST_SHAPE = 3;
  const MOST_PIXELS = 16_777_216; // of a canvas; a larger one takes too long to read
  const SAMPLE = 48; // pixels per side of a canvas sample
  /** @type {OffscreenCanvasRenderingContext2D | null} */
  let sample = null;
  const SQUARE = 0.05; // by which the sides of a square may differ
  /** The named colours, each with the end of its hue range in degrees. @type {[number, string][]} */
  const HUES = [[15, "red"], [45, "orange"], [68, "yellow"], [165, "green"], [195, "cyan"], [255, "blue"], [290, "purple"], [320, "magenta"], [345, "pink"], [360, "red"]];
  const LEAST_CHROMA = 0.12; // HSL saturation below which a colour is grey
  const [DARK, PALE] = [0.36, 0.75]; // lightness limits beyond which a colour has another name

  /** Whether it is a shape that a person would point at, or a canvas. */
  page.isShape = (el, rect) => {
    if (el.localName === "canvas") return rect.width >= LEAST_DRAWING && rect.height >= LEAST_DRAWING;
    const drawing = el.matches(SHAPES) ? /** @type {SVGElement} */ (el).ownerSVGElement : null;
    if (!drawing || el.closest("defs,clipPath,mask,pattern,symbol") || Math.max(rect.width, rect.height) < LEAST_SHAPE) return false;
    return page.memoize("drawing", drawing, () => {
      const { width, height } = drawing.getBoundingClientRect();
      return width >= LEAST_DRAWING && height >= LEAST_DRAWING && drawing.querySelectorAll(SHAPES).length <= MAX_SHAPES;
    });
  };

  /** What is dragged, by the cursor. @type {[RegExp, string][]} */
  const EDGES = [[/^(?:col|ew|e|w)-resize$/, "column edge"], [/^(?:row|ns|n|s)-resize$/, "row edge"], [/-resize$/, "corner"]];

  /** Whether it is an empty box with a colour. @param {Element} el */
  const isBareBox = (el) => !el.firstElementChild && !el.textContent?.trim() && page.roleOf(el) === null && page.isPainted(el) && !page.isPictured(el);

  /** "column edge", by the cursor; else "". */
  page.edgeName = (el) => EDGES.find(([sign]) => sign.test(getComputedStyle(el).cursor))?.[1] ?? "";

  /** "blue swatch" for an empty box, by its colour and its class; else "". */
  page.looksName = (el, called) => (isBareBox(el) ? `${colourOf(getComputedStyle(el).backgroundColor)} ${called || "box"}`.trim() : "");

  /** "red circle", "blue box" if it has no other name, else "". */
  page.drawnName = (el, rect) => {
    if (el.localName === "canvas" || el.localName === "video") return el.localName;
    const isSvg = el instanceof SVGElement;
    const { fill, stroke, backgroundColor } = getComputedStyle(el);
    const colour = isSvg ? colourOf(fill) || colourOf(stroke) : colourOf(backgroundColor);
    const kind = isSvg ? kindOf(el, rect) : colour && "box";
    return kind && [colour, kind].filter(Boolean).join(" ");
  };

  /** A fingerprint of a canvas's content, undefined if there is none or it cannot be read. */
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
      sample = null; // an image of another site was drawn into it, so it can no longer be read
      return undefined;
    }
  };

  /** @param {SVGElement} el @param {DOMRect} rect */
  function kindOf(el, rect) {
    if (el.localName === "rect") return Math.abs(rect.width - rect.height) <= SQUARE * rect.width ? "square" : "rectangle";
    if (el.localName === "polygon") return /** @type {SVGPolygonElement} */ (el).points.numberOfItems === 3 ? "triangle" : "polygon";
    return KINDS[el.localName] ?? "";
  }

  /** The name of a colour by its hue, "" for an invisible one. @param {string} css as computed */
  function colourOf(css) {
    const [red, green, blue, alpha = 1] = (css.match(/^rgba?\(([\d.,\s/]+)\)$/)?.[1] ?? "").split(/[\s,/]+/).filter(Boolean).map((part, at) => Number(part) / (at < 3 ? 255 : 1));
    if (blue === undefined || alpha === 0) return "";
    const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
    const [light, chroma] = [(least + most) / 2, most - least];
    if (light < 0.1 || light > 0.97) return light < 0.1 ? "black" : "white";
    if (chroma < LEAST_CHROMA * (1 - Math.abs(2 * light - 1))) return light < 0.2 ? "black" : light > 0.95 ? "white" : "gray";
    const sector = most === red ? (green - blue) / chroma + 6 : most === green ? (blue - red) / chroma + 2 : (red - green) / chroma + 4;
    return shaded((60 * sector) % 360, light);
  }

  /** @param {number} hue @param {number} light */
  function shaded(hue, light) {
    const name = HUES.find(([end]) => hue < end)?.[1] ?? "red";
    if (light < DARK) return { orange: "brown", magenta: "purple", pink: "purple" }[name] ?? name;
    return light > PALE ? ({ red: "pink", magenta: "pink" }[name] ?? name) : name;
  }
})();
