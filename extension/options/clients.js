import { element } from "../panel/element.js";
import { askServer, NotAnswered } from "../panel/server.js";
import { displayName } from "../shared/foreign_text.js";

/** @import { AllowedClient } from "../types/delegation" */

/** @param {unknown} error */
const wordsOf = (error) => (error instanceof NotAnswered ? error.notice.text : `Something went wrong: ${error}`);

/**
 * Shows which assistants may start tasks without being asked for, with a button each that takes it back.
 *
 * @param {HTMLElement} box
 */
export async function renderClients(box) {
  const said = box.querySelector(".said") ?? element("p", { class: "said", role: "status" });

  /** @param {AllowedClient} client */
  async function takeBack({ consentId, name }) {
    try {
      await askServer(`/api/delegations/clients/${encodeURIComponent(consentId)}`, { method: "DELETE" });
      said.textContent = `“${displayName(name)}” has to ask again.`;
    } catch (error) {
      said.textContent = wordsOf(error);
    }
    await renderClients(box);
  }

  /** @param {AllowedClient} client */
  function row(client) {
    const name = displayName(client.name);
    const since = new Date(client.createdAt).toLocaleDateString();
    const button = element("button", { type: "button", "aria-label": `Take back: ${name}`, "data-testid": "client-take-back" }, "Take back");
    button.addEventListener("click", () => void takeBack(client));
    const words = element("span", { class: "name", title: `Since ${since}, by the key ${client.keyId}` }, element("bdi", {}, name));
    return element("li", { "data-testid": "client" }, words, button);
  }

  try {
    const { clients } = /** @type {{clients: AllowedClient[]}} */ (await askServer("/api/delegations/clients"));
    const none = element("p", { class: "hint" }, "None yet. The panel asks each time, and can be told to ask no more.");
    box.replaceChildren(clients.length > 0 ? element("ul", { class: "sites", "data-testid": "clients" }, ...clients.map(row)) : none, said);
  } catch (error) {
    box.replaceChildren(element("p", { class: "hint" }, wordsOf(error)), said);
  }
}
