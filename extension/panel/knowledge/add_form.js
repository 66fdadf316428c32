import { addressRefusal, endpoint, mismatchText, PROTOCOL_HEADER, protocolHeaders, storedSettings } from "../../shared/server.js";
import { element, onEscape } from "../element.js";
import { askServer, errorText } from "../server.js";

/** A failed upload; the message says why. */
class NotUploaded extends Error {}

/** @param {XMLHttpRequest} request @returns {string} why it was refused */
function refusal(request) {
  const { status, responseText } = request;
  const mismatch = mismatchText(status, request.getResponseHeader(PROTOCOL_HEADER));
  if (mismatch) return mismatch;
  if (status === 401 || status === 403) return "The server does not accept this browser's key. Pair it again.";
  try {
    const { detail } = JSON.parse(responseText);
    if (typeof detail === "string" && detail) return detail;
  } catch {
    // The body is not a problem of the server's.
  }
  return status === 413 ? "The file is larger than the server accepts." : `The server responded with status ${status}.`;
}

/**
 * Uploads a file, streamed from disk. `fetch` reports no upload progress, hence XMLHttpRequest.
 *
 * @param {File} file @param {(share: number) => void} onProgress the share sent, 0 to 1 @param {AbortSignal} signal
 * @returns {Promise<string>} the id of its job; raises `NotUploaded`
 */
async function upload(file, onProgress, signal) {
  const settings = await storedSettings();
  const { serverUrl, apiKey } = settings;
  const refused = addressRefusal(serverUrl);
  if (refused) throw new NotUploaded(refused);
  if (!apiKey) throw new NotUploaded("Pair Tabwright with your server first.");
  const form = new FormData();
  form.append("file", file, file.name);
  const headers = { ...(await protocolHeaders(settings)), Authorization: `Bearer ${apiKey}` };
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => (request.status === 202 ? resolve(JSON.parse(request.responseText).jobId) : reject(new NotUploaded(refusal(request))));
    request.onerror = () => reject(new NotUploaded(`The server at ${serverUrl} is not responding, or rejected the file.`));
    request.onabort = () => reject(new NotUploaded("The upload was cancelled."));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", endpoint(settings, "/api/knowledge/ingest"));
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(form);
  });
}

/** @typedef {ReturnType<typeof import("./jobs.js").jobsSection>} Jobs */

const WAYS = [["single", "This page"], ["sitemap", "All pages in its sitemap"], ["spider", "Follow links"]];

/** @param {string} name @param {Record<string, string>} limits @param {string} label */
function numberField(name, limits, label) {
  const input = element("input", { type: "number", name, id: `knowledge-${name}`, inputmode: "numeric", ...limits });
  return element("div", { class: "field" }, element("label", { for: `knowledge-${name}` }, label), input);
}

/** Uploads files one after the other: in parallel they would not arrive sooner. @param {Jobs} jobs @returns {(files: Iterable<File>) => Promise<void>} */
function createUploads(jobs) {
  let last = Promise.resolve();

  /** @param {File} file @param {ReturnType<Jobs["waiting"]>} line @param {AbortSignal} signal */
  async function uploadOne(file, line, signal) {
    if (signal.aborted) return line.end();
    try {
      const jobId = await upload(file, line.tell, signal);
      line.end();
      jobs.add(await askServer(`/api/knowledge/jobs/${encodeURIComponent(jobId)}`));
    } catch (error) {
      if (signal.aborted) line.end();
      else line.fail(errorText(error));
    }
  }

  return (files) => {
    for (const file of files) {
      const abort = new AbortController();
      const line = jobs.waiting(file.name, () => abort.abort());
      last = last.then(() => uploadOne(file, line, abort.signal));
    }
    return last;
  };
}

/** @param {(files: Iterable<File>) => Promise<void>} take */
function fileButton(take) {
  const input = element("input", { type: "file", multiple: "", id: "knowledge-files", class: "unseen", tabindex: "-1", "aria-label": "Files to add", "data-testid": "knowledge-upload" });
  const button = element("button", { type: "button" }, "Add files");
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = ""; // so that the same file can be chosen again
    void take(files);
  });
  return [button, input];
}

/** Accepts files dropped anywhere in the room. @param {HTMLElement} room @param {(files: Iterable<File>) => Promise<void>} take */
function acceptDrops(room, take) {
  room.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    room.toggleAttribute("data-over", true);
  });
  for (const name of ["dragleave", "drop"]) room.addEventListener(name, () => room.toggleAttribute("data-over", false));
  room.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    void take(event.dataTransfer.files);
  });
}

/** @param {FormData} form @returns {object} the request body */
function linkRequest(form) {
  const typed = String(form.get("url") ?? "").trim();
  const url = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
  const strategy = String(form.get("strategy") ?? "single");
  const limits = ["maxPages", "maxDepth"].flatMap((name) => {
    const given = Number(form.get(name));
    const counts = strategy === "spider" || (strategy === "sitemap" && name === "maxPages");
    return counts && String(form.get(name) ?? "") !== "" && Number.isInteger(given) ? [[name, given]] : [];
  });
  return { url, strategy, ...Object.fromEntries(limits) };
}

/** @param {Jobs} jobs @param {() => void} close */
function linkForm(jobs, close) {
  const input = element("input", { type: "url", name: "url", id: "knowledge-address", placeholder: "https://docs.example/", autocomplete: "off", required: "", "data-testid": "knowledge-link" });
  const choice = element("select", { name: "strategy", id: "knowledge-strategy" }, ...WAYS.map(([value, text]) => element("option", { value }, text)));
  const problem = element("p", { class: "said", role: "alert" });
  const limits = element("div", { class: "limits" }, numberField("maxPages", { min: "1", max: "100000", placeholder: "100" }, "Maximum pages"), numberField("maxDepth", { min: "0", max: "20", placeholder: "2" }, "Link depth"));
  const more = element("details", { class: "more-limits" }, element("summary", {}, "More"), limits);
  const add = element("button", { type: "submit", class: "primary" }, "Add");
  const leave = element("button", { type: "button" }, "Cancel");
  const form = element(
    "form", { hidden: "", novalidate: "", class: "link" },
    element("label", { for: "knowledge-address" }, "Address"), input, element("label", { for: "knowledge-strategy" }, "What to read"), choice, more, problem, element("div", { class: "buttons" }, add, leave),
  );
  const showFieldsFor = () => {
    more.hidden = choice.value === "single";
    /** @type {HTMLElement} */ (limits.lastElementChild).hidden = choice.value !== "spider";
    for (const field of limits.querySelectorAll("input")) if (field.name === "maxPages") field.placeholder = choice.value === "spider" ? "50" : "100";
  };
  choice.addEventListener("change", showFieldsFor);
  showFieldsFor();
  leave.addEventListener("click", close);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    add.disabled = true;
    try {
      const { jobId } = await askServer("/api/knowledge/index-link", { method: "POST", body: linkRequest(new FormData(form)) });
      jobs.add(await askServer(`/api/knowledge/jobs/${encodeURIComponent(jobId)}`));
      input.value = "";
      close();
    } catch (error) {
      problem.textContent = errorText(error);
      input.focus();
    }
    add.disabled = false;
  });
  return { form, input };
}

/**
 * The section that adds documents: files, a link, the tab's page.
 *
 * @param {{jobs: Jobs, learn: () => void, room: HTMLElement}} given
 */
export function addSection({ jobs, learn, room }) {
  const take = createUploads(jobs);
  acceptDrops(room, take);
  const open = element("button", { type: "button", "aria-expanded": "false", "data-testid": "knowledge-add-link" }, "Add a link");
  const { form, input } = linkForm(jobs, () => toggle(false));
  /** @param {boolean} shown */
  const toggle = (shown) => {
    form.hidden = !shown;
    open.setAttribute("aria-expanded", String(shown));
    (shown ? input : open).focus();
  };
  open.addEventListener("click", () => toggle(form.hidden));
  onEscape(form, () => toggle(false));
  const page = element("button", { type: "button", "data-testid": "knowledge-learn" }, "Learn this page");
  page.addEventListener("click", learn);
  const hint = element("p", { class: "hint drop" }, "You can also drop files here.");
  return element("section", { "aria-label": "Add" }, element("div", { class: "buttons" }, page, ...fileButton(take), open), hint, form);
}
