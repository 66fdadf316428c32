import { element } from "../../element.js";
import { askServer } from "../../server.js";
import { showFailure } from "../../rooms/sessions.js";
import { quoted, showPassage } from "./passage.js";
import { openSheet } from "./sheet.js";

/** @import { OpenSource } from "../contracts.js" */
/** @import { Fail } from "./parts.js" */

/** @type {Fail} */
const fail = (box, error, again) => showFailure(box, error, ({ does }) => (does === "settings" ? void chrome.runtime.openOptionsPage() : again()));

/** @type {OpenSource} shows what a citation stands on: the passage in its document, or the words of a page */
export function openSource(citation, { origin, current }) {
  const { body, heading, isOpen } = openSheet(citation.title || citation.label, { origin });
  const titled = (/** @type {string} */ title) => {
    heading.textContent = title || citation.title;
    return isOpen();
  };
  const show = () =>
    showPassage(body, citation, { ask: askServer, fail, titled, current }).catch((error) => {
      if (!isOpen()) return;
      const box = element("div");
      fail(box, error, show);
      body.replaceChildren(box, ...quoted(citation));
    });
  void show();
}
