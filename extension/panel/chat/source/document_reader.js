import { quoteIn } from "./quotes.js";

/** @import { Citation } from "../../../types/chat" */
/** @typedef {{chunkId: string, text: string, headingPath: string[], kind: string, page?: number | null, marks?: [number, number][], supersededBy?: string | null}} Part */
/** One page of a document's parts. @typedef {{title: string, url?: string | null, version?: number, parts: Part[], nextPart?: number | null}} Told */

const AT_ONCE = 500; // parts per request; the server gives 1,000 at most
const MOST = 20_000; // parts searched for the cited one
const JOINED = [0, -1, 1, -2, 2]; // a passage spans at most three parts; the likeliest one is cited

/**
 * A citation with the page or rows of its words in that part: a search only knows those of the whole part.
 *
 * @param {Citation} citation @param {Part} part @returns {Citation}
 */
export function withExactPlace(citation, { text, page, marks = [] }) {
  const spans = quoteIn(text, citation.quote);
  const known = page ? [[0, page], ...marks] : marks;
  const number = (/** @type {number} */ behind) => known.findLast(([at]) => at < behind)?.[1];
  const [first, last] = spans.length > 0 ? [number(spans[0].start + 1), number(spans[spans.length - 1].end)] : [];
  if (!first || !last) return citation;
  return page ? { ...citation, page: first, page_end: last } : { ...citation, rows: [first, last] };
}

/**
 * A document that is loaded as far as needed.
 *
 * @param {string} id @param {(path: string) => Promise<any>} ask asks the server
 */
export function createDocumentReader(id, ask) {
  /** @type {Part[]} */
  const parts = [];
  /** @type {number | null} */
  let next = 0;
  let [title, version] = ["", 0];
  /** @type {string | null} */
  let url = null;

  /** @returns {Promise<boolean>} whether there was more */
  async function on() {
    if (next === null) return false;
    const page = /** @type {Told} */ (await ask(`/api/knowledge/documents/${encodeURIComponent(id)}?from=${next}&limit=${AT_ONCE}`));
    ({ title } = page);
    url = page.url ?? null;
    version = page.version ?? 0;
    parts.push(...page.parts);
    next = page.nextPart ?? null;
    return true;
  }

  /** @param {(part: Part) => boolean} is @returns {Promise<number>} the first such part, -1 if none */
  async function seek(is) {
    for (let from = 0; ; ) {
      const found = parts.slice(from).findIndex(is);
      if (found >= 0) return from + found;
      from = parts.length;
      if (from >= MOST || !(await on())) return -1;
    }
  }

  return {
    parts,
    about: () => ({ title, url, version }),
    isWhole: () => next === null,

    /** @param {number} count loads until there are so many parts, or no more */
    async upTo(count) {
      while (parts.length < count && (await on()));
    },

    /**
     * @param {Pick<Citation, "chunk_id" | "quote">} citation
     * @returns {Promise<{at: number, moved: boolean}>} the cited part; -1 if it is no longer in the document.
     *   `moved`: the words are now in another part
     */
    async find({ chunk_id: chunk, quote }) {
      const says = (/** @type {Part | undefined} */ part) => part !== undefined && quoteIn(part.text, quote).length > 0;
      const cited = await seek(({ chunkId }) => chunkId === chunk);
      if (cited < 0) return { at: parts.findIndex(says), moved: true };
      const near = JOINED.map((by) => cited + by).find((at) => says(parts[at]));
      return { at: near ?? cited, moved: false };
    },

    /** @param {string[]} path headings @returns {number} the part that shares the most of them, the first one if there is none */
    under(path) {
      const shared = parts.map(({ headingPath }) => headingPath.filter((one) => path.includes(one)).length);
      return shared.indexOf(Math.max(...shared));
    },
  };
}
