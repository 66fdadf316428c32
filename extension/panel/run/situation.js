import { addressRefusal, ProtocolMismatch, send, storedSettings } from "../../shared/server.js";

/** @import { Settings } from "../../types/wire" */
/** @import { Notice, View } from "../../types/run" */

const HEALTH_MS = 3_000;

/**
 * What the panel knows besides the run. `refused`: why the server's address may not be used, `mismatch`: which side to update; "" if neither applies.
 * `serverUp`: null if there is no server to check.
 *
 * @typedef {{hasKey: boolean, serverUrl: string, refused: string, mismatch: string, serverUp: boolean | null, url: string, permitted: boolean}} Situation
 */

/** @param {Settings} settings @returns {Promise<{serverUp: boolean, mismatch: string}>} */
function checkServer(settings) {
  return send(settings, "/healthz", { signal: AbortSignal.timeout(HEALTH_MS) }).then(
    (answer) => ({ serverUp: answer.ok, mismatch: "" }),
    (error) => (error instanceof ProtocolMismatch ? { serverUp: true, mismatch: error.message } : { serverUp: false, mismatch: "" }),
  );
}

/** @param {number} tabId @returns {Promise<Situation>} */
export async function readSituation(tabId) {
  const settings = await storedSettings();
  const { serverUrl, apiKey } = settings;
  const { url = "" } = await chrome.tabs.get(tabId).catch(() => ({ url: "" }));
  const web = /^https?:/.test(url);
  const permitted = web && (await chrome.permissions.contains({ origins: [`${new URL(url).origin}/*`] }));
  const refused = addressRefusal(serverUrl);
  const checked = apiKey && !refused ? await checkServer(settings) : { serverUp: null, mismatch: "" };
  return { hasKey: Boolean(apiKey), serverUrl, refused, ...checked, url, permitted };
}

/** @param {Situation} situation @returns {Notice | null} what prevents a run, the most basic obstacle first */
function findObstacle({ hasKey, serverUrl, refused, mismatch, serverUp, url, permitted }) {
  if (!hasKey) {
    const text = "Pair Tabwright with your server to begin.";
    return { kind: "first-run", text, button: { label: "Enter address and key instead", does: "settings" } };
  }
  if (refused) return { kind: "auth", text: refused, button: { label: "Open settings", does: "settings" } };
  if (mismatch) return { kind: "error", text: mismatch, button: { label: "Try again", does: "retry" } };
  if (serverUp === false) {
    const text = `The server at ${serverUrl} is not responding. Start it, then try again.`;
    return { kind: "offline", text, button: { label: "Try again", does: "retry" } };
  }
  if (!/^https?:/.test(url)) return { kind: "page", text: "Tabwright works on web pages. Open one in this tab to begin." };
  if (!permitted) {
    const { host, origin } = new URL(url);
    const text = `Tabwright needs permission to work on ${host}.`;
    return { kind: "permission", text, button: { label: `Allow ${host}`, does: "grant", origin } };
  }
  return null;
}

/**
 * The notice to show: the run's own, or what prevents the next one.
 *
 * @param {View} view @param {Situation | null} situation null until it is known
 * @param {string} [dismissed] the text of a notice that the person dismissed or resolved
 * @returns {Notice | null}
 */
export function noticeFor(view, situation, dismissed = "") {
  const live = view.state === "running" || view.state === "waiting";
  const own = view.notice;
  // A run that ended without a key says so until there is one.
  const resolved = own?.text === dismissed || (own?.kind === "first-run" && situation?.hasKey);
  if (own && !resolved) return own;
  return live || !situation ? null : findObstacle(situation);
}
