import { addressRefusal, send, storedSettings } from "../../shared/server.js";

/** @import { Settings } from "../../types/wire" */
/** @import { Notice, View } from "../../types/run" */

const HEALTH_MS = 3_000;

/** @param {Settings} settings */
function isUp(settings) {
  return send(settings, "/healthz", { signal: AbortSignal.timeout(HEALTH_MS) }).then((answer) => answer.ok, () => false);
}

/** @param {number} tabId @returns {Promise<Situation>} */
export async function readSituation(tabId) {
  const settings = await storedSettings();
  const { serverUrl, apiKey } = settings;
  const { url = "" } = await chrome.tabs.get(tabId).catch(() => ({ url: "" }));
  const web = /^https?:/.test(url);
  const permitted = web && (await chrome.permissions.contains({ origins: [`${new URL(url).origin}/*`] }));
  const refused = addressRefusal(serverUrl);
  const serverUp = apiKey && !refused ? await isUp(settings) : null;
  return { hasKey: Boolean(apiKey), serverUrl, refused, serverUp, url, permitted };
}

/** What the panel knows of the world around the run; `refused` is why the server's address is not used, "" where it is.
 * @typedef {{hasKey: boolean, serverUrl: string, refused: string, serverUp: boolean | null, url: string, permitted: boolean}} Situation
 */

/** @param {Situation} situation @returns {Notice | null} what stands in the way of a run, most basic first */
function obstacle({ hasKey, serverUrl, refused, serverUp, url, permitted }) {
  if (!hasKey) {
    const text = "Pair Tabwright with your server to begin.";
    return { kind: "first-run", text, button: { label: "Enter address and key instead", does: "settings" } };
  }
  if (refused) return { kind: "auth", text: refused, button: { label: "Open settings", does: "settings" } };
  if (serverUp === false) {
    const text = `The server at ${serverUrl} does not answer. Start it, then try again.`;
    return { kind: "offline", text, button: { label: "Try again", does: "retry" } };
  }
  if (!/^https?:/.test(url)) return { kind: "page", text: "Tabwright works on web pages. Open one in this tab to begin." };
  if (!permitted) {
    const { host, origin } = new URL(url);
    const text = `Tabwright may not work on ${host} yet.`;
    return { kind: "permission", text, button: { label: `Allow ${host}`, does: "grant", origin } };
  }
  return null;
}

/**
 * The notice to show: the run's own, or what stands in the way of the next one.
 *
 * @param {View} view @param {Situation | null} situation null while it is not known
 * @param {string} [dismissed] the text of a notice that the person has put away or seen to
 * @returns {Notice | null}
 */
export function noticeFor(view, situation, dismissed = "") {
  const live = view.state === "running" || view.state === "waiting";
  const own = view.notice;
  // A run that ended for want of a key says so until there is one.
  const seenTo = own?.text === dismissed || (own?.kind === "first-run" && situation?.hasKey);
  if (own && !seenTo) return own;
  return live || !situation ? null : obstacle(situation);
}
