// How a Screen follows a window: docs/web.md, "Windows"; at the end, one of a real daemon.

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {createInterface} from "node:readline";
import {afterEach, test} from "node:test";

import {applyChanges, Screen} from "../../Sources/BroadsheetWeb/client.js";
import {changes, Clock, ScriptedDaemon, settled, tree} from "./support.mjs";

const url = "http://host/v1/screens/home?client=web/5.2&item=i4&section=s&before=1200&after=1200";
let clock, daemon, screen;

// A window of 2,400 points in a viewport of 200.
const place = {section: "s", item: "i4", origin: 5_000, firstSection: 0, before: 1_200, after: 1_200};
const tokens = (revision) => ({
  window: place, page: 9, hasPrevious: true,
  nextPageToken: `n${revision}`, previousPageToken: `p${revision}`,
});
const windowAt = (revision) => tree(revision, 0, tokens(revision));
const windowChanges = (from, to) => {
  const document = changes(from, to);
  return {
    ...document, from: {revision: from, page: 9}, tree: {...document.tree, ...tokens(to)},
  };
};

// Follows a window, and sends its tree of revision 12.
const live = async (address = url) => {
  clock = new Clock();
  daemon = new ScriptedDaemon();
  screen = new Screen(address, {fetch: daemon.fetch});
  screen.subscribe(() => {});
  const request = await daemon.next("stream");
  const stream = request.stream();
  await stream.event("tree", "12.T12", windowAt(12));
  return {stream, query: request.query};
};

afterEach(() => {
  screen?.close();
  clock?.restore();
  screen = clock = undefined;
});

for (const [name, value] of [["item", "i4"], ["section", "s"], ["edge", "end"]]) {
  test(`The anchor and lengths go with the first request only, with ${name}`, async () => {
    const {stream, query} = await live(
      `http://host/v1/screens/home?client=a&${name}=${value}&before=9&after=8`);
    assert.deepEqual(query, {client: "a", [name]: value, before: "9", after: "8", changes: "true"});
    await stream.end();
    await clock.advance(2_000);
    const next = await daemon.next("stream");
    assert.deepEqual(next.query, {client: "a", changes: "true", since: "12.T12"});
  });
}

test("A window that is polled is requested by its anchor once, then by its tag", async () => {
  clock = new Clock();
  daemon = new ScriptedDaemon();
  const bodies = {layout: windowAt(12)};
  const requests = [];
  screen = new Screen(url, {
    fetch: async (address) => {
      const {pathname, searchParams} = new URL(address);
      const path = pathname.split("/").at(-1);
      requests.push([path, Object.fromEntries(searchParams)]);
      if (path === "changes") return new Promise(() => {});
      const headers = new Headers({ETag: '"T12-gzip"'});
      return {status: 200, ok: true, headers, json: async () => bodies[path]};
    },
  });
  screen.subscribe(() => {});
  await clock.advance(2_000);
  const [, [first, opening], [second, following]] = requests;
  assert.deepEqual([first, opening.item, opening.before], ["layout", "i4", "1200"]);
  assert.deepEqual([second, following], ["changes", {client: "web/5.2", since: "12.T12"}]);
});

test("A tree without a tag is followed by the anchor of the url", async () => {
  const {stream} = await live();
  await stream.event("tree", "12", windowAt(12));
  await stream.end();
  await clock.advance(2_000);
  const {query} = await daemon.next("stream");
  assert.deepEqual([query.since, query.item, query.before], ["12", "i4", "1200"]);
});

test("Other parameters keep the window, and another anchor opens one", async () => {
  await live();
  screen.set({width: 800});
  const kept = await daemon.next("stream");
  assert.deepEqual(kept.query, {
    client: "web/5.2", width: "800", changes: "true", since: "12.T12",
  });
  await kept.stream().event("changes", "12.W12", {
    from: {revision: 12}, to: {revision: 12, page: 9, tag: "W12"}, reset: true, tree: windowAt(12),
  });
  screen.set({item: "i9"});
  const {query} = await daemon.next("stream");
  assert.deepEqual([query.item, query.since, query.page], ["i9", undefined, undefined]);
});

test("A whole screen becomes a window without its page", async () => {
  const {stream} = await live("http://host/v1/screens/home");
  await stream.event("tree", "12.T12", tree(12, 2));
  screen.set({edge: "end"});
  const {query} = await daemon.next("stream");
  assert.deepEqual(query, {edge: "end", changes: "true"});
});

test("A window that is gone is requested by its first anchor again", async () => {
  const {stream} = await live();
  await stream.event("problem", "13", {status: 404, code: "ITEM_NOT_FOUND", detail: "none"});
  assert.equal(screen.tree, null);
  assert.equal(screen.problem.code, "ITEM_NOT_FOUND");
  await clock.advance(2_000);
  const {query} = await daemon.next("stream");
  assert.deepEqual([query.item, query.since], ["i4", undefined]);
});

for (const [name, respond] of [
  ["a reset to the first page", (request) => request.stream().event("changes", "5.S5", {
    ...changes(0, 5), reset: true, tree: tree(5),
  })],
  ["the first page", (request) => request.stream().event("tree", "5.S5", tree(5))],
  ["a problem", (request) => request.problem(400, "INVALID_PARAMETER")],
  ["a problem of the stream", (request) => request.stream().event(
    "problem", "", {status: 400, code: "INVALID_PARAMETER", detail: "another store"})],
]) {
  test(`A window whose tag leads to ${name} is opened again at the anchor of the url`, async () => {
    const {stream} = await live();
    const shown = screen.tree;
    await clock.advance(10_000);
    await stream.break();
    await clock.advance(1_000);
    const request = await daemon.next("stream");
    assert.equal(request.query.since, "12.T12");
    respond(request);
    await settled();
    assert.equal(screen.tree, shown, "shown until then");
    assert.deepEqual([screen.status, screen.problem], ["live", null]);
    await clock.advance(999);
    assert.equal(daemon.requests.length, 0);
    await clock.advance(1);
    const again = await daemon.next("stream");
    assert.deepEqual(
      again.query, {client: "web/5.2", item: "i4", section: "s", before: "1200", after: "1200",
        changes: "true"});
    await again.stream().event("tree", "5.S5", windowAt(5));
    assert.deepEqual([screen.tree.window, screen.tree.revision], [place, 5]);
    assert.equal(screen.status, "live");
  });
}

test("A window that is polled is opened again, too, and an anchor that is refused fails", async () => {
  clock = new Clock();
  daemon = new ScriptedDaemon();
  const {fetch} = daemon;
  screen = new Screen(url, {
    fetch: async (...words) => {
      const response = await fetch(...words);
      const {status, ok, headers} = response;
      return {status, ok, headers, json: () => response.json()};
    },
  });
  screen.subscribe(() => {});
  (await daemon.next("stream")).json({});
  await clock.advance(0);
  for (const respond of [
    (request) => request.json({...changes(0, 5), reset: true, tree: tree(5)}),
    (request) => request.problem(400, "INVALID_PARAMETER"),
  ]) {
    const first = await daemon.next("layout");
    assert.deepEqual([first.query.item, first.query.before], ["i4", "1200"]);
    first.json(windowAt(12), 200, {ETag: '"T12"'});
    await clock.advance(0);
    respond(await daemon.next("changes"));
    await clock.advance(999);
    assert.equal(daemon.requests.length, 0);
    await clock.advance(1);
    assert.ok(screen.tree.window);
  }
  (await daemon.next("layout")).problem(400, "INVALID_PARAMETER");
  await clock.advance(1e7);
  assert.equal(screen.status, "failed");
  assert.equal(daemon.requests.length, 0);
});

test("A daemon without windows is followed as a whole screen", async () => {
  const {stream} = await live();
  screen.set({item: "i9"});
  const next = (await daemon.next("stream")).stream();
  await next.event("tree", "13.T13", tree(13));
  await next.event("changes", "14.T14", changes(13, 14));
  assert.deepEqual([screen.tree.revision, screen.tree.window], [14, undefined]);
  assert.ok(stream.isAborted && !next.isAborted);
});

test("The previous page is due below three lengths of the viewport", async () => {
  await live();
  screen.scrolled(600, 2_400);
  await settled();
  assert.equal(daemon.requests.length, 0);
  screen.scrolled(599, 2_400);
  const {query} = await daemon.next("changes");
  assert.deepEqual(query, {client: "web/5.2", since: "12.T12", pageToken: "p12"});
});

test("The next page is due within three lengths of the end of the window", async () => {
  await live();
  screen.scrolled(1_800, 2_400);
  await settled();
  assert.equal(daemon.requests.length, 0);
  screen.scrolled(1_801, 2_400);
  assert.equal((await daemon.next("changes")).query.pageToken, "n12");
});

test("Without hasPrevious, or without a length, no previous page is due", async () => {
  const {stream} = await live();
  screen.scrolled(0);
  await stream.event("tree", "13.T13", {...windowAt(13), previousPageToken: undefined});
  screen.scrolled(0, 2_400);
  await settled();
  assert.equal(daemon.requests.length, 0);
  assert.equal(await screen.loadPreviousPage(), false);
});

test("In a short window a page is due within a quarter of it", async () => {
  const {stream} = await live();
  await stream.event(
    "tree", "13.T13", {...windowAt(13), window: {...place, before: 400, after: 400}});
  for (const offset of [200, 400, 600]) screen.scrolled(offset, 800);
  await settled();
  assert.equal(daemon.requests.length, 0);
  screen.scrolled(199, 800);
  assert.equal((await daemon.next("changes")).query.pageToken, "p13");
});

test("Never two pages at once, and after a page the client scrolls first", async () => {
  const {stream} = await live();
  const previous = screen.loadPreviousPage();
  assert.equal(screen.loadNextPage(), previous);
  screen.scrolled(2_400, 2_400);
  const request = await daemon.next("changes");
  assert.equal(request.query.pageToken, "p12");
  assert.equal(daemon.requests.length, 0);
  await stream.event("changes", "13.T13", windowChanges(12, 13));
  assert.equal(screen.tree.revision, 12, "held");
  request.json(windowChanges(12, 14));
  assert.equal(await previous, true);
  assert.equal(screen.tree.revision, 14);
  const {query} = await daemon.next("stream");
  assert.deepEqual([query.since, query.page, query.item], ["14.T14", undefined, undefined]);
  assert.equal(daemon.requests.length, 0, "the offset was that of the earlier window");
  screen.scrolled(2_400, 2_400);
  assert.equal((await daemon.next("changes")).query.pageToken, "n14");
});

test("A previous page that is not there does not hold the next one back", async () => {
  await live();
  screen.scrolled(0, 2_400);
  (await daemon.next("changes")).problem(404, "PAGE_NOT_LOADED");
  await settled();
  assert.equal(screen.problem, null);
  screen.scrolled(2_400, 2_400);
  const next = await daemon.next("changes");
  assert.equal(next.query.pageToken, "n12");
  next.problem(400, "PAGE_TOKEN_MISMATCH");
  await settled();
  assert.equal(daemon.requests.length, 0);
  screen.scrolled(0, 2_400);
  await clock.advance(1_000);
  assert.equal((await daemon.next("changes")).query.pageToken, "p12", "tried again by rule 3");
});

test("A page that leads to the same window is not requested again", async () => {
  await live();
  screen.scrolled(2_400, 2_400);
  const document = windowChanges(12, 12);
  (await daemon.next("changes")).json({...document, stages: []});
  await settled();
  daemon.requests = [];
  screen.scrolled(2_400, 2_400);
  await settled();
  assert.equal(daemon.requests.length, 0);
});

const program = process.env.BROADSHEET_BINARY;
const options = {skip: program ? false : "BROADSHEET_BINARY names no program"};

// Starts a daemon with pages of 42 items from one number to another, and returns its functions.
async function chat(context, first, last) {
  const words = ["--pdeathsig", "KILL", "--", program, "serve", "--port", "0", "--store", "memory"];
  const process = spawn("setpriv", words, {stdio: ["ignore", "pipe", "ignore"]});
  context.after(() => process.kill("SIGKILL"));
  let address;
  for await (const line of createInterface(process.stdout)) {
    address = line.split(" ").at(-1);
    break;
  }
  const put = async (page, extra = []) => {
    const rows = Array.from({length: 42}, (_, place) => ({id: `m${42 * page + place}`, title: "M"}));
    const units = [{unitType: "SS_PRODUCT_LIST", unitData: [...extra, ...rows]}];
    const body = {hasPrevious: page > 0, sections: [{sectionId: "Chat", units}]};
    const response = await fetch(`${address}/v1/screens/chat/pages/${page}`, {
      method: "PUT", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
    });
    assert.ok(response.ok, await response.text());
  };
  for (let page = first; page <= last; page++) await put(page);
  const fresh = async (query) => (await fetch(`${address}/v1/screens/chat/layout?${query}`)).json();
  return {address, process, put, fresh};
}

const ids = ({sections}) => sections.flatMap(({items}) => items.map(({id}) => id));

// Waits until the tree of a screen fulfils a condition.
const until = (screen, condition) => new Promise((resolve) => {
  if (screen.tree && condition(screen.tree)) return resolve();
  const end = screen.subscribe(({tree}) => {
    if (!tree || !condition(tree)) return;
    resolve();
    queueMicrotask(end);
  });
});

test("A window of a daemon is paged both ways, edited far above, and resized", options, async (context) => {
  const {address, put, fresh} = await chat(context, 3, 9);
  screen = new Screen(`${address}/v1/screens/chat?item=m200&coordinates=section`);
  const updates = [];
  screen.subscribe((one) => updates.push(one));
  await until(screen, ({window}) => window.item === "m200");
  const opened = ids(screen.tree);
  assert.ok(opened.includes("m200") && opened.length < 80);
  assert.equal(await screen.loadNextPage(), true);
  assert.equal(screen.tree.window.item, opened.at(-1));
  assert.equal(await screen.loadPreviousPage(), true);
  assert.equal(await screen.loadPreviousPage(), true);
  const {origin, item} = screen.tree.window;
  assert.ok(origin < 10_000 && ids(screen.tree).includes(item));
  const before = ids(screen.tree);
  await put(3, ["x", "y", "z"].map((id) => ({id, title: "M"})));
  await until(screen, ({window}) => window.origin > origin);
  assert.deepEqual(ids(screen.tree), before, "an edit far above");
  await put(2);
  await until(screen, ({sections}) => sections[0].firstItem >= 42);
  assert.deepEqual(ids(screen.tree), before, "a page before the lowest");
  screen.set({width: 700});
  await until(screen, ({viewport}) => viewport.width === 700);
  assert.equal(screen.tree.window.item, item, "the same anchor in another width");
  const expected = await fresh(`item=${item}&coordinates=section&width=700`);
  assert.deepEqual(ids(screen.tree), ids(expected));
  for (const {tree, previous, changes: document} of updates.filter((one) => one.changes)) {
    assert.deepEqual(applyChanges(previous, document), tree);
  }
  assert.equal(screen.problem, null);
});

test("A window of a daemon that is replaced by another one is opened again", options, async (context) => {
  const first = await chat(context, 3, 9);
  const second = await chat(context, 3, 9);
  let {address} = first;
  screen = new Screen("http://host/v1/screens/chat?item=m200", {
    fetch: (url, init) => fetch(url.replace("http://host", address), init),
  });
  const updates = [];
  screen.subscribe((one) => updates.push(one));
  await until(screen, ({window}) => window?.item === "m200");
  address = second.address;
  await second.put(3);
  first.process.kill("SIGKILL");
  const {revision} = await second.fresh("item=m200");
  await until(screen, (tree) => tree.revision === revision);
  assert.ok(updates.every(({tree}) => !tree || tree.window));
  assert.deepEqual([screen.tree.window.item, screen.status], ["m200", "live"]);
});

test("Pages of a daemon's window end at both ends, however short the window is", options, async (context) => {
  const {address} = await chat(context, 0, 2);
  for (const [edge, offset] of [["start", Infinity], ["end", 0]]) {
    const own = new Screen(`${address}/v1/screens/chat?edge=${edge}`);
    context.after(() => own.close());
    own.subscribe(({tree}) => tree && own.scrolled(offset === 0 ? 0 : 1e9, 1e6));
    await until(own, (tree) => edge === "start" ? !tree.hasNext : !tree.hasPrevious);
    assert.ok(ids(own.tree).includes(edge === "start" ? "m125" : "m0"));
    assert.equal(own.problem, null);
  }
});
