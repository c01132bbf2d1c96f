// Elements, requests, and positions in JSON.

import {Problem} from "../client.js";

export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  if (name === "button") element.type = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key === "value") element.value = value;
    else set(element, key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function set(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== `${value}`) {
    element.setAttribute(name, value === true ? "" : value);
  }
}

/** Leaves the same text alone, so that readers are not interrupted. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Leaves the same content alone, with its focus and its offsets. */
export function fill(element, ...content) {
  const next = h("div", {}, content);
  if (next.textContent !== element.textContent) element.replaceChildren(...next.childNodes);
}

export function once(map, key, make) {
  if (!map.has(key)) {
    const made = make();
    map.set(key, made);
    made.catch(() => { if (map.get(key) === made) map.delete(key); });
  }
  return map.get(key);
}

export const hint = (text) => h("p", {class: "hint"}, text);

export function place(element, {x, y, width, height}) {
  Object.assign(element.style, {
    left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`,
  });
}

export const number = (value) => `${Math.round(value * 1_000) / 1_000}`;

export const count = (value, one, many = `${one}s`) => `${value} ${value === 1 ? one : many}`;

let lastId = 0;

export function field(label, control) {
  control.id ||= `field-${++lastId}`;
  return h("div", {class: "field"}, h("label", {for: control.id}, label), control);
}

export function options(select, pairs, value) {
  select.replaceChildren(...pairs.map(([key, text]) => h("option", {value: key}, text)));
  select.value = value;
}

export function toggle(label, isOn, changed) {
  const button = h("button", {
    role: "switch", "aria-checked": `${isOn}`, class: "switch",
    click: () => {
      const value = button.getAttribute("aria-checked") !== "true";
      set(button, "aria-checked", `${value}`);
      changed(value);
    },
  }, label);
  return button;
}

export function problemBox(problem, retry) {
  return h("div", {class: "problem", role: "alert"},
    h("strong", {}, problem.code ?? "ERROR"), h("p", {}, problem.message || "Something failed."),
    retry ? h("button", {click: retry}, "Try again") : null);
}

export function moved(event, index, size) {
  const target = {ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: size - 1}[event.key];
  if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return null;
  event.preventDefault();
  return Math.min(Math.max(target, 0), size - 1);
}

export const pathOf = (screen) => `v1/screens/${encodeURIComponent(screen)}`;

const root = new URL("../", import.meta.url);
const keyName = "broadsheet.key";

export const isRefusal = ({status}) => status === 401 || status === 403;

export class Api extends EventTarget {
  #known = new Map();
  #faces = new Map();

  get secret() { return sessionStorage.getItem(keyName); }

  set secret(value) {
    if (value) sessionStorage.setItem(keyName, value);
    else sessionStorage.removeItem(keyName);
    this.#known.clear();
    this.dispatchEvent(new Event("key"));
  }

  headers() { return this.secret ? {Authorization: `Bearer ${this.secret}`} : {}; }

  address(path) { return new URL(path.replace(/^\//, ""), root).href; }

  async fetch(address, init) {
    const response = await fetch(address, init);
    if (isRefusal(response)) this.dispatchEvent(new Event("refused"));
    return response;
  }

  async request(path, init = {}) {
    let response;
    try {
      response = await this.fetch(this.address(path), {
        ...init, headers: {...this.headers(), ...init.headers},
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem({code: "NETWORK", detail: "The daemon cannot be reached."});
    }
    if (response.ok) return response;
    const document = await response.json().catch(() => ({}));
    throw new Problem({...document, status: response.status});
  }

  async json(path, init) { return (await this.request(path, init)).json(); }

  library(name, isAgain = false) {
    const query = name ? `?catalog=${encodeURIComponent(name)}` : "";
    if (isAgain) this.#known.delete(query);
    return once(this.#known, query, () => this.#library(query));
  }

  catalogs() {
    return once(this.#known, "names", async () => (await this.json("v1/catalogs")).catalogs);
  }

  async #library(query) {
    const allowed = (request, other) => request.catch((problem) => {
      if (isRefusal(problem)) return other;
      throw problem;
    });
    const [text, cells] = await Promise.all([
      allowed(this.request(`v1/catalog${query}`).then((response) => response.text()), null),
      allowed(this.json(`v1/catalog/cells${query}`), {}),
    ]);
    return libraryOf(text, cells, this);
  }

  loadFace({family, weight, italic, file}) {
    return once(this.#faces, `${family}\n${file}`, async () => {
      const bytes = await (await this.request(file)).arrayBuffer();
      const style = {weight: `${weight ?? "normal"}`, style: italic ? "italic" : "normal"};
      document.fonts.add(await new FontFace(family, bytes, style).load());
    });
  }
}

export async function libraryOf(text, {cellTypes = {}, fonts = {}} = {}, api = null) {
  let catalog = null;
  try {
    catalog = text === null ? null : JSON.parse(text);
  } catch {
  }
  const contents = new Map(Object.entries(cellTypes).map(([type, one]) => [type, one?.content]));
  const pictures = new Map();
  for (const [type, one] of Object.entries(catalog?.cellTypes ?? {})) {
    pictures.set(type, one?.picture);
    if (one?.content) contents.set(type, one.content);
  }
  const faces = Object.values(fonts).flatMap(({families = []}) => families.filter((one) => one.file));
  // Without its file, a text is drawn in the next font.
  if (api) await Promise.allSettled(faces.map((face) => api.loadFace(face)));
  return {text, catalog, contents, pictures, fonts: {...catalog?.fonts, ...fonts}};
}

const maxDepth = 1_000;
const tokens = {
  space: /[ \t\n\r]*/y,
  string: /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y,
  number: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y,
  word: /true|false|null/y,
};

function take(name, text, at) {
  tokens[name].lastIndex = at;
  return tokens[name].test(text) ? tokens[name].lastIndex : -1;
}

const skip = (text, at) => take("space", text, at);

function scalar(text, at) {
  const name = text[at] === '"' ? "string" : /[-0-9]/.test(text[at] ?? "") ? "number" : "word";
  return take(name, text, at);
}

/** The first error of a text, as `{offset, detail}`, or null. */
export function errorIn(text) {
  const stack = [];
  let at = skip(text, 0);
  const fail = (detail) => ({
    offset: at, detail: at >= text.length ? "The text ends too early." : detail,
  });
  for (let state = "value"; ;) {
    if (state === "value") {
      const open = text[at];
      if (open === "{" || open === "[") {
        if (stack.length >= maxDepth) return fail(`More than ${maxDepth} levels.`);
        stack.push(open);
        at = skip(text, at + 1);
        if (text[at] === (open === "{" ? "}" : "]")) state = "close";
        else if (open === "{") state = "name";
        continue;
      }
      const end = scalar(text, at);
      if (end < 0) return fail("A value is expected here.");
      at = skip(text, end);
      state = "after";
    } else if (state === "name") {
      const end = take("string", text, at);
      if (end < 0) return fail("A name in double quotes is expected here.");
      at = skip(text, end);
      if (text[at] !== ":") return fail("A colon is expected here.");
      at = skip(text, at + 1);
      state = "value";
    } else if (state === "close") {
      stack.pop();
      at = skip(text, at + 1);
      state = "after";
    } else {
      const open = stack.at(-1);
      if (open === undefined) return at < text.length ? fail("The text has ended already.") : null;
      if (text[at] === ",") {
        at = skip(text, at + 1);
        state = open === "{" ? "name" : "value";
      } else if (text[at] === (open === "{" ? "}" : "]")) {
        state = "close";
      } else {
        return fail(`A comma or ${open === "{" ? "}" : "]"} is expected here.`);
      }
    }
  }
}

function endOf(text, at) {
  if (text[at] !== "{" && text[at] !== "[") return scalar(text, at);
  const marks = /["{}[\]]/g;
  let depth = 0;
  marks.lastIndex = at;
  for (let found; (found = marks.exec(text));) {
    if (found[0] === '"') marks.lastIndex = take("string", text, found.index);
    else if (found[0] === "{" || found[0] === "[") depth += 1;
    else if (--depth === 0) return marks.lastIndex;
  }
  return text.length;
}

/** Calls `body` with the key, start and end of each child until it returns false. */
function eachChild(text, at, body) {
  const isObject = text[at] === "{";
  if (!isObject && text[at] !== "[") return;
  at = skip(text, at + 1);
  for (let index = 0; text[at] !== "}" && text[at] !== "]"; index++) {
    let key = index;
    if (isObject) {
      const end = take("string", text, at);
      key = JSON.parse(text.slice(at, end));
      at = skip(text, skip(text, end) + 1);
    }
    const end = endOf(text, at);
    if (body(key, at, end) === false) return;
    at = skip(text, end);
    if (text[at] === ",") at = skip(text, at + 1);
  }
}

export const steps = (pointer) => pointer.split("/").slice(1)
  .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The value at a pointer: the last of repeated members, else the nearest above. */
export function locate(text, pointer) {
  let start = skip(text, 0);
  let end = endOf(text, start);
  for (const step of steps(pointer)) {
    let found = null;
    eachChild(text, start, (key, from, to) => {
      if (`${key}` !== step) return true;
      found = [from, to];
      return typeof key === "string";
    });
    if (!found) return {start, end, isExact: false};
    [start, end] = found;
  }
  return {start, end, isExact: true};
}

export function pagesOf(text) {
  const start = skip(text, 0);
  if (text[start] !== "[") return [text];
  const found = [];
  eachChild(text, start, (_, from, to) => void found.push(text.slice(from, to)));
  return found;
}

export const isArray = (text) => text[skip(text, 0)] === "[";

export function lineAt(text, offset) {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

export function dedented(part) {
  const [first, ...rest] = part.split("\n");
  const indents = rest.filter((line) => line.trim()).map((line) => /^[ \t]*/.exec(line)[0].length);
  const shared = indents.length ? Math.min(...indents) : 0;
  return [first, ...rest.map((line) => line.slice(shared))].join("\n");
}

export const isAtOrBelow = (pointer, above) =>
  pointer === above || pointer.startsWith(`${above}/`);
