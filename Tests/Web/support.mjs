// A clock that tests advance, and a daemon that they script.

const real = {
  setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout,
  now: performance.now.bind(performance), date: Date.now, random: Math.random,
};

// Replaces the timers, the times and the random numbers of this process.
export class Clock {
  time = 0;
  timers = new Map();
  #count = 0;

  constructor(random = 0.5) {
    globalThis.setTimeout = (body, delay = 0) => {
      this.timers.set(++this.#count, {body, due: this.time + Math.max(0, delay)});
      return this.#count;
    };
    globalThis.clearTimeout = (id) => this.timers.delete(id);
    performance.now = () => this.time;
    Date.now = () => 1_700_000_000_000 + this.time;
    Math.random = () => random;
  }

  // Runs what is due, in order, and what follows from it.
  async advance(milliseconds) {
    const end = this.time + milliseconds;
    await settled();
    for (;;) {
      const next = [...this.timers].sort(([, one], [, other]) => one.due - other.due)[0];
      if (!next || next[1].due > end) break;
      this.timers.delete(next[0]);
      this.time = Math.max(this.time, next[1].due);
      next[1].body();
      await settled();
    }
    this.time = end;
  }

  restore() {
    Object.assign(globalThis, {setTimeout: real.setTimeout, clearTimeout: real.clearTimeout});
    performance.now = real.now;
    Date.now = real.date;
    Math.random = real.random;
  }
}

// Waits for promises, and for the reading of streams, which takes several rounds.
export async function settled() {
  for (let round = 0; round < 12; round++) await new Promise((done) => setImmediate(done));
}

// A daemon of which each request waits for the test to respond.
export class ScriptedDaemon {
  requests = [];

  fetch = (url, init) => new Promise((resolve, reject) => {
    const [path, query = ""] = url.split("?");
    const request = {
      url, path: path.split("/").at(-1), query: Object.fromEntries(new URLSearchParams(query)), init,
      fail: () => reject(new TypeError("fetch failed")),
      json: (body, status = 200, headers = {}) => resolve(new Response(
        status === 204 ? null : JSON.stringify(body), {status, headers})),
      problem: (status, code, headers) => request.json({status, code, detail: code}, status, headers),
      stream: () => {
        const stream = new ScriptedStream(init.signal);
        resolve(stream.response);
        return stream;
      },
    };
    init.signal?.addEventListener("abort", () => {
      request.isAborted = true;
      reject(new DOMException("aborted", "AbortError"));
    });
    this.requests.push(request);
  });

  // Returns the next request of a path that has not been taken.
  async next(path) {
    await settled();
    const index = this.requests.findIndex((request) => request.path === path);
    if (index < 0) throw new Error(`${this.requests.map(({url}) => url)}, not ${path}`);
    return this.requests.splice(index, 1)[0];
  }
}

class ScriptedStream {
  #controller;

  constructor(signal) {
    const body = new ReadableStream({start: (controller) => { this.#controller = controller; }});
    this.response = new Response(body, {headers: {"Content-Type": "text/event-stream"}});
    signal.addEventListener("abort", () => {
      this.isAborted = true;
      try {
        this.#controller.error(new DOMException("aborted", "AbortError"));
      } catch {
        // The stream has ended before.
      }
    });
  }

  async write(text) {
    this.#controller.enqueue(new TextEncoder().encode(text));
    await settled();
  }

  event(type, id, data) {
    return this.write(`event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  async end() {
    this.#controller.close();
    await settled();
  }

  async break() {
    this.#controller.error(new TypeError("network error"));
    await settled();
  }
}

// A tree of pages of three items of 100 points in a viewport of 100 × 200.
export function tree(revision, page = 0, more = {}) {
  const items = Array.from({length: 3 * (page + 1)}, (_, index) => ({
    id: `i${index}`, type: "A", frame: {x: 0, y: 100 * index, width: 100, height: 100},
    data: {n: index},
  }));
  return {
    screen: "home", revision, page, pageCount: page + 1, hasNext: true, nextPageToken: `t${page}`,
    viewport: {width: 100, height: 200, scale: 1, direction: "ltr"},
    contentSize: {width: 100, height: 300 * (page + 1)},
    sections: [{
      id: "s", index: 0, frame: {x: 0, y: 0, width: 100, height: 300 * (page + 1)},
      collapsed: false, items,
    }],
    diagnostics: [], ...more,
  };
}

// The changes that reload the first item.
export function changes(from, to, more = {}) {
  const {sections, diagnostics, ...members} = tree(to);
  const value = {...sections[0].items[0], data: {n: 0, revision: to}};
  return {
    screen: "home", from: {revision: from, page: 0}, to: {revision: to, page: 0, tag: `T${to}`},
    reset: false, tree: members, stages: [{reloadItems: [{section: 0, item: 0, value}]}],
    sections: [], frames: [], ...more,
  };
}

// The changes that lead from one page to two.
export function pageChanges(from, to) {
  const {sections, diagnostics, ...members} = tree(to, 1);
  const insertItems = [3, 4, 5].map((item) => ({section: 0, item, value: sections[0].items[item]}));
  return {
    screen: "home", from: {revision: from, page: 0}, to: {revision: to, page: 1, tag: `P${to}`},
    reset: false, tree: members, stages: [{insertItems}],
    sections: [{index: 0, frame: sections[0].frame}], frames: [],
  };
}
