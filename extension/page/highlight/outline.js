// The outline around what is being touched, for the moment of touching it.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "outline")) return;

  // The panel's accent in either theme, in a ring of the other end of the scale: seen on any ground.
  const LIGHT = "border:2px solid #1f5ed6;box-shadow:0 0 0 1px #fff";
  const DARK = "border:2px solid #8ab4f8;box-shadow:0 0 0 1px #10213f";
  let timer = 0;

  /** Draws a line around these boxes for a while. @param {readonly DOMRect[]} rects @param {number} ms */
  page.outline = (rects, ms) => {
    page.clearOutline();
    const shown = rects.filter((rect) => rect.width && rect.height);
    if (!shown.length || !document.documentElement) return;
    const { host, root } = page.openOverlay({ hidden: true });
    const line = matchMedia("(prefers-color-scheme: dark)").matches ? DARK : LIGHT;
    for (const { left, top, width, height } of shown) {
      const box = document.createElement("div");
      box.style.cssText = `position:fixed;box-sizing:border-box;pointer-events:none;${line};border-radius:4px;left:${left - 2}px;top:${top - 2}px;width:${width + 4}px;height:${height + 4}px`;
      root.append(box);
    }
    page.overlay = host;
    page.showOverlay(host);
    timer = window.setTimeout(page.clearOutline, ms);
  };

  page.clearOutline = () => {
    clearTimeout(timer);
    page.overlay?.remove();
  };
})();
