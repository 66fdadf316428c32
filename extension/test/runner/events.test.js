import assert from "node:assert/strict";
import test from "node:test";
import { Lost, Problem } from "../../runner/server/client.js";
import { followTask, followTaskEvents } from "../../runner/server/task_events.js";

/** @import { World } from "../../types/run" */

const SETTINGS = { serverUrl: "https://s/", apiKey: "k" };
const HEADERS = { "Content-Type": "text/event-stream" };

/** @param {() => Promise<Response>} answer @param {number} [silenceMs] */
async function hear(answer, silenceMs = 1_000) {
  const heard = /** @type {string[]} */ ([]);
  const signal = new AbortController().signal;
  const ended = followTaskEvents({ settings: SETTINGS, taskId: "a/b", signal, silenceMs, onOpen: () => heard.push("open"), onEvent: ({ type }) => heard.push(type), fetch: /** @type {typeof fetch} */ (/** @type {unknown} */ (answer)) });
  const error = await ended.then(() => null, (raised) => raised);
  return { heard, error };
}

test("events of a task are told as they come", async () => {
  const asked = /** @type {unknown[]} */ ([]);
  const answer = async (/** @type {any[]} */ ...call) => (asked.push(call[0]), new Response(': here\n\ndata: {"type":"standing"}\n\ndata: {"type":"answered","hitlId":"h"}\n\n', { headers: HEADERS }));
  const { heard, error } = await hear(/** @type {any} */ (answer));
  assert.deepEqual([heard, error, asked], [["open", "standing", "answered"], null, ["https://s/api/task/a%2Fb/events"]]);
});

test("silence is a lost connection, and a server without events says so", async () => {
  /** As the browser's own, the stream breaks off when it is given up. @param {string} _url @param {{signal: AbortSignal}} init */
  const silent = async (_url, { signal }) => {
    const start = (/** @type {ReadableStreamDefaultController} */ stream) => signal.addEventListener("abort", () => stream.error(new Error("aborted")));
    return new Response(new ReadableStream({ start }), { headers: HEADERS });
  };
  const { error } = await hear(/** @type {any} */ (silent), 40);
  assert.ok(error instanceof Lost);
  assert.ok((await hear(async () => new Response("{}", { status: 404 }))).error instanceof Problem);
  assert.ok((await hear(async () => new Response("<html>", { headers: { "Content-Type": "text/html" } }))).error instanceof Problem);
});

test("it is listened again after longer and longer, and after half a minute where there is nothing to hear", async () => {
  const stop = new AbortController();
  const outcomes = [new Lost("x"), new Lost("x"), null, new Lost("x"), new Problem(404, "NOT_FOUND", ""), new Problem(503, "X", "")];
  const pauses = /** @type {number[]} */ ([]);
  const away = /** @type {boolean[]} */ ([]);
  const world = /** @type {World} */ (/** @type {unknown} */ ({
    journal: { settings: async () => SETTINGS },
    sleep: async (/** @type {number} */ ms) => void pauses.push(ms),
    events: async (/** @type {{onOpen: () => void}} */ { onOpen }) => {
      if (outcomes.length === 0) return stop.abort();
      const error = outcomes.shift();
      if (error) throw error;
      onOpen();
    },
  }));
  await followTask(world, "t", stop.signal, { heard: () => undefined, away: (now) => away.push(now) });
  assert.deepEqual(pauses.slice(0, 6), [500, 1000, 2000, 1000, 30_000, 4000]);
  assert.deepEqual(away, [true, false, true, false, false]);
});
