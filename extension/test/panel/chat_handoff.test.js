import assert from "node:assert/strict";
import test from "node:test";
import { JSDOM } from "jsdom";

/** @import { Citation } from "../../types/chat" */
/** @import { InterruptEvent } from "../../types/wire" */

const { window } = new JSDOM("<!doctype html>");
Object.assign(globalThis, { window, document: window.document, Node: window.Node });
const { goalText: plainWords, shortestCitedText: shortestCited } = await import("../../panel/chat/handoff.js");
const { questionLine: asked, canBeLookedUp, lookUpWords } = await import("../../shared/question_text.js");

/** @param {string} quote @param {number} [marker] @returns {Citation} */
const citation = (quote, marker = 1) => ({ marker, kind: "document", title: "T", label: "T", quote, document_id: "d", chunk_id: "c", url: null, page: null, page_end: null, heading_path: [], start: 0, end: 1 });
/** @param {Partial<InterruptEvent>} more @returns {InterruptEvent} */
const question = (more) => ({ type: "interrupt", hitlId: "h", kind: "clarification", interruptType: "text_input", message: "Which?", expectedInput: "free_text", ...more });

test("a goal has an answer's words, without its marks, markers and addresses", () => {
  const text = "## How to\n\nOpen **Returns** [1], then [the form](https://a.example/x) [2].\n\n1. Press `Save` [1][2]\n   - and wait\n\n| Item | Days |\n|---|---|\n| Box | 30 [1] |\n\n<img src=x onerror=alert(1)>";
  assert.equal(plainWords(text), "How to\nOpen Returns, then the form.\nPress Save\nand wait\nItem, Days\nBox, 30\n<img src=x onerror=alert(1)>");
  const long = plainWords("word ".repeat(2_000));
  assert.ok(long.length <= 2_000 && long.endsWith("word…"));
});

test("the answer to the agent is the shortest thing that a source holds", () => {
  const text = "It depends. Goods come back within 30 days of the day they came. [1] Food is kept [2]. Short one.\n\nAsk us.";
  assert.equal(shortestCited({ response: text, citations: [citation("q"), citation("r", 2)] }), "Food is kept.");
  assert.equal(shortestCited({ response: "| Item | Days |\n|---|---|\n| Box | 30 [1] |", citations: [citation("q")] }), "30");
  assert.equal(shortestCited({ response: "Nothing is marked here.", citations: [citation("A longer quote."), citation("A quote.")] }), "A quote.");
  assert.equal(shortestCited({ response: "It is not in the documents.", citations: [] }), "");
});

test("questions in words can be looked up; those of a yes, a choice or a secret cannot", () => {
  assert.ok(canBeLookedUp(question({ message: "What is the customer's number?" })));
  for (const not of [{ kind: "approval" }, { expectedInput: "single_choice" }, { expectedInput: "yes_no" }, { message: "What is the password?" }]) assert.ok(!canBeLookedUp(question(/** @type {Partial<InterruptEvent>} */ (not))));
  assert.ok(!canBeLookedUp(null));
  assert.equal(lookUpWords(question({ message: "To go on I need to know:\n- Phone\n- City" })), "Phone, City");
  assert.equal(asked(question({ message: "To go on I need to know:\n- Phone\n- City" })), "To go on I need to know: Phone, City");
  assert.equal(lookUpWords(question({ message: "How long can goods be returned?" })), "How long can goods be returned?");
});
