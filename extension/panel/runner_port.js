/** @import { Asking } from "../types/delegation" */
/** @import { Learning } from "../types/learning" */
/** @import { View } from "../types/run" */

const AGAIN_MS = 300;

/**
 * A line to the runner that is opened again whenever it breaks; the worker starts the runner if it
 * is gone.
 *
 * @param {number} tabId @param {{view: (view: View) => void, learning: (learning: Learning) => void, asking: (asking: Asking[]) => void}} hear
 */
export function connectRunner(tabId, hear) {
  /** @type {chrome.runtime.Port | null} */
  let port = null;
  let closed = false;
  /** What was said before the line was open. @type {object[]} */
  let unsaid = [];

  async function open() {
    if (closed) return;
    try {
      await chrome.runtime.sendMessage({ to: "worker", name: "runner.ensure" });
    } catch {
      // The worker was stopped under the message; the next try wakes it.
    }
    if (closed) return;
    port = chrome.runtime.connect({ name: "tabwright.panel" });
    port.onMessage.addListener((message) => {
      if (message.kind === "view") hear.view(message.view);
      else if (message.kind === "learning") hear.learning(message.learning);
      else if (message.kind === "delegations") hear.asking(message.asking);
    });
    port.onDisconnect.addListener(() => {
      port = null;
      void chrome.runtime.lastError; // "no receiving end": read, so that it is not reported
      setTimeout(open, AGAIN_MS);
    });
    for (const message of [{ kind: "attach", tabId }, ...unsaid]) port.postMessage(message);
    unsaid = [];
  }

  void open();
  return {
    /** @param {string} kind @param {object} [message] */
    send(kind, message = {}) {
      if (port) port.postMessage({ ...message, kind });
      else unsaid.push({ ...message, kind });
    },
    close() {
      closed = true;
      port?.disconnect();
    },
  };
}
