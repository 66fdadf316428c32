import { reportToRunner } from "../shared/messages.js";

/** @import { Download } from "../types/wire" */

const READ_MS = 4_000; // a file that takes longer to fetch again is reported without its content
const MOST_NAME = 200;
const MOST_ANSWERS = 500; // of frames, kept until their navigation ends
const ABORTED = "net::ERR_ABORTED"; // what the navigation ends with that became a download
const WITHOUT_CONTENT = new Set([204, 205]);

/** The last answer to a navigation, by the tab and the frame. @type {Map<string, {url: string, told: boolean, download: Download}>} */
const answers = new Map();

/** @param {{name: string, value?: string}[] | undefined} headers @param {string} name */
export const headerOf = (headers, name) => headers?.find((header) => header.name.toLowerCase() === name)?.value ?? "";

/** @param {string} disposition a Content-Disposition @returns {boolean} whether the browser saves it instead of showing it */
export const isAttachment = (disposition) => /^\s*attachment\b/i.test(disposition);

/** @param {string} text percent-encoded; other text is returned as it is */
function decodeWord(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The name in a `Content-Disposition` (RFC 6266), "" for none. @param {string} disposition */
function dispositionName(disposition) {
  const coded = /;\s*filename\*\s*=\s*"?utf-8'[^']*'([^";]+)/i.exec(disposition);
  if (coded) return decodeWord(coded[1].trim());
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition);
  return plain ? (plain[1]?.replace(/\\(.)/g, "$1") ?? plain[2].trim()) : "";
}

/** The file name of a download, without a path. @param {string} disposition @param {string} url */
export function nameOf(disposition, url) {
  const path = URL.canParse(url) ? decodeWord(new URL(url).pathname) : "";
  const [named, last] = [dispositionName(disposition), path].map((whole) => whole.replace(/\p{Cc}/gu, "").split(/[/\\]/).at(-1)?.trim() ?? "");
  const name = named || last || "download";
  const ending = /\.\w{1,8}$/.exec(name)?.[0] ?? "";
  return name.length <= MOST_NAME ? name : name.slice(0, MOST_NAME - ending.length) + ending;
}

/** The opener of each tab: the browser closes a tab that was only for a download before it can be asked. @type {Map<number, number>} */
const openers = new Map();

/** @param {number} tabId @param {number} opener */
export function storeOpener(tabId, opener) {
  openers.set(tabId, opener);
}

/** Reports a download; one in a new tab belongs to the tab that opened it. @param {number} tabId @param {Download} download */
async function reportDownloadIn(tabId, download) {
  const opener = openers.get(tabId) ?? (await chrome.tabs.get(tabId).catch(() => null))?.openerTabId;
  await reportToRunner("download", { tabId, opener, download });
}

/** @param {any} response for a document, or for a link that is saved @returns {undefined} */
function onResponse({ tabId, frameId, type, url, method, statusCode, responseHeaders }) {
  if (statusCode < 200 || statusCode > 299 || WITHOUT_CONTENT.has(statusCode)) return;
  const disposition = headerOf(responseHeaders, "content-disposition");
  const length = headerOf(responseHeaders, "content-length");
  const attached = isAttachment(disposition);
  if (type === "other" && !attached) return;
  const mime = headerOf(responseHeaders, "content-type");
  const download = { name: nameOf(disposition, url), url, mime, attached, again: method === "GET", ...(/^\d+$/.test(length) ? { size: Number(length) } : {}) };
  const key = `${tabId} ${frameId}`;
  answers.delete(key); // the newest last
  answers.set(key, { url, told: attached, download });
  if (answers.size > MOST_ANSWERS) answers.delete([...answers.keys()][0]);
  if (attached) void reportDownloadIn(tabId, download);
}

/**
 * Whether a failed navigation became a download; if it was not reported before, it is reported now.
 *
 * @param {{tabId: number, frameId: number, url: string, error: string}} failed
 */
export function reportDownload({ tabId, frameId, url, error }) {
  const key = `${tabId} ${frameId}`;
  const answer = error === ABORTED ? answers.get(key) : undefined;
  if (answer?.url !== url) return false;
  answers.delete(key);
  if (!answer.told) void reportDownloadIn(tabId, answer.download);
  return true;
}

/** Observes downloads. @returns {() => void} stops it */
export function observeDownloads() {
  const filter = /** @type {chrome.webRequest.RequestFilter} */ ({ urls: ["<all_urls>"], types: ["main_frame", "sub_frame", "other"] });
  chrome.webRequest.onHeadersReceived.addListener(onResponse, filter, ["responseHeaders"]);
  return () => {
    chrome.webRequest.onHeadersReceived.removeListener(onResponse);
    answers.clear();
    openers.clear();
  };
}

/** @param {Response} response @param {number} most bytes @returns {Promise<Blob | null>} null if there are more */
async function readAtMost(response, most) {
  const pieces = [];
  let size = 0;
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces);
    size += value.length;
    if (size > most) return reader.cancel().then(() => null);
    pieces.push(value);
  }
}

/** @param {string} type a media type with its parameters */
const essence = (type) => type.split(";", 1)[0].trim().toLowerCase();

/**
 * Fetches a file again with the person's cookies: the browser lets no extension read what it saves.
 *
 * @param {{download: Download, most: number}} params
 * @returns {Promise<{data: string} | {unread: string}>} base64
 */
async function read({ download: { url, mime = "", attached }, most }) {
  try {
    const response = await fetch(url, { credentials: "include", signal: AbortSignal.timeout(READ_MS) });
    const { headers } = response;
    const isIt = attached === isAttachment(headers.get("content-disposition") ?? "") && essence(mime) === essence(headers.get("content-type") ?? "");
    const same = attached === undefined || isIt; // a link's target is unknown until it is fetched
    if (!response.ok || !same) return { unread: "the site answered otherwise when it was asked for the file again" };
    const found = await readAtMost(response, most);
    if (!found) return { unread: "it is too large to be read" };
    const bytes = new Uint8Array(await found.arrayBuffer());
    let binary = "";
    for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
    return { data: btoa(binary) };
  } catch {
    return { unread: "the site did not give the file again in time" };
  }
}

export const DOWNLOAD_HANDLERS = { "download.read": read };
