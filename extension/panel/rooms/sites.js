import { element } from "../element.js";

/** @param {string} pattern a match pattern @returns {string} "a.example", "every http site", "a.example and its subdomains" */
export function siteName(pattern) {
  const [, scheme = "", host = ""] = /^([^:]+):\/\/([^/]*)\//.exec(pattern) ?? [];
  if (pattern === "<all_urls>" || (host === "*" && scheme === "*")) return "Every site";
  if (host === "*") return `Every ${scheme} site`;
  const name = host.startsWith("*.") ? `${host.slice(2)} and its subdomains` : host || pattern;
  return scheme === "http" ? `${name} (http)` : name;
}

/** @returns {Promise<string[]>} match patterns of the allowed sites, sorted */
async function allowedSites() {
  const { origins = [] } = await chrome.permissions.getAll();
  return origins.sort((one, other) => siteName(one).localeCompare(siteName(other)));
}

/** @param {string} pattern @returns {Promise<string>} the result in words */
async function remove(pattern) {
  const name = siteName(pattern);
  try {
    await chrome.permissions.remove({ origins: [pattern] });
    return `Tabwright can no longer use ${name}.`;
  } catch {
    return `${name} was allowed when the extension was installed. You can change that in Chrome's extension settings.`;
  }
}

/** @param {string} pattern @returns {Promise<string>} must be called from a click of the person */
async function allow(pattern) {
  const given = await chrome.permissions.request({ origins: [pattern] }).catch(() => false);
  return given ? `Tabwright can now use ${siteName(pattern)}.` : `${siteName(pattern)} was not allowed.`;
}

/** @param {string} typed an address or host @returns {string | null} its match pattern */
export function patternOf(typed) {
  const text = typed.trim();
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  if (!text || !URL.canParse(address) || !/^https?:/.test(address)) return null;
  if (new URL(address).hostname.includes("%")) return null; // Chrome's encoding of characters that no host may contain
  return `${new URL(address).origin}/*`;
}

/** @param {string} name @param {string} word @param {() => void} press */
function row(name, word, press) {
  const button = element("button", { type: "button", "aria-label": `${word} ${name}` }, word);
  button.addEventListener("click", press);
  return element("li", {}, element("span", { class: "name", title: name }, name), button);
}

/**
 * Shows the allowed sites, each with a button to remove it, and the current one.
 *
 * @param {HTMLElement} box @param {string} [url] of the current page
 */
export async function renderSites(box, url = "") {
  const status = box.querySelector(".said") ?? element("p", { class: "said", role: "status" });
  /** @param {Promise<string>} work */
  const press = async (work) => {
    status.textContent = await work;
    await renderSites(box, url);
  };
  const here = /^https?:/.test(url) ? patternOf(url) : null;
  const patterns = await allowedSites();
  const missing = here && !(await chrome.permissions.contains({ origins: [here] }));
  const rows = patterns.map((pattern) => row(siteName(pattern), "Remove", () => void press(remove(pattern))));
  if (here && missing) rows.unshift(row(siteName(here), "Allow", () => void press(allow(here))));
  const list = element("ul", { class: "sites", "data-testid": "sites" }, ...rows);
  const empty = element("p", { class: "hint" }, "No sites yet. Tabwright asks the first time it runs on a site.");
  const held = document.activeElement?.getAttribute("aria-label");
  box.replaceChildren(...(rows.length > 0 ? [list] : [empty]), status);
  if (held) /** @type {HTMLElement | null} */ (box.querySelector(`[aria-label="${CSS.escape(held)}"]`))?.focus();
}

/** @returns {HTMLFormElement} a field to allow a site that is not open */
export function addSiteForm() {
  const input = element("input", { type: "text", id: "add-site", placeholder: "example.com", autocomplete: "off", spellcheck: "false", "data-testid": "add-site" });
  const problem = element("p", { class: "said", role: "alert" });
  const row = element("div", { class: "row" }, input, element("button", { type: "submit" }, "Allow"));
  const form = element("form", { novalidate: "" }, element("label", { for: "add-site" }, "Allow another site"), row, problem);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const pattern = patternOf(input.value);
    problem.textContent = pattern ? await allow(pattern) : "That is not a web address.";
    if (pattern) input.value = "";
  });
  return form;
}
