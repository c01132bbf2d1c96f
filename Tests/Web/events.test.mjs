// How a Screen sends events of the client: docs/web.md, "Following".

import assert from "node:assert/strict";
import {afterEach, beforeEach, test} from "node:test";

import {Screen} from "../../Sources/BroadsheetWeb/client.js";
import {Clock, ScriptedDaemon, settled, tree} from "./support.mjs";

let clock, daemon, screen;

beforeEach(async () => {
  clock = new Clock();
  daemon = new ScriptedDaemon();
  screen = new Screen("http://host/v1/screens/home?client=web/1&width=5&catalog=b", {
    fetch: daemon.fetch,
  });
  screen.subscribe(() => {});
  const stream = (await daemon.next("stream")).stream();
  await stream.event("tree", "12.T12", tree(12));
});

afterEach(() => {
  screen.close();
  clock.restore();
});

const posted = (request) => JSON.parse(request.init.body).events;

test("Actions of a task are sent together at once, and resolve with the response", async () => {
  const sent = [1, 2].map((stars) => screen.send({
    type: "action", name: "rate", section: "s", item: "i0", input: {stars},
  }));
  screen.send({type: "scroll"});
  const request = await daemon.next("events");
  assert.equal(request.url, "http://host/v1/screens/home/events?client=web/1&catalog=b");
  assert.equal(request.init.method, "POST");
  assert.equal(request.init.headers.get("Content-Type"), "application/json");
  assert.deepEqual(posted(request).map(({input, revision}) => [input.stars, revision]), [[1, 12], [2, 12]]);
  assert.equal(posted(request)[0].at, 1_700_000_000);
  request.json({accepted: 2, revision: 13}, 202);
  assert.deepEqual(await Promise.all(sent), Array(2).fill({accepted: 2, revision: 13}));
});

test("An action that is refused or lost rejects, and is not sent again", async () => {
  for (const [respond, code] of [
    [(request) => request.problem(409, "UPDATE_FAILED"), "UPDATE_FAILED"],
    [(request) => request.fail(), "NETWORK"],
  ]) {
    const sent = screen.send({type: "action", name: "like"});
    respond(await daemon.next("events"));
    await assert.rejects(sent, (problem) => problem.code === code);
    await clock.advance(35_000);
    assert.ok(daemon.requests.every((one) => one.path !== "events"));
  }
});

test("More than 1,000 actions of a task are several requests, in order", async () => {
  const all = Array.from({length: 2_001}, (_, index) => screen.send({type: "action", name: `${index}`}));
  const requests = [await daemon.next("events"), await daemon.next("events"), await daemon.next("events")];
  assert.deepEqual(requests.map((one) => posted(one).length), [1_000, 1_000, 1]);
  requests.forEach((one) => one.json({accepted: 1}, 202));
  await Promise.all(all);
});

test("Other events are collected for 1 s, and sent again by the times of rule 4", async () => {
  assert.equal(await screen.send({type: "select", section: "s", item: "i0", at: 5}), undefined);
  await clock.advance(400);
  screen.send({type: "willDisplay", section: "s", item: "i1"});
  await clock.advance(599);
  assert.equal(daemon.requests.length, 0);
  await clock.advance(1);
  const request = await daemon.next("events");
  assert.deepEqual(posted(request).map(({type, at}) => [type, at]),
    [["select", 5], ["willDisplay", 1_700_000_000.4]]);
  request.fail();
  await clock.advance(250);
  (await daemon.next("events")).problem(503, "OVERLOADED", {"Retry-After": "3"});
  await settled();
  screen.send({type: "scroll"});
  await clock.advance(3_000);
  const last = await daemon.next("events");
  assert.deepEqual(posted(last).map((one) => one.type), ["select", "willDisplay", "scroll"]);
  last.json({accepted: 3}, 202);
  await clock.advance(30_000);
  assert.ok(daemon.requests.every((one) => one.path !== "events"));
});

test("An event that is sent during a request waits for its Retry-After, too", async () => {
  screen.send({type: "scroll"});
  await clock.advance(1_000);
  const request = await daemon.next("events");
  screen.send({type: "select"});
  await clock.advance(10);
  request.problem(503, "OVERLOADED", {"Retry-After": "30"});
  await clock.advance(10_000);
  screen.send({type: "highlight"});
  await clock.advance(19_999);
  assert.equal(daemon.requests.length, 0);
  await clock.advance(1);
  const again = await daemon.next("events");
  assert.deepEqual(posted(again).map((one) => one.type), ["scroll", "select", "highlight"]);
  screen.send({type: "deselect"});
  await clock.advance(400);
  again.json({accepted: 3}, 202);
  await clock.advance(599);
  assert.equal(daemon.requests.length, 0);
  await clock.advance(1);
  const last = await daemon.next("events");
  assert.deepEqual(posted(last).map((one) => one.type), ["deselect"], "1 s after it was sent");
  last.json({accepted: 1}, 202);
});

test("Events that violate the contract are dropped", async () => {
  for (const status of [400, 404, 413, 422]) {
    screen.send({type: "scroll"});
    await clock.advance(1_000);
    (await daemon.next("events")).problem(status, "X");
    await clock.advance(5_000);
    assert.ok(daemon.requests.every((one) => one.path !== "events"), `${status}`);
  }
});

test("At most 1,000 events are kept, the oldest are dropped first", async () => {
  for (let number = 0; number < 600; number++) screen.send({type: "scroll", at: number});
  screen.flush();
  const request = await daemon.next("events");
  for (let number = 600; number < 1_200; number++) screen.send({type: "scroll", at: number});
  request.fail();
  await clock.advance(1_000);
  const events = posted(await daemon.next("events"));
  assert.deepEqual([events.length, events[0].at, events.at(-1).at], [1_000, 200, 1_199]);
});

test("flush sends now, with keepalive below 60,000 bytes", async () => {
  screen.send({type: "scroll"});
  screen.flush();
  assert.equal((await daemon.next("events")).init.keepalive, true);
  screen.close();
  daemon.requests = [];
  screen.send({type: "scroll", input: "é".repeat(30_000)});
  screen.flush();
  await settled();
  assert.equal(daemon.requests.length, 0, "never two requests at once");
});

test("Long events are sent without keepalive", async () => {
  screen.send({type: "scroll", input: "é".repeat(30_000)});
  screen.close();
  assert.equal((await daemon.next("events")).init.keepalive, false);
});
