/** @import { PageDirectory, PersonAct, Takeover } from "../types/highlight" */

const MOST = 200; // acts kept; the oldest are dropped
const SAME_MS = 1_000; // a form is submitted within moments of the click that causes it
const AGAIN_MS = 200;
const LOAD_MS = 20_000; // a page that shows nothing for this long is picked up by `loaded`

/** @param {PersonAct} one @param {PersonAct} other */
const isSame = (one, other) => one.role === other.role && one.name === other.name && one.url === other.url;

/**
 * Adds an act. Continued typing in one field is one act, and so are the click of a button and the form it submits.
 *
 * @param {readonly PersonAct[]} acts in their order @param {PersonAct} act @returns {PersonAct[]}
 */
export function withAct(acts, act) {
  const last = acts.at(-1);
  const continues = last?.kind === act.kind && (act.kind === "type" || act.kind === "navigate") && isSame(last, act);
  const sends = last?.kind === "click" && act.kind === "submit" && isSame(last, act) && Date.parse(act.at) - Date.parse(last.at) < SAME_MS;
  return [...(continues || sends ? acts.slice(0, -1) : acts), act].slice(-MOST);
}

/**
 * Records what a person does in a tab while they have taken over: in all its documents, frames included, across navigations.
 *
 * Call `loaded` when the tab has loaded (the worker's "tab.loaded"), so that the page scripts reach a slow page. `begin` continues a
 * recording that is running.
 *
 * @param {PageDirectory} pages @returns {Takeover}
 */
export function createTakeover(pages) {
  /** @type {Map<number, PersonAct[]>} */
  const taken = new Map();

  /** @param {number} tabId @param {PersonAct} act */
  const note = (tabId, act) => taken.has(tabId) && taken.set(tabId, withAct(taken.get(tabId) ?? [], act));

  /** Starts recording in every document of the tab. @param {number} tabId @returns {Promise<boolean>} whether it succeeded */
  async function follow(tabId) {
    const page = await pages.page(tabId).catch(() => null);
    if (!page || !taken.has(tabId)) return false;
    return page.request("person", { on: true }).then(() => true, () => false);
  }

  /** Continues in the next document as soon as it is there. @param {number} tabId */
  async function followNext(tabId) {
    const deadline = Date.now() + LOAD_MS;
    while (taken.has(tabId) && Date.now() < deadline) {
      if (await follow(tabId)) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  pages.listen("person", (tabId, { act }) => note(tabId, act));
  pages.listen("hello", (tabId, { frameId, page }) => {
    if (!taken.has(tabId)) return;
    if (frameId !== 0) return void page.request("person", { on: true }).catch(() => undefined);
    if (documents.get(tabId) !== page.documentId) note(tabId, { kind: "navigate", role: "", name: "", url: page.url, at: new Date().toISOString() });
    documents.set(tabId, page.documentId);
    void follow(tabId);
  });
  pages.listen("gone", (tabId, { frameId }) => {
    if (frameId === 0 && taken.has(tabId)) void followNext(tabId);
  });

  /** The main document of each tab: a document that reconnects is not a navigation. @type {Map<number, string>} */
  const documents = new Map();

  return {
    async begin(tabId) {
      if (!taken.has(tabId)) taken.set(tabId, []);
      const page = await pages.page(tabId).catch(() => null);
      if (page) documents.set(tabId, page.documentId);
      await follow(tabId);
    },

    loaded: (tabId) => (taken.has(tabId) ? follow(tabId).then(() => undefined) : Promise.resolve()),

    async end(tabId) {
      await pages.known(tabId)?.request("person", { on: false }).catch(() => undefined);
      const acts = taken.get(tabId) ?? [];
      taken.delete(tabId);
      documents.delete(tabId);
      return acts;
    },
  };
}
