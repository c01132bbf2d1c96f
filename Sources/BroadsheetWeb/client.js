// Follows a screen: docs/web.md, client.d.ts.

export const version = "0.2.0";

const maxEvents = 1_000;
const maxEventLength = 1 << 28;
const maxLength = 1e18;

export class Problem extends Error {
  constructor(document, retryAfter) {
    super(document.detail ?? "");
    const status = +document.status || 0;
    const code = document.code ?? (status ? `HTTP_${status}` : "NETWORK");
    const members = {errors: [], ...document, name: "Problem", status, code, retryAfter};
    // An assignment would set `__proto__`.
    Object.defineProperties(this, Object.getOwnPropertyDescriptors(members));
  }
}

async function problemOf(response) {
  const body = await response.json().catch(() => null);
  const document = typeof body === "object" ? body : {};
  const {status, statusText} = response;
  const field = response.headers.get("Retry-After");
  const seconds = +field || (Date.parse(field) - Date.now()) / 1_000;
  return new Problem({detail: statusText, ...document, status}, seconds > 0 ? seconds : undefined);
}

const networkProblem = (error) =>
  error instanceof Problem ? error : new Problem({detail: String(error?.message ?? error)});

export function applyChanges(tree, changes) {
  if (changes.reset) return changes.tree;
  let sections = tree.sections;
  for (const stage of changes.stages) sections = afterStage(sections, stage);
  sections = sections.slice();
  for (const {index, ...members} of changes.sections) {
    sections[index] = {...at(sections, index), ...members};
    for (const name in members) if (members[name] === null) delete sections[index][name];
  }
  placeItems(sections, changes.frames);
  sections.forEach((section, index) => {
    if (section.index !== index) sections[index] = {...section, index};
  });
  const {diagnostics} = tree;
  return {...diagnostics && {diagnostics}, ...changes.tree, sections};
}

function at(list, index) {
  const value = Number.isInteger(index) ? list[index] : undefined;
  if (value === undefined) throw new RangeError(`no index ${index}`);
  return value;
}

// Deletions, reloads and `from` have indices before the stage; all else after.
function afterStage(sections, stage) {
  const {deleteSections = [], insertSections = [], moveSections = []} = stage;
  const {deleteItems = [], insertItems = [], moveItems = [], reloadItems = []} = stage;
  const result = sections.slice();
  const edited = new Set();
  const itemsOf = (section) => {
    if (!edited.has(section)) {
      result[section] = {...at(result, section), items: result[section].items.slice()};
      edited.add(section);
    }
    return result[section].items;
  };
  const take = (list, index) => {
    const value = at(list, index);
    list[index] = undefined;
    return value;
  };
  for (const {section, item, value} of reloadItems) {
    take(itemsOf(section), item);
    itemsOf(section)[item] = value;
  }
  const arrivals = moveItems.map(({from, to}) => [to, take(itemsOf(from.section), from.item)]);
  for (const {section, item} of deleteItems) take(itemsOf(section), item);
  for (const section of edited) result[section].items = itemsOf(section).filter(Boolean);
  const coming = moveSections.map(({from, to}) => [to, take(result, from)]);
  for (const index of deleteSections) take(result, index);
  for (const {index, value} of insertSections) coming.push([index, value]);
  const after = arranged(result.filter(Boolean), coming);

  for (const insertion of insertItems) arrivals.push([insertion, insertion.value]);
  const placed = new Map();
  for (const [{section, item}, value] of arrivals) {
    if (!placed.has(section)) placed.set(section, []);
    placed.get(section).push([item, value]);
  }
  for (const [section, pairs] of placed) {
    after[section] = {...at(after, section), items: arranged(after[section].items, pairs)};
  }
  return after;
}

function arranged(kept, pairs) {
  const result = [];
  let next = 0;
  for (const [index, value] of pairs.sort(([one], [other]) => one - other)) {
    while (result.length < index && next < kept.length) result.push(kept[next++]);
    if (result.length !== index) throw new RangeError(`no index ${index}`);
    result.push(value);
  }
  while (next < kept.length) result.push(kept[next++]);
  return result;
}

function placeItems(sections, runs) {
  const copied = new Set();
  const box = ([x, y, width, height]) => ({x, y, width, height});
  for (const {section, item, frames, separators} of runs) {
    at(sections, section);
    if (!copied.has(section)) {
      sections[section] = {...sections[section], items: sections[section].items.slice()};
      copied.add(section);
    }
    const {items} = sections[section];
    if (frames.length) at(items, item + frames.length - 1);
    frames.forEach((frame, offset) => {
      const changed = {...at(items, item + offset), frame: box(frame)};
      if (separators?.[offset]) changed.separator = box(separators[offset]);
      else if (separators) delete changed.separator;
      items[item + offset] = changed;
    });
  }
}

export class EventDecoder {
  lastEventId = "";
  retry = null;
  #decoder = new TextDecoder();
  #line = "";
  #skipsLineFeed = false;
  #type = "";
  #data = "";
  #id = "";

  push(bytes) {
    const text = this.#decoder.decode(bytes, {stream: true});
    const lines = text.replace(this.#skipsLineFeed ? /^\n/ : "", "").split(/\r\n?|\n/);
    if (text) this.#skipsLineFeed = text.endsWith("\r");
    lines[0] = this.#line + lines[0];
    this.#line = lines.pop();
    const events = lines.map((line) => this.#take(line)).filter(Boolean);
    if (this.#line.length + this.#data.length > maxEventLength) {
      throw new RangeError("event too long");
    }
    return events;
  }

  #take(line) {
    if (!line) return this.#dispatch();
    const [field, value = ""] = line.split(/: ?(.*)/s);
    if (field === "event") this.#type = value;
    if (field === "data") this.#data += `${value}\n`;
    if (field === "id" && !value.includes("\0")) this.#id = value;
    if (field === "retry" && /^[0-9]+$/.test(value)) this.retry = +value;
  }

  #dispatch() {
    const event = this.#data && {
      type: this.#type || "message", id: this.#id, data: this.#data.slice(0, -1),
    };
    this.lastEventId = this.#id;
    this.#type = this.#data = "";
    return event;
  }
}

const finite = (value) =>
  Number.isFinite(value) ? Math.min(Math.max(value, -maxLength), maxLength) : 0;
const rounded = (value) => value < 0 ? Math.ceil(value - 0.5) : Math.floor(value + 0.5);

export class Carousel {
  constructor(lengths = {}) {
    for (const name of ["isAlignCenter", "isLooping"]) this[name] = !!lengths[name];
    this.pageCount = Math.max(0, finite(lengths.pageCount));
    this.copies = Math.max(1, finite(lengths.copies));
    for (const name of ["viewportLength", "contentLength", "itemLength", "lineSpacing"]) {
      this[name] = finite(lengths[name]);
    }
    for (const name of ["contentInset", "sectionInset"]) {
      this[name] = [0, 1].map((end) => finite(lengths[name]?.[end]));
    }
  }

  static of(section, tree) {
    const {paging, scroll, items, frame} = section;
    if (!paging || !items.length) return null;
    const isX = scroll || isSideways(tree);
    const length = isX ? "width" : "height";
    const isMirrored = isX && tree.viewport.direction === "rtl";
    const start = (box) => isMirrored ? frame.width - box.x - box.width : isX ? box.x : box.y;
    const first = items[0].frame;
    const {header, footer} = scroll ? {} : section;
    const {pageCount, pageLength, copies} = paging;
    const itemLength = first[length];
    const lineSpacing = pageLength - itemLength;
    const contentLength = scroll
      ? scroll.contentSize.width + (copies - 1) * pageCount * pageLength : tree.contentSize[length];
    const leading = start(first) - (header ? start(header.frame) + header.frame[length] : 0);
    const trailing = contentLength - (header?.frame[length] ?? 0) - (footer?.frame[length] ?? 0)
      - leading - pageCount * copies * pageLength + lineSpacing;
    return new Carousel({
      ...paging, contentLength, itemLength, lineSpacing, sectionInset: [leading, trailing],
      viewportLength: scroll ? frame.width : tree.viewport[length],
    });
  }

  get pageLength() { return this.itemLength + this.lineSpacing; }
  get sectionLength() {
    return this.contentLength - this.sectionInset[0] - this.sectionInset[1];
  }
  get slack() { return (this.viewportLength - this.itemLength) / 2; }
  get lastPage() {
    return this.pageLength > 0
      ? finite((this.sectionLength + this.lineSpacing) / this.pageLength - 1) : 0;
  }
  get minOffset() { return 0 - this.contentInset[0]; }
  get maxOffset() {
    return Math.max(
      this.minOffset, this.contentLength - this.viewportLength + this.contentInset[1]);
  }
  get initialOffset() {
    return this.isAlignCenter ? Math.max(this.minOffset, this.#centerInitial) : this.minOffset;
  }
  get finalOffset() {
    return this.isAlignCenter ? Math.min(this.maxOffset, this.#centerFinal) : this.maxOffset;
  }
  get copyLength() {
    return (this.sectionLength - this.lineSpacing * (this.copies - 1)) / this.copies
      + this.lineSpacing;
  }

  get #centerInitial() { return this.sectionInset[0] - this.slack; }
  get #centerFinal() { return this.#centerInitial + this.lastPage * this.pageLength; }
  get #shift() { return this.isAlignCenter ? this.slack : 0; }
  get #first() { return this.isAlignCenter ? this.#centerInitial : this.minOffset; }
  get #last() { return this.isAlignCenter ? this.#centerFinal : this.maxOffset; }
  #page(offset) {
    return this.pageLength > 0
      ? finite((offset - this.sectionInset[0] + this.#shift) / this.pageLength) : 0;
  }

  pageIndex(offset) {
    if (!this.pageCount) return 0;
    const index = rounded(this.#page(finite(offset))) % this.pageCount;
    return (index + this.pageCount) % this.pageCount;
  }

  release(offset, velocity) {
    const speed = finite(velocity);
    const projected = finite(offset) + 60 * speed;
    const origin = this.contentInset[0] - this.sectionInset[0] + this.#shift;
    const page = this.#settled((origin + projected) / this.pageLength, speed);
    let target = page < this.lastPage ? this.#first + this.pageLength * page : this.maxOffset;
    if (this.pageLength <= 0) target = projected;
    return Math.max(this.initialOffset, Math.min(target, this.finalOffset));
  }

  #settled(page, speed) {
    if (speed) return speed > 0 ? Math.ceil(page) : Math.floor(page);
    const whole = Math.floor(this.lastPage);
    if (page <= whole) return rounded(page);
    return page >= whole + (this.lastPage - whole) / 2 ? this.lastPage : whole;
  }

  step(pages, from) {
    const offset = finite(from);
    if (!pages) return null;
    if (pages > 0 && offset >= this.#last) return this.isLooping ? this.initialOffset : null;
    if (pages < 0 && offset <= this.#first) return this.isLooping ? this.finalOffset : null;
    const page = this.#page(offset);
    const isBetween = this.isAlignCenter && page !== Math.floor(page);
    const start = isBetween ? this.#centerInitial + rounded(page) * this.pageLength : offset;
    const target = start + finite(pages) * this.pageLength;
    const half = this.copies > 1 ? 0 : this.pageLength / 2;
    if (target > this.maxOffset) return this.finalOffset;
    if (target < this.minOffset) return this.initialOffset;
    if (pages > 0 && target + half > this.maxOffset) return this.finalOffset;
    if (pages < 0 && target - half < this.minOffset) return this.initialOffset;
    return target;
  }

  remap(from) {
    const {copies, copyLength, contentInset: [start, end]} = this;
    if (copies < 2 || copyLength <= 0) return null;
    const offset = finite(from);
    const middle = copies >> 1;
    if (offset <= this.#first) {
      return (this.isAlignCenter ? this.#first : offset) + middle * copyLength;
    }
    const space = (this.viewportLength - start - end - this.itemLength) / 2;
    const behind = Math.min(
      this.sectionInset[0] - start - (this.isAlignCenter ? Math.max(0, space) : 0)
        + (middle + 1) * copyLength,
      this.maxOffset - this.pageLength + 0.001);
    const turns = Math.floor((offset - behind) / copyLength) + 1;
    const distance = Math.min(Math.max(turns, -middle), middle) * copyLength;
    return distance ? offset - distance : null;
  }
}

const anchorOf = (url) => url.match(/[?&](item|section|edge)=[^&]*/g)?.join();

const isSideways = (tree) => tree.contentSize.width > tree.viewport.width;

class Attempt extends AbortController {
  arm(milliseconds) {
    this.stop();
    this.timer = !this.isEnded && setTimeout(() => {
      this.isTimeout = true;
      this.abort();
    }, milliseconds);
  }

  stop() { clearTimeout(this.timer); }

  end() {
    this.isEnded = true;
    this.stop();
  }

  cancel() {
    this.end();
    this.abort();
  }
}

const sources = new WeakMap();

// The token that screens share.
class TokenSource {
  screens = new Set();

  constructor(next) { this.next = next; }

  async get(used, problem) {
    if (this.token === used) await (this.call ??= this.#renew(problem).finally(() => { this.call = null; }));
    return this.token;
  }

  async #renew(problem) {
    const token = this.token = await this.next(problem);
    try {
      const {exp, iat} = JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")));
      const now = Date.now() / 1_000;
      const time = Math.min(exp - Math.max(iat, now < exp && now), 86_400);
      const timer = time > 0 && setTimeout(() => {
        if (this.token === token && this.screens.size) this.get(token).then(() => this.screens.forEach((next) => next()), () => {});
      }, Math.max(1_000, time * (800 + 100 * Math.random())));
      timer.unref?.();
    } catch {}
  }
}

export class Screen {
  tree = null;
  status = "closed";
  problem = null;
  #headers;
  #source;
  #token;
  #fetch;
  #signal;
  #base;
  #own = new Map();
  #overrides = new Map();
  #listeners = new Set();
  #updates = [];
  #since;
  #session;
  #attempt;
  #others = new Set();
  #resume;
  #retry = 2_000;
  #failures = 0;
  #resets = 0;
  #cuts = 0;
  #pollsUntil = 0;
  #lastByte = 0;
  #isHidden = false;
  #isAway = false;
  #hiddenTimer;
  #held;
  #load;
  #loading;
  #reloading;
  #pageFailures = 0;
  #stops = {};
  #offset = null;
  #length;
  #actions = [];
  #events = [];
  #eventFailures = 0;
  #eventTimer;
  #isSending = false;

  constructor(url, {headers, token, fetch, signal} = {}) {
    this.url = String(url);
    this.#headers = headers;
    if (token && !sources.has(token)) sources.set(token, new TokenSource(token));
    this.#source = sources.get(token);
    this.#fetch = fetch ?? ((...request) => globalThis.fetch(...request));
    this.#signal = signal;
    signal?.addEventListener("abort", () => this.close());
    const [path, query = ""] = this.url.split("#")[0].split(/\?(.*)/s);
    this.#base = path.replace(/\/$/, "");
    for (const pair of query.split("&").filter(Boolean)) {
      const [name] = pair.split("=");
      this.#own.set(name, [...this.#own.get(name) ?? [], pair]);
    }
  }

  subscribe(listener) {
    const entry = {listener};
    if (!this.#signal?.aborted) {
      if (!this.#session) {
        this.#change({status: "connecting"});
        this.#listenToPage("addEventListener");
        this.#source?.screens.add(this.#renewed);
        this.#follow(this.#session = {});
        this.#seen();
      }
      this.#listeners.add(entry);
    }
    return () => {
      if (this.#listeners.delete(entry) && !this.#listeners.size) this.close();
    };
  }

  set(parameters) {
    const before = this.#address("");
    for (const [name, value] of Object.entries(parameters)) {
      if (value === null) this.#overrides.delete(name);
      else this.#overrides.set(name, [value].flat().map((one) => `${name}=${encodeURIComponent(one)}`));
    }
    const after = this.#address("");
    if (after === before) return;
    this.#endPage();
    const anchor = anchorOf(after);
    if (!anchor || anchor !== anchorOf(before)) this.#since = null;
    this.#again();
  }

  scrolled(offset, length) {
    this.#offset = finite(offset);
    this.#length = length;
    this.#loadIfDue();
  }

  loadNextPage() { return this.#loadOnce("nextPageToken"); }
  loadPreviousPage() { return this.#loadOnce("previousPageToken"); }

  reload() {
    return this.#reloading ??= this.#reload().finally(() => { this.#reloading = null; });
  }

  async #reload() {
    while (this.#loading) await this.#loading;
    if (!this.#session) return false;
    if (this.tree && this.#since) return this.#loadOnce("");
    return new Promise((resolve) => {
      const end = this.subscribe(({status}) => {
        if (status === "connecting") return;
        end();
        resolve(status === "live");
      });
      this.#again();
    });
  }

  send(event) {
    const filled = {revision: this.tree?.revision, at: Date.now() / 1_000, ...event};
    if (event.type === "action") {
      return new Promise((resolve, reject) => {
        const count = this.#actions.push({filled, resolve, reject});
        if (count === 1) queueMicrotask(() => this.#sendActions());
      });
    }
    this.#collect([...this.#events, filled], 1_000);
    return Promise.resolve();
  }

  async flush() {
    this.#eventTimer = void clearTimeout(this.#eventTimer);
    if (this.#isSending || !this.#events.length) return;
    this.#isSending = true;
    const events = this.#events.splice(0);
    let delay = 1_000;
    try {
      await this.#post(events);
      this.#eventFailures = 0;
    } catch (problem) {
      if (isPassing(problem) && problem.status !== 404) {
        this.#events.unshift(...events);
        this.#eventTimer = void clearTimeout(this.#eventTimer);
        delay = delayAfter(problem, this.#eventFailures++);
      }
    }
    this.#isSending = false;
    if (this.#session) this.#collect(this.#events, delay);
  }

  request(path) {
    return this.#aside((attempt) => this.#request(path, "", attempt, 40_000));
  }

  wake() {
    if (this.#resume || performance.now() - this.#lastByte > 20_000) this.#again();
    if (!this.#loading) this.#endPage();
    this.#loadIfDue();
    if (this.#eventFailures) this.flush();
  }

  close() {
    this.#endPage();
    this.#listenToPage("removeEventListener");
    clearTimeout(this.#hiddenTimer);
    this.#isAway = false;
    if (this.#session) {
      this.#session = null;
      this.#source?.screens.delete(this.#renewed);
      this.#change({status: "closed"});
      this.#again();
    }
    this.#listeners.clear();
    this.flush();
    for (const attempt of this.#others) attempt.end();
  }

  #change({tree = this.tree, changes = null, status = this.status, problem = this.problem}) {
    const previous = this.tree;
    if (tree === previous && status === this.status && problem === this.problem) return;
    Object.assign(this, {tree, status, problem});
    if (this.#updates.push({tree, previous, changes, status, problem}) > 1) return;
    for (; this.#updates.length; this.#updates.shift()) {
      for (const entry of [...this.#listeners]) {
        if (!this.#listeners.has(entry)) continue;
        try {
          entry.listener(this.#updates[0]);
        } catch (error) {
          (globalThis.reportError ?? console.error)(error);
        }
      }
    }
  }

  #replace(tree, since, changes) {
    if (this.#since && this.tree.window && !tree.window) throw new RangeError();
    this.#since = since;
    this.#failures = this.#pageFailures = 0;
    if (tree.window) this.#offset = null;
    this.#change({tree, changes, status: "live", problem: null});
    this.#loadIfDue();
  }

  #apply(changes, id) {
    const {to, from, reset} = changes;
    const {page, revision} = this.tree;
    if (!reset && (from.page !== page || from.revision !== revision)) throw new RangeError();
    const tree = applyChanges(this.tree, changes);
    if (!reset) this.#resets = 0;
    this.#replace(tree, id ?? `${to.revision}.${to.tag}`, reset ? null : changes);
  }

  async #follow(session) {
    await null;
    while (session === this.#session) {
      const attempt = this.#attempt = new Attempt();
      let pause = Infinity;
      try {
        const isPolling = performance.now() < this.#pollsUntil;
        if (!this.#isHidden && !this.#isAway) pause = await (isPolling ? this.#poll(attempt) : this.#stream(attempt));
      } catch (error) {
        if (!attempt.isEnded) pause = this.#failed(error);
      }
      if (attempt.isEnded) continue;
      attempt.cancel();
      await new Promise((resolve) => {
        const timer = pause < Infinity && setTimeout(() => this.#resume(), pause);
        this.#resume = () => {
          clearTimeout(timer);
          this.#resume = null;
          resolve();
        };
      });
    }
  }

  #again() {
    if (this.status === "failed") this.#change({status: "connecting"});
    this.#attempt?.cancel();
    this.#resume?.();
  }

  #failed(error) {
    const isWindow = this.#since && this.tree.window;
    if (!(error instanceof Problem) || (isWindow && error.status === 400)) {
      this.#since = null;
      const pause = this.#pauseAfterReset();
      return this.#resets > 2 ? pause : 1_000;
    }
    const status = isPassing(error) ? "waiting" : "failed";
    let {tree} = this;
    if (error.status === 404 || error.status === 406) {
      tree = this.#since = null;
      this.#endPage();
    }
    this.#change({tree, status, problem: error});
    return status === "failed" ? Infinity : delayAfter(error, this.#failures++);
  }

  #pauseAfterReset() {
    return Math.min(15_000, 500 * 2 ** ++this.#resets) * (1 + Math.random());
  }

  #alive() {
    this.#lastByte = performance.now();
    this.#failures = 0;
    if (this.tree) this.#change({status: "live", problem: null});
  }

  #place() {
    const {tree} = this;
    const since = tree && this.#since;
    const hasPage = tree && !anchorOf(this.#address("")) && (since || tree.page);
    return [since && `since=${encodeURIComponent(since)}`, hasPage && `page=${tree.page}`]
      .filter(Boolean).join("&");
  }

  async #stream(attempt) {
    const begin = this.#lastByte = performance.now();
    let hasBytes, isExpired;
    if (this.#held) this.#held = [];
    try {
      const response = await this.#request("stream", `changes=true&${this.#place()}`, attempt, 5_000, {
        headers: {Accept: "text/event-stream"},
      });
      if (!response.body?.getReader) {
        this.#pollsUntil = Infinity;
        return 0;
      }
      const reader = response.body.getReader();
      const decoder = new EventDecoder();
      for (;;) {
        const {value} = await reader.read().catch(() => ({}));
        if (!value || attempt.signal.aborted) break;
        hasBytes = true;
        attempt.arm(40_000);
        this.#alive();
        for (const event of decoder.push(value)) {
          if (attempt.isEnded) return 0;
          if (event.type === "expired") isExpired = true;
          if (this.#held) this.#held.push(event);
          else this.#receive(event);
        }
        this.#retry = decoder.retry ?? this.#retry;
      }
    } catch (error) {
      if (!attempt.isTimeout) throw error;
    }
    if (attempt.isEnded) return 0;
    if (isExpired && this.#source?.token === this.#token) this.#source.token = undefined;
    if (isExpired || hasBytes && !attempt.isTimeout && performance.now() - begin >= 10_000) {
      this.#cuts = 0;
      return Math.random() * this.#retry;
    }
    if (++this.#cuts >= 3) this.#pollsUntil = performance.now() + 300_000;
    return Math.random() * 500;
  }

  #receive({type, id, data}) {
    if (type === "tree") this.#replace(JSON.parse(data), id);
    if (type === "changes") this.#apply(JSON.parse(data), id);
    if (type === "problem") throw new Problem(JSON.parse(data));
    if (type === "removed") {
      throw new Problem({status: 404, code: "SCREEN_NOT_FOUND", detail: "The screen was removed."});
    }
  }

  async #poll(attempt) {
    const begin = this.#lastByte = performance.now();
    const place = this.#place();
    if (!place) {
      const [tree, response] = await this.#json("layout", "", attempt);
      if (attempt.isEnded) return 0;
      const tag = response.headers.get("ETag")?.replace(/^.*?"|(-gzip)?"$/g, "");
      this.#replace(tree, `${tree.revision}${tag ? `.${tag}` : ""}`);
      return 0;
    }
    const query = this.#since ? place : `since=0&${place}`;
    const [changes] = await this.#json("changes", query, attempt, {headers: {Prefer: "wait=20"}});
    if (attempt.isEnded) return 0;
    this.#alive();
    const isNew = changes && (changes.reset || this.#since !== `${changes.to.revision}.${changes.to.tag}`);
    if (!isNew) this.#resets = 0;
    const isApplied = isNew && !this.#held;
    if (isApplied) this.#apply(changes);
    if (isApplied && changes.reset) return this.#pauseAfterReset();
    return isApplied || performance.now() - begin > 1_000 ? 0 : 1_000 + Math.random() * 1_000;
  }

  #loadIfDue() {
    const {tree} = this;
    if (this.#offset === null || !this.#session || !tree || !this.#since || this.#isAway) return;
    if (tree.window && !this.#length) return;
    const length = isSideways(tree) ? "width" : "height";
    const {before = Infinity, after = 0} = tree.window ?? {};
    const near = Math.min(3 * tree.viewport[length], (before + after) / 4);
    const end = this.#length ?? tree.contentSize[length];
    const isDue = {
      nextPageToken: this.#offset > end - near || !tree.sections.length,
      previousPageToken: this.#offset < near,
    };
    for (const name in isDue) {
      const {token, timer} = this.#stops[name] ?? {};
      if (isDue[name] && tree[name] && !timer && token !== tree[name]) this.#loadOnce(name);
    }
  }

  #loadOnce(name) {
    return this.#loading ??= this.#loadPage(name).finally(() => {
      this.#loading = null;
      this.#loadIfDue();
    });
  }

  async #loadPage(name) {
    const token = this.tree?.[name];
    if ((name && !token) || !this.#since) return false;
    clearTimeout(this.#stops[name]?.timer);
    this.#stops[name] = {};
    const load = this.#load = new Attempt();
    this.#held = [];
    try {
      const query = this.#place() + (name && `&pageToken=${encodeURIComponent(token)}`);
      // Without a name the tree itself is loaded again, with its pages from their origin.
      const [changes] = await this.#json("changes", query, load, name ? {} : {cache: "reload"});
      if (load.isEnded) return false;
      this.#held = null;
      this.#apply(changes);
      if (name && this.tree[name] === token) this.#stops[name] = {token};
      this.#again();
      return true;
    } catch (error) {
      if (!load.isEnded) this.#pageFailed(error, name, token);
      return false;
    }
  }

  #pageFailed(error, name, token) {
    const problem = networkProblem(error);
    const timer = name && isPassing(problem) && this.#session && setTimeout(() => {
      this.#stops[name] = {};
      this.#loadIfDue();
    }, delayAfter(problem, this.#pageFailures++));
    this.#stops[name] = {token, timer};
    if (problem.code !== "PAGE_NOT_LOADED") this.#change({problem});
    const held = this.#held ?? [];
    this.#held = null;
    try {
      held.forEach((event) => this.#receive(event));
    } catch {
      this.#since = null;
      this.#again();
    }
  }

  #endPage() {
    this.#load?.cancel();
    for (const name in this.#stops) clearTimeout(this.#stops[name].timer);
    this.#stops = {};
    this.#load = this.#held = null;
  }

  #collect(events, delay) {
    this.#events = events.slice(-maxEvents);
    if (events.length) this.#eventTimer ??= setTimeout(() => this.flush(), delay);
  }

  #sendActions() {
    while (this.#actions.length) {
      const some = this.#actions.splice(0, maxEvents);
      this.#post(some.map((action) => action.filled)).then(
        (result) => some.forEach((action) => action.resolve(result)),
        (problem) => some.forEach((action) => action.reject(problem)));
    }
  }

  async #post(events) {
    const body = JSON.stringify({events});
    const keepalive = new TextEncoder().encode(body).length < 60_000;
    const headers = {"Content-Type": "application/json"};
    const init = {method: "POST", body, headers, keepalive};
    return (await this.#aside((attempt) => this.#json("events", "", attempt, init)))[0];
  }

  // For requests that go on after `close`.
  async #aside(send) {
    const attempt = new Attempt();
    this.#others.add(attempt);
    try {
      return await send(attempt);
    } finally {
      attempt.stop();
      this.#others.delete(attempt);
    }
  }

  #address(path, query = "") {
    if (path[0] === "/") return this.#base.replace(/\/v1\/screens\/.*/, "") + path;
    const all = new Map([...this.#own, ...this.#overrides]);
    const parameters = [...all.values()].flat().filter((one) => path === "events"
      ? /^(client|flags|catalog)=/.test(one)
      : !/since=\d+\./.test(query) || !/^(item|section|edge|before|after)=/.test(one));
    return `${this.#base}/${path}?${[...parameters, query].join("&")}`.replace(/[?&]+$/, "");
  }

  async #json(path, query, attempt, init) {
    try {
      const response = await this.#request(path, query, attempt, 40_000, init);
      return [response.status === 204 ? null : await response.json(), response];
    } catch (error) {
      throw networkProblem(error);
    } finally {
      attempt.stop();
    }
  }

  async #request(path, query, attempt, limit, init) {
    const own = this.#headers;
    const source = this.#source;
    for (let refused, used; ;) {
      let response;
      try {
        const headers = new Headers(typeof own === "function" ? await own(refused) : own);
        if (source) {
          this.#token = used = await source.get(used, refused);
          headers.set("Authorization", `Bearer ${used}`);
        }
        for (const [name, value] of Object.entries(init?.headers ?? {})) headers.set(name, value);
        attempt.arm(limit);
        const {signal} = attempt;
        response = await this.#fetch(this.#address(path, query), {...init, headers, signal});
      } catch (error) {
        throw networkProblem(error);
      }
      if (response.ok) return response;
      const problem = await problemOf(response);
      if (response.status !== 401 || refused || !source && typeof own !== "function") throw problem;
      refused = problem;
    }
  }

  #listenToPage(action) {
    if (!globalThis.document?.[action]) return;
    document[action]("visibilitychange", this.#seen);
    globalThis[action]("online", this.#woken);
    globalThis[action]("pagehide", this.#left);
    globalThis[action]("pageshow", this.#returned);
  }

  #woken = () => this.wake();

  #renewed = () => {
    if (!this.#resume) this.#attempt?.cancel();
  };

  // Into the back/forward cache.
  #left = () => {
    this.#isAway = true;
    this.flush();
    this.#endPage();
    this.#attempt?.cancel();
  };

  #returned = () => {
    this.#isAway = false;
    this.#seen();
    this.wake();
  };

  #seen = () => {
    clearTimeout(this.#hiddenTimer);
    this.#isHidden = false;
    if (globalThis.document?.visibilityState !== "hidden") return this.wake();
    this.flush();
    this.#hiddenTimer = setTimeout(() => {
      this.#isHidden = true;
      this.#again();
    }, 30_000);
  };
}

const isPassing = ({status}) => [0, 401, 404, 408, 425, 429].includes(status) || status >= 500;

const delayAfter = ({retryAfter = 0}, failures) =>
  Math.max(retryAfter * 1_000, Math.random() * Math.min(30_000, 500 * 2 ** failures));
