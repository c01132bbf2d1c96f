// A Screen under Node that follows a real daemon, whose program BROADSHEET_BINARY names.

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {createInterface} from "node:readline";
import {after, before, test} from "node:test";

import {applyChanges, Screen} from "../../Sources/BroadsheetWeb/client.js";

const program = process.env.BROADSHEET_BINARY;
const options = {skip: program ? false : "BROADSHEET_BINARY names no program"};
let daemon, address;

before(async () => {
  if (!program) return;
  const words = ["--pdeathsig", "KILL", "--", program, "serve", "--port", "0", "--store", "memory"];
  daemon = spawn("setpriv", words, {stdio: ["ignore", "pipe", "ignore"]});
  for await (const line of createInterface(daemon.stdout)) {
    address = line.split(" ").at(-1);
    break;
  }
});

after(() => daemon?.kill("SIGKILL"));

const put = async (number, ids, hasNext = false) => {
  const products = ids.map((id) => ({id, title: `Product ${id}`}));
  const units = [{unitType: "SS_PRODUCT_LIST", unitData: products}];
  const response = await fetch(`${address}/v1/screens/home/pages/${number}`, {
    method: "PUT", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({hasNext, sections: [{sectionId: "ProductList", units}]}),
  });
  assert.ok(response.ok, await response.text());
};

// Waits for an update for which a condition holds.
const update = (screen, condition) => new Promise((resolve) => {
  if (screen.tree && condition({tree: screen.tree})) return resolve({tree: screen.tree});
  const end = screen.subscribe((one) => {
    if (one.tree && condition(one)) {
      resolve(one);
      queueMicrotask(end);
    }
  });
});

const ids = (tree) => tree.sections[0].items.map((item) => item.id);

test("A screen follows edits, loads pages, and takes another width", options, async (context) => {
  await put(0, ["a", "b"], true);
  const screen = new Screen(`${address}/v1/screens/home?width=390`);
  context.after(() => screen.close());
  const updates = [];
  const end = screen.subscribe((one) => updates.push(one));
  await update(screen, ({tree}) => ids(tree).length === 2);
  await put(0, ["b", "c", "a"], true);
  await update(screen, ({tree}) => ids(tree).join() === "b,c,a");
  await put(1, ["d"]);
  assert.equal(await screen.loadNextPage(), true);
  assert.deepEqual(ids(screen.tree), ["b", "c", "a", "d"]);
  assert.equal(await screen.loadNextPage(), false);
  screen.set({width: 768});
  await update(screen, ({tree}) => tree.viewport.width === 768);
  assert.deepEqual(ids(screen.tree), ["b", "c", "a", "d"], "up to the page that it had");
  for (const {tree, previous, changes} of updates.filter((one) => one.changes)) {
    assert.deepEqual(applyChanges(previous, changes), tree);
  }
  const fresh = await fetch(`${address}/v1/screens/home/layout?width=768&pages=all`);
  const {revision, ...expected} = await fresh.json();
  const {revision: own, ...tree} = screen.tree;
  assert.deepEqual(tree, expected);
  assert.equal(screen.problem, null);
  end();
  assert.equal(screen.status, "closed");
});

test("A removed screen has no tree, and an unknown one waits", options, async (context) => {
  const screen = new Screen(`${address}/v1/screens/home`);
  context.after(() => screen.close());
  screen.subscribe(() => {});
  await update(screen, () => true);
  const gone = new Promise((resolve) => screen.subscribe(({tree}) => tree ?? resolve()));
  await fetch(`${address}/v1/screens/home`, {method: "DELETE"});
  await gone;
  assert.deepEqual([screen.status, screen.problem.code], ["waiting", "SCREEN_NOT_FOUND"]);
  screen.close();
  assert.equal((await screen.request("/livez")).status, 200);
  await assert.rejects(screen.request("/v1/none"), (problem) => problem.code === "NOT_FOUND");
});
