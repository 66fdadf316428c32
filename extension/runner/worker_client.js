const ANSWER_MS = 5_000;
const TRIES = 4;

/** The worker refused a request; `code` says why, `origin` names the site of a missing permission. */
export class HostRefused extends Error {
  /** @param {{code: string, message: string, origin?: string}} error */
  constructor({ code, message, origin }) {
    super(message);
    this.code = code;
    this.origin = origin;
  }
}

/** @param {Promise<any>} promise @param {number} ms */
function within(promise, ms) {
  let timer = 0;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("The worker did not answer")), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Asks the worker. Chrome may stop it at any moment and its answer is then lost, so requests are repeated unless `once` is set.
 *
 * @type {import("../types/messages").AskWorker} raises `HostRefused` with the worker's code and message
 */
export const askWorker = async (name, params, options = {}) => {
  const tries = options.once ? 1 : TRIES;
  for (let attempt = 1; ; attempt++) {
    try {
      const sent = chrome.runtime.sendMessage({ to: "worker", name, ...params });
      const reply = await within(sent, options.ms ?? ANSWER_MS);
      if (!reply) throw new Error("The worker went away");
      if (!reply.ok) throw new HostRefused(reply.error);
      return reply.result;
    } catch (error) {
      if (error instanceof HostRefused || attempt >= tries) throw error;
      await new Promise((done) => setTimeout(done, 100 * attempt));
    }
  }
};
