import { element } from "../panel/element.js";
import { askServer, errorText } from "../panel/server.js";
import { displayName } from "../shared/text.js";

/** @import { AllowedClient } from "../types/delegation" */

/**
 * Shows the assistants that may start tasks without asking, each with a button to revoke it.
 *
 * @param {HTMLElement} box
 */
export async function renderClients(box) {
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
