// Selects text as dragging the mouse over it does: all of an element's, or the first occurrence of a text.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "selectText")) return;

  const HEARD_MS = 150; // rich editors read the selection up to 100 ms after the release

  /** @param {Target} target @param {string} text "" for all @throws {ActionFailure} VALUE_NOT_ACCEPTED if it is not there */
  page.selectText = async (target, text) => {
    const { el, name } = target;
    const missing = () => new page.ActionFailure("VALUE_NOT_ACCEPTED", `"${page.clip(text, 80)}" is no text of "${name}".`);
    const editor = page.editorOf(el);
    if (editor) {
      if (!(await dragOver(target, editor.surface, text))) throw missing();
      return;
    }
    /** The element where the mouse is released: pages show their tools there. @type {Element} */
    let end = el;
    if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) {
      const at = el.value.indexOf(text);
      if (at < 0) throw missing();
      page.focusOn(el);
      el.setSelectionRange(at, at + (text || el.value).length);
    } else {
      const range = rangeOf(el, text);
      const selection = getSelection();
      if (!range || !selection) throw missing();
      if (/** @type {HTMLElement} */ (el).isContentEditable) page.focusOn(el);
      selection.removeAllRanges();
      selection.addRange(range);
      end = range.endContainer.parentElement ?? el;
    }
    end.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const { right, bottom } = end === el ? el.getBoundingClientRect() : [...getSelection()?.getRangeAt(0).getClientRects() ?? []].at(-1) ?? end.getBoundingClientRect();
    for (const type of ["pointerup", "mouseup"]) page.fireMouse(type, { x: right - 1, y: bottom - 1, hit: end }, { detail: 1 });
    if (/** @type {HTMLElement} */ (el).isContentEditable) await page.pause(HEARD_MS);
  };

  /** Selects with the mouse in an editor that draws its own text. @param {Target} target @param {Element} surface @param {string} text @returns {Promise<boolean>} whether the text is there */
  async function dragOver(target, surface, text) {
    await page.reach(target);
    const range = rangeOf(surface, text);
    range?.startContainer.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const rects = [...range?.getClientRects() ?? []].filter(({ width }) => width > 0);
    const [first, last] = [rects[0], rects.at(-1)];
    if (!first || !last) return false;
    await page.dragAlong([{ x: first.left, y: first.top + first.height / 2 }, { x: last.right, y: last.top + last.height / 2 }]);
    return true;
  }

  /** @param {Element} el @param {string} text @returns {Range | null} */
  function rangeOf(el, text) {
    const range = document.createRange();
    if (text === "") {
      range.selectNodeContents(el);
      return range;
    }
    const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    /** @type {{node: Text, from: number}[]} */
    const nodes = [];
    let whole = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes.push({ node: /** @type {Text} */ (node), from: whole.length });
      whole += node.nodeValue;
    }
    const at = whole.indexOf(text);
    if (at < 0) return null;
    const [first, last] = [at, at + text.length].map((place, end) => nodes.findLast(({ from }) => (end ? from < place : from <= place)));
    if (!first || !last) return null;
    range.setStart(first.node, at - first.from);
    range.setEnd(last.node, at + text.length - last.from);
    return range;
  }
})();
