// Readers with tokens, and a real daemon, whose program BROADSHEET_BINARY names: docs/api.md,
// "Tokens", and docs/web.md, "Keys and tokens".

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {createHash, createHmac} from "node:crypto";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {Agent, get} from "node:http";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {after, before, test} from "node:test";

import {Screen} from "../../Sources/BroadsheetWeb/client.js";

const program = process.env.BROADSHEET_BINARY;
const options = {skip: program ? false : "BROADSHEET_BINARY names no program"};
const secret = Buffer.alloc(32, 7);
// The streams that expire together; each needs a descriptor here and in the daemon.
const readers = 5_000;
let daemon, address, folder;

before(async () => {
  if (!program) return;
  folder = mkdtempSync(join(tmpdir(), "broadsheet-readers-"));
  const digest = createHash("sha256").update("secret").digest("hex");
  const issuer = `shop read home,user-{sub}-* never HS256:k:${secret.toString("base64url")}`;
  writeFileSync(join(folder, "keys"), `w write,admin * never ${digest}\n${issuer}\n`, {mode: 0o600});
  const words = ["--pdeathsig", "KILL", "--", program, "serve", "--port", "0", "--store", "memory",
    "--keys", join(folder, "keys"), "--max-connections", `${readers + 100}`,
    // The readers of an issuer have at most three quarters of the streams.
    "--max-streams", `${readers * 2}`];
  daemon = spawn("setpriv", words, {stdio: ["ignore", "pipe", "ignore"]});
  for await (const line of createInterface(daemon.stdout)) {
    address = line.split(" ").at(-1);
    break;
  }
});

after(() => {
  daemon?.kill("SIGKILL");
  if (folder) rmSync(folder, {recursive: true});
});

// Returns a token as a backend signs it; its times are in seconds.
const token = (sub, exp, iat = Date.now() / 1_000) => {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const message = `${part({alg: "HS256", kid: "k"})}.${part({iat, exp, sub})}`;
  return `${message}.${createHmac("sha256", secret).update(message).digest("base64url")}`;
};

const put = async (screen, ids) => {
  const units = [{unitType: "SS_PRODUCT_LIST", unitData: ids.map((id) => ({id, title: id}))}];
  const response = await fetch(`${address}/v1/screens/${screen}/pages/0`, {
    method: "PUT", body: JSON.stringify({sections: [{sectionId: "ProductList", units}]}),
    headers: {"Authorization": "Bearer secret", "Content-Type": "application/json",
      "Prefer": "return=minimal"},
  });
  assert.ok(response.ok, await response.text());
};

test("A screen goes on through 20 renewals without a reset while it is written", options, async (context) => {
  // So many that changes are shorter than the tree.
  const rest = Array.from({length: 30}, (_, number) => `rest-${number}`);
  await put("home", ["0", ...rest]);
  let renewals = -1;
  const next = async (problem) => {
    assert.equal(problem, undefined, "no request is refused");
    renewals++;
    return token("a", Date.now() / 1_000 + 1.5);
  };
  const screen = new Screen(`${address}/v1/screens/home`, {token: next});
  context.after(() => screen.close());
  const updates = [];
  let seen;
  const end = screen.subscribe((update) => {
    updates.push(update);
    seen?.();
  });
  const id = () => screen.tree?.sections[0].items[0].id;
  for (let number = 1; renewals < 20; number++) {
    await put("home", [`${number}`, ...rest]);
    while (id() !== `${number}`) await new Promise((resolve) => { seen = resolve; });
  }
  const first = updates.findIndex(({tree}) => tree);
  for (const [place, {status, problem, tree, previous, changes}] of updates.slice(first).entries()) {
    assert.deepEqual([status, problem], ["live", null]);
    assert.ok(place === 0 || changes || tree === previous, "each tree follows from the one before");
  }
  end();
});

// Opens a stream, and returns its status, its events when it ends, and the time of its end.
const stream = (agent, sub, value, since) => new Promise((resolve, reject) => {
  const path = `/v1/screens/user-${sub}-home/stream${since ? `?since=${since}` : ""}`;
  const fields = {"Authorization": `Bearer ${value}`, "Accept": "text/event-stream"};
  get(`${address}${path}`, {agent, headers: fields}, (response) => {
    let text = "", begin;
    const begun = new Promise((resolve) => { begin = resolve; });
    const ended = new Promise((resolve, reject) => {
      response.on("end", () => resolve({text, time: Date.now()})).on("error", reject);
    });
    ended.catch(() => {});
    response.on("data", (data) => {
      text += data;
      if (text.includes("\n\n")) begin(text);
    });
    resolve({status: response.statusCode, begun, ended, close: () => response.destroy()});
  }).on("error", reject);
});

const parallel = async (count, width, step) => {
  let next = 0;
  await Promise.all(Array.from({length: width}, async () => { while (next < count) await step(next++); }));
};

test(`${readers} streams that expire together end in time, and are back without a failed request`, options, async (context) => {
  const agent = new Agent({keepAlive: true, maxSockets: Infinity});
  const subs = Array.from({length: readers}, (_, number) => `r${number}`);
  await parallel(readers, 8, (number) => put(`user-${subs[number]}-home`, ["0"]));
  // Long enough for all of them to begin.
  const exp = Date.now() / 1_000 + 20;
  const streams = [];
  await parallel(readers, 64, async (number) => {
    const one = streams[number] = await stream(agent, subs[number], token(subs[number], exp));
    assert.equal(one.status, 200);
    await one.begun;
  });
  const ends = await Promise.all(streams.map(({ended}) => ended));
  const late = ends.map(({time}) => time - exp * 1_000);
  assert.ok(Math.min(...late) >= 0, "none ends early");
  const last = Math.round(Math.max(...late));
  context.diagnostic(`the last of ${readers} streams ended ${last} ms after its token`);
  // Without other programs it is less than a second.
  assert.ok(last < 10_000, `${last} ms`);
  const retries = new Set();
  const back = await Promise.all(ends.map(async ({text}, number) => {
    const event = text.match(/event: expired\nretry: (\d+)\ndata: (.*)\n\n$/);
    assert.ok(event, text);
    const sub = subs[number], retry = Number(event[1]);
    assert.deepEqual(JSON.parse(event[2]), {screen: `user-${sub}-home`, code: "TOKEN_EXPIRED"});
    assert.ok(retry >= 1_000 && retry <= 10_000);
    retries.add(retry);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * retry));
    const one = await stream(agent, sub, token(sub, Date.now() / 1_000 + 60));
    await one.begun;
    one.close();
    return one.status;
  }));
  assert.deepEqual([...new Set(back)], [200]);
  assert.ok(retries.size > readers / 10, "they do not return together");
  agent.destroy();
});
