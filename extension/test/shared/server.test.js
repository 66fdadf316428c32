import assert from "node:assert/strict";
import test from "node:test";
import { addressRefusal, AddressRefused, endpoint, loopbackHint, normalizeAddress, ProtocolMismatch, send, settingsOf } from "../../shared/server.js";
import { interact, MISMATCH, Problem, REFUSED } from "../../runner/server/client.js";
import { problemText } from "../../runner/server/problems.js";
import { testConnection } from "../../options/connection_check.js";
import { pair } from "../../panel/pairing.js";
import { askServer } from "../../panel/server.js";
import { readSituation } from "../../panel/run/situation.js";

const KEPT = [
  ["tabwright.example", "https://tabwright.example"],
  [" localhost:8787/ ", "https://localhost:8787"],
  ["127.0.0.1:8787", "https://127.0.0.1:8787"],
  ["HTTP://LocalHost:8787/", "http://localhost:8787"],
  ["http://127.0.0.1:8787", "http://127.0.0.1:8787"],
  ["http://127.9.8.7/", "http://127.9.8.7"],
  ["http://127.1:8787", "http://127.0.0.1:8787"],
  ["http://0x7f.1", "http://127.0.0.1"],
  ["http://2130706433", "http://127.0.0.1"],
  ["http://[::1]:8787", "http://[::1]:8787"],
  ["http://[0:0:0:0:0:0:0:1]/", "http://[::1]"],
  ["https://10.0.0.7:9000/agent/", "https://10.0.0.7:9000/agent"],
  ["https://user:secret@x.example/", "https://x.example"],
];

const IN_THE_OPEN = [
  "http://tabwright.example",
  "HTTP://10.0.0.7:9000",
  "http://192.168.1.5:8787/",
  "http://0.0.0.0:8787",
  "http://localhost.evil.example",
  "http://127.0.0.1.evil.example",
  "http://localhost@evil.example",
  "http://evil.example#127.0.0.1",
  "http://evil.example/127.0.0.1",
  "http://128.0.0.1",
  "http://1127.0.0.1.example",
  "http://[::ffff:10.0.0.7]",
  "http://[::2]",
];

test("an address without a scheme means https, and plain http goes to this computer alone", () => {
  for (const [typed = "", stored = ""] of KEPT) {
    assert.equal(normalizeAddress(typed), stored, typed);
    assert.equal(addressRefusal(stored), "", stored);
  }
  for (const typed of IN_THE_OPEN) assert.throws(() => normalizeAddress(typed), /Plain http:\/\/ is only allowed for this computer.* Use https:\/\//, typed);
  for (const typed of ["", "ftp://x", "http://", "no host", "chrome://version", "javascript:alert(1)", "file:///etc/passwd", "https://"]) {
    assert.throws(() => normalizeAddress(typed), AddressRefused, typed);
  }
});

test("what an older version stored is asked nothing, wherever it is used", async () => {
  const asked = /** @type {string[]} */ ([]);
  const ask = /** @type {typeof fetch} */ (async (url) => new Response(String(asked.push(String(url)))));
  for (const serverUrl of [...IN_THE_OPEN, "", "nonsense", "ftp://x"]) {
    const settings = { serverUrl, apiKey: "k" };
    assert.match(addressRefusal(serverUrl), /Enter the server's https:\/\/ address in the settings, or pair again/, serverUrl);
    assert.throws(() => endpoint(settings, "/api/sessions"), AddressRefused, serverUrl);
    await assert.rejects(send(settings, "/api/sessions", {}, ask), AddressRefused, serverUrl);
    const run = interact({ settings, body: "{}", signal: new AbortController().signal, onStatus: () => undefined, fetch: ask });
    await assert.rejects(run, (error) => error instanceof Problem && error.code === REFUSED && problemText(error).notice?.text === addressRefusal(serverUrl), serverUrl);
  }
  assert.deepEqual(asked, []);
});

test("a redirect is not followed", async () => {
  const sent = /** @type {(RequestInit | undefined)[]} */ ([]);
  const ask = /** @type {typeof fetch} */ (async (_, init) => (sent.push(init), new Response()));
  await send(settingsOf({}), "/healthz", { method: "POST" }, ask);
  assert.deepEqual(sent, [{ redirect: "error", method: "POST", headers: { "X-Tabwright-Protocol": "1" } }]);
});

test("where nothing answers by https on this computer, http is named", async () => {
  assert.match(loopbackHint("https://localhost:8787"), /usually at http:\/\/localhost:8787; an address without http:\/\/ means https:\/\//);
  for (const other of ["https://x.example", "http://localhost:8787"]) assert.equal(loopbackHint(other), "");
  const away = /** @type {typeof fetch} */ (async () => Promise.reject(new TypeError("Failed to fetch")));
  const { text } = await testConnection({ serverUrl: "https://localhost:8787", apiKey: "" }, away);
  assert.match(text, /^No server responds at https:\/\/localhost:8787\. A server on this computer is usually at http:\/\/localhost:8787/);
});

/** @param {Record<string, string>} headers @param {number} [status] @returns {typeof fetch} */
const answering = (headers, status = 200) => async () => new Response("{}", { status, headers });

test("a server of another protocol version is refused with the side to update", async () => {
  const settings = { serverUrl: "https://versions.example", apiKey: "k" };
  const version = (/** @type {string} */ number) => answering({ "X-Tabwright-Protocol": number });
  for (const ask of [version("1"), version("2"), answering({})]) assert.equal((await send(settings, "/healthz", {}, ask)).status, 200);
  for (const [ask, side] of /** @type {[typeof fetch, RegExp][]} */ ([
    [answering({ "X-Tabwright-Protocol": "2" }, 426), /Update the extension\.$/],
    [version("0"), /Update the server\.$/],
    [answering({}, 426), /Update the extension\.$/],
    [answering({ "X-Tabwright-Protocol": "0" }, 426), /Update the server\.$/],
  ])) {
    await assert.rejects(send(settings, "/healthz", {}, ask), (error) => error instanceof ProtocolMismatch && side.test(error.message));
    const run = interact({ settings, body: "{}", signal: new AbortController().signal, onStatus: () => undefined, fetch: ask });
    await assert.rejects(run, (error) => error instanceof Problem && error.code === MISMATCH && side.test(problemText(error).text));
    assert.match((await testConnection(settings, ask)).text, side);
  }
});

test("a server from before the protocol header, whose CORS rules refuse it, is asked without it", async () => {
  const settings = { serverUrl: "https://older.example", apiKey: "k" };
  const asked = /** @type {[string, boolean][]} */ ([]);
  const ask = /** @type {typeof fetch} */ (async (url, init) => {
    const hasHeader = new Headers(init?.headers).has("X-Tabwright-Protocol");
    asked.push([new URL(String(url)).pathname, hasHeader]);
    if (hasHeader) throw new TypeError("Failed to fetch");
    return new Response("{}");
  });
  for (const path of ["/api/a", "/api/b"]) assert.equal((await send(settings, path, { method: "POST" }, ask)).status, 200);
  assert.deepEqual(asked, [["/api/a", true], ["/healthz", false], ["/api/a", false], ["/api/b", false]]);
});

test("a request that a newer server may have received is not sent twice", async () => {
  const settings = { serverUrl: "https://broken.example", apiKey: "k" };
  let posts = 0;
  const ask = /** @type {typeof fetch} */ (async (url, init) => {
    if (init?.method !== "POST") return new Response("{}", { headers: { "X-Tabwright-Protocol": "1" } });
    posts += 1;
    throw new TypeError("Failed to fetch");
  });
  await assert.rejects(send(settings, "/api/a", { method: "POST" }, ask), TypeError);
  assert.equal(posts, 1);
});

test("an older server is named as the side to update, in one sentence, wherever it is asked", async (t) => {
  const serverUrl = "https://old.example";
  const older = answering({ "X-Tabwright-Protocol": "0" }, 404);
  const SENTENCE = "This server is too old for the extension. Update the server.";
  t.mock.method(globalThis, "fetch", older);
  Object.assign(globalThis, {
    chrome: {
      storage: { local: { get: async () => ({ settings: { serverUrl, apiKey: "k" } }) } },
      tabs: { get: async () => ({ url: "https://a.example/" }) },
      permissions: { contains: async () => true },
    },
  });
  const settings = { serverUrl, apiKey: "k" };
  assert.equal((await testConnection(settings)).text, SENTENCE);
  assert.equal((await readSituation(1)).mismatch, SENTENCE);
  await assert.rejects(askServer("/api/sessions"), { message: SENTENCE });
  await assert.rejects(pair("ABCD-EFGH", serverUrl), { message: SENTENCE });
  const run = interact({ settings, body: "{}", signal: new AbortController().signal, onStatus: () => undefined });
  await assert.rejects(run, (error) => problemText(error).text === SENTENCE);
});
