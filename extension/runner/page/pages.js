import { handlePort } from "../../shared/messages.js";
import { PageGone, Page } from "./page.js";
import { TabPage } from "./tab_page.js";

export { PageGone, PageRefused, PageSilent } from "./page.js";

/** @import { FrameInfo, Reach } from "../../types/frames" */
/** @import { Handlers, PageReports } from "../../types/messages" */
/** @import { PageClient } from "../../types/run" */

const START_MS = 1_500; // an injected script says hello within milliseconds

/**
 * The connected page scripts, one per frame, and the tabs they form.
 *
 * @param {(tabId: number) => Promise<void>} inject injects the page script into a tab; it may be there already
 * @param {Reach} [reach] injects it into the frames of a frame
 */
export function createPages(inject, reach = async () => []) {
  /** @type {Map<string, Page>} */
  const pages = new Map();
  /** The tab of each main frame. @type {WeakMap<Page, TabPage>} */
  const tabs = new WeakMap();
  /** @type {Set<() => void>} */
  const arrivals = new Set();
  /** How often site access was granted: frames refused before may be tried again. */
  let grants = 0;
  /** Listeners for unrequested messages of page scripts, by kind. @type {Map<string, ((tabId: number, message: any) => void)[]>} */
  const listeners = new Map();

  /** @param {string} kind @param {number} tabId @param {object} message */
  const notify = (kind, tabId, message) => {
    for (const listener of listeners.get(kind) ?? []) listener(tabId, message);
  };

  /** @param {number} tabId @param {number} frameId */
  const find = (tabId, frameId) => {
    const page = pages.get(`${tabId}:${frameId}`);
    return page?.alive ? page : null;
  };

  /** @param {number} ms @returns {Promise<void>} */
  const waitForArrival = (ms) =>
    new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        arrivals.delete(finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      arrivals.add(finish);
    });

  /** @param {number} tabId access to the frames of a tab */
  const framesOf = (tabId) => ({
    tabId,
    find: (/** @type {number} */ frameId) => find(tabId, frameId),
    connected: () => [...pages.keys()].map((key) => key.split(":").map(Number)).filter(([tab, frame]) => tab === tabId && frame !== 0 && find(tab, frame)).map(([, frame]) => frame),
    reach: (/** @type {number} */ parentFrameId, /** @type {number[]} */ connected) => reach(tabId, parentFrameId, connected),
    arrival: waitForArrival,
    grants: () => grants,
  });

  /** @param {number} tabId @param {Page} main @returns {PageClient} */
  function tabOf(tabId, main) {
    const known = tabs.get(main);
    if (known) return known;
    const tab = new TabPage(main, framesOf(tabId));
    tabs.set(main, tab);
    return tab;
  }

  /** @param {string} key @param {Page} page registered until its port closes */
  function register(key, page) {
    pages.get(key)?.close();
    pages.set(key, page);
    const [tabId, frameId] = key.split(":").map(Number);
    page.onGone = () => {
      if (pages.get(key) !== page) return;
      pages.delete(key);
      notify("gone", tabId, { frameId });
    };
    for (const arrived of [...arrivals]) arrived();
    notify("hello", tabId, { frameId, page });
  }

  return {
    /** @param {chrome.runtime.Port} port a port named "tabwright.page" */
    accept(port) {
      const tabId = /** @type {number} */ (port.sender?.tab?.id);
      /** @type {Handlers<PageReports>} */
      const handlers = {
        hello: (message) => register(`${tabId}:${port.sender?.frameId ?? 0}`, new Page(port, message)),
        told: (message) => notify("told", tabId, message),
        person: (message) => notify("person", tabId, message),
        picked: (message) => notify("picked", tabId, message),
        opened: (message) => notify("opened", tabId, message),
      };
      handlePort(port, handlers);
    },

    /** @param {"told" | "picked" | "person" | "opened" | "hello" | "gone"} kind @param {(tabId: number, message: any) => void} listener */
    listen(kind, listener) {
      listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
    },

    /** @param {number} tabId @returns {PageClient | null} its page, if connected */
    known(tabId) {
      const main = find(tabId, 0);
      return main && tabOf(tabId, main);
    },

    /** Called when access to a site was granted. */
    granted() {
      grants += 1;
    },

    /**
     * The page of a tab with its frames; injects the page script if needed.
     *
     * @param {number} tabId @returns {Promise<PageClient>} raises `PageGone`
     */
    async page(tabId) {
      const known = find(tabId, 0);
      if (known) return tabOf(tabId, known);
      const deadline = Date.now() + START_MS;
      await inject(tabId);
      while (!find(tabId, 0) && Date.now() < deadline) await waitForArrival(deadline - Date.now());
      const main = find(tabId, 0);
      if (!main) throw new PageGone("The page script did not start");
      return tabOf(tabId, main);
    },
  };
}
