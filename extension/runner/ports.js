const START_MS = 1_500; // an injected script says hello within milliseconds

/** The document went away, with whatever was asked of it. */
export class PageGone extends Error {}

/** The page script said no. */
export class PageRefused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The page script did not answer in time. */
export class PageSilent extends Error {}

/** One document's page script, at the other end of a port. */
export class Page {
  #port;
  #nextId = 1;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();
  alive = true;

  /** @param {chrome.runtime.Port} port @param {{documentId: string, url: string}} hello */
  constructor(port, hello) {
    this.#port = port;
    this.documentId = hello.documentId;
    this.url = hello.url;
    port.onDisconnect.addListener(() => this.#died());
    port.onMessage.addListener((message) => this.#answered(message));
  }

  /**
   * @param {string} kind @param {object} [params] @param {number} [ms] longest wait
   * @returns {Promise<any>} raises `PageGone`, `PageRefused`, `PageSilent`
   */
  request(kind, params = {}, ms = 15_000) {
    if (!this.alive) return Promise.reject(new PageGone("The page is gone"));
    const id = this.#nextId++;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const timer = setTimeout(() => {
      this.#waiting.get(id)?.reject(new PageSilent(`The page did not answer within ${ms / 1000} s`));
    }, ms);
    this.#port.postMessage({ ...params, id, kind });
    return answer.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(id);
    });
  }

  /** Lets go of the port; for a document that another has replaced. */
  drop() {
    this.#port.disconnect();
    this.#died();
  }

  #died() {
    this.alive = false;
    for (const { reject } of this.#waiting.values()) reject(new PageGone("The page went away"));
  }

  /** @param {any} message */
  #answered(message) {
    const waiting = this.#waiting.get(message?.id);
    if (message?.ok) waiting?.resolve(message.result);
    else waiting?.reject(new PageRefused(message?.error?.code ?? "FAILED", message?.error?.message ?? ""));
  }
}

/**
 * The page scripts that have connected, one a frame.
 *
 * @param {(tabId: number) => Promise<void>} inject puts the page script into a tab; it may be there already
 */
export function createPages(inject) {
  /** @type {Map<string, Page>} */
  const pages = new Map();
  /** @type {Set<() => void>} */
  const arrivals = new Set();

  /** @param {number} tabId @param {number} frameId */
  const find = (tabId, frameId) => {
    const page = pages.get(`${tabId}:${frameId}`);
    return page?.alive ? page : null;
  };

  /** @param {number} ms @returns {Promise<void>} */
  const arrival = (ms) =>
    new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        arrivals.delete(finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      arrivals.add(finish);
    });

  return {
    /** @param {chrome.runtime.Port} port a port named "tabwright.page" */
    accept(port) {
      const key = `${port.sender?.tab?.id}:${port.sender?.frameId ?? 0}`;
      /** @param {any} message */
      const hello = (message) => {
        if (message?.kind !== "hello") return;
        port.onMessage.removeListener(hello);
        pages.get(key)?.drop();
        pages.set(key, new Page(port, message));
        for (const arrived of [...arrivals]) arrived();
      };
      port.onMessage.addListener(hello);
    },

    /**
     * The page script of a tab, injected if need be.
     *
     * @param {number} tabId @param {number} [frameId] @returns {Promise<Page>}
     */
    async page(tabId, frameId = 0) {
      const known = find(tabId, frameId);
      if (known) return known;
      const deadline = Date.now() + START_MS;
      await inject(tabId);
      while (!find(tabId, frameId) && Date.now() < deadline) await arrival(deadline - Date.now());
      const page = find(tabId, frameId);
      if (!page) throw new PageGone("The page script did not start");
      return page;
    },
  };
}
