/** @import { InterruptEvent } from "../types/wire" */
/** @import { PagesHeard, Highlight, Highlighter } from "../types/highlight" */

const POINT_MS = 3_000; // one look at most, where the page was drawn anew since it was looked at

/**
 * What of a question can be shown in the page, null for nothing.
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
 * Questions as they show in the page: numbered badges on what may be meant, a steady outline around
 * what is to be approved. One a tab. What cannot be shown (the page is another by now, or may not be
 * read) is left out: the panel asks all the same.
 *
 * `picked` hears the ids of the options, in their order on the wire. Of a `single_choice` that is the
 * answer, and comes once. Of a `multi_choice` it is all that is chosen so far and comes with each
 * change, so that the panel can show it and have it confirmed; what the panel chooses is told with
 * `mark`. Nothing comes for an approval: it is answered in the panel alone.
 *
 * Call `show` again when a run that waits with a question is restored (the runner died, the browser
 * was started anew); a page kept for going back to is pointed at again by itself.
 *
 * @param {PagesHeard} pages @returns {Highlighter}
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
    if (!shown.has(tabId)) await erase(tabId); // it was answered meanwhile
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

  // The document was left and come back to, or the page scripts were put there anew.
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
