/** @import { Asking } from "../types/delegation" */
/** @import { PanelCommands } from "../types/messages" */
/** @import { Learning } from "../types/learning" */
/** @import { View } from "../types/run" */

const AGAIN_MS = 300;

/**
 * A port to the runner that reconnects when it breaks; the worker starts the runner if it is gone.
 *
 * @param {number} tabId @param {{view: (view: View) => void, learning: (learning: Learning) => void, asking: (asking: Asking[]) => void}} on
 */
export function connectRunner(tabId, on) {
  /** @type {chrome.runtime.Port | null} */
  let port = null;
  let closed = false;
  /** Messages sent before the port was open. @type {object[]} */
  let queued = [];

  async function open() {
    if (closed) return;
    try {
      await chrome.runtime.sendMessage({ to: "worker", name: "runner.ensure" });
    } catch {
      // The worker stopped while it handled the message; the next attempt wakes it.
    }
    if (closed) return;
    port = chrome.runtime.connect({ name: "tabwright.panel" });
    port.onMessage.addListener((message) => {
      if (message.kind === "view") on.view(message.view);
      else if (message.kind === "learning") on.learning(message.learning);
      else if (message.kind === "delegations") on.asking(message.asking);
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
