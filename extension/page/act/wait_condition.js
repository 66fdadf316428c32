// Waiting for what the page is to show, where it happens: the next action of the chain follows without a round trip.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "waitFor")) return;

  const LONGEST_MS = 30_000;

  /**
   * @param {Target | null} target null for the whole page @param {string} text "" for any change @param {number} ms
   * @throws {ActionFailure} TIMEOUT
   */
  page.waitFor = async (target, text, ms) => {
    const before = toldOf(target);
    const wanted = text.toLowerCase();
    const holds = () => (wanted ? toldOf(target).toLowerCase().includes(wanted) : toldOf(target) !== before);
    const limit = Math.min(Math.max(ms, 0), LONGEST_MS);
    if (await page.until(holds, limit)) return;
    const what = wanted ? `"${page.clip(text, 80)}" did not show` : "Nothing changed";
    throw new page.ActionFailure("TIMEOUT", `${what} ${target ? `in "${target.name}" ` : ""}within ${limit} ms.`);
  };

  /** What a person sees of it: words, value, states and colour. @param {Target | null} target */
  function toldOf(target) {
    if (!target) return document.body.innerText;
    const { el } = target;
    const role = /** @type {WireRole} */ (target.role);
    const { color, backgroundColor } = getComputedStyle(el);
    return [page.nameOf(el, role), page.textOf(el), page.valueOf(el, role), page.statesOf(el, role), page.drawnName(el, el.getBoundingClientRect()), page.looksOf(el), color, backgroundColor].join("\n");
  }
})();
