/** @import { PagesHeard, PersonAct, Takeover } from "../types/highlight" */

const MOST = 200; // acts kept of one time; the first ones go
const SAME_MS = 1_000; // a form is sent within moments of the press that does it
const AGAIN_MS = 200;
const LOAD_MS = 20_000; // a page that shows nothing for so long is waited for until it is loaded

/** @param {PersonAct} one @param {PersonAct} other */
const isSame = (one, other) => one.role === other.role && one.name === other.name && one.url === other.url;

/**
 * The acts with one more: going on typing in a field is one act, and so are the press of a button and
 * the form it sends.
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
 * What a person does in a tab while they have taken over, from all documents of the tab, its frames
 * included, over navigations.
 *
 * Call `loaded` when the tab has loaded (the worker's "tab.loaded"), so that the page scripts get into
 * a page that came slowly. `begin` for a tab that was begun already goes on with what it has; `acts`
 * of an earlier life of the runner can be handed to it.
 *
 * @param {PagesHeard} pages @returns {Takeover}
 */
export function createTakeover(pages) {
  /** @type {Map<number, PersonAct[]>} */
  const taken = new Map();

  /** @param {number} tabId @param {PersonAct} act */
  const note = (tabId, act) => taken.has(tabId) && taken.set(tabId, withAct(taken.get(tabId) ?? [], act));

  /** @param {number} tabId has every document of it tell what the person does @returns {Promise<boolean>} whether it does */
  async function follow(tabId) {
    const page = await pages.page(tabId).catch(() => null);
    if (!page || !taken.has(tabId)) return false;
    return page.request("person", { on: true }).then(() => true, () => false);
  }

  /** @param {number} tabId as soon as the next document is there */
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

  /** The main document of each tab: one that comes back is no other page. @type {Map<number, string>} */
  const documents = new Map();

  return {
    async begin(tabId, acts = []) {
      if (!taken.has(tabId)) taken.set(tabId, [...acts].slice(-MOST));
      const page = await pages.page(tabId).catch(() => null);
      if (page) documents.set(tabId, page.documentId);
      await follow(tabId);
    },

    loaded: (tabId) => (taken.has(tabId) ? follow(tabId).then(() => undefined) : Promise.resolve()),

    acts: (tabId) => [...(taken.get(tabId) ?? [])],

    async end(tabId) {
      await pages.known(tabId)?.request("person", { on: false }).catch(() => undefined);
      const acts = taken.get(tabId) ?? [];
      taken.delete(tabId);
      documents.delete(tabId);
      return acts;
    },
  };
}
