import { displayGoal, displayName } from "../../shared/text.js";
import { byId, element } from "../element.js";
import { handleOptionKey } from "../option_keys.js";
import { askServer, errorText, NotAnswered } from "../server.js";
import { countdown, siteOf } from "../format.js";

/** @import { PendingDelegation } from "../../types/delegation" */
/**
 * `url` is the tab's address, `send` sends to the runner, `left` is called when the card that had the focus disappears.
 * @typedef {{url: () => string, send: ReturnType<typeof import("../runner_port.js").connectRunner>["send"], left: () => void}} DelegationCardHost
 */

const LONGEST_ADDRESS = 160; // characters: about five lines
const FRESH_MS = 300; // a press this soon was meant for the previous card

/** @param {PendingDelegation} one @param {string} here the tab's address @returns {string} where the task would run; "" if that is not a web page */
const placeOf = ({ url }, here) => [url ?? here].find((address) => /^https?:/.test(address) && URL.canParse(address)) ?? "";

/** @param {string} address @returns {Promise<boolean>} must be called from a click of the person */
const requestPermission = (address) => chrome.permissions.request({ origins: [`${new URL(address).origin}/*`] }).catch(() => false);

/**
 * The card with the requests of other assistants: one at a time, oldest first.
 *
 * @param {HTMLElement} box @param {DelegationCardHost} given
 */
export function createDelegationCard(box, { url, send, left }) {
  /** @type {PendingDelegation[]} */
  let asking = [];
  const problem = element("p", { class: "said", role: "alert", "data-testid": "delegation-said" });
  const rest = element("span", { class: "left" });
  /** The requests already announced to screen readers. @type {Set<string>} */
  const announced = new Set();

  /** @returns {HTMLButtonElement[]} */
  const options = () => [...box.querySelectorAll(/** @type {"button"} */ (".option"))];

  /** @param {boolean} busy */
  function setBusy(busy) {
    box.toggleAttribute("aria-busy", busy);
    for (const option of options()) option.disabled = busy || option.dataset.off !== undefined;
  }

  /** @param {() => Promise<unknown>} work */
  async function attempt(work) {
    if (box.hasAttribute("aria-busy")) return;
    problem.textContent = "";
    const held = document.activeElement;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      problem.textContent = errorText(error, "Could not send");
      setBusy(false);
      if (held instanceof HTMLElement && box.contains(held)) held.focus();
    }
  }

  /** @param {PendingDelegation} one @param {string} deed @param {object} body */
  const post = ({ delegationId }, deed, body) => askServer(`/api/delegations/${encodeURIComponent(delegationId)}/${deed}`, { method: "POST", body });

  /** @param {PendingDelegation} one @param {boolean} remember */
  async function allow(one, remember) {
    const address = placeOf(one, url());
    // Must come first: Chrome asks for site access only during the person's own action.
    if (!(await requestPermission(address))) throw new NotAnswered({ kind: "info", text: `Nothing was allowed, because the task needs access to ${siteOf(address)}.` });
    send("delegation-allowed", { delegationId: one.delegationId });
    await post(one, "allow", { remember });
  }

  /** @param {PendingDelegation} one from an assistant that is always allowed, on a site that is not */
  async function grant({ delegationId, needs }) {
    if (!(await requestPermission(String(needs)))) throw new NotAnswered({ kind: "info", text: `The task needs access to ${siteOf(String(needs))}.` });
    send("delegation-granted", { delegationId });
  }

  /** @param {PendingDelegation} one */
  async function giveUp({ delegationId, needs }) {
    send("delegation-give-up", { delegationId, reason: `The person did not allow ${siteOf(String(needs))} in the browser.` });
  }

  /** @param {string} label @param {string} id @param {() => Promise<unknown>} press @param {boolean} [off] disabled for now */
  function option(label, id, press, off = false) {
    const attributes = { type: "button", class: "option", "aria-disabled": "true", "data-id": id, "data-testid": `delegation-${id}`, ...(off ? { "data-off": "", disabled: "" } : {}) };
    const button = element("button", attributes, label);
    button.addEventListener("click", () => button.ariaDisabled !== "true" && void attempt(press));
    setTimeout(() => button.removeAttribute("aria-disabled"), FRESH_MS);
    return button;
  }

  /** @param {PendingDelegation} one */
  function optionsFor(one) {
    if (one.needs) return [option(`Allow ${siteOf(one.needs)}`, "grant", () => grant(one)), option("Don’t do it here", "give-up", () => giveUp(one))];
    const off = !placeOf(one, url());
    return [
      option("Allow", "allow", () => allow(one, false), off),
      option("Refuse", "refuse", () => post(one, "refuse", {})),
      option("Always allow this assistant", "always", () => allow(one, true), off),
    ];
  }

  /** @param {PendingDelegation} one @returns {(Node | string)[]} who asks, set apart from the assistant's own words */
  function heading({ client, recipe, url: address, needs }) {
    const name = element("bdi", { class: "client", title: `Key ${client.keyId}` }, displayName(client.name));
    if (needs) return ["“", name, "” may start tasks, but not on this site yet:"];
    const deed = recipe ? "run a recipe" : "do this";
    return ["“", name, `” wants to ${deed} ${address ? `on ${siteOf(address) || "another page"}` : "here"}:`];
  }

  /** @param {PendingDelegation} one */
  function placeLine(one) {
    if (one.needs) return siteOf(one.needs);
    const address = placeOf(one, url());
    if (!address) return one.url ? "Not a web page" : "No web page. Open one in this tab first.";
    const shown = address.length > LONGEST_ADDRESS ? `${address.slice(0, LONGEST_ADDRESS)}…` : address;
    return one.url ? shown : `${siteOf(address)}, in this tab`;
  }

  /** @param {PendingDelegation} one */
  function fill(one) {
    const more = asking.length > 1 ? ` · 1 of ${asking.length}` : "";
    problem.textContent = "";
    const group = element("div", { class: "options", role: "group", "aria-labelledby": "delegation-title", "data-kind": "approval" }, ...optionsFor(one));
    box.replaceChildren(
      element("p", { class: "about" }, `From another assistant${more}`),
      element("h2", { id: "delegation-title" }, ...heading(one)),
      element("p", { class: "wanted", dir: "auto", tabindex: "0", role: "note", "aria-label": "What it asks for" }, displayGoal(one.goal)),
      element("dl", { class: "facts" }, element("dt", {}, "Where"), element("dd", { dir: "ltr", title: one.url ?? "" }, placeLine(one))),
      group,
      problem,
      element("div", { class: "end" }, rest),
    );
    count();
  }

  function count() {
    const ms = Date.parse(asking[0]?.expiresAt ?? "") - Date.now();
    rest.textContent = Number.isNaN(ms) ? "" : ms > 0 ? `${countdown(ms)} left` : "Time is up";
  }
  setInterval(() => asking.length > 0 && count(), 1000);

  /** @param {PendingDelegation} one */
  function announce(one) {
    const key = `${one.delegationId} ${one.needs ?? ""}`;
    if (announced.has(key)) return;
    announced.add(key);
    byId("announce-delegation").textContent = `${heading(one).map((part) => (typeof part === "string" ? part : part.textContent)).join("")} ${displayGoal(one.goal).slice(0, 400)}`;
  }

  function render() {
    const [one] = asking;
    const state = one ? JSON.stringify([one.delegationId, one.needs, asking.length, placeLine(one)]) : "";
    if (box.dataset.was === state) return;
    const held = box.contains(document.activeElement);
    const stays = box.dataset.id === (one?.delegationId ?? "");
    const at = document.activeElement?.getAttribute("data-id");
    box.dataset.was = state;
    box.dataset.id = one?.delegationId ?? "";
    box.hidden = !one;
    box.toggleAttribute("aria-busy", false);
    box.replaceChildren();
    if (one) {
      fill(one);
      announce(one);
    }
    if (!held) return;
    // The card gets the focus, not a button: the next key press was meant for the previous card.
    const same = stays && at ? /** @type {HTMLElement | null} */ (box.querySelector(`[data-id="${at}"]:enabled`)) : null;
    if (one) (same ?? box).focus();
    else left();
  }

  box.addEventListener("keydown", (event) => {
    if (/** @type {HTMLElement} */ (event.target).classList.contains("wanted")) return; // arrow keys scroll it
    handleOptionKey(event, options().filter(({ disabled }) => !disabled), { approval: true });
  });

  return {
    /** @param {PendingDelegation[]} now the requests, oldest first */
    show(now) {
      asking = now;
      render();
    },
    /** Called when the tab shows another page. */
    moved: render,
  };
}
