import { renderClients } from "./clients.js";
import { pairingForm } from "../panel/pairing_form.js";
import { addSiteForm, renderSites } from "../panel/rooms/sites.js";
import { mayNotify, setNotify } from "../panel/notification_permission.js";
import { AddressRefused, storeSettings, normalizeAddress, addressRefusal, storedSettings } from "../shared/server.js";
import { testConnection } from "./connection_check.js";

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const server = /** @type {HTMLInputElement} */ (byId("server-url"));
const key = /** @type {HTMLInputElement} */ (byId("api-key"));

/** @param {string} text */
function say(text) {
  byId("said").textContent = text;
}

/** Shows the stored settings. */
async function fill() {
  const { serverUrl, apiKey } = await storedSettings();
  server.value = serverUrl;
  key.value = apiKey;
  const refused = addressRefusal(serverUrl);
  if (refused) say(refused);
}

async function showNotify() {
  const may = await mayNotify();
  byId("notify").setAttribute("aria-pressed", String(may));
  byId("notify").textContent = may ? "Turn off notifications" : "Notify me when a question is waiting";
}

/** Stores the settings. */
async function save() {
  const settings = { serverUrl: normalizeAddress(server.value), apiKey: key.value.trim() };
  await storeSettings(settings);
  server.value = settings.serverUrl;
  return settings;
}

/** Shows an error message if the work fails. @param {() => Promise<void>} work */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    say(error instanceof AddressRefused ? error.message : String(error));
  }
}

const test = async () => {
  say("Loading…");
  say((await testConnection(await save())).text);
};

byId("settings").addEventListener("submit", (event) => {
  event.preventDefault();
  void attempt(async () => {
    await save();
    say("Saved.");
  });
});
byId("notify").addEventListener("click", async () => {
  await setNotify(byId("notify").getAttribute("aria-pressed") !== "true");
  await showNotify();
});
byId("test").addEventListener("click", () => void attempt(test));
byId("pairing").append(
  pairingForm(() => {
    void fill().then(() => attempt(test));
  }),
);
byId("add").append(addSiteForm());
for (const event of [chrome.permissions.onAdded, chrome.permissions.onRemoved]) {
  event.addListener(() => void Promise.all([renderSites(byId("sites")), showNotify()]));
}
await fill();
await showNotify();
await renderSites(byId("sites"));
await renderClients(byId("clients"));
chrome.storage.onChanged.addListener(({ settings }) => settings && void renderClients(byId("clients")));
