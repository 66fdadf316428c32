/** The document went away during a request. */
export class PageGone extends Error {}

/** The page script refused a request. */
export class PageRefused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The page script did not answer in time. */
export class PageSilent extends Error {}

/** The page script of one document, connected by a port. */
export class Page {
  #port;
  #nextId = 1;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();
  alive = true;
  /** Called once, when the document goes away. */
  onGone = () => {};

  /** @param {chrome.runtime.Port} port @param {{documentId: string, url: string, frame?: number}} hello */
  constructor(port, hello) {
    this.#port = port;
    this.documentId = hello.documentId;
    this.url = hello.url;
    /** The frame's number in this run; 0 for the main frame and before the first look. */
    this.number = hello.frame ?? 0;
    port.onDisconnect.addListener(() => this.#onClosed());
    port.onMessage.addListener((message) => this.#onMessage(message));
  }

  /**
   * @param {keyof import("../../types/messages").PageRequests} kind @param {object} [params] @param {number} [ms] longest wait
   * @returns {Promise<any>} raises `PageGone`, `PageRefused`, `PageSilent`
   */
  request(kind, params = {}, ms = 15_000) {
    if (!this.alive) return Promise.reject(new PageGone("The page is gone"));
    const id = this.#nextId++;
    const { promise, resolve, reject } = /** @type {PromiseWithResolvers<any>} */ (Promise.withResolvers());
    this.#waiting.set(id, { resolve, reject });
    const timer = setTimeout(() => reject(new PageSilent(`The page did not answer within ${ms / 1000} s`)), ms);
    this.#port.postMessage({ ...params, id, kind });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(id);
    });
  }

  /** Closes the port of a document that another has replaced. */
  close() {
    this.#port.disconnect();
    this.#onClosed();
  }

  #onClosed() {
    if (!this.alive) return;
    this.alive = false;
    this.onGone();
    for (const { reject } of this.#waiting.values()) reject(new PageGone("The page went away"));
  }

  /** @param {any} message */
  #onMessage(message) {
    const waiting = this.#waiting.get(message?.id);
    if (message?.ok) waiting?.resolve(message.result);
    else waiting?.reject(new PageRefused(message?.error?.code ?? "FAILED", message?.error?.message ?? ""));
  }
}
