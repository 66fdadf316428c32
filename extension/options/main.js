import { normalAddress, testConnection } from "./connection.js";

/** @import { Settings } from "../types/wire" */

const DEFAULT_SERVER = "http://127.0.0.1:8787";

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));
const server = input("server-url");
const key = input("api-key");

/** @param {string} text */
function say(text) {
  /** @type {HTMLElement} */ (document.getElementById("said")).textContent = text;
}

/** @returns {Promise<Partial<Settings>>} */
async function stored() {
  const { settings } = await chrome.storage.local.get("settings");
  return /** @type {Partial<Settings> | undefined} */ (settings) ?? {};
}

/** Stores what is typed. A session belongs to a server and a key: another one begins afresh. */
async function save() {
  const settings = { serverUrl: normalAddress(server.value), apiKey: key.value.trim() };
  const before = await stored();
  const changed = before.serverUrl !== settings.serverUrl || before.apiKey !== settings.apiKey;
  if (changed) await chrome.storage.local.remove("sessionId");
  await chrome.storage.local.set({ settings });
  server.value = settings.serverUrl;
  return settings;
}

/** @param {() => Promise<void>} work says in words why it failed */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    say(error instanceof TypeError ? "That is no web address." : String(error));
  }
}

document.getElementById("settings")?.addEventListener("submit", (event) => {
  event.preventDefault();
  void attempt(async () => {
    await save();
    say("Saved.");
  });
});
document.getElementById("test")?.addEventListener("click", () => {
  void attempt(async () => {
    say("Asking the server…");
    say((await testConnection(await save())).text);
  });
});

const { serverUrl = DEFAULT_SERVER, apiKey = "" } = await stored();
server.value = serverUrl;
key.value = apiKey;
