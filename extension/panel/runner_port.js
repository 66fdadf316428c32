import { PORTS, askWorker, handlePort } from "../shared/messages.js";

/** @import { PendingDelegation } from "../types/delegation" */
/** @import { PanelCommands } from "../types/messages" */
/** @import { Learning } from "../types/learning" */
/** @import { View } from "../types/run" */

const AGAIN_MS = 300;

/**
 * A port to the runner that reconnects when it breaks; the worker starts the runner if it is gone.
 *
 * @param {number} tabId @param {{view: (view: View) => void, learning: (learning: Learning) => void, asking: (asking: PendingDelegation[]) => void}} on
 */
export function connectRunner(tabId, on) {
  /** @type {chrome.runtime.Port | null} */
  let port = null;
  let closed = false;
  /** Messages sent before the port was open. @type {object[]} */
  let queued = [];

  async function open() {
    if (closed) return;
    await askWorker("runner.ensure").catch(() => undefined); // tried again when the port breaks
    if (closed) return;
    port = chrome.runtime.connect({ name: PORTS.panel });
    handlePort(port, {
      view: ({ view }) => on.view(view),
      learning: ({ learning }) => on.learning(learning),
      delegations: ({ asking }) => on.asking(asking),
    });
    port.onDisconnect.addListener(() => {
      port = null;
      void chrome.runtime.lastError; // "no receiving end": reading it keeps Chrome from reporting it
      setTimeout(open, AGAIN_MS);
    });
    for (const message of [{ kind: "attach", tabId }, ...queued]) port.postMessage(message);
    queued = [];
  }

  void open();
  return {
    /** @template {keyof PanelCommands} K @param {K} kind @param {PanelCommands[K]} [params] */
    send(kind, params) {
      const message = { ...params, kind };
      if (port) port.postMessage(message);
      else queued.push(message);
    },
    close() {
      closed = true;
      port?.disconnect();
    },
  };
}
