/** Requests of other assistants: polling for them while no runner listens, and the tabs they run in. */

import { addressRefusal, sendWithKey, settingsOf } from "../shared/server.js";
import { notifyDelegations } from "./notifications.js";
import { ensureRunner } from "./runner.js";

/** @import { Settings } from "../types/wire" */

const ALARM = "delegations";
const MINUTES = 0.5; // the shortest period Chrome allows
const LONGEST_MS = 10_000;

/** @returns {Promise<Settings | null>} null while there is no server to ask */
async function pairedSettings() {
  const settings = settingsOf(await chrome.storage.local.get("settings"));
  return settings.apiKey && !addressRefusal(settings.serverUrl) ? settings : null;
}

/** Polls as long as there is a server to ask. */
export async function watchForDelegations() {
  if (!(await pairedSettings())) return void (await chrome.alarms.clear(ALARM));
  if (!(await chrome.alarms.get(ALARM))) await chrome.alarms.create(ALARM, { periodInMinutes: MINUTES });
}

/** @param {Settings} settings @returns {Promise<boolean>} whether the server has open delegations */
async function hasOpen(settings) {
  try {
    const answer = await sendWithKey(settings, "/api/delegations", { signal: AbortSignal.timeout(LONGEST_MS) });
    return answer.ok && (await answer.json()).delegations.length > 0;
  } catch {
    return false; // retried at the next alarm
  }
}

/** Starts the runner if there is something for it; a running one hears of it by itself. @param {{name: string}} alarm */
export async function checkDelegations({ name }) {
  if (name !== ALARM || (await chrome.offscreen.hasDocument())) return;
  const settings = await pairedSettings();
  if (settings && (await hasOpen(settings))) await ensureRunner();
}

/** @param {string} url @returns {string} its origin; "" for what is not a web page */
const originOf = (url) => (/^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : "");

/** @param {string} one @param {string} other */
const isSame = (one, other) => URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;

/** @param {number[]} busy @param {string} url @returns {Promise<number | null>} a free tab of exactly that address */
async function tabAt(busy, url) {
  const tabs = await chrome.tabs.query({});
  return tabs.find((tab) => tab.id && !busy.includes(tab.id) && isSame(tab.url ?? "", url))?.id ?? null;
}

/** @param {number | null} tabId the tab a panel shows, if any @returns {Promise<chrome.tabs.Tab | undefined>} that tab, or the active one */
async function tabInFront(tabId) {
  const shown = tabId === null ? undefined : await chrome.tabs.get(tabId).catch(() => undefined);
  return shown ?? (await chrome.tabs.query({ active: true, lastFocusedWindow: true }))[0];
}

/**
 * Where a task runs: at its address, else in the tab that is shown.
 *
 * @param {{url: string | null, tabId: number | null, busy: number[]}} params
 * @returns {Promise<import("../types/delegation").DelegationPlace>} with an empty origin if there is no web page
 */
async function place({ url, tabId, busy }) {
  const tab = url === null ? await tabInFront(tabId) : null;
  const origin = originOf(url ?? tab?.url ?? "");
  const permitted = origin !== "" && (await chrome.permissions.contains({ origins: [`${origin}/*`] }));
  return { origin, permitted, tabId: url === null ? (tab?.id ?? null) : await tabAt(busy, url) };
}

/** @param {{url: string, active: boolean}} params `active`: the person is there to see it @returns {Promise<number>} id of the new tab */
async function open({ url, active }) {
  const { id } = await chrome.tabs.create({ url, active });
  return /** @type {number} */ (id);
}

/** Shows the number of waiting requests and notifies of new ones. @param {{ids: string[], tabId: number | null}} params */
async function waits({ ids, tabId }) {
  await chrome.action.setBadgeText({ text: ids.length > 0 ? String(ids.length) : "" });
  const { delegationsTold = [] } = /** @type {{delegationsTold?: string[]}} */ (await chrome.storage.session.get("delegationsTold"));
  const fresh = ids.filter((id) => !delegationsTold.includes(id));
  if (fresh.length === 0 && ids.length === delegationsTold.length) return;
  await chrome.storage.session.set({ delegationsTold: ids });
  const front = await tabInFront(tabId);
  if (front?.id) await notifyDelegations({ tabId: front.id, waits: ids.length > 0, fresh: fresh.length > 0, inPanel: tabId !== null });
}

export const DELEGATION_HANDLERS = { "delegation.place": place, "delegation.open": open, "delegation.waits": waits };
