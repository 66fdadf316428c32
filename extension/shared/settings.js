import { settingsOf } from "./server.js";

/** @import { Settings } from "../types/wire" */

/** @returns {Promise<Settings>} what is stored, with the default address where there is none */
export async function storedSettings() {
  return settingsOf(await chrome.storage.local.get("settings"));
}

/** @param {Settings} settings stores them. A session and a conversation belong to a server and a key: others begin afresh. */
export async function keepSettings(settings) {
  const before = await storedSettings();
  const changed = before.serverUrl !== settings.serverUrl || before.apiKey !== settings.apiKey;
  if (changed) await chrome.storage.local.remove(["sessionId", "chatThread", "opinions"]);
  await chrome.storage.local.set({ settings });
}
