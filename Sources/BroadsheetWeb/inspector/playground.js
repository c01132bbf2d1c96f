// Drafts, and their layout while they are typed.

import {
  errorIn, h, isArray, isAtOrBelow, libraryOf, lineAt, locate, options, pagesOf, problemBox, say, set,
  toggle,
} from "./common.js";
import {
  ComposedScreen, boundAt, numberInput, parametersOf, presetOf, presetSelect, sizeOf,
} from "./devices.js";

const name = "broadsheet.drafts";
const ownName = "broadsheet.draft";
const maxDrafts = 10;
const maxLink = 8_000;
const maxInflated = 16 << 20;

const parsed = (text) => {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value.filter((one) => typeof one?.id === "string") : [];
  } catch {
    return [];
  }
};

const isDraft = (value) => typeof value?.page === "string";

const complete = ({page, catalog, query, title}) => ({
  page: `${page}`, catalog: typeof catalog === "string" ? catalog : "",
  query: typeof query === "string" ? query : "", title: typeof title === "string" ? title : "",
});

class Drafts {
  list() {
    return [sessionStorage, localStorage].flatMap((storage, index) =>
      parsed(storage.getItem(name)).map((one) => ({...one, isPrivate: index === 0})));
  }

  find(id) { return this.list().find((one) => one.id === id) ?? null; }

  own() { return this.find(sessionStorage.getItem(ownName)); }

  begin(draft, isPrivate = false) {
    const made = {...complete(draft), id: this.newId(), at: Date.now(), isPrivate};
    this.save(made);
    return made;
  }

  newId() {
    const id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    this.choose(id);
    return id;
  }

  choose(id) { sessionStorage.setItem(ownName, id); }

  save({isPrivate, ...draft}) {
    const storage = isPrivate ? sessionStorage : localStorage;
    const others = parsed(storage.getItem(name)).filter(({id}) => id !== draft.id);
    const list = [{...draft, at: Date.now()}, ...others].slice(0, maxDrafts);
    for (; list.length; list.pop()) {
      try {
        storage.setItem(name, JSON.stringify(list));
        return true;
      } catch {
        // Without space the oldest go.
      }
    }
    return false;
  }
}

async function through(bytes, transform, limit) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const {value, done} = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) throw new RangeError("too long");
    parts.push(value);
  }
  return new Blob(parts);
}

async function linkOf({page, catalog, query}) {
  const json = new TextEncoder().encode(JSON.stringify({page, catalog, query}));
  const packed = await through(json, new CompressionStream("deflate-raw"), Infinity);
  const bytes = new Uint8Array(await packed.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function draftOf(link) {
  const binary = atob(link.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const text = await (await through(bytes, new DecompressionStream("deflate-raw"), maxInflated)).text();
  const draft = JSON.parse(text);
  if (!isDraft(draft)) throw new TypeError("not a draft");
  return complete(draft);
}

function draftOfFile(text, title) {
  try {
    const value = JSON.parse(text);
    const isOwn = isDraft(value) && typeof value.catalog === "string" && typeof value.query === "string";
    if (isOwn) return {...complete(value), title};
  } catch {
  }
  return {page: text, catalog: "", query: "", title};
}

class Editor {
  #escaped = false;
  #lines = 0;
  #marked = new Set();

  constructor(name, changed) {
    this.text = h("textarea", {
      "aria-label": name, spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off",
      input: () => {
        this.#number();
        changed();
      },
      scroll: () => this.#follow(),
      keydown: (event) => this.#key(event),
      blur: () => { this.#escaped = false; },
    });
    this.numbers = h("div", {class: "numbers", "aria-hidden": "true"});
    this.list = h("ul", {class: "plain entries", "aria-label": `${name} problems`});
    this.element = h("section", {class: "editor", "aria-label": name},
      h("h2", {}, name), h("div", {class: "code"}, this.numbers, this.text), this.list);
    this.#number();
  }

  get value() { return this.text.value; }

  set value(value) {
    this.text.value = value;
    this.text.setSelectionRange(0, 0);
    this.text.scrollTop = 0;
    this.#number();
  }

  #number() {
    const lines = lineAt(this.value, this.value.length);
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.#write();
  }

  #write() {
    let next = 1;
    const until = (line) =>
      Array.from({length: line - next}, (_, index) => `${next + index}\n`).join("");
    const parts = [];
    for (const line of [...this.#marked].sort((one, other) => one - other)) {
      if (line > this.#lines) break;
      parts.push(until(line), h("mark", {}, `${line}`), "\n");
      next = line + 1;
    }
    this.numbers.replaceChildren(...parts, until(this.#lines + 1));
    this.#follow();
  }

  #follow() { this.numbers.scrollTop = this.text.scrollTop; }

  // Escape, then Tab, leaves; otherwise Tab indents, as text that can be undone.
  #key(event) {
    if (event.key === "Escape") this.#escaped = true;
    else if (event.key === "Tab" && !this.#escaped && !event.shiftKey && !event.ctrlKey && !event.altKey
      && !event.metaKey) {
      event.preventDefault();
      if (!document.execCommand?.("insertText", false, "  ")) {
        this.text.setRangeText("  ", this.text.selectionStart, this.text.selectionEnd, "end");
        this.text.dispatchEvent(new Event("input"));
      }
    } else if (event.key.length === 1) this.#escaped = false;
  }

  go(offset) {
    this.text.focus();
    this.text.setSelectionRange(offset, offset);
    const line = lineAt(this.value, offset);
    const height = this.text.scrollHeight / Math.max(1, this.#lines);
    this.text.scrollTop = Math.max(0, (line - 1) * height - this.text.clientHeight / 3);
    const measure = h("canvas").getContext("2d");
    measure.font = getComputedStyle(this.text).font;
    const before = this.value.slice(this.value.lastIndexOf("\n", offset - 1) + 1, offset);
    const {width} = measure.measureText(before);
    this.text.scrollLeft = width < this.text.clientWidth - 48 ? 0 : width - this.text.clientWidth / 3;
    this.#follow();
  }

  show(problems) {
    const lines = problems.map(({offset}) => lineAt(this.value, offset));
    this.#marked = new Set(lines);
    this.#write();
    this.list.replaceChildren(...problems.slice(0, 200).map(({offset, code, detail}, index) =>
      h("li", {}, h("button", {click: () => this.go(offset)},
        h("strong", {}, `Line ${lines[index]}`), h("span", {}, `${code} ${detail}`)))));
  }
}

const typingPause = 250;
const savingPause = 400;
const maxLive = 262_144;
const notSaved = "Not saved";
const drafts = new Drafts();

export class Playground {
  #draft;
  #timer;
  #saving;
  #abort = null;
  #isBusy = false;
  #isDirty = false;
  #samples = null;
  #library;

  static begin(draft, isPrivate) { return drafts.begin(draft, isPrivate); }

  constructor(app) {
    this.app = app;
    this.page = new Editor("Page", () => this.#typed());
    this.catalog = new Editor("Catalog", () => this.#typed());
    this.#makeLayout();
    this.element = h("div", {class: "playground"}, this.#toolbar(),
      h("div", {class: "columns"}, this.page.element, this.catalog.element, this.layout));
    this.save = () => this.#save();
    addEventListener("pagehide", this.save);
    document.addEventListener("visibilitychange", this.save);
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#compose(true);
    });
    for (const type of ["dragover", "drop"]) {
      this.element.addEventListener(type, (event) => {
        if (![...event.dataTransfer?.types ?? []].includes("Files")) return;
        event.preventDefault();
        if (type === "drop") this.#read(event.dataTransfer.files[0]);
      });
    }
  }

  close() {
    this.#save();
    this.isClosed = true;
    clearTimeout(this.#timer);
    this.#abort?.abort();
    removeEventListener("pagehide", this.save);
    document.removeEventListener("visibilitychange", this.save);
    this.drawing.screen = null;
  }

  restart() {
    this.#library = undefined;
    this.#compose(true);
  }

  #toolbar() {
    const file = h("input", {
      type: "file", class: "file", id: "open-file", accept: ".json,application/json",
      change: ({target}) => {
        this.#read(target.files[0]);
        target.value = "";
      },
    });
    this.samples = h("select", {
      "aria-label": "Sample", change: ({target}) => this.#sample(Number(target.value)),
    }, h("option", {value: ""}, "Sample"));
    this.draftChoice = h("select", {
      "aria-label": "Draft", change: ({target}) => {
        this.#save();
        drafts.choose(target.value);
        this.#show(drafts.own());
      },
    });
    this.status = h("span", {role: "status", class: "status"});
    return h("div", {class: "toolbar", role: "toolbar", "aria-label": "Playground"},
      h("h1", {}, "Playground"), this.status, this.samples, this.draftChoice,
      h("label", {class: "button", for: "open-file"}, "Open…"), file,
      h("button", {click: () => this.#download()}, "Download"),
      h("button", {click: () => this.#copyLink()}, "Copy link"));
  }

  #makeLayout() {
    this.preset = presetSelect((changes) => this.#setQuery(changes));
    this.widthField = numberInput("Width", 1, 100_000, (width) => this.#setQuery({width}));
    this.mirror = toggle("Right to left", false, (isOn) =>
      this.#setQuery({direction: isOn ? "rtl" : "ltr"}));
    this.drawing = h("broadsheet-screen", {passive: true});
    this.port = h("div", {
      class: "port", tabindex: 0, role: "group", "aria-label": "Drawing", click: (event) => this.#lead(event),
    }, this.drawing);
    this.caption = h("p", {class: "caption"});
    this.others = h("div", {class: "others"});
    this.layout = h("section", {class: "layout", "aria-label": "Layout"},
      h("div", {class: "device-head"}, this.preset, this.widthField, this.mirror), this.others,
      h("div", {class: "stage"}, this.port), this.caption);
  }

  async open(link) {
    const own = drafts.own();
    if (link) {
      try {
        this.#show(drafts.begin({...await draftOf(link), title: "From a link"}));
        this.app.replaceHash("#/playground");
        say(this.status, "");
      } catch {
        this.#show(own ?? await this.#first());
        say(this.status, "The link is damaged or cut off.");
      }
    } else {
      this.#show(own ?? await this.#first());
    }
    this.#loadSamples();
  }

  async #first() {
    const [latest] = drafts.list();
    if (latest) return drafts.begin(latest, latest.isPrivate);
    const [sample] = await this.#loadSamples();
    return drafts.begin(sample ?? {page: '{"sections": []}'});
  }

  async #loadSamples() {
    if (!this.#samples) {
      const text = (value) => value === null ? "" : JSON.stringify(value, null, 2);
      this.#samples = await this.app.api.json("inspector/samples.json").then(
        (all) => all.map(({name, page, catalog}) => ({title: name, page: text(page), catalog: text(catalog)})),
        () => []);
      options(this.samples, [["", "Sample"],
        ...this.#samples.map(({title}, index) => [`${index}`, title])], "");
    }
    return this.#samples;
  }

  #sample(index) {
    const sample = this.#samples?.[index];
    this.samples.value = "";
    if (!sample) return;
    this.#save();
    this.#show(drafts.begin({...sample, query: this.#draft.query}));
  }

  async #read(file) {
    if (!file) return;
    this.#save();
    this.#show(drafts.begin({query: this.#draft.query, ...draftOfFile(await file.text(), file.name)}));
  }

  #show(draft) {
    if (!draft) return;
    this.#draft = draft;
    this.page.value = draft.page;
    this.catalog.value = draft.catalog;
    this.parameters = parametersOf(draft.query);
    this.#library = undefined;
    this.#listDrafts();
    this.#showParameters();
    this.#compose(true);
  }

  #listDrafts() {
    const title = ({title, at}) => `${title || "Draft"}, ${new Date(at).toLocaleString([], {
      month: "short", day: "numeric", hour: "2-digit", minute: "2-digit"})}`;
    options(this.draftChoice, drafts.list().map((one) => [one.id, title(one)]), this.#draft.id);
  }

  #setQuery(changes) {
    this.parameters = parametersOf(this.parameters, changes);
    this.#showParameters();
    this.#typed();
  }

  #showParameters() {
    const {parameters} = this;
    this.preset.value = presetOf(parameters);
    this.widthField.value = parameters.get("width");
    set(this.mirror, "aria-checked", `${parameters.get("direction") === "rtl"}`);
    for (const name of ["width", "height"]) this.port.style[name] = `${Number(parameters.get(name))}px`;
  }

  #typed() {
    if (this.status.textContent !== notSaved) say(this.status, "");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#compose(false), typingPause);
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.#save(), savingPause);
  }

  #save() {
    clearTimeout(this.#saving);
    if (!this.#draft) return;
    const now = this.#content();
    const isSame = (one) => Object.entries(now).every(([name]) => one[name] === this.#draft[name]);
    if (isSame(now)) return;
    const stored = drafts.find(this.#draft.id);
    const isOwn = !stored || isSame(stored);
    const draft = {...this.#draft, ...now, id: isOwn ? this.#draft.id : drafts.newId(), at: Date.now()};
    const isSaved = drafts.save(draft);
    if (!isSaved) return say(this.status, notSaved);
    this.#draft = draft;
    if (!isOwn) {
      this.#listDrafts();
      say(this.status, "Another tab has changed this draft; yours goes on as a new one.");
    } else if (this.status.textContent === notSaved) say(this.status, "");
  }

  /** During a request, the last texts wait. */
  async #compose(isForced) {
    if (this.isClosed) return;
    const [page, catalog] = [this.page.value, this.catalog.value];
    if (!isForced && page.length + catalog.length > maxLive) {
      say(this.status, "Long texts: Ctrl+Enter or ⌘Enter lays them out.");
      return;
    }
    if (this.#isBusy) {
      this.#isDirty = true;
      return;
    }
    const errors = [page, catalog.trim() ? catalog : "null"].map(errorIn);
    this.page.show(errors[0] ? [{...errors[0], code: "INVALID_JSON"}] : []);
    this.catalog.show(errors[1] ? [{...errors[1], code: "INVALID_JSON"}] : []);
    this.others.replaceChildren();
    if (errors[0] || errors[1]) return set(this.layout, "data-old", true);
    this.#isBusy = true;
    set(this.layout, "aria-busy", "true");
    try {
      await this.#request(page, catalog);
    } finally {
      this.#isBusy = false;
      set(this.layout, "aria-busy", null);
      if (this.#isDirty) {
        this.#isDirty = false;
        this.#compose(true);
      }
    }
  }

  async #request(page, catalog) {
    const abort = this.#abort = new AbortController();
    const own = catalog.trim() ? `,"catalog":${catalog}` : "";
    const list = isArray(page) ? page : `[${page}]`;
    const parameters = new URLSearchParams(this.parameters);
    if (own) parameters.delete("catalog");
    try {
      const tree = await this.app.api.json(`v1/layout?${parameters}&lint=true&explain=true`, {
        method: "POST", body: `{"pages":${list}${own}}`, signal: abort.signal,
        headers: {"Content-Type": "application/json"},
      });
      await this.#draw(tree, catalog);
      this.#diagnose(tree.diagnostics, page);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      set(this.layout, "data-old", true);
      this.#refuse(problem, page, catalog);
    }
  }

  async #draw(tree, catalog) {
    set(this.layout, "data-old", null);
    const key = catalog.trim() ? catalog : `\n${this.parameters.get("catalog") ?? ""}`;
    const isNew = key !== this.#library;
    if (isNew) {
      this.drawing.library = catalog.trim()
        ? await libraryOf(catalog) : await this.app.api.library(this.parameters.get("catalog"));
      this.#library = key;
    }
    const {scrollTop, scrollLeft} = this.port;
    if (isNew || !this.screen) {
      this.screen = new ComposedScreen();
      this.screen.tree = tree;
      this.drawing.screen = this.screen;
      requestAnimationFrame(() => this.port.scrollTo(scrollLeft, scrollTop));
    } else {
      this.screen.show(tree);
    }
    say(this.caption, sizeOf(tree));
  }

  #offset(index, pointer) {
    const text = this.page.value;
    return locate(text, isArray(text) ? `/${index}${pointer}` : pointer).start;
  }

  #indexOf(number, page) {
    if (!isArray(page)) return 0;
    let next = 0;
    return Math.max(0, pagesOf(page).findIndex((text) => {
      const found = locate(text, "/page");
      const own = found.isExact ? Number(text.slice(found.start, found.end)) : NaN;
      const value = Number.isInteger(own) ? own : next;
      next = value + 1;
      return value === number;
    }));
  }

  #diagnose(diagnostics, page) {
    const text = this.page.value;
    if (text !== page) return;
    const pages = diagnostics.filter((one) => one.page !== null).slice(0, 200);
    this.page.show(pages.map((one) => ({
      ...one, offset: this.#offset(this.#indexOf(one.page, text), one.pointer),
    })));
    const catalog = this.catalog.value;
    const ofCatalog = diagnostics.filter((one) => one.page === null);
    if (catalog.trim()) {
      this.catalog.show(ofCatalog.map((one) => ({...one, offset: locate(catalog, one.pointer).start})));
    } else this.#showOthers(ofCatalog);
  }

  #showOthers(problems) {
    this.others.replaceChildren(problems.length ? h("ul", {class: "plain entries"},
      problems.slice(0, 50).map(({code, detail, pointer}) => h("li", {}, h("strong", {}, code), ` ${detail} `,
        pointer ? h("code", {}, pointer) : ""))) : "");
  }

  #refuse(problem, page, catalog) {
    const errors = problem.errors ?? [];
    const prefix = isArray(page) ? "/pages" : "/pages/0";
    const listed = (above, text) => errors
      .filter(({pointer}) => typeof pointer === "string" && isAtOrBelow(pointer, above))
      .map(({pointer, detail, code}) => ({
        offset: locate(text, pointer.slice(above.length)).start, code: code ?? problem.code, detail,
      }));
    const ofPage = listed(prefix, page);
    const ofCatalog = catalog.trim() ? listed("/catalog", catalog) : [];
    this.page.show(ofPage);
    this.catalog.show(ofCatalog);
    if (!ofPage.length && !ofCatalog.length) {
      this.others.replaceChildren(problemBox(problem, () => this.#compose(true)));
    }
  }

  #lead(event) {
    const from = boundAt(event.target)?.item.from;
    if (from) this.page.go(this.#offset(this.#indexOf(from.page, this.page.value), from.pointer));
  }

  #content() {
    return {page: this.page.value, catalog: this.catalog.value, query: this.parameters.toString()};
  }

  #download() {
    const file = new Blob([JSON.stringify(this.#content())], {type: "application/json"});
    const address = URL.createObjectURL(file);
    const link = h("a", {download: "playground.json", href: address});
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  async #copyLink() {
    const link = `${location.href.split("#")[0]}#/playground?s=${await linkOf(this.#content())}`;
    if (link.length > maxLink) {
      say(this.status, `The link would have ${link.length} characters; use Download instead.`);
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      say(this.status, "The link is copied.");
    } catch {
      this.app.replaceHash(link.slice(link.indexOf("#")));
      say(this.status, "The link is in the address bar.");
    }
  }
}
