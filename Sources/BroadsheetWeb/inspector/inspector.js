// The page: screens, and what is beside them.

import {applyChanges} from "../client.js";
import {
  Api, count, dedented, field, fill, h, hint, isAtOrBelow, isRefusal, lineAt, locate, moved, number, once,
  options, pathOf, problemBox, say, set, toggle,
} from "./common.js";
import {Device, Feed, presets, queryOf} from "./devices.js";
import {Playground} from "./playground.js";

function resolve(tree, selection) {
  if (!tree || !selection) return null;
  const {sectionId, sectionIndex, id, part} = selection;
  const index = sectionId === null || sectionId === undefined
    ? sectionIndex : tree.sections.findIndex((section) => section.id === sectionId);
  const section = tree.sections[index];
  if (!section || (sectionId ?? null) !== section.id) return null;
  if (part) return section[part] ? {section, at: {section: index, part}, value: section[part]} : null;
  const item = section.items[selection.hint]?.id === id
    ? selection.hint : section.items.findIndex((one) => one.id === id);
  return item < 0 ? null : {section, at: {section: index, item}, value: section.items[item]};
}

function selectionOf(tree, {section, item, part}) {
  const found = tree?.sections[section];
  if (!found || (part ? !found[part] : !found.items[item])) return null;
  const base = {sectionId: found.id, sectionIndex: section};
  return part ? {...base, part} : {...base, id: found.items[item].id, hint: item};
}

const isSame = (one, other) => Boolean(one) && Boolean(other)
  && one.sectionId === other.sectionId && one.id === other.id && one.part === other.part
  && (one.sectionId !== null || one.sectionIndex === other.sectionIndex);

function absolute({section, value}) {
  const {x, y} = section.frame;
  return {...value.frame, x: value.frame.x + x, y: value.frame.y + y};
}

const atText = ({section, item, part}) => `${section}/${part ?? item}`;

function atOf(text) {
  const [section, rest] = (text ?? "").split("/");
  if (!/^\d+$/.test(section) || !rest) return null;
  if (rest === "header" || rest === "footer") return {section: Number(section), part: rest};
  return /^\d+$/.test(rest) ? {section: Number(section), item: Number(rest)} : null;
}

function* explained(tree) {
  for (const [section, one] of tree.sections.entries()) {
    if (one.header?.from) yield {at: {section, part: "header"}, from: one.header.from};
    for (const [item, {from}] of one.items.entries()) if (from) yield {at: {section, item}, from};
    if (one.footer?.from) yield {at: {section, part: "footer"}, from: one.footer.from};
  }
}

/** The longest element at or above a pointer of a page, else the first below. */
function elementAt(tree, page, pointer) {
  let best = null;
  let below = null;
  for (const {at, from} of explained(tree)) {
    if (from.page !== page) continue;
    const {length} = from.pointer;
    if (isAtOrBelow(pointer, from.pointer) && length > (best?.length ?? -1)) best = {at, length};
    if (!below && pointer && from.pointer.startsWith(`${pointer}/`)) below = at;
  }
  return best?.at ?? below;
}

const keep = (changes, stages) => ({...changes, stages, sections: [], frames: [], reset: false});

function before(previous, changes, index) {
  return index ? applyChanges(previous, keep(changes, changes.stages.slice(0, index))) : previous;
}

function marksOf(previous, changes) {
  const marks = [];
  const push = (mark) => { if (marks.length < 1_000) marks.push(mark); };
  const add = ({id: sectionId, index: sectionIndex}, {id}, kind) =>
    push({selection: {sectionId, sectionIndex, id}, kind, text: kind});
  const leave = (section, item, text) => {
    if (section && item) push({frame: absolute({section, value: item}), kind: "gone", text});
  };
  changes.stages.forEach((stage, index) => {
    const old = before(previous, changes, index).sections;
    const next = before(previous, changes, index + 1).sections;
    for (const {section, item, value} of stage.insertItems ?? []) {
      if (next[section]) add(next[section], next[section].items[item] ?? value, "inserted");
    }
    for (const {value} of stage.insertSections ?? []) {
      for (const item of value.items) add(value, item, "inserted");
    }
    for (const {section, value} of stage.reloadItems ?? []) {
      if (old[section]) add(old[section], value, "reloaded");
    }
    for (const {from, to} of stage.moveItems ?? []) {
      const item = old[from.section]?.items[from.item];
      if (item) add(next[to.section] ?? old[from.section], item, "moved");
      leave(old[from.section], item, "from here");
    }
    for (const {section, item} of stage.deleteItems ?? []) {
      leave(old[section], old[section]?.items[item], "deleted");
    }
    for (const section of stage.deleteSections ?? []) {
      for (const item of old[section]?.items ?? []) leave(old[section], item, "deleted");
    }
  });
  return marks;
}

function wordsOf(changes) {
  if (!changes) return "whole tree sent again";
  const sum = (name) => changes.stages.reduce((total, stage) => total + (stage[name]?.length ?? 0), 0);
  const done = (suffix, words) => [
    ["insert", "inserted"], ["delete", "deleted"], ["move", "moved"], ["reload", "reloaded"],
  ].map(([name, word]) => [sum(name + suffix), word]).filter(([total]) => total)
    .map(([total, word]) => `${words(total)} ${word}`);
  const frames = changes.frames.reduce((total, run) => total + run.frames.length, 0);
  const words = [
    ...done("Items", (total) => total), ...done("Sections", (total) => count(total, "section")),
    frames ? `${frames} with other frames` : null,
    changes.sections.length && !frames ? `${count(changes.sections.length, "section")} changed` : null,
  ].filter(Boolean);
  return words.join(", ") || "no visible change";
}

function changeEntry(previous, tree, changes) {
  return {
    revision: tree.revision, at: new Date(), words: wordsOf(changes),
    marks: () => changes ? marksOf(previous, changes) : [],
  };
}

const frameText = ({x, y, width, height}) =>
  `x ${number(x)} y ${number(y)} width ${number(width)} height ${number(height)}`;

const typeAndId = (type, id) => [h("span", {class: "type"}, type), " ", h("span", {class: "id"}, id)];

const entry = (term, ...values) => [h("dt", {}, term), h("dd", {}, ...values)];

const linesText = ({lines, truncated}) => `${lines}${truncated ? ", truncated" : ""}`;

const code = (text) => h("code", {}, text);

const changedMeanwhile = "The page has changed meanwhile.";
const unread = (library) => `The ${library ? "key may not read the catalog" : "catalog is not loaded"}.`;

class ItemPanel {
  #known = new WeakMap();
  #turn = 0;
  #shown = null;
  #again;

  constructor(api) {
    this.api = api;
    this.facts = h("div");
    this.why = h("div", {class: "why"});
    this.element = h("div", {}, this.facts, this.why);
  }

  #once(tree, key, make) {
    if (!this.#known.has(tree)) this.#known.set(tree, new Map());
    return once(this.#known.get(tree), key, make);
  }

  async #explain(device, {at, value, ...found}) {
    const {x, y, width, height} = absolute({value, ...found});
    const rect = width > 0 && height > 0 ? `&rect=${[x, y, width, height].join(",")}` : "";
    for (const part of new Set([rect, ""])) {
      const tree = await device.layout(`explain=true${part}`);
      const section = tree.sections.find(({index}) => index === at.section);
      const element = at.part ? section?.[at.part] : section?.items.find(({id}) => id === value.id);
      if (element) return {revision: tree.revision, section: section.from, from: element.from};
    }
    return {};
  }

  /** Those of a catalog are null if the key may not read it. */
  #bytes({tree, name, element}, page) {
    if (page === null) return element.library?.text ?? null;
    return this.#once(tree, page, async () =>
      (await this.api.request(`${pathOf(name)}/pages/${page}`)).text());
  }

  async show(device, selection, diagnostics, problem) {
    const turn = ++this.#turn;
    this.#again = () => this.show(device, selection, diagnostics, problem);
    const found = resolve(device?.tree, selection);
    const subject = found?.at ?? problem;
    if (!subject) {
      this.#shown = null;
      fill(this.facts, hint("Select an item in a device, or in the outline."));
      return this.why.replaceChildren();
    }
    if (this.#shown !== JSON.stringify(subject)) {
      this.why.replaceChildren();
      set(this.why, "aria-busy", "true");
    }
    this.#shown = JSON.stringify(subject);
    fill(this.facts, ...found ? this.#facts(found)
      : [h("h2", {}, problem.page === null ? "Catalog" : `Page ${problem.page}`)]);
    let content;
    try {
      content = await (found ? this.#why(device, found, diagnostics) : this.#posted(device, problem));
    } catch (failure) {
      content = [problemBox(failure, () => this.#again())];
    }
    if (turn !== this.#turn) return;
    set(this.why, "aria-busy", null);
    fill(this.why, ...content);
  }

  #facts(found) {
    const {value, section, at} = found;
    const parts = Object.entries(value.parts ?? {});
    return [
      h("h2", {}, typeAndId(value.type, value.id ?? at.part)),
      h("dl", {},
        entry("Frame", h("span", {role: "group", "aria-label": "Frame"}, frameText(value.frame))),
        entry("Content", frameText(absolute(found))),
        entry("Section", section.id === null ? `${at.section}, without an id` : `${section.id}`),
        value.lines === undefined ? [] : entry("Lines", linesText(value)),
        value.can ? entry("Can", value.can.join(", ") || "nothing") : []),
      parts.length ? h("details", {open: this.facts.querySelector("details")?.open},
        h("summary", {}, `Parts (${parts.length})`),
        h("dl", {}, parts.slice(0, 200).flatMap(([name, one]) => entry(name, frameText(one.frame),
          one.lines === undefined ? "" : `, lines ${linesText(one)}`)))) : null,
    ];
  }

  async #why(device, found, diagnostics) {
    const {tree} = device;
    const {value, at} = found;
    const {from, section, revision} =
      await this.#once(tree, atText(at), () => this.#explain(device, found));
    if (!from || revision !== tree.revision) return [hint(changedMeanwhile)];
    const posted = await this.#posted(device, from, value.data);
    const {library} = device.element;
    const rule = (pointer) => {
      if (!pointer || !library?.text) return null;
      const {start, end, isExact} = locate(library.text, pointer);
      return isExact ? h("pre", {}, dedented(library.text.slice(start, end))) : null;
    };
    const type = value.type.replaceAll("~", "~0").replaceAll("/", "~1");
    const kind = library?.catalog?.cellTypes?.[value.type];
    const pointer = `/cellTypes/${type}/${kind?.content ? "content" : "size"}`;
    const size = rule(pointer);
    return [h("h3", {}, "Why"), h("dl", {},
      entry("Unit", code(from.unitType), ` of page ${from.page}, `, code(from.unit)),
      entry("Placement", from.placement ? code(from.placement) : "in Swift", rule(from.placement)),
      entry("Size", size ? code(pointer)
        : library?.catalog ? "by the layout" : unread(library), size),
      entry("Layout", section?.entry ? code(section.entry) : "no entry of the catalog",
        h("pre", {}, JSON.stringify(section?.layout ?? {}, null, 2)))),
    h("h3", {}, "Posted"), ...posted, ...this.#problems(from, diagnostics)];
  }

  /** The bytes at a pointer, which are those of `data` unless the page has changed. */
  async #posted(device, {page, pointer}, data) {
    const text = await this.#bytes(device, page);
    if (text === null) return [hint(unread(device.element.library))];
    const {start, end, isExact} = locate(text, pointer);
    // Longer pointers are cut.
    if (data !== undefined && pointer.length < 1_000 && !(isExact
      && JSON.stringify(JSON.parse(text.slice(start, end))) === JSON.stringify(data))) {
      return [hint(changedMeanwhile)];
    }
    const shown = dedented(text.slice(start, Math.min(end, start + 20_000)));
    const more = end - start > 20_000 ? "\n…" : "";
    return [h("p", {}, code(pointer || "all of it"), `, line ${lineAt(text, start)}`),
      h("pre", {role: "group", "aria-label": "Posted bytes", tabindex: 0}, shown + more)];
  }

  #problems(from, diagnostics) {
    const own = (diagnostics ?? []).filter(({page, pointer}) =>
      page === from.page && isAtOrBelow(pointer, from.pointer));
    if (!own.length) return [];
    return [h("h3", {}, "Problems"), h("ul", {class: "plain"}, own.slice(0, 50).map((one) =>
      h("li", {}, h("strong", {}, one.code), ` ${one.detail} `, code(one.pointer))))];
  }
}

const step = 200;

class Outline {
  #device = null;
  #open = new Map();
  #focused = null;
  #selection = null;

  constructor(choose) {
    this.choose = choose;
    this.element = h("ul", {role: "tree", "aria-label": "Outline", class: "outline"});
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("click", ({target}) => {
      const entry = target.closest("[role=treeitem]");
      if (entry) this.#activate(entry);
    });
  }

  show(device, selection) {
    const {tree} = device ?? {};
    this.#device = device;
    this.#selection = selection;
    if (!tree) return this.element.replaceChildren();
    const hadFocus = this.element.contains(document.activeElement);
    const entries = tree.sections.map((section, index) => this.#section(section, index));
    this.element.replaceChildren(...entries);
    this.#setStop(hadFocus);
  }

  #keyOf(section, index) { return section.id === null ? index : `"${section.id}`; }

  #section(section, index) {
    const key = this.#keyOf(section, index);
    const shown = this.#open.get(key) ?? (index === 0 ? step : 0);
    const name = section.id === null ? `Section ${index}` : `${section.id}`;
    const label = `${name}, ${count(section.items.length, "item")}`;
    const twist = h("span", {class: "twist", "aria-hidden": "true"}, shown ? "▾" : "▸");
    const entry = this.#made({key: `${key}`, section: key}, label, 1, [twist, label]);
    set(entry, "aria-expanded", `${shown > 0}`);
    if (shown) {
      const children = [
        section.header && this.#element(section, {section: index, part: "header"}),
        ...section.items.slice(0, shown).map((_, item) => this.#element(section, {section: index, item})),
        section.items.length > shown ? this.#more(key, index, section.items.length - shown) : null,
        section.footer && this.#element(section, {section: index, part: "footer"}),
      ];
      entry.append(h("ul", {role: "group"}, children.filter(Boolean)));
    }
    return entry;
  }

  #element(section, at) {
    const value = at.part ? section[at.part] : section.items[at.item];
    const selection = selectionOf(this.#device.tree, at);
    const id = value.id ?? at.part;
    const entry = this.#made({key: `${at.section} ${at.part ?? value.id}`, at}, `${value.type} ${id}`, 2,
      typeAndId(value.type, id));
    set(entry, "aria-selected", `${isSame(selection, this.#selection)}`);
    return entry;
  }

  #more(key, index, rest) {
    const label = `Show ${Math.min(step, rest)} more of ${rest}`;
    const entry = this.#made({key: `${index} more`, more: key}, label, 2, label);
    entry.firstChild.classList.add("more");
    return entry;
  }

  #made(members, label, level, content) {
    const entry = h("li", {role: "treeitem", "aria-level": level, "aria-label": label, tabindex: -1},
      h("span", {class: "row"}, content));
    return Object.assign(entry, members);
  }

  #entries() { return [...this.element.querySelectorAll("[role=treeitem]")]; }

  #setStop(hasFocus) {
    const entries = this.#entries();
    const stop = entries.find(({key}) => key === this.#focused)
      ?? entries.find((entry) => entry.getAttribute("aria-selected") === "true") ?? entries[0];
    for (const entry of entries) set(entry, "tabindex", entry === stop ? 0 : -1);
    if (hasFocus) stop?.focus();
  }

  #focus(entry) {
    if (!entry) return;
    this.#focused = entry.key;
    for (const other of this.#entries()) set(other, "tabindex", other === entry ? 0 : -1);
    entry.focus();
  }

  #setOpen(entry, size) {
    this.#open.set(entry.more ?? entry.section, size);
    this.#focused = entry.key;
    this.show(this.#device, this.#selection);
    this.#setStop(true);
  }

  #activate(entry) {
    this.#focus(entry);
    if (entry.more !== undefined) {
      this.#setOpen(entry, (this.#open.get(entry.more) ?? step) + step);
    } else if (entry.at) {
      this.choose(entry.at);
    } else {
      const isOpen = entry.getAttribute("aria-expanded") === "true";
      this.#setOpen(entry, isOpen ? 0 : step);
    }
  }

  #key(event) {
    const entry = event.target.closest("[role=treeitem]");
    if (!entry || event.ctrlKey || event.metaKey || event.altKey) return;
    const entries = this.#entries();
    const index = entries.indexOf(entry);
    const isOpen = entry.getAttribute("aria-expanded");
    const go = {
      ArrowDown: () => this.#focus(entries[index + 1]),
      ArrowUp: () => this.#focus(entries[index - 1]),
      Home: () => this.#focus(entries[0]),
      End: () => this.#focus(entries.at(-1)),
      ArrowRight: () => isOpen === "false" ? this.#setOpen(entry, step)
        : isOpen === "true" ? this.#focus(entries[index + 1]) : null,
      ArrowLeft: () => isOpen === "true" ? this.#setOpen(entry, 0)
        : this.#focus(entry.parentElement.closest("[role=treeitem]")),
      Enter: () => this.#activate(entry),
      " ": () => this.#activate(entry),
    }[event.key];
    if (!go) return;
    event.preventDefault();
    event.stopPropagation();
    go();
  }
}

const maxRevisions = 50;
const maxNames = 200;

function recordWords({operation, key, pages, morePages, operations, revertedTo}) {
  const written = pages.slice(0, 3).map(({page, bytes}) =>
    bytes === null ? `page ${page} removed` : `page ${page} of ${count(bytes, "byte")}`);
  const rest = pages.length - written.length + (morePages ?? 0);
  const done = Object.entries(operations ?? {}).map(([name, total]) => `${total} ${name}`);
  const words = [
    ...(revertedTo ? [`back to revision ${revertedTo}`] : []), ...done, ...written,
    ...(rest ? [`${count(rest, "more page")}`] : []),
  ].join(", ");
  return `${operation ?? "written"}${key ? ` by ${key}` : ""}${words ? `: ${words}` : ""}`;
}

class Changes {
  #turn = 0;
  #known = null;
  #list = null;
  #entries = [];
  #pressed = null;
  #own = null;
  #items = new Map();

  constructor(api, hooks) {
    Object.assign(this, {api, hooks, path: pathOf(hooks.name)});
    const choice = () => h("select", {change: () => this.#compare()});
    [this.from, this.to] = [choice(), choice()];
    this.result = h("div", {role: "group", "aria-label": "Difference"});
    this.comparison = h("div", {class: "comparison", hidden: true},
      field("From", this.from), field("To", this.to), this.result);
    this.list = h("ul", {"aria-label": "Changes", class: "plain entries"});
    this.note = h("div", {}, hint("What changes while the screen is open is listed here."));
    this.element = h("div", {}, this.comparison, this.list, this.note);
  }

  async load(revision) {
    if (revision === null || revision === this.#known) return;
    this.#known = revision;
    let list = null;
    let failure = null;
    try {
      list = await this.api.json(`${this.path}/revisions?pageSize=${maxRevisions}`);
    } catch (problem) {
      failure = isRefusal(problem) || problem.status === 404 ? null : problem;
    }
    if (revision !== this.#known) return;
    const isCurrent = this.to.value === `${this.#list?.revision ?? ""}`;
    this.#list = list;
    const known = (list?.revisions ?? []).map((one) => [
      `${one.revision}`, `r${one.revision}${one.revision === list.revision ? ", the current one" : ""}`]);
    const kept = ({value}, other) => known.some(([key]) => key === value) ? value : other;
    options(this.from, [["", "–"], ...known], kept(this.from, ""));
    options(this.to, known, isCurrent ? `${list?.revision}` : kept(this.to, `${list?.revision}`));
    this.comparison.hidden = known.length < 2;
    this.#draw();
    if (failure) {
      this.note.replaceChildren(problemBox(failure, () => {
        this.#known = null;
        this.load(revision);
      }));
    }
    if (this.from.value) this.#compare();
    else this.result.replaceChildren();
  }

  set(entries, pressed) {
    this.#entries = entries;
    this.#pressed = pressed;
    if (pressed && pressed !== this.#own && this.from.value) {
      this.from.value = "";
      this.#turn += 1;
      this.result.replaceChildren();
    }
    this.#draw();
  }

  #draw() {
    const records = new Map((this.#list?.revisions ?? []).map((one) => [one.revision, one]));
    const rows = this.#entries.map((entry) => {
      const record = records.get(entry.revision);
      records.delete(entry.revision);
      return {
        ...entry, more: record && recordWords(record), isPressed: entry === this.#pressed,
        click: () => this.hooks.mark(entry === this.#pressed ? null : entry),
      };
    });
    for (const {revision, ...record} of records.values()) {
      rows.push({
        revision, at: Number.isFinite(record.at) ? new Date(record.at * 1_000) : null,
        words: recordWords(record), isPressed: this.from.value === `${revision}`,
        click: () => this.#choose(revision),
      });
    }
    rows.sort((one, other) => other.revision - one.revision);
    const items = rows.map((row) => this.#item(row));
    if (items.length !== this.list.children.length || items[0] !== this.list.firstChild) {
      const focused = this.list.querySelector(":focus");
      this.list.replaceChildren(...items);
      focused?.focus();
    }
    this.list.hidden = !rows.length;
    if (rows.length) this.note.replaceChildren();
  }

  // An element stays, since one that is made again loses the focus and a click.
  #item({revision, at, words, more, isPressed, click}) {
    const item = this.#items.get(revision) ?? h("li", {}, h("button"));
    this.#items.set(revision, item);
    const button = item.firstChild;
    button.onclick = click;
    set(button, "aria-pressed", `${isPressed}`);
    fill(button, h("strong", {}, `r${revision}`), h("span", {}, words),
      more ? h("span", {class: "hint"}, more) : null,
      at ? h("time", {datetime: at.toISOString()}, at.toLocaleString()) : null);
    return item;
  }

  #choose(revision) {
    const {revision: current, revisions} = this.#list;
    const from = revision === current ? revisions[1]?.revision : revision;
    const isOn = from && (this.from.value !== `${from}` || this.to.value !== `${current}`);
    this.from.value = isOn ? from : "";
    this.to.value = current;
    this.#compare();
  }

  async #compare() {
    const turn = ++this.#turn;
    this.#own = null;
    this.hooks.mark(null);
    this.result.replaceChildren();
    if (!this.from.value) return;
    const {revision: current} = this.#list;
    const chosen = Number(this.from.value);
    const [from, to] = [chosen, Number(this.to.value)].sort((one, other) => one - other);
    const base = `${this.hooks.device().query}&pages=all`;
    const at = (revision) => revision === current ? "" : `&revision=${revision}`;
    try {
      const [previous, changes] = await Promise.all([
        this.api.json(`${this.path}/layout?${base}${at(from)}`),
        this.api.json(`${this.path}/changes?${base}&since=${from}${at(to)}`),
      ]);
      if (turn !== this.#turn) return;
      const marks = () => changes.reset ? [] : marksOf(previous, changes);
      const words = changes.reset ? "more than the tree itself" : wordsOf(changes);
      this.result.replaceChildren(
        h("p", {}, `From revision ${from} to revision ${to}: ${words}.`),
        h("ul", {"aria-label": "Items", class: "plain"},
          marks().filter(({selection}) => selection).slice(0, maxNames).map(
            ({selection, text}) => h("li", {}, `${text} `, code(selection.id)))),
        ...chosen === current ? [] : this.#wayBack(chosen, current));
      if (to === current) {
        this.#own = {marks};
        this.hooks.mark(this.#own);
      }
    } catch (problem) {
      if (turn === this.#turn) this.result.replaceChildren(problemBox(problem, () => this.#compare()));
    }
  }

  /** A command, since this page does not write. */
  #wayBack(revision, current) {
    const key = this.api.secret ? ` -H "Authorization: Bearer $KEY"` : "";
    const text = `curl -X POST ${this.api.address(`${this.path}/revert`)} \\\n`
      + `  -H 'Content-Type: application/json' -H 'If-Match: "r${current}"'${key} \\\n`
      + `  -d '{"revision": ${revision}}'`;
    return [h("p", {}, `This makes revision ${revision} the current one, unless the screen is written first:`),
      h("pre", {tabindex: 0, role: "group", "aria-label": "Command"}, text)];
  }
}

const names = ["Item", "Outline", "Problems", "Changes", "Journey"];

class Details extends EventTarget {
  current = "Item";
  problems = [];

  constructor(api, hooks) {
    super();
    this.hooks = hooks;
    this.item = new ItemPanel(api);
    this.outline = new Outline((at) => hooks.choose(at));
    this.changes = new Changes(api, hooks);
    this.panels = {
      Item: this.item.element, Outline: this.outline.element, Problems: h("div"),
      Changes: this.changes.element, Journey: h("div"),
    };
    this.tabs = Object.fromEntries(names.map((name) => [name, h("button", {
      role: "tab", id: `tab-${name}`, "aria-controls": "tabpanel",
      click: () => this.show(name),
      keydown: (event) => {
        const to = moved(event, names.indexOf(name), names.length);
        if (to !== null) this.show(names[to], true);
      },
    }, name)]));
    this.panel = h("div", {role: "tabpanel", id: "tabpanel", tabindex: 0, class: "tabpanel"});
    this.element = h("aside", {class: "details", "aria-label": "Details"},
      h("div", {role: "tablist", "aria-label": "Details", class: "tabs"}, Object.values(this.tabs)),
      this.panel);
    this.setProblems([], null);
    this.item.show();
    this.show("Item");
  }

  show(name, focus = false) {
    this.current = name;
    for (const [key, tab] of Object.entries(this.tabs)) {
      set(tab, "aria-selected", `${key === name}`);
      set(tab, "tabindex", key === name ? 0 : -1);
    }
    set(this.panel, "aria-labelledby", `tab-${name}`);
    if (this.panel.firstChild !== this.panels[name]) this.panel.replaceChildren(this.panels[name]);
    if (focus) this.tabs[name].focus();
    this.dispatchEvent(new Event("tab"));
  }

  setProblems(problems, failure) {
    this.problems = problems;
    const tab = this.tabs.Problems;
    tab.replaceChildren("Problems", problems.length
      ? h("span", {class: "number"}, ` ${problems.length > 99 ? "99+" : problems.length}`) : "");
    const list = h("ul", {"aria-label": "Problems", class: "plain entries"},
      problems.slice(0, 1_000).map((one) => h("li", {}, h("button", {
        click: () => this.hooks.lead(one),
      }, h("strong", {}, one.code), h("span", {}, one.detail),
        code(`${one.page === null ? "catalog" : `page ${one.page}`} ${one.pointer}`)))));
    const none = failure ? problemBox(failure, this.hooks.judge) : hint("No problems.");
    this.panels.Problems.replaceChildren(problems.length ? list : none);
  }

  setJourney(journey, failure, isOn) {
    const {items = [], pages = []} = journey ?? {};
    const first = [...items].sort((one, other) => other.count - one.count).slice(0, 200);
    const table = (caption, names, rows) => rows.length ? h("table", {}, h("caption", {}, caption),
      h("thead", {}, h("tr", {}, names.map((name) => h("th", {scope: "col"}, name)))),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, `${cell}`)))))) : null;
    const content = failure ? problemBox(failure)
      : !journey ? hint(isOn ? "Loading…" : "Switch on Journey to see how often readers have seen each item.")
      : !items.length && !pages.length ? hint("No reader has reported yet.") : [
        table("Items", ["Section", "Item", "Seen"], first.map((one) => [one.section, one.item, one.count])),
        table("Pages", ["Page", "Seen"], pages.slice(0, 200).map((one) => [one.page, one.count]))];
    this.panels.Journey.replaceChildren(h("div", {}, content));
  }
}

const pageSize = 50;
const pause = 150;

class ScreenList {
  #token = null;
  #turn = 0;
  #timer;
  #links = new Map();

  constructor(api, element) {
    this.api = api;
    this.element = element;
    this.filter = h("input", {
      type: "search", "aria-label": "Filter screens", placeholder: "Filter screens", spellcheck: "false",
      autocomplete: "off", input: () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.load(), pause);
      },
    });
    this.list = h("ul", {class: "plain"});
    this.note = h("div", {class: "hint"});
    this.more = h("button", {hidden: true, click: () => this.load(this.#token)}, "Show more");
    element.replaceChildren(this.filter, this.list, this.note, this.more);
  }

  async load(token = null) {
    const turn = ++this.#turn;
    set(this.element, "aria-busy", "true");
    try {
      const prefix = this.filter.value.trim();
      const query = token ? `&pageToken=${encodeURIComponent(token)}`
        : prefix ? `&prefix=${encodeURIComponent(prefix)}` : "";
      const page = await this.api.json(`v1/screens?pageSize=${pageSize}${query}`);
      if (turn !== this.#turn) return;
      if (!token) {
        this.#links.clear();
        this.list.replaceChildren();
      }
      this.#add(page);
      this.note.replaceChildren(this.#links.size ? ""
        : prefix ? "No name of a screen starts so." : "No screens are stored yet.");
    } catch (problem) {
      if (turn === this.#turn) this.note.replaceChildren(problemBox(problem, () => this.load(token)));
    }
    if (turn === this.#turn) set(this.element, "aria-busy", null);
  }

  #add({screens, nextPageToken}) {
    for (const {screen, revision} of screens) {
      const number = h("span", {class: "revision", "aria-hidden": "true"}, `r${revision}`);
      const link = h("a", {href: `#/screens/${encodeURIComponent(screen)}`},
        h("span", {class: "screen-name"}, screen), number);
      this.#links.set(screen, {link, number});
      this.list.append(h("li", {}, link));
    }
    this.#token = nextPageToken ?? null;
    this.more.hidden = !nextPageToken;
    this.show(this.current);
  }

  show(name, revision) {
    this.current = name;
    for (const [screen, {link}] of this.#links) set(link, "aria-current", screen === name ? "page" : null);
    const known = this.#links.get(name);
    if (known && revision) known.number.textContent = `r${revision}`;
  }
}

const maxDevices = 6;
const maxChanges = 50;
const zooms = [["fit", "Fit"], ["0.5", "50 %"], ["0.75", "75 %"], ["1", "100 %"]];

const gap = (one, oneLength, other, otherLength) =>
  other >= one ? other - one - oneLength : one - other - otherLength;

/** The gaps between the nearest edges, negative where frames overlap. */
function distance(one, other) {
  return `${number(gap(one.x, one.width, other.x, other.width))} across, `
    + `${number(gap(one.y, one.height, other.y, other.height))} down`;
}

class ScreenView {
  devices = [];
  selection = null;
  #pointed = null;
  #active = null;
  #zoom = "fit";
  #journey = null;
  #entry = null;
  #problem = null;
  #found = {};

  constructor(app, name, {queries, at, catalogs}) {
    Object.assign(this, {app, name, catalogs});
    this.api = app.api;
    this.feed = new Feed(this.api, name);
    this.feed.addEventListener("status", () => this.#status());
    this.details = new Details(this.api, {
      name, device: () => this.active,
      choose: (place) => this.#choose(this.active, selectionOf(this.active.tree, place), true),
      lead: (problem) => this.#lead(problem), judge: () => this.#judge(this.active),
      mark: (entry) => this.#mark(entry),
    });
    this.details.addEventListener("tab", () => this.#tab());
    this.#make();
    this.wantedAt = atOf(at);
    for (const query of queries.slice(0, maxDevices)) this.#add(query);
    this.resizes = new ResizeObserver(() => this.fit());
    this.resizes.observe(this.row);
    this.#status();
  }

  get active() { return this.#active ?? this.devices[0]; }

  #make() {
    const zoom = h("select", {
      "aria-label": "Zoom", change: ({target}) => {
        this.#zoom = target.value;
        this.fit();
      },
    });
    options(zoom, zooms, this.#zoom);
    this.addButton = h("button", {
      click: () => {
        const used = new Set(this.devices.map(({query}) => query));
        const free = presets.map(queryOf).find((query) => !used.has(query));
        this.#add(free ?? queryOf(presets[0]));
        this.app.stateChanged();
      },
    }, "Add device");
    this.journeySwitch = toggle("Journey", false, (isOn) => this.#setJourney(isOn));
    this.row = h("div", {class: "devices"});
    this.notice = h("div", {class: "notice", hidden: true});
    this.element = h("div", {class: "screen-view"},
      h("div", {class: "toolbar", role: "toolbar", "aria-label": "Screen"},
        h("h1", {}, this.name), this.journeySwitch,
        h("button", {click: () => this.app.openInPlayground(this)}, "Open in playground"),
        zoom, this.addButton),
      this.notice, this.row);
  }

  #add(query) {
    const {api, feed, name, catalogs} = this;
    const device = new Device({api, feed, name, query, catalogs});
    device.changes = [];
    device.addEventListener("tree", ({detail}) => this.#tree(device, detail));
    device.addEventListener("parameters", () => {
      this.app.stateChanged();
      this.fit();
    });
    device.addEventListener("remove", () => this.#remove(device));
    device.addEventListener("choose", ({detail}) => this.#choose(device, this.#of(detail), false));
    device.addEventListener("point", ({detail}) => {
      this.#pointed = detail && this.#of(detail);
      this.#drawMarks();
    });
    this.devices.push(device);
    this.row.append(device.region);
    this.#counted();
  }

  #counted() {
    this.addButton.disabled = this.devices.length >= maxDevices;
    for (const device of this.devices) device.removeButton.disabled = this.devices.length < 2;
    this.fit();
  }

  #remove(device) {
    this.devices.splice(this.devices.indexOf(device), 1);
    device.close();
    if (this.#active === device) this.#active = null;
    this.devices.at(-1).preset.focus();
    this.#counted();
    this.app.stateChanged();
  }

  close() {
    this.isClosed = true;
    clearInterval(this.#journey);
    this.resizes.disconnect();
    this.feed.close();
    for (const device of this.devices) device.close();
    this.details.element.remove();
  }

  restart() {
    for (const device of this.devices) device.restart();
  }

  /** Fit shows whole devices if that is at least 55 %. */
  fit() {
    const {clientWidth, clientHeight} = this.row;
    let zoom = Number(this.#zoom);
    if (this.#zoom === "fit") {
      const height = Math.max(...this.devices.map((device) => device.height));
      const whole = this.app.isNarrow ? 1 : (clientHeight - 150) / height;
      const shown = this.app.isNarrow ? [this.active] : this.devices;
      const isIn = () => shown.reduce((sum, device) => sum + device.outerWidth(zoom) + 24, 8) <= clientWidth;
      for (zoom = Math.min(1, whole); zoom > 0.55 && !isIn();) zoom -= 0.01;
      zoom = Math.max(0.55, zoom);
    }
    for (const device of this.devices) device.fit(zoom);
  }

  #status() {
    if (this.isClosed) return;
    const {status, problem} = this.feed;
    this.app.say({
      live: "Live", connecting: "", offline: "Offline. Reconnecting…", key: "A key is required",
      removed: "The screen was removed", missing: "There is no screen of this name",
    }[status]);
    const isGone = status === "key" || status === "missing";
    this.notice.hidden = !isGone;
    this.row.hidden = isGone;
    if (isGone) this.notice.replaceChildren(problemBox(problem, () => this.feed.retry()));
  }

  #of({section, part, item, index}) {
    const base = {sectionId: section.id, sectionIndex: section.index};
    return part ? {...base, part} : {...base, id: item.id, hint: index};
  }

  #tree(device, {previous, changes}) {
    const {tree} = device;
    if (tree && previous && tree !== previous && tree.revision !== previous.revision) {
      device.changes = [changeEntry(previous, tree, changes), ...device.changes].slice(0, maxChanges);
    }
    if (device !== this.active) return this.#drawMarks();
    if (this.wantedAt && tree) {
      const wanted = selectionOf(tree, this.wantedAt);
      this.wantedAt = null;
      if (wanted) this.#choose(device, wanted, true);
    }
    if (this.selection && tree && !resolve(tree, this.selection)) {
      this.selection = null;
      this.app.say("The selected item is gone");
    }
    if (previous && tree !== previous) this.app.stateChanged();
    this.#showDetails(tree !== previous);
  }

  #choose(device, selection, reveals) {
    this.#active = device;
    this.#problem = null;
    this.selection = selection && isSame(selection, this.selection) && !reveals ? null : selection;
    this.#entry = null;
    if (this.selection) {
      if (this.details.current !== "Outline" || !reveals) this.details.show("Item");
      if (reveals) this.#reveal(device);
      this.app.selected();
    }
    this.#showDetails(false);
    this.app.stateChanged();
  }

  #reveal(device) {
    const found = resolve(device.tree, this.selection);
    if (!found) return;
    const {y, height} = absolute(found);
    const {port} = device;
    if (y < port.scrollTop || y + height > port.scrollTop + port.clientHeight) {
      port.scrollTop = Math.max(0, y - Math.max(0, (port.clientHeight - height) / 2));
    }
    if (!found.at.part && found.section.scroll) {
      device.element.reveal(found.section.id, found.value.id, {focus: false});
    }
  }

  get at() {
    const found = resolve(this.active?.tree, this.selection);
    return found ? atText(found.at) : null;
  }

  #showDetails(isNew) {
    const device = this.active;
    this.details.changes.set(device.changes, this.#entry);
    if (isNew || this.judged !== device) this.#judge(device);
    this.#tab();
    this.#drawMarks();
  }

  #tab() {
    const {current} = this.details;
    if (current === "Outline") this.details.outline.show(this.active, this.selection);
    if (current === "Changes") this.details.changes.load(this.feed.revision);
    if (current === "Item") {
      this.details.item.show(this.active, this.selection, this.details.problems, this.#problem);
    }
  }

  #judge(device) {
    this.judged = device;
    clearTimeout(this.judgeTimer);
    this.judgeTimer = setTimeout(async () => {
      const {tree} = device;
      if (!tree || this.isClosed) return;
      const only = tree.pageCount > 1 ? "" : "&fields=frames";
      const judged = await device.layout(`lint=true${only}`).catch((failure) => ({failure}));
      if (device !== this.active || tree !== device.tree) return;
      this.details.setProblems(judged.diagnostics ?? [], judged.failure);
      this.#tab();
    }, 150);
  }

  async #lead(problem) {
    const device = this.active;
    const {page, pointer} = problem;
    try {
      const tree = page === null ? null : await device.layout("explain=true");
      const at = tree?.revision === device.tree?.revision && elementAt(tree, page, pointer);
      const selection = at && selectionOf(device.tree, at);
      if (selection) this.#choose(device, selection, true);
      else {
        this.selection = null;
        this.#problem = problem;
        this.#drawMarks();
      }
      this.details.show("Item", true);
    } catch (failure) {
      const box = problemBox(failure, () => {
        box.remove();
        this.#lead(problem);
      });
      this.details.panels.Problems.prepend(box);
    }
  }

  #mark(entry) {
    this.#entry = entry;
    this.details.changes.set(this.active.changes, entry);
    this.#drawMarks();
  }

  #drawMarks() {
    for (const device of this.devices) {
      const marks = device === this.active ? [...this.#marked(device.tree)] : [];
      const selected = resolve(device.tree, this.selection);
      const pointed = resolve(device.tree, this.#pointed);
      if (this.#seen) marks.push(...this.#tints(device));
      if (selected) marks.push({at: selected.at, kind: "selected", text: this.#tag(selected)});
      if (pointed && !isSame(this.#pointed, this.selection)) {
        const text = selected ? distance(absolute(selected), absolute(pointed)) : this.#tag(pointed);
        marks.push({at: pointed.at, kind: "pointed", text});
      }
      device.marks = marks;
      device.drawMarks();
    }
  }

  /** The marks of the pressed entry, found once a tree. */
  #marked(tree) {
    const entry = this.#entry;
    if (this.#found.entry !== entry || this.#found.tree !== tree) {
      const marks = (entry?.marks() ?? []).flatMap(({selection, ...mark}) => {
        const at = selection && resolve(tree, selection)?.at;
        return at || mark.frame ? [{...mark, at}] : [];
      });
      this.#found = {entry, tree, marks};
    }
    return this.#found.marks;
  }

  #tag({value}) {
    const {width, height} = value.frame;
    return `${value.type} ${number(width)} × ${number(height)}`;
  }

  #seen = null;

  #tints(device) {
    const most = Math.max(1, ...this.#seen.items.map(({count}) => count));
    const counts = new Map(this.#seen.items.map((one) => [`${one.section}\n${one.item}`, one.count]));
    return (device.tree?.sections ?? []).flatMap((section, index) => section.items.flatMap((one, item) => {
      const seen = counts.get(`${section.id ?? index}\n${one.id}`)
        ?? counts.get(`${index}\n${one.id}`) ?? counts.get(`${section.id ?? index}\n${item}`);
      if (!seen) return [];
      return [{at: {section: index, item}, kind: `seen s${Math.ceil(seen / most * 5)}`, text: `${seen}`}];
    }));
  }

  #setJourney(isOn) {
    clearInterval(this.#journey);
    this.#journey = null;
    this.#seen = null;
    this.details.setJourney(null, null, isOn);
    if (isOn) {
      this.details.show("Journey");
      const load = () => document.hidden ? null : this.#loadJourney();
      this.#journey = setInterval(load, 5_000);
      load();
    }
    this.#drawMarks();
  }

  async #loadJourney() {
    const timer = this.#journey;
    try {
      const journey = await this.api.json(`${pathOf(this.name)}/journey`);
      if (timer !== this.#journey) return;
      this.#seen = journey;
      this.details.setJourney(journey, null, true);
    } catch (problem) {
      if (timer === this.#journey) this.details.setJourney(null, problem, true);
    }
    this.#drawMarks();
  }
}

const find = (selector) => document.querySelector(selector);
const maxOpenedPages = 20;
const command = (origin) => [
  `curl -X PUT ${origin}/v1/screens/home/pages/0 \\`, "  -H 'Content-Type: application/json' \\",
  `  -d '{"sections": [{"units": [{"unitType": "SS_PRODUCT_LIST", "unitData": [{"id": "P1"}]}]}]}'`,
].join("\n");

class App {
  api = new Api();
  view = null;
  #narrow = matchMedia("(max-width: 899px)");
  #panel = "Screens";
  #hash = null;
  #queued = false;

  constructor() {
    this.main = find("main");
    this.status = find("[role=status]");
    this.keyButton = find("button.key");
    this.list = new ScreenList(this.api, find("nav.screens"));
    this.panels = [...document.querySelectorAll("nav.panels button")];
    this.panels.forEach((button) => button.addEventListener("click", () => this.showPanel(button.textContent)));
    find(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      this.showPanel("Screen");
      this.main.focus();
    });
    this.keyButton.addEventListener("click", () => this.#askForKey());
    this.api.addEventListener("refused", () => { this.keyButton.hidden = false; });
    this.api.addEventListener("key", () => {
      this.list.load();
      this.view?.restart?.();
    });
    this.#narrow.addEventListener("change", () => this.showPanel(this.#panel));
    addEventListener("hashchange", () => this.#route());
    this.list.load();
    this.#route();
  }

  get isNarrow() { return this.#narrow.matches; }

  say(text) { say(this.status, text); }

  showPanel(name) {
    this.#panel = name;
    this.panels[2].disabled = !this.view?.details;
    set(document.body, "data-panel", name);
    for (const button of this.panels) set(button, "aria-pressed", `${button.textContent === name}`);
    this.view?.fit?.();
  }

  selected() { if (this.isNarrow) this.showPanel("Details"); }

  async #route() {
    const hash = location.hash;
    if (hash === this.#hash) return;
    this.#hash = hash;
    const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const [view, name] = path.split("/").map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
    const parameters = new URLSearchParams(query);
    const isPlayground = view === "playground";
    for (const link of document.querySelectorAll("nav[aria-label=Views] a")) {
      const isCurrent = link.hash === (isPlayground ? "#/playground" : "#/screens");
      set(link, "aria-current", isCurrent ? "page" : null);
    }
    set(document.body, "data-view", isPlayground ? "playground" : "screens");
    if (isPlayground) return this.#openPlayground(parameters);
    if (this.view instanceof ScreenView && this.#stateOf(this.view) === hash) return;
    this.#close();
    this.list.show(name);
    if (view !== "screens" || !name) return this.#showEmpty();
    document.title = `${name} – Inspector`;
    const catalogs = await this.api.catalogs().catch(() => null);
    if (location.hash !== hash) return;
    const standard = this.isNarrow ? [presets[0]] : [presets[0], presets[4]];
    const queries = parameters.getAll("d");
    this.view = new ScreenView(this, name, {
      queries: queries.length ? queries : standard.map(queryOf), at: parameters.get("at"), catalogs,
    });
    this.view.feed.addEventListener("revision", () => this.list.show(name, this.view?.feed?.revision));
    this.main.replaceChildren(this.view.element);
    this.main.after(this.view.details.element);
    this.showPanel("Screen");
  }

  #close() {
    this.view?.close();
    this.view = null;
    this.say("");
  }

  #showEmpty() {
    document.title = "Inspector";
    this.main.replaceChildren(h("div", {class: "welcome"},
      h("h1", {}, "Screens as their readers see them"),
      h("p", {}, "Choose a stored screen to see it on several devices at once, live, and why each item is as it is."),
      h("p", {}, "The ", h("a", {href: "#/playground"}, "playground"), " lays out pages that are not stored."),
      h("p", {}, "This stores a first page:"),
      h("pre", {tabindex: 0}, command(location.origin))));
    this.showPanel("Screens");
  }

  #openPlayground(parameters) {
    if (this.view instanceof Playground) return this.view.open(parameters.get("s"));
    this.#close();
    this.list.show(null);
    document.title = "Playground – Inspector";
    this.view = new Playground(this);
    this.main.replaceChildren(this.view.element);
    this.showPanel("Screen");
    this.view.open(parameters.get("s"));
  }

  #stateOf(view) {
    const parts = view.devices.map(({query}) => `d=${encodeURIComponent(query)}`);
    const {at} = view;
    if (at) parts.push(`at=${at}`);
    return `#/screens/${encodeURIComponent(view.name)}?${parts.join("&")}`;
  }

  /** Waits, since sliders change the address many times a second. */
  stateChanged() {
    if (this.#queued) return;
    this.#queued = true;
    setTimeout(() => {
      this.#queued = false;
      if (!(this.view instanceof ScreenView)) return;
      this.replaceHash(this.#stateOf(this.view));
    }, 150);
  }

  replaceHash(hash) {
    this.#hash = hash;
    history.replaceState(null, "", hash);
  }

  async openInPlayground(view) {
    try {
      const path = `${pathOf(view.name)}/pages`;
      const {pages} = await this.api.json(path);
      const numbers = pages.map(({page}) => page).sort((one, other) => one - other)
        .slice(0, maxOpenedPages);
      const texts = await Promise.all(numbers.map(async (number) =>
        (await this.api.request(`${path}/${number}`)).text()));
      const [{query, element}] = view.devices;
      const draft = {
        title: view.name, query, catalog: element.library?.text ?? "",
        page: texts.length === 1 ? texts[0] : `[${texts.join(",\n")}]`,
      };
      Playground.begin(draft, Boolean(this.api.secret));
      location.hash = "#/playground";
    } catch (problem) {
      this.say(problem.message);
    }
  }

  #askForKey() {
    const secret = h("input", {type: "password", autocomplete: "off", required: true});
    const dialog = h("dialog", {"aria-label": "Key", close: () => dialog.remove()},
      h("form", {
        method: "dialog", submit: (event) => {
          event.preventDefault();
          this.api.secret = secret.value.trim();
          dialog.close();
        },
      }, field("Secret", secret),
      hint("It is kept in this tab only."),
      h("div", {class: "actions"},
        h("button", {click: () => dialog.close()}, "Cancel"),
        h("button", {type: "submit", class: "primary"}, "Use key"))));
    document.body.append(dialog);
    dialog.showModal();
  }
}

new App();
