import { endpoint, refusalOf } from "../../shared/server.js";
import { storedSettings } from "../../shared/settings.js";

/** An upload that did not come about, in the server's words or ours. */
export class NotUploaded extends Error {}

/** @param {XMLHttpRequest} request @returns {string} why it was refused */
function refusal({ status, responseText }) {
  if (status === 401 || status === 403) return "The server does not accept this browser's key. Pair it again.";
  try {
    const { detail } = JSON.parse(responseText);
    if (typeof detail === "string" && detail) return detail;
  } catch {
    // Not the server's own words.
  }
  return status === 413 ? "The file is larger than the server takes." : `The server answered with status ${status}.`;
}

/**
 * Sends a file, which is read from disk as it goes; `fetch` would not tell how far it is.
 *
 * @param {File} file @param {(share: number) => void} told how much is on its way, 0..1 @param {AbortSignal} signal
 * @returns {Promise<string>} the id of its job; raises `NotUploaded`
 */
export async function upload(file, told, signal) {
  const settings = await storedSettings();
  const { serverUrl, apiKey } = settings;
  const refused = refusalOf(serverUrl);
  if (refused) throw new NotUploaded(refused);
  if (!apiKey) throw new NotUploaded("Pair Tabwright with your server first.");
  const form = new FormData();
  form.append("file", file, file.name);
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => told(total > 0 ? loaded / total : 0);
    request.onload = () => (request.status === 202 ? resolve(JSON.parse(request.responseText).jobId) : reject(new NotUploaded(refusal(request))));
    request.onerror = () => reject(new NotUploaded(`The server at ${serverUrl} does not answer, or does not take the file.`));
    request.onabort = () => reject(new NotUploaded("It was not uploaded."));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", endpoint(settings, "/api/knowledge/ingest"));
    request.setRequestHeader("Authorization", `Bearer ${apiKey}`);
    request.send(form);
  });
}
