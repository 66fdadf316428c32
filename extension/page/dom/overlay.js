// Overlays drawn by the extension: in a closed shadow root that page styles do not reach, and in the top layer, so that an open
// dialog of the page does not cover them.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "openOverlay")) return;

  // The panel's accent of both themes, each with a contrasting ring: visible on any background.
  const LIGHT = "border:2px solid #1f5ed6;box-shadow:0 0 0 1px #fff";
  const DARK = "border:2px solid #8ab4f8;box-shadow:0 0 0 1px #10213f";
  let timer = 0;

  /** Outlines these boxes for a while. */
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

  // The host is among the page's own elements: page rules must not change it.
  const HOST = "all:initial;display:block;position:fixed;inset:0;pointer-events:none;z-index:2147483647".replaceAll(/;|$/g, "!important;");
  /** All hosts so far: adding or removing one is no change of the page. @type {WeakSet<Node>} */
  const own = new WeakSet();
  page.isOverlay = (node) => own.has(node);

  /** A layer over the window that catches no events itself, not yet in the page. @param options `hidden`: from screen readers */
  page.openOverlay = ({ hidden = false } = {}) => {
    const host = document.createElement("div");
    host.style.cssText = HOST;
    if (hidden) host.setAttribute("aria-hidden", "true");
    host.setAttribute("popover", "manual"); // manual: closes no popover of the page and takes no focus
    own.add(host);
    return { host, root: host.attachShadow({ mode: "closed" }) };
  };

  /** Adds a layer to the page, on top. @param within an open modal dialog, outside of which nothing can be reached */
  page.showOverlay = (host, within = null) => {
    const around = within ?? document.documentElement;
    if (!around) return;
    // First in the document, so that Tab reaches it before the page's own controls.
    if (within) around.append(host);
    else around.prepend(host);
    host.showPopover?.();
  };
})();
