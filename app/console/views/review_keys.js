/** Keys of the review queue, and the line that tells of them. */

import { h } from "../dom.js";

/** @typedef {Record<string, () => void>} Keys what each key does, by `KeyboardEvent.key` */

const WRITES = "input, textarea, select, [contenteditable]";

/**
 * Single keys work wherever nothing is written, Ctrl+Enter and Escape everywhere.
 *
 * @param {AbortSignal} signal until then @param {Keys} keys @param {Keys} [everywhere]
 */
export function listen(signal, keys, everywhere = {}) {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.defaultPrevented || event.isComposing || event.altKey || document.querySelector("dialog[open]")) return;
      const writes = event.target instanceof Element && event.target.closest(WRITES) !== null;
      const chord = event.ctrlKey || event.metaKey;
      const name = chord ? `Ctrl+${event.key}` : event.key;
      const act = everywhere[name] ?? (writes || chord ? undefined : keys[name]);
      if (!act) return;
      event.preventDefault();
      act();
    },
    { signal },
  );
}

/** @param {[string[], string][]} keys each with what it does */
export const legend = (keys) =>
  h("p", { class: "keys hint" }, keys.map(([names, does]) => h("span", {}, names.map((name) => h("kbd", {}, name)), ` ${does}`)));
