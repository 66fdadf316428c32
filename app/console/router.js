/** Where the reader is, as the address has it: `#/tasks/ID?…`. */

/** @typedef {{name: string, id: string, query: URLSearchParams}} Place */

/** @returns {Place} */
export function here() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [name = "", id = ""] = path.split("/");
  return { name, id: decoded(id), query: new URLSearchParams(query) };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string} name @param {string} [id] @returns {string} */
export const to = (name, id = "") => `#/${name}${id ? `/${encodeURIComponent(id)}` : ""}`;

/** The filters of what is shown, kept in the address without a step of their own. @param {Record<string, string>} filters */
export function keepFilters(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  const [path] = location.hash.split("?", 1);
  history.replaceState(null, "", `${path || "#/"}${query.size ? `?${query}` : ""}`);
}
