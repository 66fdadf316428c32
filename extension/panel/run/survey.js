import { refusalOf, send } from "../../shared/server.js";
import { storedSettings } from "../../shared/settings.js";

/** @import { Settings } from "../../types/wire" */
/** @import { Situation } from "./situation.js" */

const HEALTH_MS = 3_000;

/** @param {Settings} settings */
function isUp(settings) {
  return send(settings, "/healthz", { signal: AbortSignal.timeout(HEALTH_MS) }).then((answer) => answer.ok, () => false);
}

/** @param {number} tabId @returns {Promise<Situation>} */
export async function survey(tabId) {
  const settings = await storedSettings();
  const { serverUrl, apiKey } = settings;
  const { url = "" } = await chrome.tabs.get(tabId).catch(() => ({ url: "" }));
  const web = /^https?:/.test(url);
  const permitted = web && (await chrome.permissions.contains({ origins: [`${new URL(url).origin}/*`] }));
  const refused = refusalOf(serverUrl);
  const serverUp = apiKey && !refused ? await isUp(settings) : null;
  return { hasKey: Boolean(apiKey), serverUrl, refused, serverUp, url, permitted };
}
