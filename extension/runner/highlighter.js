/** @import { InterruptEvent } from "../types/wire" */
/** @import { PageDirectory, Highlight, Highlighter } from "../types/highlight" */

const POINT_MS = 3_000; // enough for one observation, if the page was re-rendered since the last

/**
 * What can be shown of a question in the page; null for nothing.
 *
 * @param {Pick<InterruptEvent, "hitlId" | "expectedInput" | "options" | "approval">} question
 * @returns {Highlight | null}
 */
export function highlightOf({ hitlId, expectedInput, options = [], approval }) {
  if (approval) {
    const items = approval.elementId ? [{ option: "", number: "", label: "", elementId: String(approval.elementId) }] : [];
    return items.length > 0 ? { hitlId, approval: true, multiple: false, items } : null;
  }
  const items = options.flatMap(({ id, label, elementId }, at) =>
    elementId ? [{ option: id, number: /^\d{1,2}$/.test(id) ? id : String(at + 1), label, elementId: String(elementId) }] : [],
  );
  return items.length > 0 ? { hitlId, approval: false, multiple: expectedInput === "multi_choice", items } : null;
}

/**
 * Shows questions in the page: numbered badges on the options, a steady outline around what is to be approved. One question a tab.
 * Options that cannot be shown (the page changed, or may not be read) are left out; the panel shows them anyway.
 *
 * `picked` receives option ids in wire order. For a `single_choice` that is the answer, called once. For a `multi_choice` it is
 * everything chosen so far, on each change, so that the panel can show and confirm it; choices made in the panel come in through
 * `mark`. An approval never calls it: it is answered only in the panel.
 *
 * Call `show` again when a run with an open question is restored (after the runner died or the browser restarted). Pages that come
 * back from the back/forward cache are marked again automatically.
 *
 * @param {PageDirectory} pages @returns {Highlighter}
 */
export function createHighlighter(pages) {
  /** @typedef {{at: Highlight, chosen: Set<string>, picked: (optionIds: string[]) => void}} Shown */
  /** @type {Map<number, Shown>} */
  const shown = new Map();

  /** @param {Shown} one */
  const inOrder = ({ at, chosen }) => at.items.map(({ option }) => option).filter((option) => chosen.has(option));

  /** @param {number} tabId @param {Shown} one */
  async function draw(tabId, one) {
    const page = await pages.page(tabId).catch(() => null);
    if (!page || shown.get(tabId) !== one) return;
    await page.request("point", { ...one.at, chosen: inOrder(one) }, POINT_MS).catch(() => undefined);
    if (!shown.has(tabId)) await erase(tabId); // answered meanwhile
  }

  /** @param {number} tabId */
  async function erase(tabId) {
    await pages.known(tabId)?.request("unpoint").catch(() => undefined);
  }

  /** @param {number} tabId @param {Shown} one */
  async function tellChosen(tabId, one) {
    await pages.known(tabId)?.request("mark", { chosen: inOrder(one) }).catch(() => undefined);
  }

  pages.listen("picked", (tabId, { hitlId, option }) => {
    const one = shown.get(tabId);
    if (!one || one.at.hitlId !== hitlId || !one.at.items.some((item) => item.option === option)) return;
    if (!one.at.multiple) {
      if (one.chosen.size > 0) return; // a second click before the badges are gone
      one.chosen.add(option);
    } else if (!one.chosen.delete(option)) one.chosen.add(option);
    void tellChosen(tabId, one);
    one.picked(inOrder(one));
  });

  // The document came back from the cache, or the page scripts were injected again.
  pages.listen("hello", (tabId, { frameId }) => {
    const one = frameId === 0 ? shown.get(tabId) : undefined;
    if (one) void draw(tabId, one);
  });

  return {
    async show(tabId, question, picked) {
      const at = highlightOf(question);
      if (!at) return this.clear(tabId);
      const one = { at, chosen: new Set(), picked };
      shown.set(tabId, one);
      await draw(tabId, one);
    },

    async mark(tabId, optionIds) {
      const one = shown.get(tabId);
      if (!one) return;
      one.chosen = new Set(optionIds);
      await tellChosen(tabId, one);
    },

    async clear(tabId) {
      if (shown.delete(tabId)) await erase(tabId);
    },
  };
}
