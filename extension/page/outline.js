// The outline around what is being touched: drawn over the page, in a closed shadow root the page's styles do not reach.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "outline")) return;

  const COLOR = "#1a73e8";
  let timer = 0;
  /** Every outline drawn so far: its coming and going is no change of the page. @type {WeakSet<Node>} */
  const own = new WeakSet();
  page.isOverlay = (node) => own.has(node);

  /** Draws a line around these boxes for a while. @param {readonly DOMRect[]} rects @param {number} ms */
  page.outline = (rects, ms) => {
    page.clearOutline();
    const shown = rects.filter((rect) => rect.width && rect.height);
    if (!shown.length || !document.documentElement) return;
    const host = document.createElement("div");
    host.style.cssText = "all:initial;position:fixed;inset:0;pointer-events:none;z-index:2147483647";
    host.setAttribute("aria-hidden", "true");
    const root = host.attachShadow({ mode: "closed" });
    for (const { left, top, width, height } of shown) {
      const box = document.createElement("div");
      box.style.cssText = `position:fixed;box-sizing:border-box;pointer-events:none;border:2px solid ${COLOR};border-radius:4px;left:${left - 2}px;top:${top - 2}px;width:${width + 4}px;height:${height + 4}px`;
      root.append(box);
    }
    page.overlay = host;
    own.add(host);
    document.documentElement.append(host);
    timer = window.setTimeout(page.clearOutline, ms);
  };

  page.clearOutline = () => {
    clearTimeout(timer);
    page.overlay?.remove();
  };
})();
