/** What a citation of an answer stands on: the passage, marked in its document. */

import * as shared from "../extension/panel/chat/source/passage.js";
import { get, Problem } from "../api.js";
import { h } from "../dom.js";
import { to } from "../router.js";
import { failure } from "../states.js";
import { listen } from "./review_keys.js";

/** @import { Shown, WholeRecord } from "../types/api" */

/** @param {HTMLElement} body @param {Shown} shown of the record with that id, the citation of `marker` in the line `of` */
export async function showPassage(body, { id, query, signal, again }) {
  const [of, marker] = [query.get("of") ?? "", query.get("marker") ?? ""];
  const back = `${to("review", id)}?${new URLSearchParams({ of, marker })}`;
  listen(signal, {}, { Escape: () => (location.hash = back) });
  /** @type {WholeRecord} */
  const { turn } = await get(`review/${encodeURIComponent(id)}`, {}, signal);
  const cited = turn?.messages.find((line) => line.id === of)?.metadata.citations?.find((one) => String(one.marker) === marker);
  const place = h("div", { class: "source-body", tabindex: "-1" });
  body.replaceChildren(h("p", {}, h("a", { href: back, class: "back" }, "The answer")), place);
  if (!cited) return place.append(h("p", { class: "told" }, "This answer no longer exists."));
  const titled = (/** @type {string} */ title) => {
    /** @type {HTMLElement} */ (document.querySelector("h1")).textContent = title || cited.title;
    return !signal.aborted;
  };
  titled("");
  const ask = (/** @type {string} */ path) => get(path.replace(/^\/api\//, ""), {}, signal);
  const fail = (/** @type {HTMLElement} */ box, /** @type {unknown} */ error, /** @type {() => void} */ once) => box.replaceChildren(failure(error, once));
  try {
    await shared.showPassage(place, cited, { ask, fail, titled });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    place.replaceChildren(failure(error, again), ...shared.quoteBlock(cited));
  }
}
