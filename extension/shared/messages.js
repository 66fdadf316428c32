/**
 * The messages between the parts of the extension; types/messages.d.ts lists them all, with their parameters and results.
 *
 * A one-shot message is `{to, name, ...params}`, answered with `{ok: true, result}` or `{ok: false, error: {code, message, origin}}`:
 * its sender gets the result, or a `Refusal`. A message through a long-lived port is `{kind, ...params}`.
 */

/** @import { AskWorker, Handlers, RequestHandlers, RunnerReports } from "../types/messages" */

export const PORTS = { page: "tabwright.page", panel: "tabwright.panel" };

const ANSWER_MS = 5_000;
const TRIES = 4;

/** A request that its receiver cannot fulfil; `code` says why, `origin` names the site of a missing permission. */
export class Refusal extends Error {
  /** @param {string} code @param {string} message @param {string} [origin] */
  constructor(code, message, origin) {
    super(message);
    this.code = code;
    this.origin = origin;
  }
}

/** @param {chrome.runtime.MessageSender} sender whether it is one of the extension's own pages or its worker: a page script runs beside foreign code */
const isExtensionPage = ({ id, url, tab }) => id === chrome.runtime.id && (url ? url.startsWith(chrome.runtime.getURL("")) : !tab);

/** @param {chrome.runtime.MessageSender} sender */
export const isPageScript = ({ id, tab }) => id === chrome.runtime.id && tab !== undefined;

/**
 * Answers the messages to one part of the extension.
 *
 * @template {object} Table
 * @param {"worker" | "runner"} part @param {Handlers<Table> | RequestHandlers<Table>} handlers by message name
 * @param {(sender: chrome.runtime.MessageSender) => boolean} [isAllowed] whether this sender may send them
 */
export function handleMessages(part, handlers, isAllowed = isExtensionPage) {
  /** @param {any} message @returns {Promise<object>} */
  async function answer(message) {
    try {
      return { ok: true, result: await /** @type {Record<string, (params: any) => unknown>} */ (handlers)[message.name](message) };
    } catch (error) {
      const { code = "FAILED", message, origin } = error instanceof Refusal ? error : { message: error instanceof Error ? error.message : String(error) };
      return { ok: false, error: { code, message, origin } };
    }
  }
  chrome.runtime.onMessage.addListener((message, sender, reply) => {
    if (message?.to !== part || !Object.hasOwn(handlers, message.name) || !isAllowed(sender)) return false;
    void answer(message).then(reply);
    return true;
  });
}

/** @template T @param {Promise<T>} answer @param {number} ms @returns {Promise<T>} */
function withTimeout(answer, ms) {
  let timer = 0;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("The worker did not answer")), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/**
 * Asks the worker. Chrome may stop it at any moment and its answer is then lost, so requests are repeated unless `once` is set.
 *
 * @type {AskWorker}
 */
export const askWorker = async (name, params, { once = false, ms = ANSWER_MS } = {}) => {
  for (let attempt = 1; ; attempt++) {
    try {
      const reply = await withTimeout(chrome.runtime.sendMessage({ to: "worker", name, ...params }), ms);
      if (!reply) throw new Error("The worker went away");
      if (!reply.ok) throw new Refusal(reply.error.code, reply.error.message, reply.error.origin);
      return reply.result;
    } catch (error) {
      if (once || error instanceof Refusal || attempt >= TRIES) throw error;
      await new Promise((done) => setTimeout(done, 100 * attempt));
    }
  }
};

/** Reports to the runner, if there is one. @template {keyof RunnerReports} K @param {K} name @param {RunnerReports[K]} [params] */
export async function reportToRunner(name, params) {
  await chrome.runtime.sendMessage({ to: "runner", name, ...params }).catch(() => undefined);
}

/** Calls a handler for each message through a port. @param {chrome.runtime.Port} port @param {Record<string, (message: any) => unknown>} handlers by kind */
export function handlePort(port, handlers) {
  port.onMessage.addListener((message) => {
    if (Object.hasOwn(handlers, message?.kind)) void handlers[message.kind](message);
  });
}
