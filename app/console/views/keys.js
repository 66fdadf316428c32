/** API keys: made, replaced and ended; a secret is shown once. */

import { get, send } from "../api.js";
import { confirmed } from "../confirm.js";
import { announce, h, bdi } from "../dom.js";
import { empty, errorText } from "../states.js";
import { table } from "../table.js";
import { named, when } from "../words.js";

/** @import { Key, Shown } from "../types/api" */

const GRACE_S = 3_600;
/** A browser gets its key by pairing. @type {[string, string][]} */
const SCOPES = [["api", "API: programs"], ["mcp", "MCP: an assistant"], ["operator", "Operator"], ["admin", "Admin"]];

/** @param {Key} key @returns {[string, string]} state and word */
function stateOf({ revokedAt, expiresAt, rotatedTo }) {
  if (revokedAt) return ["failed", "Revoked"];
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return ["interrupted", "Expired"];
  return rotatedTo ? ["awaiting_user", "Replaced"] : ["completed", "Active"];
}

/** @param {Key} key @returns {boolean} whether it is replaced by pairing alone */
const isBrowsers = ({ scopes }) => scopes.every((scope) => scope === "browser");

/** @param {HTMLElement} body @param {Shown} shown */
export async function showKeys(body, { me, signal }) {
  const admin = me.role === "admin";
  const problem = h("p", { class: "bad", role: "alert" });
  const secret = h("div", { "aria-live": "polite" });
  const list = h("div", {});

  /** @param {() => Promise<any>} work */
  async function change(work) {
    problem.textContent = "";
    try {
      const made = await work();
      if (made?.secret) secret.replaceChildren(secretBox(made, () => secret.replaceChildren()));
      await draw();
    } catch (error) {
      problem.textContent = errorText(error);
    }
  }

  async function draw() {
    /** @type {Key[]} */
    const keys = (await get("keys", {}, signal)).keys;
    list.replaceChildren(keys.length ? keyTable(keys, me.keyId, admin, change) : empty("No keys."));
  }

  await draw();
  body.replaceChildren(...(admin ? [createForm(me.userId, change)] : []), secret, problem, h("h2", {}, "All keys"), list);
}

/** @param {Key[]} keys @param {string} mine @param {boolean} admin @param {(work: () => Promise<any>) => Promise<void>} change */
function keyTable(keys, mine, admin, change) {
  const revoke = async (/** @type {Key} */ key) => {
    const own = key.keyId === mine ? " You are signed in with it." : "";
    if (await confirmed(`Revoke the key “${key.name || key.keyId}” of ${key.userId}? Anything that uses it stops working.${own}`, "Revoke"))
      await change(() => send("DELETE", `keys/${encodeURIComponent(key.keyId)}`).then(() => announce("Revoked")));
  };
  const rotate = async (/** @type {Key} */ key) => {
    if (await confirmed(`Replace the key “${key.name || key.keyId}” of ${key.userId}? The old one stays valid for another hour.`, "Replace"))
      await change(() => send("POST", `keys/${encodeURIComponent(key.keyId)}/rotate`, { graceSeconds: GRACE_S }));
  };
  const doing = (/** @type {Key} */ key) => {
    if (stateOf(key)[1] === "Revoked" || stateOf(key)[1] === "Expired") return null;
    const label = `${key.name || key.keyId} of ${key.userId}`;
    return h("div", { class: "buttons" },
      admin && !key.rotatedTo && !isBrowsers(key) ? h("button", { type: "button", class: "small", "aria-label": `Replace ${label}`, onclick: () => void rotate(key) }, "Replace") : null,
      h("button", { type: "button", class: "small", "aria-label": `Revoke ${label}`, onclick: () => void revoke(key) }, "Revoke"));
  };
  return table({
    caption: "Keys, newest first",
    rows: keys,
    columns: [
      { label: "Key", head: true, wide: true, cell: (key) => h("div", { class: "goal" }, bdi(key.name || "Unnamed", { class: "clamp" }), h("span", { class: "hint cut" }, bdi(key.keyId), key.keyId === mine ? " · in use by you" : "")) },
      { label: "Person", cell: (key) => bdi(key.userId, { class: "cut" }) },
      { label: "Scope", cell: (key) => key.scopes.map(named).join(", ") },
      { label: "State", cell: (key) => h("span", { class: "chip", "data-state": stateOf(key)[0] }, stateOf(key)[1]) },
      { label: "Last used", numeric: true, cell: (key) => when(key.lastUsedAt, "never") },
      { label: "Expires", numeric: true, cell: (key) => when(key.expiresAt, "never") },
      { label: "Actions", end: true, cell: doing },
    ],
  });
}

/** @param {string} user @param {(work: () => Promise<any>) => Promise<void>} change */
function createForm(user, change) {
  const input = (/** @type {string} */ id, /** @type {string} */ label, /** @type {Record<string, unknown>} */ more) =>
    h("div", { class: "field" }, h("label", { for: `key-${id}` }, label), h("input", { id: `key-${id}`, name: id, ...more }));
  const form = h(
    "form",
    { class: "filters", "aria-label": "New key" },
    input("userId", "Person", { required: true, maxlength: "128", value: user }),
    h("div", { class: "field" }, h("label", { for: "key-scope" }, "Scope"), h("select", { id: "key-scope", name: "scope" }, SCOPES.map(([value, told]) => h("option", { value }, told)))),
    input("name", "Name", { maxlength: "100", placeholder: "What it is for" }),
    input("days", "Days until it expires", { type: "number", min: "1", max: "3650", placeholder: "Never" }),
    h("button", { class: "primary" }, "Create key"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const days = String(given.get("days") ?? "");
    const body = { userId: String(given.get("userId")).trim(), scope: given.get("scope"), name: String(given.get("name")).trim() || undefined, expiresInDays: days ? Number(days) : undefined };
    void change(() => send("POST", "keys", body));
  });
  return h("section", {}, h("h2", {}, "New key"), form);
}

/** The one time that a secret is shown. @param {{key: Key, secret: string}} made @param {() => void} close */
function secretBox({ key, secret }, close) {
  const shown = h("input", { id: "secret", class: "secret", readonly: true, value: secret, "data-testid": "secret", spellcheck: "false", autocomplete: "off" });
  const copied = h("span", { class: "hint", role: "status" });
  const copy = async () => {
    shown.select();
    const done = await navigator.clipboard?.writeText(secret).then(() => true, () => false);
    copied.textContent = done ? "Copied" : "Could not copy. Select the key and copy it.";
  };
  return h(
    "section",
    { class: "secret-box" },
    h("label", { for: "secret" }, "The key of ", bdi(key.userId), ", shown only once"),
    shown,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: () => void copy() }, "Copy"), h("button", { type: "button", onclick: close }, "Done"), copied),
  );
}
