import { button, element } from "../panel/element.js";
import { askServer, errorText } from "../panel/server.js";
import { displayName } from "../shared/text.js";
import { pairingForm } from "../panel/pairing.js";
import { addSiteForm, renderSites } from "../panel/rooms/sites.js";
import { mayNotify, setNotify } from "../panel/notification_permission.js";
import { AddressRefused, storeSettings, normalizeAddress, addressRefusal, storedSettings } from "../shared/server.js";
import { testConnection } from "./connection_check.js";

/** @import { AllowedClient } from "../types/delegation" */

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

/**
 * Shows the assistants that may start tasks without asking, each with a button to revoke it.
 *
 * @param {HTMLElement} box
 */
async function renderClients(box) {
  const status = box.querySelector(".said") ?? element("p", { class: "said", role: "status" });

  /** @param {AllowedClient} client */
  async function revoke({ consentId, name }) {
    try {
      await askServer(`/api/delegations/clients/${encodeURIComponent(consentId)}`, { method: "DELETE" });
      status.textContent = `“${displayName(name)}” must ask again from now on.`;
    } catch (error) {
      status.textContent = errorText(error, "Something went wrong");
    }
    await renderClients(box);
  }

  /** @param {AllowedClient} client */
  function row(client) {
    const name = displayName(client.name);
    const since = new Date(client.createdAt).toLocaleDateString();
    const button = element("button", { type: "button", "aria-label": `Revoke access: ${name}`, "data-testid": "client-take-back" }, "Revoke");
    button.addEventListener("click", () => void revoke(client));
    const words = element("span", { class: "name", title: `Since ${since}, key ${client.keyId}` }, element("bdi", {}, name));
    return element("li", { "data-testid": "client" }, words, button);
  }

  try {
    const { clients } = /** @type {{clients: AllowedClient[]}} */ (await askServer("/api/delegations/clients"));
    const none = element("p", { class: "hint" }, "None yet. The panel asks each time, unless you choose to always allow an assistant.");
    box.replaceChildren(clients.length > 0 ? element("ul", { class: "sites", "data-testid": "clients" }, ...clients.map(row)) : none, status);
  } catch (error) {
    box.replaceChildren(element("p", { class: "hint" }, errorText(error, "Something went wrong")), status);
  }
}

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
