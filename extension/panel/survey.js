import { storedSettings } from "../options/settings.js";

/** @import { Situation } from "./situation.js" */

const HEALTH_MS = 3_000;

/** @param {string} serverUrl */
function isUp(serverUrl) {
  const address = `${serverUrl.replace(/\/+$/, "")}/healthz`;
  return fetch(address, { signal: AbortSignal.timeout(HEALTH_MS) }).then((answer) => answer.ok, () => false);
}

/** @param {number} tabId @returns {Promise<Situation>} */
export async function survey(tabId) {
  const { serverUrl, apiKey } = await storedSettings();
  const { url = "" } = await chrome.tabs.get(tabId).catch(() => ({ url: "" }));
  const web = /^https?:/.test(url);
  const permitted = web && (await chrome.permissions.contains({ origins: [`${new URL(url).origin}/*`] }));
  const serverUp = apiKey ? await isUp(serverUrl) : null;
  return { hasKey: Boolean(apiKey), serverUrl, serverUp, url, permitted };
}
