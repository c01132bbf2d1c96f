// How a Screen follows its screen: docs/web.md, "Following".

import assert from "node:assert/strict";
import {afterEach, beforeEach, test} from "node:test";

import {Problem, Screen} from "../../Sources/BroadsheetWeb/client.js";
import {changes, Clock, pageChanges, ScriptedDaemon, settled, tree} from "./support.mjs";

let clock, daemon, screen, updates;

const follow = (options = {}, url = "http://host/v1/screens/home?client=web/5.2&flags=a%2Cb") => {
  screen = new Screen(url, {fetch: daemon.fetch, ...options});
  return screen.subscribe((one) => updates.push(one));
};

// Follows, and sends the tree of revision 12.
const live = async (options) => {
  follow(options);
  const stream = (await daemon.next("stream")).stream();
  await stream.event("tree", "12.T12", tree(12));
  return stream;
};

beforeEach(() => {
  clock = new Clock();
  daemon = new ScriptedDaemon();
  updates = [];
});

afterEach(() => {
  screen?.close();
  clock.restore();
});

test("1: The first request has the parameters of the url and of the headers, as they are", async () => {
  follow({headers: {Authorization: "Bearer s"}});
  assert.equal(screen.status, "connecting");
  const request = await daemon.next("stream");
  assert.equal(
    request.url, "http://host/v1/screens/home/stream?client=web/5.2&flags=a%2Cb&changes=true");
  assert.equal(request.init.headers.get("Authorization"), "Bearer s");
  assert.equal(request.init.headers.get("Accept"), "text/event-stream");
});

test("1: With a tree the request has since and page, and goes on after another subscriber", async () => {
  follow();
  const end = screen.subscribe(() => {});
  const stream = (await daemon.next("stream")).stream();
  await stream.event("tree", "12.T12", tree(12));
  end();
  assert.equal(screen.status, "live");
  screen.close();
  assert.equal(screen.status, "closed");
  assert.ok(stream.isAborted);
  assert.equal(screen.tree.revision, 12);
  screen.subscribe(() => {});
  assert.equal(screen.status, "connecting");
  const {query} = await daemon.next("stream");
  assert.deepEqual([query.since, query.page], ["12.T12", "0"]);
});

test("2: A tree replaces, changes apply, and other events are ignored", async () => {
  const stream = await live();
  assert.equal(screen.status, "live");
  const first = screen.tree;
  await stream.event("changes", "13.T13", changes(12, 13));
  assert.equal(screen.tree.sections[0].items[0].data.revision, 13);
  assert.equal(screen.tree.sections[0].items[1], first.sections[0].items[1]);
  const last = updates.at(-1);
  assert.equal(last.previous, first);
  assert.equal(last.tree, screen.tree);
  assert.equal(last.changes.to.revision, 13);
  await stream.event("weather", "14.X", {rain: true});
  await stream.event("changes", "15.T15", {...changes(13, 15), reset: true, tree: tree(15)});
  assert.equal(screen.tree.revision, 15);
  assert.equal(updates.at(-1).changes, null);
  await stream.event("tree", "16.T16", tree(16));
  assert.equal(updates.at(-1).tree.revision, 16);
  assert.equal(updates.at(-1).changes, null);
});

for (const [name, document] of [
  ["another page", changes(12, 13, {from: {revision: 12, page: 1}})],
  ["another revision", changes(11, 13)],
  ["an index that does not fit", changes(12, 13, {stages: [{deleteSections: [4]}]})],
  ["another form", {reset: false}],
]) {
  test(`2: After changes of ${name} the tree is asked for again after 1 s`, async () => {
    const stream = await live();
    await stream.event("changes", "13.T13", document);
    assert.equal(screen.tree.revision, 12);
    assert.ok(stream.isAborted);
    await clock.advance(999);
    assert.equal(daemon.requests.length, 0);
    await clock.advance(1);
    const {query} = await daemon.next("stream");
    assert.equal(query.since, undefined);
    assert.equal(query.page, undefined);
  });
}

test("2: A screen that is removed has no tree, and is asked for again", async () => {
  const stream = await live();
  await stream.event("removed", "", {screen: "home"});
  assert.equal(screen.tree, null);
  assert.equal(screen.status, "waiting");
  assert.ok(screen.problem instanceof Problem);
  assert.deepEqual([screen.problem.status, screen.problem.code], [404, "SCREEN_NOT_FOUND"]);
  await clock.advance(250);
  const next = (await daemon.next("stream")).stream();
  await next.event("tree", "20.T", tree(20));
  assert.equal(screen.status, "live");
  assert.equal(screen.problem, null);
});

test("2: A problem in the stream is one as a response", async () => {
  const stream = await live();
  await stream.event("problem", "", {status: 406, code: "CLIENT_NOT_SUPPORTED", detail: "old"});
  assert.equal(screen.tree, null);
  assert.equal(screen.status, "failed");
  assert.equal(screen.problem.message, "old");
  await clock.advance(1e7);
  assert.equal(daemon.requests.length, 0);
  screen.wake();
  assert.equal(screen.status, "connecting");
  await daemon.next("stream");
});

test("3: A stream that ends later goes on after a random time of up to retry", async () => {
  const stream = await live();
  await stream.write("retry: 4000\n\n");
  await clock.advance(10_000);
  const before = updates.length;
  await stream.break();
  await clock.advance(1_999);
  assert.equal(daemon.requests.length, 0);
  await clock.advance(1);
  assert.equal((await daemon.next("stream")).query.since, "12.T12");
  assert.equal(screen.status, "live");
  assert.equal(updates.length, before);
});

test("3: After three streams that were cut in a row, it polls, and tries a stream after 5 minutes", async () => {
  follow();
  (await daemon.next("stream")).stream();
  await clock.advance(5_000 + 250);
  const second = (await daemon.next("stream")).stream();
  await second.event("tree", "12.T12", tree(12));
  await clock.advance(40_000 + 250);
  const third = (await daemon.next("stream")).stream();
  await third.write(": hello\n");
  await third.end();
  await clock.advance(250);
  const poll = await daemon.next("changes");
  assert.equal(poll.init.headers.get("Prefer"), "wait=20");
  assert.deepEqual([poll.query.since, poll.query.page], ["12.T12", "0"]);
  poll.json(changes(12, 13));
  await settled();
  assert.equal(screen.tree.revision, 13);
  await clock.advance(2_000);
  const again = await daemon.next("changes");
  assert.equal(again.query.since, "13.T13");
  await clock.advance(20_000);
  again.json(null, 204);
  await clock.advance(0);
  (await daemon.next("changes")).fail();
  await clock.advance(340_000);
  const paths = daemon.requests.map((one) => one.path);
  assert.equal(paths.filter((path) => path === "stream").length, 1);
  assert.equal(paths.at(-1), "changes", "one cut leads back");
});

test("3: Without streams it polls at once, the first tree by its layout", async () => {
  follow();
  const request = await daemon.next("stream");
  request.json({});
  const fetch = daemon.fetch;
  screen.close();
  screen = new Screen("http://host/v1/screens/home", {
    fetch: async (...words) => {
      const {status, ok, headers} = await fetch(...words);
      return {status, ok, headers, json: async () => tree(12)};
    },
  });
  daemon.requests = [];
  screen.subscribe((one) => updates.push(one));
  (await daemon.next("stream")).json({});
  await clock.advance(0);
  (await daemon.next("layout")).json({}, 200, {ETag: 'W/"Tag-gzip"'});
  await clock.advance(0);
  assert.equal(screen.tree.revision, 12);
  assert.equal(screen.status, "live");
  assert.equal((await daemon.next("changes")).query.since, "12.Tag");
});

test("3: A response without anything new in under 1 s is followed by a pause", async () => {
  const stream = await live();
  for (let cut = 0; cut < 3; cut++) {
    if (cut) (await daemon.next("stream")).stream().end();
    else await stream.end();
    await clock.advance(250);
  }
  const same = changes(12, 12, {stages: []});
  (await daemon.next("changes")).json(same);
  const before = updates.length;
  await clock.advance(1_499);
  assert.equal(daemon.requests.length, 0);
  await clock.advance(1);
  await daemon.next("changes");
  assert.equal(updates.length, before);
});

// Follows a screen that it polls, and returns the first request of changes.
const polling = async () => {
  const {fetch} = daemon;
  follow({
    fetch: async (...words) => {
      const response = await fetch(...words);
      const {status, ok, headers} = response;
      return {status, ok, headers, json: () => response.json()};
    },
  });
  (await daemon.next("stream")).json({});
  await clock.advance(0);
  (await daemon.next("layout")).json(tree(12), 200, {ETag: '"T12"'});
  await clock.advance(0);
  return daemon.next("changes");
};

test("3: A response with something new is followed by the next request at once", async () => {
  for (const [request, from] of [[await polling(), 12], [null, 13], [null, 14]]) {
    if (from === 13) await clock.advance(10_000);
    (request ?? await daemon.next("changes")).json(changes(from, from + 1));
    await clock.advance(0);
    assert.equal(screen.tree.revision, from + 1);
  }
  assert.equal((await daemon.next("changes")).query.since, "15.T15");
  assert.equal(daemon.requests.length, 0);
});

const reset = (revision, tag) => changes(revision, revision, {
  reset: true, tree: tree(revision), to: {revision, page: 0, tag},
});

test("2: Resets that follow each other are polled with pauses that grow up to 15 to 30 s", async () => {
  // Two daemons of a deployment with two catalogs, which do not know each other's tags.
  let request = await polling();
  for (const [count, pause] of [1_500, 3_000, 6_000, 12_000, 22_500, 22_500].entries()) {
    await clock.advance(count % 2 ? 20_000 : 10);
    request.json(reset(12, `D${count}`));
    await settled();
    await clock.advance(pause - 1);
    assert.equal(daemon.requests.length, 0, `${pause}`);
    await clock.advance(1);
    request = await daemon.next("changes");
    assert.equal(request.query.since, `12.D${count}`);
  }
  request.json(changes(12, 13));
  await clock.advance(0);
  (await daemon.next("changes")).json(reset(14, "E"));
  await clock.advance(1_499);
  assert.equal(daemon.requests.length, 0, "a change has ended the row");
  await clock.advance(1);
  await daemon.next("changes");
});

test("1: Trees whose changes do not fit are asked for after 1 s twice, and then less often", async () => {
  let stream = await live();
  for (const pause of [1_000, 1_000, 6_000, 12_000, 22_500, 22_500]) {
    await stream.event("changes", "13.T13", changes(11, 13));
    await clock.advance(pause - 1);
    assert.equal(daemon.requests.length, 0, `${pause}`);
    await clock.advance(1);
    stream = (await daemon.next("stream")).stream();
    await stream.event("tree", "12.T12", tree(12));
  }
  await stream.event("changes", "13.T13", changes(12, 13));
  await stream.event("changes", "15.T15", changes(14, 15));
  await clock.advance(1_000);
  await daemon.next("stream");
});

test("3: While the next page loads, responses that are held are followed by a pause", async () => {
  const request = await polling();
  screen.scrolled(0);
  const page = await daemon.next("changes");
  assert.equal(page.query.pageToken, "t0");
  request.json(changes(12, 13));
  for (let count = 0; count < 3; count++) {
    await clock.advance(1_499);
    assert.equal(daemon.requests.length, 0);
    await clock.advance(1);
    const again = await daemon.next("changes");
    assert.equal(again.query.since, "12.T12");
    again.json(changes(12, 13));
  }
  assert.equal(screen.tree.revision, 12);
  page.json(pageChanges(12, 13));
  await settled();
  assert.equal(screen.tree.page, 1);
  const next = await daemon.next("changes");
  assert.deepEqual([next.query.since, next.query.page], ["13.P13", "1"]);
});

for (const [status, isPassing] of [
  [400, false], [401, true], [403, false], [404, true], [406, false], [408, true], [410, false],
  [421, false], [422, false], [425, true], [429, true], [431, false], [500, true], [503, true],
]) {
  test(`4: After ${status} it ${isPassing ? "waits" : "fails"}`, async () => {
    follow();
    (await daemon.next("stream")).problem(status, "X");
    await settled();
    assert.equal(screen.status, isPassing ? "waiting" : "failed");
    assert.equal(screen.problem.status, status);
    await clock.advance(isPassing ? 250 : 1e7);
    assert.equal(daemon.requests.length, isPassing ? 1 : 0);
    screen.set({width: 5});
    assert.equal(screen.status, isPassing ? "waiting" : "connecting");
  });
}

test("4: Delays double up to 30 s, start again, and are at least Retry-After", async () => {
  follow();
  const delays = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000];
  for (const delay of delays) {
    (await daemon.next("stream")).fail();
    await clock.advance(delay - 1);
    assert.equal(daemon.requests.length, 0, `${delay}`);
    assert.deepEqual([screen.problem.status, screen.problem.code], [0, "NETWORK"]);
    await clock.advance(1);
  }
  const stream = (await daemon.next("stream")).stream();
  await stream.event("tree", "12.T12", tree(12));
  await clock.advance(10_000);
  await stream.end();
  await clock.advance(1_000);
  (await daemon.next("stream")).problem(503, "DRAINING", {"Retry-After": "7"});
  await settled();
  assert.equal(screen.problem.retryAfter, 7);
  assert.equal(screen.tree.revision, 12);
  await clock.advance(6_999);
  assert.equal(daemon.requests.length, 0);
  await clock.advance(1);
  (await daemon.next("stream")).problem(503, "DRAINING");
  await clock.advance(500);
  await daemon.next("stream");
});

test("4: A problem without a document has the status, and hostile members are only data", async () => {
  follow();
  (await daemon.next("stream")).json("gone", 410);
  await settled();
  assert.deepEqual([screen.problem.code, screen.problem.errors], ["HTTP_410", []]);
  const document = JSON.parse('{"status":422,"code":"A","__proto__":{"x":1},"extra":[1]}');
  const problem = new Problem(document);
  assert.ok(problem instanceof Problem && problem instanceof Error);
  assert.equal(problem.x, undefined);
  assert.deepEqual(problem.extra, [1]);
});

test("A function of headers is called before each request, and once more with a 401", async () => {
  const seen = [];
  const headers = async (problem) => {
    seen.push(problem?.status);
    return {Authorization: `Bearer ${seen.length}`};
  };
  follow({headers});
  (await daemon.next("stream")).problem(401, "UNAUTHENTICATED");
  const second = await daemon.next("stream");
  assert.equal(second.init.headers.get("Authorization"), "Bearer 2");
  assert.deepEqual(seen, [undefined, 401]);
  second.problem(401, "UNAUTHENTICATED");
  await settled();
  assert.equal(screen.status, "waiting");
  await clock.advance(250);
  const stream = (await daemon.next("stream")).stream();
  await stream.event("tree", "1.T", tree(1));
  assert.equal(screen.status, "live");
});

test("A function of headers that throws is a problem of the network", async () => {
  follow({headers: () => { throw new Error("no token"); }});
  await settled();
  assert.deepEqual([screen.problem.code, screen.problem.message], ["NETWORK", "no token"]);
});

test("5: The next page is loaded when it is due, and the stream goes on from there", async () => {
  const stream = await live();
  screen.scrolled(-301);
  await settled();
  assert.equal(daemon.requests.length, 0);
  screen.scrolled(-299);
  const request = await daemon.next("changes");
  assert.deepEqual(request.query, {
    client: "web/5.2", flags: "a,b", since: "12.T12", page: "0", pageToken: "t0",
  });
  assert.equal(screen.loadNextPage(), screen.loadNextPage());
  screen.scrolled(10);
  await stream.event("changes", "13.T13", changes(12, 13));
  assert.equal(screen.tree.revision, 12, "held while the page loads");
  const loaded = screen.loadNextPage();
  request.json(pageChanges(12, 14));
  assert.equal(await loaded, true);
  assert.equal(screen.tree.page, 1);
  assert.equal(screen.tree.sections[0].items.length, 6);
  assert.equal(updates.at(-1).changes.to.page, 1);
  assert.ok(stream.isAborted);
  const {query} = await daemon.next("stream");
  assert.deepEqual([query.since, query.page], ["14.P14", "1"]);
  assert.equal((await daemon.next("changes")).query.pageToken, "t1", "due again: 10 > 600 - 600");
});

test("5: A page that fails is tried again, and what was held is applied", async () => {
  const stream = await live();
  screen.scrolled(0);
  const request = await daemon.next("changes");
  await stream.event("changes", "13.T13", changes(12, 13));
  await stream.event("changes", "14.T14", changes(13, 14));
  request.problem(503, "OVERLOADED");
  await settled();
  assert.equal(screen.tree.revision, 14);
  await clock.advance(250);
  const again = await daemon.next("changes");
  assert.equal(again.query.since, "14.T14");
  again.problem(400, "INVALID_PAGE_TOKEN");
  await settled();
  assert.equal(screen.problem.code, "INVALID_PAGE_TOKEN");
  await clock.advance(60_000);
  assert.ok(daemon.requests.every((one) => !one.query.pageToken));
});

test("5: A page that is not loaded yet is not a problem, and set ends a page", async () => {
  await live();
  screen.scrolled(0);
  (await daemon.next("changes")).problem(404, "PAGE_NOT_LOADED", {"Retry-After": "1"});
  await settled();
  assert.equal(screen.problem, null);
  assert.equal(screen.status, "live");
  assert.equal(screen.tree.revision, 12);
  await clock.advance(1_000);
  const request = await daemon.next("changes");
  screen.set({width: 300});
  assert.ok(request.isAborted);
  const {query} = await daemon.next("stream");
  assert.deepEqual([query.width, query.since, query.page], ["300", undefined, undefined]);
});

test("5: A page that is silent for 40 s is given up", async () => {
  const stream = await live();
  screen.scrolled(0);
  const request = await daemon.next("changes");
  await clock.advance(30_000);
  await stream.write(":\n");
  await clock.advance(10_000);
  assert.ok(request.isAborted);
  assert.equal(screen.problem.code, "NETWORK");
});

test("set asks for other parameters up to the same page, and equal values do nothing", async () => {
  const stream = await live();
  screen.scrolled(0);
  (await daemon.next("changes")).json(pageChanges(12, 13));
  await settled();
  (await daemon.next("stream")).stream();
  daemon.requests = [];
  screen.set({flags: ["a", "b"], width: 800, client: "web/6"});
  assert.equal(screen.tree.page, 1, "shown until then");
  const request = await daemon.next("stream");
  assert.match(request.url, /stream\?client=web%2F6&flags=a&flags=b&width=800&changes=true&page=1$/);
  const before = updates.length;
  screen.set({width: "800"});
  await settled();
  assert.equal(daemon.requests.length, 0);
  screen.set({width: null, flags: null, client: null});
  const last = await daemon.next("stream");
  assert.match(last.url, /stream\?client=web\/5.2&flags=a%2Cb&changes=true&page=1$/);
  const next = last.stream();
  await next.event("tree", "13.Q", tree(13, 1));
  assert.equal(updates.at(-1).changes, null);
  assert.ok(stream.isAborted && updates.length > before);
});

test("A stream that the client ends itself was not cut", async () => {
  await live();
  for (let width = 1; width <= 4; width++) {
    screen.set({width});
    const stream = (await daemon.next("stream")).stream();
    await stream.event("tree", `12.W${width}`, tree(12));
  }
  assert.equal(screen.status, "live");
});

test("wake ends waiting, and replaces a connection that was silent for 20 s", async () => {
  follow();
  (await daemon.next("stream")).fail();
  await settled();
  screen.wake();
  const stream = (await daemon.next("stream")).stream();
  await stream.event("tree", "12.T12", tree(12));
  await clock.advance(20_000);
  screen.wake();
  assert.ok(!stream.isAborted);
  await clock.advance(1);
  screen.wake();
  assert.ok(stream.isAborted);
  assert.equal((await daemon.next("stream")).query.since, "12.T12");
});

test("Listeners run in order, one that throws stops nothing, and nested updates come later", async () => {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error.message);
  screen = new Screen("http://host/v1/screens/home", {fetch: daemon.fetch});
  const seen = [];
  const first = screen.subscribe(({status}) => {
    seen.push(`1 ${status}`);
    if (status === "live") first();
  });
  screen.subscribe(({status}) => {
    seen.push(`2 ${status}`);
    throw new Error("broken");
  });
  screen.subscribe(({status}) => {
    seen.push(`3 ${status}`);
    if (status === "live") screen.close();
  });
  const stream = (await daemon.next("stream")).stream();
  await stream.event("tree", "12.T12", tree(12));
  delete globalThis.reportError;
  assert.deepEqual(seen, ["1 live", "2 live", "3 live"]);
  assert.deepEqual(reported, ["broken"]);
  assert.equal(screen.status, "closed");
});

test("reload asks for the changes past all caches, and what the stream brings is held", async () => {
  assert.equal(await new Screen("http://host/v1/screens/home").reload(), false);
  const stream = await live();
  const reloaded = screen.reload();
  const request = await daemon.next("changes");
  assert.deepEqual(request.query, {
    client: "web/5.2", flags: "a,b", since: "12.T12", page: "0",
  });
  assert.equal(request.init.cache, "reload");
  await stream.event("changes", "13.T13", changes(12, 13));
  assert.equal(screen.tree.revision, 12);
  request.json(changes(12, 13));
  assert.equal(await reloaded, true);
  assert.equal(screen.tree.revision, 13);
  assert.equal(updates.at(-1).changes.to.revision, 13);
  const {query, init} = await daemon.next("stream");
  assert.deepEqual([query.since, init.cache], ["13.T13", undefined]);
});

test("reload that fails keeps the tree, applies what was held, and is not tried again", async () => {
  const stream = await live();
  const reloaded = screen.reload();
  const request = await daemon.next("changes");
  await stream.event("changes", "13.T13", changes(12, 13));
  request.problem(504, "ORIGIN_TIMEOUT");
  assert.equal(await reloaded, false);
  assert.equal(screen.tree.revision, 13);
  assert.equal(updates.find(({problem}) => problem).problem.code, "ORIGIN_TIMEOUT");
  await clock.advance(1_000);
  assert.deepEqual(daemon.requests.filter(({path}) => path === "changes"), []);
});

test("reload comes after a page that is loading", async () => {
  await live();
  const page = screen.loadNextPage();
  const reloaded = screen.reload();
  const first = await daemon.next("changes");
  assert.equal(first.query.pageToken, "t0");
  first.json(pageChanges(12, 13));
  assert.equal(await page, true);
  const second = await daemon.next("changes");
  assert.deepEqual([second.query.pageToken, second.query.page], [undefined, "1"]);
  second.problem(404, "SCREEN_NOT_FOUND");
  assert.equal(await reloaded, false);
});

test("reload without a tree ends waiting, and resolves to whether there is one", async () => {
  follow();
  (await daemon.next("stream")).problem(404, "SCREEN_NOT_FOUND");
  await settled();
  assert.equal(screen.status, "waiting");
  for (const isThere of [false, true]) {
    const reloaded = screen.reload();
    const request = await daemon.next("stream");
    if (isThere) await request.stream().event("tree", "12.T12", tree(12));
    else request.problem(404, "SCREEN_NOT_FOUND");
    assert.equal(await reloaded, isThere);
  }
  const reloaded = screen.reload();
  screen.close();
  assert.equal(await reloaded, false);
});

test("No timer is left after close, and an aborted signal closes", async () => {
  const controller = new AbortController();
  const stream = await live({signal: controller.signal});
  screen.scrolled(0);
  screen.send({type: "scroll"});
  await daemon.next("changes");
  controller.abort();
  assert.equal(screen.status, "closed");
  assert.ok(stream.isAborted);
  (await daemon.next("events")).fail();
  await settled();
  assert.equal(clock.timers.size, 0);
  screen.subscribe(() => {});
  await settled();
  assert.equal(daemon.requests.length, 0);
});

// A daemon whose requests cannot be aborted.
const notAborted = () => ({fetch: (url, {signal, ...init}) => daemon.fetch(url, init)});

for (const [name, silence] of [["at once", 0], ["after its limit", 5_000]]) {
  test(`No timer is left after close of a fetch that ignores its signal, ${name}`, async () => {
    follow(notAborted());
    const request = await daemon.next("stream");
    await clock.advance(silence);
    screen.close();
    assert.equal(clock.timers.size, 0);
    request.problem(503, "OVERLOADED");
    await settled();
    assert.deepEqual([clock.timers.size, screen.status, screen.problem], [0, "closed", null]);
  });
}

test("No timer is left after close of polls, pages and events that ignore their signals", async () => {
  screen = new Screen("http://host/v1/screens/home", notAborted());
  const {fetch} = daemon;
  daemon.fetch = async (...words) => {
    const {status, ok, headers, json} = await fetch(...words).then((response) => ({
      status: response.status, ok: response.ok, headers: response.headers,
      json: () => response.json(),
    }));
    return {status, ok, headers, json};
  };
  screen.subscribe((one) => updates.push(one));
  (await daemon.next("stream")).json({});
  await clock.advance(0);
  const first = await daemon.next("layout");
  screen.close();
  assert.equal(clock.timers.size, 0);
  first.json(tree(12), 200, {ETag: '"T12"'});
  await settled();
  assert.deepEqual([screen.status, screen.tree, clock.timers.size], ["closed", null, 0]);

  screen.subscribe((one) => updates.push(one));
  await clock.advance(0);
  (await daemon.next("layout")).json(tree(12), 200, {ETag: '"T12"'});
  await clock.advance(0);
  screen.scrolled(0);
  const poll = await daemon.next("changes");
  const page = await daemon.next("changes");
  const action = screen.send({type: "action", name: "like"});
  const cells = screen.request("/v1/catalog/cells");
  screen.send({type: "scroll"});
  await settled();
  screen.close();
  assert.equal(clock.timers.size, 0);
  poll.fail();
  page.problem(503, "OVERLOADED");
  for (const [path, promise] of [["events", action], ["cells", cells]]) {
    (await daemon.next(path)).json({accepted: 1});
    await promise;
  }
  (await daemon.next("events")).fail();
  await settled();
  assert.deepEqual([clock.timers.size, daemon.requests.length], [0, 0]);
});

test("No timer begins after close, when headers arrive late", async () => {
  let arrived;
  const headers = () => new Promise((done) => { arrived = done; });
  follow({...notAborted(), headers});
  screen.send({type: "scroll"});
  await settled();
  screen.close();
  await settled();
  arrived({});
  await settled();
  assert.equal(clock.timers.size, 0);
});

test("A request of another path has the headers, and leaves no timer", async () => {
  screen = new Screen("http://host/a/v1/screens/home?width=3", {
    fetch: daemon.fetch, headers: {Authorization: "Bearer s"},
  });
  const response = screen.request("/v1/catalog/cells");
  const request = await daemon.next("cells");
  assert.equal(request.url, "http://host/a/v1/catalog/cells");
  assert.equal(request.init.headers.get("Authorization"), "Bearer s");
  request.json({cellTypes: {}});
  assert.deepEqual(await (await response).json(), {cellTypes: {}});
  const refused = screen.request("/v1/fonts/x");
  (await daemon.next("x")).problem(404, "NOT_FOUND");
  await assert.rejects(refused, (problem) => problem.code === "NOT_FOUND");
  assert.equal(clock.timers.size, 0);
});

// A document, and the functions that listen to it.
const documentOf = (visibilityState) => {
  const listeners = {};
  const target = {
    addEventListener: (name, listener) => { listeners[name] = listener; },
    removeEventListener: (name) => delete listeners[name],
  };
  Object.assign(globalThis, target, {document: {visibilityState, ...target}});
  return listeners;
};

const removeDocument = () => {
  for (const name of ["addEventListener", "removeEventListener", "document"]) delete globalThis[name];
};

test("6: A document hidden for 30 s has no connection, and resumes when it is visible", async () => {
  const listeners = documentOf("visible");
  try {
    const stream = await live();
    screen.send({type: "scroll"});
    document.visibilityState = "hidden";
    listeners.visibilitychange();
    const events = await daemon.next("events");
    assert.equal(events.init.keepalive, true);
    events.json({accepted: 1}, 202);
    await clock.advance(29_999);
    await stream.write(":\n");
    assert.ok(!stream.isAborted);
    await clock.advance(1);
    assert.ok(stream.isAborted);
    await clock.advance(100_000);
    assert.equal(daemon.requests.length, 0);
    document.visibilityState = "visible";
    listeners.visibilitychange();
    assert.equal((await daemon.next("stream")).query.since, "12.T12");
    assert.deepEqual(
      Object.keys(listeners).sort(), ["online", "pagehide", "pageshow", "visibilitychange"]);
    screen.close();
    assert.deepEqual(listeners, {});
  } finally {
    removeDocument();
  }
});

test("6: A document that is hidden at first is disconnected after 30 s, too", async () => {
  const listeners = documentOf("hidden");
  try {
    for (const revision of [12, 13]) {
      const end = follow();
      const stream = (await daemon.next("stream")).stream();
      await stream.event("tree", `${revision}.T`, tree(revision));
      await clock.advance(29_999);
      await stream.write(":\n");
      assert.ok(!stream.isAborted);
      await clock.advance(1);
      assert.ok(stream.isAborted);
      await clock.advance(100_000);
      assert.equal(daemon.requests.length, 0);
      if (revision === 13) {
        document.visibilityState = "visible";
        listeners.visibilitychange();
        await (await daemon.next("stream")).stream().write(":\n");
        await clock.advance(35_000);
        assert.equal(daemon.requests.length, 0, "visible, it stays connected");
      }
      end();
      await settled();
      assert.equal(clock.timers.size, 0);
    }
  } finally {
    removeDocument();
  }
});

test("5: At pagehide a stream and a page end, and at pageshow they go on from where they were", async () => {
  const listeners = documentOf("visible");
  try {
    const stream = await live();
    screen.scrolled(0);
    const page = await daemon.next("changes");
    await stream.event("changes", "13.T13", changes(12, 13));
    screen.send({type: "scroll"});
    listeners.pagehide();
    document.visibilityState = "hidden";
    listeners.visibilitychange();
    (await daemon.next("events")).json({accepted: 1}, 202);
    assert.ok(stream.isAborted && page.isAborted);
    await clock.advance(100_000);
    assert.equal(daemon.requests.length, 0);
    assert.deepEqual([screen.status, screen.problem], ["live", null]);
    document.visibilityState = "visible";
    listeners.pageshow();
    const {query} = await daemon.next("stream");
    assert.deepEqual([query.since, query.page], ["12.T12", "0"]);
    assert.equal((await daemon.next("changes")).query.pageToken, "t0");
    assert.equal(daemon.requests.length, 0);
    screen.close();
    await settled();
    assert.deepEqual([listeners, clock.timers.size], [{}, 0]);
  } finally {
    removeDocument();
  }
});

test("5: At pagehide a poll and a pause end, and at pageshow the next poll begins at once", async () => {
  const listeners = documentOf("visible");
  try {
    const poll = await polling();
    listeners.pagehide();
    assert.ok(poll.isAborted);
    await clock.advance(50_000);
    listeners.visibilitychange();
    await clock.advance(50_000);
    assert.equal(daemon.requests.length, 0, "not before pageshow");
    listeners.pageshow();
    const again = await daemon.next("changes");
    assert.equal(again.query.since, "12.T12");
    again.problem(503, "OVERLOADED", {"Retry-After": "30"});
    await settled();
    listeners.pagehide();
    await clock.advance(50_000);
    assert.equal(daemon.requests.length, 0, "the pause has ended while the page was away");
    listeners.pageshow();
    await daemon.next("changes");
    listeners.pagehide();
    screen.close();
    screen.subscribe(() => {});
    await daemon.next("changes");
  } finally {
    removeDocument();
  }
});
