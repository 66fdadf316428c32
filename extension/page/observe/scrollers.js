// Describes the scroll containers: their position and the number of controls beyond what is sent.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "describeScrollers")) return;

  const MAX_SHOWN = 5; // containers
  const MAX_NAME = 40; // characters
  const NAMING = "h1,h2,h3,h4,h5,h6,[role=heading],caption,legend";

  /** @param {Element} scroller @returns {{depth: string, h: boolean}} */
  page.scrollOf = ({ scrollTop, scrollHeight, clientHeight }) => {
    const room = scrollHeight - clientHeight;
    return { depth: room > 0 ? `${Math.round((100 * scrollTop) / room)}%` : "0%", h: room - scrollTop > 2 };
  };

  /** Its name for a person, in quotes; else its id or tag. @param {Element} el */
  function called(el) {
    const label = page.collapse(el.getAttribute("aria-label")) || page.collapse(page.refs(el, "aria-labelledby").map((ref) => ref.textContent).join(" "));
    const heading = label ? null : (el.querySelector(NAMING) ?? before(el));
    const name = label || page.collapse(heading?.textContent);
    return name ? `"${page.clip(name, MAX_NAME)}"` : el.id || el.localName;
  }

  /** The heading right before a container. @param {Element} el */
  const before = (el) => (el.previousElementSibling?.matches(NAMING) ? el.previousElementSibling : null);

  /** The number of lines a list claims to have, if only some are in the page. @param {Element} el */
  function linesOf(el) {
    const owner = page.closest(el, "[aria-rowcount]") ?? el.querySelector("[aria-rowcount]");
    const rows = Number(owner?.getAttribute("aria-rowcount") ?? -1);
    const inSet = el.querySelector("[aria-setsize]");
    const all = rows > 0 ? rows : Number(inSet?.getAttribute("aria-setsize") ?? -1);
    const here = el.querySelectorAll(rows > 0 ? "tr,[role=row]" : "[aria-setsize]").length;
    return all > here ? `${all} lines in all` : "";
  }

  /** @param {LeftOut | undefined} left @returns {string[]} */
  const counts = (left) => (["above", "below", "left", "right"]).flatMap((side) => {
    const count = left?.[/** @type {"above"} */ (side)] ?? 0;
    return count > 0 ? [`${count} more ${side}`] : [];
  });

  const FEW = 5; // lines that are enough to measure their height
  const EVEN = 2; // CSS pixels by which equal lines may differ

  /** Roughly how many lines a virtual list has: from the height of the existing ones and the scroll height. @param {Element} el @param {readonly Candidate[]} own @returns {string[]} */
  function unmade(el, own) {
    const rects = own.map(({ rect }) => rect).sort((a, b) => a.top - b.top);
    const tops = rects.map(({ top }) => top).filter((top, at, all) => at === 0 || top - all[at - 1] > EVEN);
    const steps = tops.slice(1).map((top, at) => top - tops[at]).sort((a, b) => a - b);
    if (steps.length < FEW || steps[steps.length - 1] - steps[0] > EVEN) return [];
    const start = el.getBoundingClientRect().top + el.clientTop - el.scrollTop;
    const above = Math.round((tops[0] - start) / steps[0]);
    const below = Math.round((start + el.scrollHeight - tops[tops.length - 1]) / steps[0]) - 1;
    return [["above", above], ["below", below]].flatMap(([side, count]) => (Number(count) > FEW ? [`about ${count} more ${side}`] : []));
  }

  /** @param {Element} el @param {LeftOut | undefined} left @param {readonly Candidate[]} own its controls that are sent */
  function line(el, left, own) {
    const { depth, h } = page.scrollOf(el);
    const facts = [...counts(left), linesOf(el)].filter(Boolean);
    if (facts.length === 0) facts.push(...unmade(el, own));
    // Nothing counted although there is much room: the content is created on scrolling, or is only text.
    if (facts.length === 0 && h && el.scrollHeight - el.clientHeight - el.scrollTop > el.clientHeight) facts.push("goes on below");
    return [`${called(el)}: at ${depth}`, ...facts].join(", ");
  }

  /**
   * The page itself if controls are out of view, then the scroll containers that have some.
   * @param {readonly Candidate[]} candidates @param {Map<Element | null, LeftOut>} left @returns {string[]}
   */
  page.describeScrollers = (candidates, left) => {
    const own = left.get(null);
    const root = document.scrollingElement ?? document.documentElement;
    const lines = own ? [[`page: at ${page.scrollOf(root).depth}`, ...counts(own)].join(", ")] : [];
    const found = new Set([...left.keys(), ...candidates.map(({ scroller }) => scroller?.el ?? null)]);
    for (const el of found) if (el) lines.push(line(el, left.get(el), candidates.filter(({ scroller }) => scroller?.el === el)));
    return lines.slice(0, MAX_SHOWN + 1);
  };
})();
