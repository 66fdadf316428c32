import assert from "node:assert/strict";
import test from "node:test";
import { NotPaired, pair, proofOf, readCode } from "../../panel/pairing.js";

const HOME = "http://127.0.0.1:8787";
const CODE = "H7KM2QXV";

test("one paste holds the code, and the address where it is not the known one", () => {
  assert.deepEqual(readCode(" h7km 2qxv\n", HOME), { serverUrl: HOME, code: CODE });
  assert.deepEqual(readCode("10.0.0.7:9000/H7KM-2QXV", HOME), { serverUrl: "https://10.0.0.7:9000", code: CODE });
  assert.deepEqual(readCode("http://localhost:9000/H7KM-2QXV", HOME), { serverUrl: "http://localhost:9000", code: CODE });
  assert.deepEqual(readCode("https://x.example/agent/h7km-2qxv", HOME), { serverUrl: "https://x.example/agent", code: CODE });
  for (const typed of ["", "H7KM", "H7KM-2QX0", "http://10.0.0.7:9000", "no host/H7KM-2QXV", "ftp://x/H7KM-2QXV", "http://10.0.0.7/H7KM-2QXV"]) {
    assert.throws(() => readCode(typed, HOME), NotPaired, typed);
  }
  assert.throws(() => readCode("H7KM-2QXV", "http://10.0.0.7:9000"), /Nothing is sent to http:\/\/10.0.0.7:9000/);
});

/** @param {number} status @param {unknown} [body] @param {Record<string, string>} [headers] */
const answer = (status, body = {}, headers = {}) => new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });

/** @typedef {(url: URL) => Response | Promise<Response>} Route */

/** What a server says to either question, and all that it was told. @param {{prove: Route, claim?: Route}} server */
function serving({ prove, claim = () => answer(200, { apiKey: "tw_x" }) }) {
  const heard = /** @type {string[]} */ ([]);
  const ask = /** @type {typeof fetch} */ (
    async (address, init) => {
      const url = new URL(String(address));
      heard.push(`${init?.method ?? "GET"} ${url} ${init?.body ?? ""} ${init?.redirect} ${init?.cache}`);
      return url.pathname === "/api/pairing/claim" ? claim(url) : prove(url);
    }
  );
  return { ask, heard };
}

/** Proves what it made for that origin, whoever asks. @param {string} origin @param {string} [code] @returns {Route} */
const proving = (origin, code = CODE) => async ({ searchParams }) => answer(200, { proofs: ["00", await proofOf(code, String(searchParams.get("nonce")), origin)] });

/** @param {Parameters<typeof serving>[0]} server @param {string} [typed] */
async function tried(server, typed = "H7KM-2QXV") {
  const { ask, heard } = serving(server);
  const said = await pair(typed, HOME, ask).then(() => "", (error) => (error instanceof NotPaired ? error.message : String(error)));
  return { said, knows: heard.some((one) => one.includes(CODE) || one.includes("POST")) };
}

test("a server that proves that it made the code gets it, and gives a key", async () => {
  const { ask, heard } = serving({ prove: proving(HOME) });
  assert.deepEqual(await pair("H7KM-2QXV", HOME, ask), { serverUrl: HOME, apiKey: "tw_x" });
  assert.match(heard[0] ?? "", /^GET http:\/\/127\.0\.0\.1:8787\/api\/pairing\/proofs\?nonce=[0-9a-f]{64}  error no-store$/);
  assert.equal(heard[1], `POST ${HOME}/api/pairing/claim {"code":"${CODE}"} error no-store`);
});

test("who cannot prove that it made the code does not learn it", async () => {
  /** @type {Record<string, [Route, RegExp]>} */
  const strangers = {
    "another server": [() => answer(404), /not a Tabwright server, or too old for this extension: then update the server. The code was not sent/],
    "a page": [() => answer(200, "<html>"), /not a Tabwright server/],
    "nothing in it": [() => answer(200, "null"), /not a Tabwright server/],
    "another shape": [() => answer(200, { proofs: "all of them" }), /not a Tabwright server/],
    "no codes": [() => answer(200, { proofs: [] }), /did not create this code.*Create a new one with: tabwright pair --server http:\/\/127\.0\.0\.1:8787/],
    "invented proofs": [() => answer(200, { proofs: ["00".repeat(32), true, null, { proof: "1" }] }), /The code was not sent/],
    "what was asked": [({ searchParams }) => answer(200, { proofs: [searchParams.get("nonce")] }), /The code was not sent/],
    "another code": [proving(HOME, "ABCDEFGH"), /mistyped, already used, or more than two minutes old/],
    "another address, passed on": [proving("http://127.0.0.1:9999"), /The code was not sent/],
    "a pause": [() => answer(429, {}, { "retry-after": "130" }), /Try again in 3 min/],
    "a plain line": [() => answer(403), /only pairs over TLS/],
    "nobody": [() => Promise.reject(new TypeError("Failed to fetch")), /No server responds at http:\/\/127/],
  };
  for (const [name, [prove, words]] of Object.entries(strangers)) {
    const { said, knows } = await tried({ prove });
    assert.match(said, words, name);
    assert.equal(knows, false, name);
  }
});

test("a proof of yesterday is none", async () => {
  const { searchParams } = new URL(`http://x/?nonce=${"00".repeat(32)}`);
  const old = await (await proving(HOME)(/** @type {URL} */ ({ searchParams }))).text();
  assert.equal((await tried({ prove: () => answer(200, old) })).knows, false);
});

test("why a server that made the code does not take it is said", async () => {
  const prove = proving(HOME);
  assert.match((await tried({ prove, claim: () => answer(404) })).said, /mistyped, already used, or more than two minutes old/);
  assert.match((await tried({ prove, claim: () => answer(429, {}, { "retry-after": "130" }) })).said, /Try again in 3 min/);
  assert.match((await tried({ prove, claim: () => answer(200, {}) })).said, /not a Tabwright server/);
});
