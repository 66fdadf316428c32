import { capturesInPage } from "../page/act/capture_main.js";
import { dialogsInPage } from "../page/act/dialogs_main.js";

/** @typedef {import("../types/wire").DialogDecision} Decision */

/**
 * In the page scripts' world of one frame.
 *
 * @param {string} token @param {Decision | null} decision
 * @returns {"fresh" | "armed" | "none"} "fresh": the page's own world has not got its part yet
 */
function armFrame(token, decision) {
  const outside = globalThis.__tabwright?.outside;
  if (!outside) return "none";
  if (outside.connect(token)) return "fresh";
  outside.arm(decision);
  return "armed";
}

/** @param {number} tabId where every frame, at once, also of a page that is still loading */
const everywhere = (tabId) => ({ target: { tabId, allFrames: true }, injectImmediately: true });

/**
 * From now on dialogs of that tab are answered as decided, and windows that it opens are reported.
 *
 * @param {{tabId: number, dialog?: Decision | null}} params
 */
async function arm({ tabId, dialog = null }) {
  const token = crypto.randomUUID();
  const frames = await chrome.scripting.executeScript({ ...everywhere(tabId), func: armFrame, args: [token, dialog] });
  const documentIds = frames.filter(({ result }) => result === "fresh").map(({ documentId }) => documentId);
  if (documentIds.length === 0) return;
  const fresh = { target: { tabId, documentIds }, injectImmediately: true };
  for (const func of [dialogsInPage, capturesInPage]) await chrome.scripting.executeScript({ ...fresh, world: "MAIN", func, args: [token] });
  await chrome.scripting.executeScript({ ...fresh, func: armFrame, args: [token, dialog] });
}

/** @param {{tabId: number}} params the page has its own functions again */
async function disarm({ tabId }) {
  const func = () => globalThis.__tabwright?.outside?.disarm();
  await chrome.scripting.executeScript({ ...everywhere(tabId), func });
}

/** @type {Record<string, (params: any) => Promise<any>>} */
export const DIALOG_HANDLERS = { "page.arm": arm, "page.disarm": disarm };
