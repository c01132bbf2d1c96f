// The tokens of readers: docs/web.md, "Keys and tokens".

import assert from "node:assert/strict";
import {afterEach, beforeEach, test} from "node:test";

import {Screen} from "../../Sources/BroadsheetWeb/client.js";
import {changes, Clock, ScriptedDaemon, settled, tree} from "./support.mjs";

let clock, daemon, screens, updates, calls;

// A token as a backend signs it, of which clients read the times alone.
const token = (lifetime, {ahead = 0, sub = "aÿ?~"} = {}) => {
  const iat = Math.round(Date.now() / 1_000) + ahead;
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({alg: "EdDSA", kid: "k"})}.${part({iat, exp: iat + lifetime, sub})}.c2ln`;
};

const next = (make) => async (problem) => {
  calls.push(problem);
  return make(calls.length);
};

const follow = (options, name = "home") => {
  const screen = new Screen(`http://host/v1/screens/${name}`, {fetch: daemon.fetch, ...options});
  screens.push(screen);
  screen.subscribe((update) => updates.push(update));
  return screen;
};

const bearer = (request) => request.init.headers.get("Authorization");

beforeEach(() => {
  clock = new Clock();
  daemon = new ScriptedDaemon();
  [screens, updates, calls] = [[], [], []];
});

afterEach(() => {
  for (const screen of screens) screen.close();
  clock.restore();
});

test("The function is called before the first request, once for the screens that share it", async () => {
  const get = next((count) => `t${count}`);
  follow({token: get, headers: {"X-App": "1"}});
  follow({token: get}, "cart");
  const [one, other] = [await daemon.next("stream"), await daemon.next("stream")];
  assert.deepEqual([one, other].map(bearer), ["Bearer t1", "Bearer t1"]);
  assert.equal(one.init.headers.get("X-App"), "1");
  assert.deepEqual(calls, [undefined]);
});

test("After a 401 it is called with the problem, and the request is sent once more", async () => {
  const screen = follow({token: next((count) => `t${count}`)});
  (await daemon.next("stream")).problem(401, "TOKEN_KEY_UNKNOWN");
  const second = await daemon.next("stream");
  assert.equal(bearer(second), "Bearer t2");
  assert.equal(calls[1].code, "TOKEN_KEY_UNKNOWN");
  assert.equal(screen.problem, null);
  second.problem(401, "TOKEN_KEY_UNKNOWN");
  await settled();
  assert.equal(screen.status, "waiting");
  assert.equal(screen.problem.code, "TOKEN_KEY_UNKNOWN");
  assert.equal(calls.length, 2);
});

test("Requests that are refused together have one call, and then the same token", async () => {
  const get = next((count) => `t${count}`);
  follow({token: get});
  follow({token: get}, "cart");
  const refused = [await daemon.next("stream"), await daemon.next("stream")];
  for (const request of refused) request.problem(401, "TOKEN_EXPIRED");
  const again = [await daemon.next("stream"), await daemon.next("stream")];
  assert.deepEqual(again.map(bearer), ["Bearer t2", "Bearer t2"]);
  assert.equal(calls.length, 2);
});

for (const [random, rest] of [[0, 0.2], [0.5, 0.15], [0.999, 0.1001]]) {
  test(`With ${rest} of its time left the stream goes on with the next token`, async () => {
    Math.random = () => random;
    // Within the time for which a stream may be silent.
    const screen = follow({token: next(() => token(30))});
    const stream = (await daemon.next("stream")).stream();
    await stream.event("tree", "12.T12", tree(12));
    const before = updates.length;
    await clock.advance(30_000 * (1 - rest) - 1_000);
    assert.equal(calls.length, 1);
    await clock.advance(2_000);
    assert.equal(calls.length, 2);
    assert.ok(stream.isAborted);
    const second = await daemon.next("stream");
    assert.equal(second.query.since, "12.T12");
    const going = second.stream();
    await going.event("changes", "13.T13", changes(12, 13));
    assert.equal(screen.tree.revision, 13);
    assert.deepEqual(updates.slice(before).map(({status, problem}) => [status, problem]), [["live", null]]);
  });
}

test("A token that is old when it arrives has its rest; one of a fast clock has its lifetime", async () => {
  follow({token: next((count) => token(900, {ahead: count === 1 ? -800 : -2_000}))});
  (await daemon.next("stream")).stream();
  await clock.advance(84_000);
  assert.equal(calls.length, 1);
  await clock.advance(2_000);
  assert.equal(calls.length, 2);
  (await daemon.next("stream")).stream();
  await clock.advance(700_000);
  assert.equal(calls.length, 2);
  await clock.advance(70_000);
  assert.equal(calls.length, 3);
});

test("A token is renewed 1 s after it arrived at the earliest", async () => {
  follow({token: next(() => token(1))});
  (await daemon.next("stream")).stream();
  await clock.advance(900);
  assert.equal(calls.length, 1);
  await clock.advance(200);
  assert.equal(calls.length, 2);
});

test("A stream that ends with `expired` is no cut, and goes on with a new token in its time", async () => {
  const screen = follow({token: next((count) => `t${count}`)});
  let id;
  for (let count = 1; count <= 4; count++) {
    const request = await daemon.next("stream");
    assert.equal(bearer(request), `Bearer t${count}`);
    assert.equal(request.query.since, id);
    const stream = request.stream();
    if (!id) await stream.event("tree", id = "12.T12", tree(12));
    await stream.write(
      'event: expired\nretry: 4000\ndata: {"screen":"home","code":"TOKEN_EXPIRED"}\n\n');
    await stream.end();
    assert.equal(screen.status, "live");
    const before = daemon.requests.length;
    await clock.advance(1_900);
    assert.equal(daemon.requests.length, before);
    await clock.advance(200);
  }
  assert.ok(calls.every((problem) => problem === undefined));
  assert.equal(screen.problem, null);
});

test("Without an open screen no token is requested", async () => {
  const screen = follow({token: next(() => token(900))});
  (await daemon.next("stream")).stream();
  await settled();
  screen.close();
  await clock.advance(5_000_000);
  assert.equal(calls.length, 1);
});

test("A function that throws is a problem of the network; early, the token before stays", async () => {
  let fails = false;
  const screen = follow({token: next((count) => {
    if (fails) throw new Error("no token");
    return token(30, {sub: `reader ${count}`});
  })});
  const stream = (await daemon.next("stream")).stream();
  await stream.event("tree", "12.T12", tree(12));
  fails = true;
  await clock.advance(28_000);
  assert.equal(calls.length, 2);
  assert.ok(!stream.isAborted);
  assert.equal(screen.status, "live");
  await stream.write('event: expired\nretry: 1000\ndata: {"screen":"home","code":"TOKEN_EXPIRED"}\n\n');
  await stream.end();
  await clock.advance(600);
  assert.equal(screen.status, "waiting");
  assert.equal(screen.problem.code, "NETWORK");
  assert.equal(screen.problem.detail, "no token");
});
