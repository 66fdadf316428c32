import assert from "node:assert/strict";
import test from "node:test";
import { Lost, Problem } from "../../runner/server/client.js";
import { againNotice, problemText } from "../../runner/server/problems.js";

test("each refusal of the server that ends a run is said in words, with the way out where there is one", () => {
  /** @type {[number, string, string, RegExp, string | undefined][]} */
  const said = [
    [401, "UNAUTHENTICATED", "No key", /does not accept this API key/, "settings"],
    [403, "FORBIDDEN", "members only", /may not do that: members only/, "settings"],
    [404, "HTTP_404", "", /no Tabwright server at this address/, undefined],
    [409, "TASK_ENDED", "This task has ended", /^This task has ended$/, undefined],
    [409, "REQUEST_ID_REUSED", "another body", /Start the task again/, undefined],
    [413, "TOO_LARGE", "2 MB", /too large/, undefined],
    [413, "TREE_TOO_LARGE", "2001 nodes", /more controls/, undefined],
    [422, "HTTP_422", "", /out of date/, undefined],
    [418, "HTTP_418", "", /status 418/, undefined],
  ];
  for (const [status, code, detail, text, does] of said) {
    const told = problemText(new Problem(status, code, detail));
    assert.match(told.text, text);
    assert.equal(told.notice?.button?.does, does, code);
  }
  assert.match(problemText(new TypeError("x is undefined")).text, /in the extension: x is undefined/);
});

test("while a request is repeated, the panel says why and when it is tried again", () => {
  const again = (/** @type {unknown} */ error, ms = 4_000) => againNotice(error, "https://s", ms).text;
  assert.equal(again(new Lost("gone")), "The server at https://s is not responding; trying again in 4 s.");
  assert.equal(again(new Lost("gone"), 500), "The server at https://s is not responding; trying again in a moment.");
  assert.match(again(new Problem(409, "TASK_BUSY", "")), /^The server is busy with this task; trying again in 4 s/);
  assert.match(again(new Problem(429, "RATE_LIMITED", "")), /Too many requests/);
  assert.match(again(new Problem(503, "STORE_UNAVAILABLE", "")), /something it needs is unavailable/);
  assert.match(again(new Problem(500, "INTERNAL", "")), /^The server failed;/);
});
