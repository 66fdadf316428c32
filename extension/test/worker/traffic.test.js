import assert from "node:assert/strict";
import test from "node:test";
import { kindOf, Traffic } from "../../worker/traffic.js";

let number = 0;

/** @param {string} path @param {string} [method] @param {string} [type] */
const request = (path, method = "GET", type = "xmlhttprequest") => ({ requestId: String(++number), type, method, url: `https://a.example${path}` });

/** @param {Traffic} traffic @param {ReturnType<typeof request>} one @param {number} from @param {number} [to] */
function made(traffic, one, from, to) {
  traffic.begin(one, from);
  if (to !== undefined) traffic.end(one.requestId, to);
  return one;
}

test("what an act begins is waited for until it ends, and its quiet counts from then", () => {
  const traffic = new Traffic(0);
  traffic.beginAction(1000);
  const save = made(traffic, request("/save", "POST"), 1010);
  assert.deepEqual([traffic.state(1000, 1500).pending, traffic.state(1000, 1500).started], [1, 1]);
  traffic.end(save.requestId, 3000);
  const { pending, quietMs, since } = traffic.state(1000, 3400);
  assert.deepEqual({ pending, quietMs, since }, { pending: 0, quietMs: 400, since: 0 });
});

test("images, media and beacons are nobody's wait, but known to have been there", () => {
  const traffic = new Traffic(0);
  for (const type of ["image", "media", "font", "ping", "websocket", "other"]) made(traffic, request("/x", "GET", type), 1010);
  const { pending, quietMs, anyQuietMs, started } = traffic.state(1000, 2010);
  assert.deepEqual({ pending, quietMs, anyQuietMs, started }, { pending: 0, quietMs: 2010, anyQuietMs: 1000, started: 0 });
});

test("a page that was still loading is waited for, what has long been going on is not", () => {
  const traffic = new Traffic(0);
  made(traffic, request("/poll"), 0);
  made(traffic, request("/table"), 9000);
  assert.equal(traffic.state(10_000, 10_100).pending, 1);
  assert.equal(traffic.state(10_000, 10_100).started, 0);
  assert.equal(traffic.state(null, 10_100).pending, 2, "before anybody acted everything counts");
});

test("a long poll is known by having hung, and its next one holds up nothing", () => {
  const traffic = new Traffic(0);
  const first = made(traffic, request("/poll/17?since=1"), 0);
  traffic.beginAction(6000);
  traffic.end(first.requestId, 6100);
  made(traffic, request("/poll/18?since=2"), 6150);
  const { pending, started, background, quietMs } = traffic.state(6000, 6600);
  assert.deepEqual({ pending, started, background, quietMs }, { pending: 0, started: 0, background: 1, quietMs: 6600 });
});

test("what kept a wait busy to its end does not keep the next one", () => {
  const traffic = new Traffic(0);
  made(traffic, request("/hang"), 1100);
  for (const at of [1200, 1900, 2600, 3300]) made(traffic, request("/beat"), at, at + 5);
  const save = made(traffic, request("/save", "POST"), 1100);
  assert.equal(traffic.state(1000, 6000).pending, 2);
  traffic.noteTimeout(1000);
  assert.equal(traffic.state(1000, 6000).pending, 1, "a slow save is no poll");
  traffic.end(save.requestId, 6000);
  made(traffic, request("/beat"), 7010, 7020);
  made(traffic, request("/save", "POST"), 7010);
  const { pending, started } = traffic.state(7000, 7100);
  assert.deepEqual({ pending, started }, { pending: 1, started: 1 });
});

test("a page on its way is no poll, however slow: the next way there is waited for as well", () => {
  const traffic = new Traffic(0);
  const first = made(traffic, request("/orders", "GET", "main_frame"), 1010);
  traffic.noteTimeout(1000);
  traffic.beginAction(7000);
  traffic.end(first.requestId, 7000);
  made(traffic, request("/orders", "GET", "main_frame"), 7010);
  const { pending, started } = traffic.state(7000, 7100);
  assert.deepEqual({ pending, started }, { pending: 1, started: 1 });
});

test("what is asked for again and again with nobody acting is a poll", () => {
  const traffic = new Traffic(0);
  traffic.state(null, 100);
  for (const at of [1000, 3000]) made(traffic, request("/beat"), at, at + 20);
  made(traffic, request("/once"), 3000, 3020);
  traffic.beginAction(4000);
  made(traffic, request("/beat"), 4100, 4120);
  made(traffic, request("/once"), 4100, 4120);
  assert.equal(traffic.state(4000, 4200).started, 1);
  assert.equal(traffic.state(4000, 4200).background, 1);
});

test("an event stream has no end, whether it was asked for or answered", () => {
  const traffic = new Traffic(0);
  const one = made(traffic, request("/events"), 1010);
  const other = made(traffic, request("/answers"), 1010);
  traffic.setType(one.requestId, "text/event-stream");
  traffic.setType(other.requestId, "text/html, */*");
  assert.equal(traffic.state(1000, 1100).pending, 1);
  traffic.setType(other.requestId, "Text/Event-Stream; charset=utf-8");
  assert.equal(traffic.state(1000, 1100).pending, 0);
  assert.equal(traffic.state(1000, 1100).started, 2, "they began all the same");
});

test("a redirect is one request, and what is remembered has a bound", () => {
  const traffic = new Traffic(0);
  const one = request("/a");
  traffic.begin(one, 1010);
  traffic.begin({ ...one, url: "https://a.example/b" }, 1200);
  assert.equal(traffic.state(1000, 1300).pending, 1);
  traffic.end(one.requestId, 1300);
  assert.equal(traffic.state(1000, 1300).pending, 0);
  for (let at = 0; at < 2000; at++) made(traffic, request(`/${at.toString(2).replaceAll("0", "a").replaceAll("1", "b")}`), 2000 + at, 2000 + at);
  assert.ok(traffic.state(0, 5000).started <= 500);
});

test("requests of one kind differ in numbers and queries only", () => {
  assert.equal(kindOf(request("/poll/17?x=1")), kindOf(request("/poll/9?y=2")));
  assert.notEqual(kindOf(request("/poll/17")), kindOf(request("/poll/17", "POST")));
  assert.equal(kindOf({ ...request("/"), url: "::" }), "GET ::");
});
