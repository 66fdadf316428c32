import assert from "node:assert/strict";
import test from "node:test";
import { quoteIn, spansOf } from "../../panel/chat/source/quotes.js";
import { withExactPlace, createDocumentReader } from "../../panel/chat/source/document_reader.js";

/** @param {string} text @param {string} quote */
const found = (text, quote) => spansOf(text, quote).map(({ start, end }) => text.slice(start, end));

test("a quote is found whatever marks, spaces and signs stand between its letters", () => {
  const text = "Goods come back **within\n30 days**, unused — and “in their box”. Café, naïve.";
  assert.deepEqual(found(text, "come back within 30 days, unused"), ["come back **within\n30 days**, unused"]);
  assert.deepEqual(found(text, "AND in their box"), ["and “in their box"]);
  assert.deepEqual(found(text, "Cafe\u0301, naive"), ["Café, naïve"]);
  assert.deepEqual(found("| Item | Days |\n|---|---|\n| Box | 30 |", "Item Days Box 30"), ["Item | Days |\n|---|---|\n| Box | 30"]);
});

test("what was left out of a quote is not looked for, and its pieces keep their order", () => {
  const text = "First this is said, then much else, then that.";
  assert.deepEqual(found(text, "First this … then that"), ["First this", "then that"]);
  assert.deepEqual(found(text, "then that … First this"), []);
  assert.deepEqual(found(text, "First this … never"), []);
});

test("signs of two units, other scripts and nothing at all", () => {
  assert.deepEqual(found("a 𝐛𝐨𝐥𝐝 word", "bold"), ["𝐛𝐨𝐥𝐝"]);
  assert.deepEqual(found("המוצר מוחזר תוך 30 יום.", "מוחזר תוך 30"), ["מוחזר תוך 30"]);
  assert.deepEqual(found("返品は30日以内です。", "30日以内"), ["30日以内"]);
  for (const empty of ["", "…", "—", "x"]) assert.deepEqual(found("x — …", empty), []);
});

test("a quote does not begin or end within a word or a number", () => {
  assert.deepEqual(found("25 days, then 5 days", "5 days"), ["5 days"]);
  assert.equal(spansOf("25 days, then 5 days", "5 days")[0].start, 14);
  for (const [text, quote] of [["1,205 euros", "205 euros"], ["costs 3.50", "costs 3"], ["daylight", "day"]]) assert.deepEqual(found(text, quote), []);
});

test("rows are found where the head of their table stands between them, and so is a cell of several lines", () => {
  const text = "| Box | 30 |\n| Item | Days |\n|---|---|\n| Lid | 40 |";
  assert.deepEqual(quoteIn(text, "| Box | 30 | | Lid | 40 |").map(({ start, end }) => text.slice(start, end)), ["Box | 30", "Lid | 40"]);
  assert.equal(quoteIn("Paper\nGlass", "Paper<br>Glass").length, 1);
});

/** @param {number} count of parts, three at a time; the server's answers as they are asked for */
function server(count) {
  /** @type {string[]} */
  const asked = [];
  const ask = async (/** @type {string} */ path) => {
    asked.push(path);
    const from = Number(new URL(path, "http://a").searchParams.get("from"));
    const parts = Array.from({ length: Math.min(3, count - from) }, (_, n) => ({ chunkId: `c${from + n}`, text: `This is sentence ${"abcdefgh"[from + n]}.`, headingPath: [], kind: "prose" }));
    return { title: "Handbook", url: null, parts, nextPart: from + 3 < count ? from + 3 : null };
  };
  return { ask, asked };
}

test("a document is read as far as the cited part, and further only as that is wanted", async () => {
  const { ask, asked } = server(8);
  const read = createDocumentReader("d/1", ask);
  assert.deepEqual(await read.find({ chunk_id: "c4", quote: "" }), { at: 4, moved: false });
  assert.deepEqual([asked.length, read.isWhole(), asked[0].startsWith("/api/knowledge/documents/d%2F1?from=0&")], [2, false, true]);
  await read.upTo(99);
  assert.deepEqual([read.parts.length, read.isWhole(), read.about().title], [8, true, "Handbook"]);
});

test("a part that is no more is found by its words, or not at all", async () => {
  assert.deepEqual(await createDocumentReader("d", server(8).ask).find({ chunk_id: "old", quote: "this is **sentence g**" }), { at: 6, moved: true });
  assert.deepEqual(await createDocumentReader("d", server(8).ask).find({ chunk_id: "old", quote: "never said" }), { at: -1, moved: true });
  assert.deepEqual(await createDocumentReader("d", server(8).ask).find({ chunk_id: "old", quote: "" }), { at: -1, moved: true });
});

test("of a passage that a search joined the part is found that has the words", async () => {
  assert.deepEqual(await createDocumentReader("d", server(8).ask).find({ chunk_id: "c4", quote: "This is sentence d." }), { at: 3, moved: false });
  assert.deepEqual(await createDocumentReader("d", server(8).ask).find({ chunk_id: "c4", quote: "never said" }), { at: 4, moved: false });
});

test("the page and the row are those of the words, and not of the part", () => {
  const cited = /** @type {any} */ ({ quote: "Loft | 3", page: null });
  const part = { chunkId: "c", headingPath: [], kind: "table", text: "| Room | Price |\n|---|---|\n| Attic | 2 |\n| Loft | 3 |" };
  const marks = /** @type {[number, number][]} */ ([[27, 9], [41, 14]]);
  assert.deepEqual(withExactPlace(cited, { ...part, marks }).rows, [14, 14]);
  assert.deepEqual(withExactPlace(cited, { ...part, page: 2, marks: [[41, 3]] }), { ...cited, page: 3, page_end: 3 });
  assert.equal(withExactPlace(cited, part), cited);
});
