/** The frame: who is signed in, which section is shown, and the way between them. */

import { whoIs } from "./api.js";
import { announce, h, bdi } from "./dom.js";
import { here, to } from "./router.js";
import { key, keep, signOut } from "./session.js";
import { SECTIONS } from "./sections.js";
import { signIn } from "./sign_in.js";
import { failure, loading } from "./states.js";
import { refreshTimes } from "./words.js";

/** @import { Me } from "./types/api" */
/** @import { Section } from "./sections.js" */

const TICK_MS = 30_000;
const RANKS = { user: 0, operator: 1, admin: 2 };
const app = /** @type {HTMLElement} */ (document.getElementById("app"));

/** @type {Me | null} */
let me = null;
let leave = new AbortController();

/** @param {Section} section @param {Me} who */
const allows = (section, who) => RANKS[who.role] >= RANKS[section.role];

/** @param {string} [why] */
function showSignIn(why = "") {
  leave.abort();
  me = null;
  document.title = "Sign in · Tabwright console";
  app.replaceChildren(
    signIn(why, async (given) => {
      const who = await whoIs(given);
      keep(given);
      await enter(who);
    }),
  );
  app.querySelector("input")?.focus();
}

/** @param {Me} who */
async function enter(who) {
  me = who;
  app.replaceChildren(bar(who), h("main", { id: "main", tabindex: "-1" }));
  await show(false);
}

/** @param {Me} who */
function bar(who) {
  const menu = h("button", { type: "button", class: "menu", "aria-expanded": "false", "aria-controls": "sections" }, "Menu");
  const links = SECTIONS.filter((one) => allows(one, who) && !one.hidden).map(({ name, title }) =>
    h("li", {}, h("a", { href: to(name), "data-section": name }, title)),
  );
  const nav = h("nav", { id: "sections", "aria-label": "Sections" }, h("ul", {}, links));
  const open = (/** @type {boolean} */ opened) => {
    menu.setAttribute("aria-expanded", String(opened));
    nav.toggleAttribute("data-open", opened);
  };
  menu.addEventListener("click", () => open(menu.getAttribute("aria-expanded") !== "true"));
  nav.addEventListener("click", () => open(false));
  nav.addEventListener("keydown", (event) => event.key === "Escape" && (open(false), menu.focus()));
  return h(
    "header",
    { class: "bar" },
    h("a", { class: "skip", href: "#main", onclick: skip }, "Skip to content"),
    h("strong", { class: "brand" }, "Tabwright"),
    menu,
    nav,
    h("p", { class: "who" }, bdi(who.userId), h("span", { class: "hint" }, bdi(who.tenantId), ` · ${who.role}`)),
    h("button", { type: "button", onclick: () => signOut() }, "Sign out"),
  );
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** @param {boolean} moved whether the reader went there */
async function show(moved = true) {
  if (!me) return;
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const place = here();
  const section = SECTIONS.find(({ name }) => name === place.name);
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  if (!section || !allows(section, me)) return location.replace(to("tasks"));
  for (const link of document.querySelectorAll("[data-section]"))
    mark(link, link.getAttribute("data-section") === (section.under ?? section.name));
  document.title = `${section.title} · Tabwright console`;
  const title = h("h1", { tabindex: "-1" }, section.title);
  const body = h("div", { class: "section" }, loading());
  main.replaceChildren(title, body);
  scrollTo(0, 0);
  if (moved) title.focus({ preventScroll: true });
  await fill(section, body, { me, ...place, signal });
}

/** @param {Element} link @param {boolean} current */
function mark(link, current) {
  if (current) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

/** @param {Section} section @param {HTMLElement} body @param {Omit<import("./types/api").Shown, "again">} shown */
async function fill(section, body, shown) {
  const again = () => fill(section, body, shown);
  try {
    await section.show(body, { ...shown, again });
  } catch (error) {
    if (shown.signal.aborted) return;
    if (error instanceof TypeError || error instanceof ReferenceError) console.error(error);
    body.replaceChildren(failure(error, again));
    announce("This section could not be loaded");
  }
}

async function start() {
  if (!key()) return showSignIn();
  try {
    await enter(await whoIs(key()));
  } catch (error) {
    if (/** @type {{status?: number}} */ (error).status === 401) return signOut("Your API key is no longer valid. Sign in with another one.");
    app.replaceChildren(h("main", { class: "alone" }, failure(error, start)));
  }
}

addEventListener("hashchange", () => show());
addEventListener("signed-out", (event) => showSignIn(/** @type {CustomEvent} */ (event).detail));
setInterval(refreshTimes, TICK_MS);
void start();
