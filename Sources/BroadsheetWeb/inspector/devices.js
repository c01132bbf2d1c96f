// Devices and their layouts.

import {EventDecoder, Problem, Screen} from "../client.js";
import {namedBoxes, textAt, textStyle, valueAt} from "../catalog.js";
import {cells} from "../element.js";
import {
  count, field, h, hint, isRefusal, number, options, pathOf, place, problemBox, say, set,
} from "./common.js";

/** Long texts would only be cut. */
const shortened = (value) =>
  typeof value === "string" || typeof value === "number" ? `${value}`.slice(0, 2_000) : "";

/** A text in its base direction, on the side where the screen is read from. */
function textElement(name, text, {direction}) {
  const element = h("div", {class: name, dir: "auto"}, text);
  element.style.textAlign = direction === "rtl" ? "right" : "left";
  return element;
}

function part(box, {frame, ...text}, data, library, viewport) {
  const element = box.text === undefined
    ? h("div", {class: `part ${box.image === undefined ? "" : "image"}`})
    : h("div", {class: "part text", dir: "auto"}, shortened(textAt(data, box.text)));
  place(element, frame);
  if (box.text !== undefined) {
    Object.assign(element.style, textStyle(box, text, library.fonts[box.font], viewport));
  }
  return element;
}

function drawn(item, library, viewport) {
  const content = item.parts && library?.contents.get(item.type);
  if (content) {
    const boxes = new Map(namedBoxes(content).map((box) => [box.name, box]));
    return Object.entries(item.parts).flatMap(([name, one]) => {
      const box = boxes.get(name);
      return box && !box.column && !box.row && !box.overlay
        ? [part(box, one, item.data, library, viewport)] : [];
    });
  }
  const picture = library?.pictures.get(item.type);
  const {title, subtitle, image} = picture ?? {};
  const found = [title, subtitle].map((pointer) => pointer && shortened(textAt(item.data, pointer)));
  const texts = found.filter(Boolean);
  const address = image && shortened(valueAt(item.data, image));
  if (!texts.length) {
    const {title, name, text, label} = item.data ?? {};
    const other = [title, name, text, label].find((one) => typeof one === "string");
    texts.push(shortened(other) || [item.type, item.id].filter(Boolean).join(" "));
  }
  return [h("div", {class: "picture"},
    ...texts.map((text, index) => textElement(index ? "subtitle" : "title", text, viewport)),
    address ? h("div", {class: "address"}, address) : null)];
}

cells["*"] = (element, item, section) => {
  // A new element is not in the document yet, but its section is in the tree.
  const host = element.closest("broadsheet-screen")
    ?? [...document.querySelectorAll("broadsheet-screen")]
      .find(({screen}) => screen?.tree?.sections.includes(section));
  const children = item.kind === undefined
    ? drawn(item, host?.library, host?.screen?.tree?.viewport ?? {}) : [];
  element.replaceChildren(...children);
  element.classList.toggle("plain", !item.parts);
};

const silence = 40_000;

export class Feed extends EventTarget {
  status = "connecting";
  revision = null;
  problem = null;
  #api;
  #path;
  #abort = null;
  #isClosed = false;
  #failures = 0;
  #wake = null;

  constructor(api, screen) {
    super();
    this.#api = api;
    this.#path = `${pathOf(screen)}/stream`;
    document.addEventListener("visibilitychange", this);
    addEventListener("online", this);
    api.addEventListener("key", this);
    this.#follow();
  }

  close() {
    this.#isClosed = true;
    document.removeEventListener("visibilitychange", this);
    removeEventListener("online", this);
    this.#api.removeEventListener("key", this);
    this.retry();
  }

  handleEvent(event) {
    if (document.hidden || event.type === "key") this.#abort?.abort();
    if (!document.hidden) this.#wake?.();
  }

  retry() {
    this.#abort?.abort();
    this.#wake?.();
  }

  #set(status, problem = null) {
    if (this.#isClosed || (status === this.status && problem === this.problem)) return;
    Object.assign(this, {status, problem});
    this.dispatchEvent(new Event("status"));
  }

  async #follow() {
    while (!this.#isClosed) {
      if (!document.hidden) await this.#stream().catch((error) => this.#failed(error));
      if (this.#isClosed) return;
      const delay = document.hidden || this.status === "key"
        ? null : Math.min(10_000, 250 * 2 ** Math.min(this.#failures, 8)) * (0.5 + Math.random() / 2);
      await new Promise((resolve) => {
        const timer = delay === null ? null : setTimeout(resolve, delay);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
  }

  #failed(error) {
    if (error.name === "AbortError" && document.hidden) return;
    this.#failures += 1;
    if (isRefusal(error)) this.#set("key", error);
    else if (error.status === 404) this.#set(this.revision === null ? "missing" : "removed", error);
    else this.#set("offline", error);
  }

  async #stream() {
    const abort = this.#abort = new AbortController();
    let timer = setTimeout(() => abort.abort(), silence);
    try {
      const response = await this.#api.request(this.#path, {
        signal: abort.signal, headers: {Accept: "text/event-stream"},
      });
      const reader = response.body.getReader();
      const decoder = new EventDecoder();
      for (;;) {
        const {value, done} = await reader.read();
        if (done) break;
        clearTimeout(timer);
        timer = setTimeout(() => abort.abort(), silence);
        this.#failures = 0;
        for (const event of decoder.push(value)) this.#receive(event);
      }
    } finally {
      clearTimeout(timer);
    }
    if (this.status === "live") this.#failed(new Problem({code: "NETWORK"}));
  }

  #receive({type, data}) {
    if (type === "removed") {
      throw new Problem({status: 404, code: "SCREEN_NOT_FOUND", detail: "The screen was removed."});
    }
    if (type !== "revision") return;
    this.revision = JSON.parse(data).revision;
    this.#set("live");
    this.dispatchEvent(new Event("revision"));
  }
}

const interval = 5_000;
const encoder = new TextEncoder();

/** A screen whose stream is made of a feed and the daemon's changes. */
class DeviceScreen extends Screen {
  #api;
  #feed;
  #wanted = null;
  #isBusy = false;

  /** `reset` is called before a whole tree is sent again. */
  constructor(api, feed, name, reset) {
    super(api.address(pathOf(name)), {
      headers: () => api.headers(), fetch: (address, init) => this.#fetch(address, init),
    });
    Object.assign(this, {reset});
    this.#api = api;
    this.#feed = feed;
  }

  // Sizes and pages are chosen here, and the journey is the readers'.
  set() {}

  scrolled() {}

  send() { return Promise.resolve({}); }

  /** While a tree is loading, the last parameters wait. */
  change(parameters, query) {
    if (this.#isBusy) {
      this.#wanted = {parameters: {...this.#wanted?.parameters, ...parameters}, query};
    } else {
      this.query = query;
      super.set(parameters);
    }
  }

  async #fetch(address, {signal, ...init}) {
    const url = new URL(address);
    if (!url.pathname.endsWith("/stream")) return this.#api.fetch(address, {signal, ...init});
    url.pathname = url.pathname.replace(/stream$/, "changes");
    url.searchParams.delete("changes");
    let stop;
    const body = new ReadableStream({
      start: (controller) => {
        const place = {url, signal, send: (text) => controller.enqueue(encoder.encode(text))};
        const changed = () => this.#update(place);
        // A reloaded catalog has no event, and a request may have failed.
        const timer = setInterval(() => {
          place.send(":\n\n");
          place.revision = null;
          changed();
        }, interval);
        stop = () => {
          clearInterval(timer);
          this.#feed.removeEventListener("revision", changed);
        };
        signal.addEventListener("abort", () => {
          stop();
          try {
            controller.close();
          } catch {
          }
        });
        place.send(":\n\n");
        this.#feed.addEventListener("revision", changed);
        changed();
      },
      cancel: () => stop(),
    });
    return new Response(body);
  }

  async #update(place) {
    const {url: {searchParams}, signal, send} = place;
    const feed = this.#feed;
    if (place.isBusy) return;
    place.isBusy = true;
    let isFirst;
    try {
      while (!signal.aborted) {
        isFirst = !searchParams.has("since");
        const {revision, status} = feed;
        if (!isFirst && (status !== "live" || document.hidden || place.revision === revision)) break;
        const text = await this.#load(place, isFirst);
        const {reset, to, tree} = JSON.parse(text);
        place.revision = isFirst ? to.revision : revision;
        const since = `${to.revision}.${to.tag}`;
        if (!reset && since === searchParams.get("since")) continue;
        if (reset && !isFirst) await this.reset();
        searchParams.set("since", since);
        const event = this.tree ? `changes\ndata: ${text}` : `tree\ndata: ${JSON.stringify(tree)}`;
        send(`id: ${since}\nevent: ${event}\n\n`);
      }
    } catch (problem) {
      place.revision = null;
      // The feed notices a removal, and without a connection the last layouts stay.
      const isNoticed = problem.status === 404 || (!isFirst && !problem.status);
      if (!signal.aborted && !isNoticed) send(`event: problem\ndata: ${JSON.stringify(problem)}\n\n`);
    } finally {
      place.isBusy = false;
    }
  }

  async #load({url, signal}, isFirst) {
    this.#isBusy ||= isFirst;
    try {
      const response = await this.#api.request(`${url}${isFirst ? "&since=0" : ""}`, {signal});
      return (await response.text()).replaceAll(/[\r\n]+/g, " ");
    } finally {
      if (isFirst) setTimeout(() => {
        const {parameters, query} = this.#wanted ?? {};
        this.#isBusy = false;
        this.#wanted = null;
        if (parameters) this.change(parameters, query);
      });
    }
  }
}

export class ComposedScreen {
  url = "";
  tree = null;
  status = "live";
  problem = null;
  #listeners = new Set();

  set() {}

  scrolled() {}

  send() { return Promise.resolve({}); }

  request() { return Promise.reject(new Error("nothing is stored")); }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  show(tree) {
    const previous = this.tree;
    this.tree = tree;
    for (const listener of this.#listeners) {
      listener({tree, previous, changes: null, status: "live", problem: null});
    }
  }
}

export const presets = [
  ["Phone", 390, 844, 3], ["Small phone", 320, 568, 2], ["Large phone", 430, 932, 3],
  ["Fold", 673, 841, 2.625], ["Tablet", 820, 1180, 2], ["Desktop", 1280, 800, 1],
];
const maxLength = 2_000;
const ignored = new Set([
  "pageToken", "pages", "rect", "fields", "lint", "explain", "pretty", "coordinates", "page", "since",
]);

export const queryOf = ([, width, height, scale]) =>
  new URLSearchParams({width, height, scale}).toString();

export function presetOf(parameters) {
  const [width, height] = ["width", "height"].map((name) => Number(parameters.get(name)));
  return presets.find(([, w, h]) => w === width && h === height)?.[0] ?? "Custom";
}

export function presetSelect(changed) {
  const select = h("select", {
    "aria-label": "Device", change: () => {
      const [, width, height, scale] = presets.find(([name]) => name === select.value) ?? [];
      if (width) changed({width, height, scale});
    },
  });
  options(select, [...presets, ["Custom"]].map(([name]) => [name, name]));
  return select;
}

export const numberInput = (label, min, max, changed) => h("input", {
  type: "number", "aria-label": label, min, max, step: "any", change: ({target}) => changed(target.value),
});

export const sizeOf = ({sections, contentSize: {width, height}}) =>
  `${count(sections.reduce((sum, {items}) => sum + items.length, 0), "item")} · `
  + `${number(width)} × ${number(height)}`;

const defaults = {direction: "ltr", textScale: "1"};

export function parametersOf(query, changes = {}) {
  const result = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!ignored.has(name)) result.append(name, value);
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value && value !== defaults[name]) result.set(name, value);
    else result.delete(name);
  }
  for (const [name, value] of [["width", 390], ["height", 844], ["scale", 3]]) {
    if (!(Number(result.get(name)) > 0)) result.set(name, value);
  }
  return result;
}

export function boundAt(node) {
  while (node && !node.broadsheet) node = node.parentNode;
  return node?.broadsheet?.item && node.broadsheet.part !== "decoration" ? node.broadsheet : null;
}

export class Device extends EventTarget {
  tree = null;
  problem = null;
  marks = [];
  #starts = 0;

  constructor({api, feed, name, query, catalogs}) {
    super();
    Object.assign(this, {api, feed, name, catalogs, parameters: parametersOf(query)});
    this.#make();
    this.#start();
  }

  get width() { return Number(this.parameters.get("width")); }

  get height() { return Number(this.parameters.get("height")); }

  get query() { return this.parameters.toString(); }

  get label() {
    const preset = presetOf(this.parameters);
    return this.parameters.get("direction") === "rtl" ? `${preset}, right to left` : preset;
  }

  #make() {
    this.preset = presetSelect((changes) => this.change(changes));
    this.widthField = numberInput("Width", 1, 100_000, (width) => this.change({width}));
    this.heightField = numberInput("Height", 1, 100_000, (height) => this.change({height}));
    this.options = this.#options();
    this.element = h("broadsheet-screen", {
      passive: true, update: ({detail}) => this.#updated(detail),
    });
    this.layer = h("div", {class: "marks", "aria-hidden": "true"});
    this.port = h("div", {
      class: "port", tabindex: 0, role: "group", "aria-label": "Layout",
      scroll: () => this.drawMarks(),
    }, h("div", {class: "sheet"}, this.element, this.layer));
    this.slider = this.#slider();
    this.note = h("div", {class: "note"});
    this.stage = h("div", {class: "stage"}, this.port, this.slider, this.note);
    this.caption = h("p", {class: "caption"});
    this.next = h("button", {
      hidden: true, click: () => this.#loadNext(),
    }, "Load next page");
    this.region = h("section", {class: "device"},
      h("div", {class: "device-head"}, this.preset, this.widthField, h("span", {class: "times"}, "×"),
        this.heightField, this.options),
      this.stage, this.caption, this.next);
    for (const type of ["pointermove", "pointerleave", "click"]) {
      this.port.addEventListener(type, (event) => this.#pointed(event));
    }
    this.#showParameters();
  }

  #options() {
    this.fields = {};
    const rows = [
      ["Direction", "direction", [["ltr", "Left to right"], ["rtl", "Right to left"]]],
      ["Text size", "textScale", ["0.8", "1", "1.3", "2", "3.1"].map((one) => [one, `${one * 100} %`])],
      ["Pixels per point", "scale"], ["Client", "client", "ios/5.2"], ["Flags", "flags", "a,b"],
      ["Catalog", "catalog", this.catalogs?.length
        ? [["", "Default"], ...this.catalogs.map((name) => [name, name])] : ""],
    ].map(([label, name, kind]) => {
      const attributes = {
        spellcheck: "false", autocomplete: "off", placeholder: kind,
        change: ({target}) => this.change({[name]: target.value.trim()}),
      };
      const control = kind === undefined ? numberInput(null, 0.5, 8, (scale) => this.change({scale}))
        : typeof kind === "string" ? h("input", attributes) : h("select", {change: attributes.change});
      if (control.tagName === "SELECT") options(control, kind);
      this.fields[name] = control;
      return field(label, control);
    });
    this.removeButton = h("button", {
      click: () => this.dispatchEvent(new Event("remove")),
    }, "Remove device");
    const close = (event) => {
      if (event.key !== "Escape") return;
      event.currentTarget.open = false;
      event.currentTarget.firstChild.focus();
    };
    return h("details", {class: "options", keydown: close}, h("summary", {}, "Options"),
      h("div", {class: "popover"}, rows, this.removeButton));
  }

  #slider() {
    let start = null;
    const slide = (width) => this.change({width: Math.round(Math.min(maxLength, Math.max(1, width)))});
    return h("div", {
      class: "slider", role: "slider", tabindex: 0, "aria-valuemin": 1, "aria-valuemax": maxLength,
      keydown: (event) => {
        const arrow = event.shiftKey ? 10 : 1;
        const step = {
          ArrowRight: arrow, ArrowUp: arrow, ArrowLeft: -arrow, ArrowDown: -arrow,
          PageUp: 40, PageDown: -40, Home: -Infinity, End: Infinity,
        }[event.key];
        if (!step) return;
        event.preventDefault();
        slide(this.width + step);
      },
      pointerdown: (event) => {
        start = {x: event.clientX, width: this.width};
        event.target.setPointerCapture(event.pointerId);
      },
      pointermove: (event) => {
        if (start) slide(start.width + (event.clientX - start.x) / (this.zoom || 1));
      },
      lostpointercapture: () => { start = null; },
    });
  }

  async #start() {
    const start = ++this.#starts;
    set(this.region, "aria-busy", "true");
    this.#showTree();
    await this.#loadLibrary();
    if (this.isClosed || start !== this.#starts) return;
    this.screen = new DeviceScreen(this.api, this.feed, this.name, () => this.#loadLibrary(true));
    this.screen.change(Object.fromEntries(this.parameters), this.query);
    this.element.screen = this.screen;
    this.#unscale(this.port);
    this.#unscale(this.element.querySelector(".content"));
  }

  async #loadLibrary(isAgain) {
    const name = this.parameters.get("catalog");
    const library = await this.api.library(name, isAgain).catch(() => null);
    if (!library || name !== this.parameters.get("catalog")) return;
    this.element.library = library;
    for (const one of this.#elements()) cells["*"](one, one.broadsheet.item, one.broadsheet.section);
  }

  #elements() {
    return [...this.element.querySelectorAll(".item, .header, .footer")].filter((one) => one.broadsheet);
  }

  close() {
    this.isClosed = true;
    this.element.screen = null;
    this.region.remove();
  }

  // The drawing compares rectangles, which are scaled, with lengths, which are not.
  #unscale(element) {
    if (!element || Object.hasOwn(element, "getBoundingClientRect")) return;
    element.getBoundingClientRect = () => {
      const {x, y, width, height} = Element.prototype.getBoundingClientRect.call(element);
      const zoom = this.zoom || 1;
      return new DOMRect(x / zoom, y / zoom, width / zoom, height / zoom);
    };
  }

  restart() {
    this.element.screen = this.screen = this.tree = this.problem = null;
    this.#start();
  }

  change(changes) {
    const before = this.query;
    this.parameters = parametersOf(before, changes);
    this.#showParameters();
    if (this.query === before) return;
    set(this.region, "aria-busy", "true");
    if ("catalog" in changes) {
      this.element.library = null;
      this.restart();
    } else {
      const all = Object.fromEntries(Object.keys(changes).map((name) => [name, null]));
      this.screen?.change({...all, ...Object.fromEntries(this.parameters)}, this.query);
    }
    this.dispatchEvent(new Event("parameters"));
  }

  #showParameters() {
    const {parameters, fields} = this;
    const preset = presetOf(parameters);
    this.preset.value = preset;
    set(this.region, "aria-label", this.label);
    this.widthField.value = parameters.get("width");
    this.heightField.value = parameters.get("height");
    for (const [name, control] of Object.entries(fields)) {
      const value = parameters.get(name) ?? defaults[name] ?? "";
      if (control.tagName === "SELECT" && ![...control.options].some((one) => one.value === value)) {
        control.append(h("option", {value}, value));
      }
      control.value = value;
    }
    set(this.slider, "aria-label", `Width of ${preset}`);
    set(this.slider, "aria-valuenow", Math.round(this.width));
    this.fit(this.zoom ?? 1);
  }

  fit(zoom) {
    this.zoom = zoom;
    Object.assign(this.port.style, {
      width: `${this.width}px`, height: `${this.height}px`, transform: `scale(${zoom})`,
    });
    this.port.style.setProperty("--zoom", zoom);
    Object.assign(this.stage.style, {
      width: `${this.#stageWidth(zoom)}px`, height: `${Math.ceil(this.height * zoom)}px`,
    });
    this.region.style.width = `${this.outerWidth(zoom)}px`;
    this.drawMarks();
  }

  outerWidth(zoom) { return Math.max(Math.min(304, innerWidth - 44), this.#stageWidth(zoom)); }

  #stageWidth(zoom) { return Math.ceil(this.width * zoom) + this.slider.offsetWidth; }

  #updated({tree, changes, problem, status}) {
    const previous = this.tree;
    this.tree = tree;
    this.problem = problem;
    const isLoaded = tree !== previous && this.screen?.query === this.query;
    if (isLoaded || (problem && status !== "connecting")) set(this.region, "aria-busy", null);
    if (tree && !this.element.library) this.#loadLibrary();
    this.#showTree();
    this.dispatchEvent(new CustomEvent("tree", {detail: {previous, changes}}));
    requestAnimationFrame(() => this.drawMarks());
  }

  #showTree() {
    const {tree, problem} = this;
    const isFailed = Boolean(problem) && (!tree || problem.status >= 400) && problem.status !== 404;
    set(this.stage, "data-failed", isFailed);
    this.note.replaceChildren(isFailed ? problemBox(problem, () => this.retry())
      : tree || problem ? "" : hint("Loading…"));
    this.next.hidden = !tree?.nextPageToken;
    if (!tree) return say(this.caption, "");
    const extra = [...this.parameters].filter(([name]) => !/^(width|height|scale)$/.test(name))
      .map(([name, value]) => `${name} ${value}`);
    say(this.caption, [
      `r${tree.revision}`, count(tree.pageCount, "page"), sizeOf(tree), ...extra,
    ].join(" · "));
  }

  retry() {
    this.feed.retry();
    this.restart();
  }

  async #loadNext() {
    set(this.next, "disabled", true);
    await this.screen?.loadNextPage();
    set(this.next, "disabled", null);
  }

  #pointed(event) {
    const bound = event.type === "pointerleave" ? null : boundAt(event.target);
    if (event.type === "click") {
      const control = document.getSelection()?.isCollapsed === false;
      if (bound && !control) this.dispatchEvent(new CustomEvent("choose", {detail: bound}));
    } else if (bound !== this.pointed) {
      this.pointed = bound;
      this.dispatchEvent(new CustomEvent("point", {detail: bound}));
    }
  }

  #load(query, parameters) {
    return this.api.json(`${pathOf(this.name)}/layout?${query}&${parameters}`);
  }

  /** The pages before give the token. */
  async #pageQuery() {
    const {page} = this.tree;
    for (let query = this.query; ;) {
      const part = await this.#load(query, "rect=0,0,0,0");
      if (part.page >= page || !part.nextPageToken) return query;
      query = `pageToken=${encodeURIComponent(part.nextPageToken)}`;
    }
  }

  async layout(parameters) {
    return this.#load(this.tree?.pageCount > 1 ? await this.#pageQuery() : this.query, parameters);
  }

  #drawn() {
    const found = new Map();
    for (const element of this.#elements()) {
      const {section, part, index, copy} = element.broadsheet;
      if (section && !copy) found.set(`${section.index} ${part ?? index}`, element);
    }
    return found;
  }

  drawMarks() {
    if (!this.layer || (!this.marks.length && !this.layer.firstChild)) return;
    const base = this.layer.getBoundingClientRect();
    const zoom = this.zoom || 1;
    const drawn = this.#drawn();
    this.layer.replaceChildren(...this.marks.flatMap(({at, frame, kind, text}) => {
      let box = frame;
      if (!box) {
        const rect = drawn.get(`${at.section} ${at.part ?? at.item}`)?.getBoundingClientRect();
        if (!rect) return [];
        box = {
          x: (rect.left - base.left) / zoom, y: (rect.top - base.top) / zoom,
          width: rect.width / zoom, height: rect.height / zoom,
        };
      }
      const isLow = box.y < 18 / zoom ? "low" : "";
      const mark = h("div", {class: `mark ${kind} ${isLow}`}, text ? h("span", {class: "tag"}, text) : null);
      place(mark, box);
      return [mark];
    }));
  }
}
