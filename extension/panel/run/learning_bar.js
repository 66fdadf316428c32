import { button, element } from "../element.js";

/** @import { Learning, Offer } from "../../types/learning" */
/** @typedef {ReturnType<typeof import("../runner_port.js").connectRunner>["send"]} Send */

const MOST_SHOWN = 2; // offers shown at once; the others wait

/** @param {Offer} offer @param {Send} send */
function line({ key, name }, send) {
  const words = element("p", {}, "“", element("bdi", { title: name }, name), "” was opened. Learn it?");
  const learn = button("Learn", () => send("learn-opened", { key }), { "data-testid": "knowledge-offer-learn", "aria-label": `Learn ${name}`, "data-key": key });
  const not = button("Not now", () => send("learn-not", { key }), { class: "quiet", "aria-label": `Not now: ${name}` });
  const always = button("Always on this page", () => send("learn-always", { wanted: true }), { class: "quiet", "data-testid": "knowledge-offer-always" });
  return element("li", { "data-testid": "knowledge-offer" }, words, element("div", { class: "buttons" }, learn, not, always));
}

/** @param {Learning} learning */
function statusText({ busy, said, on, always, offers }) {
  if (busy || offers.length > 0 || !on) return said;
  const next = always ? "Anything you open on this page is learned too." : "Open something on the page to learn it as well.";
  return said ? `${said} ${next}` : next;
}

/**
 * Shows what is being learned in the tab, and offers to learn what the person opened there.
 *
 * @param {HTMLElement} box @param {Learning} learning @param {Send} send
 */
export function renderLearningBar(box, learning, send) {
  const { on, said, offers, failed, busy } = learning;
  const held = box.contains(document.activeElement);
  box.hidden = !on && !said;
  box.dataset.failed = String(failed);
  const state = box.querySelector(".told") ?? element("p", { class: "told", role: "status" });
  const words = statusText(learning);
  if (state.textContent !== words) state.textContent = words;
  const end = button(on ? "Stop learning" : "Dismiss", () => send("learn-end"), { class: "quiet", "data-testid": "knowledge-learn-end" });
  end.toggleAttribute("disabled", busy);
  const list = element("ul", { "aria-label": "What was opened" }, ...offers.slice(-MOST_SHOWN).reverse().map((offer) => line(offer, send)));
  box.replaceChildren(element("div", { class: "now" }, state, end), ...(offers.length > 0 ? [list] : []));
  if (held && !box.hidden) /** @type {HTMLElement | null} */ (box.querySelector("[data-testid=knowledge-offer-learn], button"))?.focus();
}
