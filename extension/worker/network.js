import { headerOf, isAttachment, observeDownloads } from "./downloads.js";
import { Traffic } from "./traffic.js";

/** @import { TrafficState } from "./traffic.js" */

const UNUSED_MS = 120_000; // a tab nobody asked about for this long is no longer watched

/**
 * The tabs that runs work in. Kept only in this worker: a restarted one starts over, which `since` tells the runner.
 *
 * @type {Map<number, {traffic: Traffic, stop: () => void, timer: number}>}
 */
const watched = new Map();
/** Stops observing downloads; null while no tab is watched. @type {(() => void) | null} */
let stopDownloads = null;

/** Observes one tab's requests without blocking any. @param {number} tabId */
function listen(tabId) {
  const traffic = new Traffic(Date.now());
  const filter = { urls: ["<all_urls>"], tabId };
  const { webRequest } = chrome;
  /** @param {any} request */
  const onStart = (request) => void traffic.begin(request, Date.now());
  /** @param {any} request */
  const onEnd = ({ requestId }) => traffic.end(requestId, Date.now());
  /** @param {any} request */
  const onRequestHeaders = ({ requestId, requestHeaders }) => void traffic.setType(requestId, headerOf(requestHeaders, "accept"));
  /** @param {any} response */
  const onResponse = ({ requestId, responseHeaders }) => {
    traffic.setType(requestId, headerOf(responseHeaders, "content-type"));
    // No page waits for a download.
    if (isAttachment(headerOf(responseHeaders, "content-disposition"))) traffic.end(requestId, Date.now());
  };
  webRequest.onBeforeRequest.addListener(onStart, filter);
  webRequest.onBeforeSendHeaders.addListener(onRequestHeaders, filter, ["requestHeaders"]);
  webRequest.onResponseStarted.addListener(onResponse, filter, ["responseHeaders"]);
  webRequest.onCompleted.addListener(onEnd, filter);
  webRequest.onErrorOccurred.addListener(onEnd, filter);
  const stop = () => {
    webRequest.onBeforeRequest.removeListener(onStart);
    webRequest.onBeforeSendHeaders.removeListener(onRequestHeaders);
    webRequest.onResponseStarted.removeListener(onResponse);
    webRequest.onCompleted.removeListener(onEnd);
    webRequest.onErrorOccurred.removeListener(onEnd);
  };
  return { traffic, stop, timer: 0 };
}

/** @param {number} tabId */
function release(tabId) {
  watched.get(tabId)?.stop();
  watched.delete(tabId);
  if (watched.size > 0) return;
  stopDownloads?.();
  stopDownloads = null;
}

/** The requests of a tab, counted from the first call on. @param {number} tabId @returns {Traffic} */
function trafficOf(tabId) {
  const entry = watched.get(tabId) ?? listen(tabId);
  watched.set(tabId, entry);
  stopDownloads ??= observeDownloads();
  clearTimeout(entry.timer);
  entry.timer = setTimeout(() => release(tabId), UNUSED_MS);
  return entry.traffic;
}

/** Whether the tab is loading another document; also known for sites the extension may not read. @param {number} tabId */
async function isNavigating(tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  return Boolean(tab?.pendingUrl && tab.pendingUrl !== tab.url);
}

/**
 * The network activity of a tab.
 *
 * @param {{tabId: number, actedAt: number | null}} params
 * @returns {Promise<TrafficState & {navigating: boolean}>}
 */
async function state({ tabId, actedAt }) {
  const navigating = await isNavigating(tabId);
  return { ...trafficOf(tabId).state(actedAt, Date.now()), navigating };
}

/** An action is about to start in the tab. @param {{tabId: number}} params */
async function acting({ tabId }) {
  trafficOf(tabId).beginAction(Date.now());
}

/** A wait timed out while the tab was still busy. @param {{tabId: number, from: number}} params `from`: start of the wait, epoch ms */
async function timedOut({ tabId, from }) {
  watched.get(tabId)?.traffic.noteTimeout(from);
}

export const NETWORK_HANDLERS = { "network.state": state, "network.acting": acting, "network.timedOut": timedOut };

chrome.tabs.onRemoved.addListener(release);
