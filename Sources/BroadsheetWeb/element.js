// Draws a screen: docs/web.md, element.d.ts.

import {Carousel, Problem, Screen} from "./client.js";

export const cells = Object.create(null);
export const parts = Object.create(null);
export const states = Object.create(null);

const maxPooled = 50;
const maxInterval = 600;
const motion = {duration: 250, easing: "ease-out"};
const controls = "a[href], button, input, select, textarea, label, summary, [contenteditable]";
const anchors = ["item", "section", "edge"];
const extents = new WeakMap();

const make = (name, hidden, tag = "div") => {
  const element = document.createElement(tag);
  element.className = name;
  style(element, {position: "absolute", boxSizing: "border-box"});
  if (hidden) element.setAttribute("aria-hidden", "true");
  return element;
};

const style = (element, values) => {
  for (const [name, value] of Object.entries(values)) {
    if (element.style[name] !== value) element.style[name] = value;
  }
};

const place = (element, {x, y, width, height}) => style(element, {
  left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`,
});

const attribute = (element, name, value) => {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== `${value}`) element.setAttribute(name, value);
};

const axisOf = (isX, isMirrored, total) => ({isX, isMirrored: isX && isMirrored, total});
const axisOfTree = ({contentSize: {width}, viewport}) =>
  axisOf(width > viewport.width, viewport.direction === "rtl", width);
const lengthOf = (box, {isX}) => isX ? box.width : box.height;
const startOf = (box, {isX, isMirrored, total}) =>
  isMirrored ? total - box.x - box.width : isX ? box.x : box.y;
const overlaps = (start, length, low, high) => start < high && start + length > low;

// Boxes need not be in order.
function extentOf(list, axis) {
  const name = axis.isMirrored ? axis.total : axis.isX;
  let known = extents.get(list);
  if (known?.name !== name) {
    const starts = list.map(({frame}) => startOf(frame, axis));
    const ends = list.map(({frame}, index) => starts[index] + lengthOf(frame, axis));
    for (let index = 1; index < list.length; index++) {
      ends[index] = Math.max(ends[index], ends[index - 1]);
    }
    for (let index = list.length - 2; index >= 0; index--) {
      starts[index] = Math.min(starts[index], starts[index + 1]);
    }
    extents.set(list, known = {name, ends, starts});
  }
  return known;
}

// The part of the content that a tree has.
function rangeOf({sections, window, hasPrevious, hasNext}, axis, total) {
  if (!window || !sections.length) return {start: 0, end: total};
  const [first, final] = [sections[0], sections.at(-1)];
  const inside = ({items, frame}, view) => extentOf(
    [...items, view].filter(Boolean), {...axis, total: frame.width});
  const start = startOf(first.frame, axis)
    + (first.firstItem ? inside(first, first.footer).starts[0] ?? lengthOf(first.frame, axis) : 0);
  const top = startOf(final.frame, axis);
  const last = top + (inside(final, final.header).ends.at(-1) ?? 0);
  const isCut = final.firstItem + final.items.length < final.itemCount;
  const end = isCut ? last : top + lengthOf(final.frame, axis);
  return {start: hasPrevious ? start : 0, end: hasNext ? end : total, last};
}

function firstAbove(list, value) {
  let low = 0;
  for (let high = list.length; low < high;) {
    const middle = (low + high) >> 1;
    if (list[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function overlapping(list, axis, low, high) {
  const {ends, starts} = extentOf(list, axis);
  const found = [];
  for (let index = firstAbove(ends, low); index < list.length && starts[index] < high; index++) {
    const {frame} = list[index];
    if (overlaps(startOf(frame, axis), lengthOf(frame, axis), low, high)) found.push(index);
  }
  return found;
}

const including = (index, list) => index >= 0 && !list.includes(index)
  ? [...list, index].sort((one, other) => one - other) : list;

function keysOf(tree) {
  let count = 0;
  return tree.sections.map(({id}) => id === null ? count++ : `"${id}`);
}

// A hidden copy is for pointers only.
function hide(bound, isHidden) {
  attribute(bound.element, "aria-hidden", isHidden || null);
  if (isHidden || bound.isHidden) {
    for (const one of bound.element.querySelectorAll(controls)) {
      one.inert = isHidden && !one.matches(".part");
    }
  }
  bound.isHidden = isHidden;
}

function setStops({known}, isStop) {
  known?.forEach(({element}) => {
    if (element.matches("a, button")) attribute(element, "tabindex", isStop ? null : -1);
  });
}

const content = ({frame, separator, ...item}) => JSON.stringify([item, frame.width, frame.height]);

// A child that is moved loses the focus.
function arrange(parent, children, active) {
  let next = parent.firstChild;
  for (const child of children) {
    const hasFocus = child !== next && child.parentNode === parent && child.contains(active);
    if (hasFocus || child === next) next = child.nextSibling;
    else parent.insertBefore(child, next);
  }
}

const boundAt = (node) => node && (node.broadsheet ?? boundAt(node.parentNode));

// What else is in the element stays.
function write(holder, text) {
  holder.words ??= holder.element.appendChild(document.createTextNode(""));
  if (holder.words.data !== text) holder.words.data = text;
}

function run(draw, element, ...words) {
  try {
    draw?.(element, ...words);
  } catch (error) {
    element.replaceChildren();
    reportError(error);
    return true;
  }
}

export const drawParts = (element, item) => element.broadsheet.drawParts(item);

const isReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

let library;
let failures = 0;
// Browsers keep a failed import by its URL.
const load = () => library ??= (failures ? import(`./catalog.js#${failures}`) : import("./catalog.js"))
  .catch((error) => {
    library = null;
    failures++;
    throw error;
  });

const Base = globalThis.HTMLElement ?? class {};

export class BroadsheetScreen extends Base {
  static observedAttributes = ["src", "passive", "pause", "paused", "report", ...anchors];
  #screen = null;
  #end = null;
  #tree = null;
  #keys = [];
  #content;
  #scroller;
  #axis;
  #views = new Map();
  #pools = new Map();
  #sizes = null;
  #directions;
  #root;
  #offsets = new Map();
  #width = 0;
  #sizeTimer;
  #library;
  #libraryTimer;
  #catalog;
  #state;
  #version = 0;
  #shown = new Map();
  #current = new Map();
  #problem = null;
  #page;
  #signature;
  #leaving;
  #isForEnd;
  #isAtEnd;

  get screen() { return this.#screen; }

  set screen(screen) {
    this.#disconnect();
    this.#screen = screen;
    this.#library = this.#catalog = this.#page = null;
    if (this.isConnected) this.#connect();
  }

  attributeChangedCallback(name, _, value) {
    if (name === "src") this.screen = value === null ? null : new Screen(value);
    else if (this.#end) this.#measure();
  }

  connectedCallback() { this.#connect(); }

  disconnectedCallback() { this.#disconnect(); }

  #connect() {
    if (!this.#screen || this.#sizes) return;
    const {display, position} = getComputedStyle(this);
    if (display === "inline") this.style.display = "block";
    if (position === "static") this.style.position = "relative";
    style(this, {isolation: "isolate", overflowAnchor: "none"});
    this.#content ??= make("content");
    this.#state = make("state");
    attribute(this.#state, "role", "status");
    for (const element of [this.#content, this.#state]) {
      style(element, {position: "relative"});
      this.append(element);
    }
    this.#sizes = new ResizeObserver((entries) => {
      const own = entries.find(({target}) => target === this);
      this.#width = own?.contentRect.width ?? this.#width;
      clearTimeout(this.#sizeTimer);
      this.#draw();
      if (this.#end) this.#sizeTimer = setTimeout(() => this.#measure(), 100);
      else this.#measure();
    });
    this.#sizes.observe(this);
    this.#scroller = null;
    for (const name of ["click", "keydown", "focusin"]) this.addEventListener(name, this);
    globalThis.addEventListener("resize", this);
    this.#root = this.getRootNode();
    this.#directions = new MutationObserver(() => this.#measure());
    for (const root of [document, this.#root]) {
      root.addEventListener("scroll", this, true);
      this.#directions.observe(root, {subtree: true, attributeFilter: ["dir"]});
    }
  }

  #disconnect() {
    this.#end?.();
    this.#end = null;
    if (!this.#sizes) return;
    this.#sizes.disconnect();
    this.#directions.disconnect();
    this.#sizes = null;
    clearTimeout(this.#sizeTimer);
    clearTimeout(this.#libraryTimer);
    if (!this.#catalog) this.#library = null;
    globalThis.removeEventListener("resize", this);
    for (const root of [document, this.#root]) root.removeEventListener("scroll", this, true);
    this.#clear();
    this.#tree = null;
    this.#state.remove();
    this.#content.remove();
  }

  #clear() {
    for (const view of this.#views.values()) this.#removeSection(view);
    this.#shown.clear();
    this.#content?.replaceChildren();
  }

  #measure() {
    const width = this.#width;
    this.#findScroller();
    const height = this.#scroller.clientHeight;
    if (!(width > 0 && height > 0) || !this.#isValid()) return;
    const scale = Math.min(8, Math.max(0.5, Math.round(devicePixelRatio * 1_000) / 1_000));
    const query = new URLSearchParams(this.#screen.url.split("#")[0].split("?")[1]);
    const anchor = anchors.some((name) => query.has(name)) ? query
      : new Map(anchors.map((name) => [name, this.getAttribute(name)]));
    const isWindow = anchors.some((name) => anchor.get(name));
    this.#isForEnd = anchor.get("edge") === "end";
    const reach = isWindow ? Math.min(100_000, 6 * Math.max(width, height)) : null;
    const all = {
      width: Math.round(width * 1_000) / 1_000, height, scale, direction: getComputedStyle(this).direction,
      before: reach, after: reach, ...Object.fromEntries(anchor),
    };
    const own = Object.entries(all).filter(([name]) => !query.has(name));
    this.#screen.set({...Object.fromEntries(own), coordinates: "section"});
    if (this.#end) return this.#draw();
    this.#end = this.#screen.subscribe((update) => this.#receive(update));
    const {tree, status, problem} = this.#screen;
    if (tree) this.#receive({tree, previous: null, changes: null, status, problem});
    else this.#setState(problem);
  }

  #isValid() {
    const words = this.getAttribute("report")?.match(/\S+/g);
    if (words) this.#tell("check", "report", words);
    const [path] = this.#screen.url.split(/[?#]/);
    if (!/\/v1\/screens(\/[^/]+\/layout)?\/?$/.test(path)) return true;
    this.#tell("checkPath", path).then((problem) => this.#end || this.#setState(problem));
  }

  async #use(name, ...words) { return (await load())[name](this, ...words); }

  #tell(...words) { return this.#use(...words).catch(() => {}); }

  #setState(problem) {
    const tree = this.#tree;
    const state = this.#state;
    const hasNext = tree?.hasNext && !tree.window;
    const name = problem ? {401: "refused", 403: "refused", 404: "missing"}[problem.status]
        ?? (this.#screen.status === "failed" ? "failed" : "offline")
      : !tree ? "loading" : hasNext ? "next"
        : tree.sections.some(({items, header, footer}) => items[0] || header || footer) ? ""
          : "empty";
    if (state.problem === problem && state.dataset.state === name) return;
    if (state.dataset.state !== name) state.replaceChildren();
    state.problem = problem;
    state.dataset.state = name;
    const isReserved = tree ? hasNext && !this.#axis.isX : name === "loading";
    style(state, {minHeight: isReserved ? `${this.#scroller.clientHeight}px` : ""});
    run(states[name], state, problem, this.#screen);
  }

  #findScroller() {
    const name = this.#axis?.isX ? "overflowX" : "overflowY";
    const page = document.scrollingElement;
    let scroller = this;
    while (scroller && scroller !== page && scroller !== document.body
      && !/auto|scroll/.test(getComputedStyle(scroller)[name])) scroller = scroller.parentElement;
    if (!scroller || scroller === document.body) scroller = page;
    if (scroller !== this.#scroller && scroller !== page) this.#sizes.observe(scroller);
    this.#scroller = scroller;
  }

  #own({frame}) { return {...this.#axis, total: frame.width}; }

  #startIn(rect) {
    return this.#axis.isMirrored ? -rect.right : this.#axis.isX ? rect.left : rect.top;
  }

  #place() {
    const {isX, isMirrored, start} = this.#axis;
    const scroller = this.#scroller;
    const {left, top} = scroller === document.scrollingElement
      ? {left: 0, top: 0} : scroller.getBoundingClientRect();
    const length = isX ? scroller.clientWidth : scroller.clientHeight;
    const first = isX ? left + scroller.clientLeft : top + scroller.clientTop;
    const edge = isMirrored ? -first - length : first;
    const offset = edge - this.#startIn(this.#content.getBoundingClientRect()) + start;
    return {edge, length, offset};
  }

  #scrollBy(distance) {
    if (!this.#axis.isX) this.#scroller.scrollTop += distance;
    else this.#scroller.scrollLeft += this.#axis.isMirrored ? -distance : distance;
  }

  #receive(update) {
    const {tree, changes, problem} = update;
    if (tree !== this.#tree) {
      if (tree) this.#show(tree, changes);
      else {
        this.#tree = null;
        this.#clear();
        style(this.#content, {width: "0px", height: "0px"});
      }
    }
    this.#setState(problem);
    this.#emit("update", update);
    if (problem && problem !== this.#problem) this.#emit("problem", problem);
    this.#problem = problem;
  }

  #emit(name, detail) { this.dispatchEvent(new CustomEvent(name, {detail})); }

  #show(tree, changes) {
    const previous = this.#tree;
    const old = previous && this.#snapshot(changes);
    let anchor = old ? this.#anchor(tree, old) : undefined;
    this.#isAtEnd = old && this.#isForEnd && (this.#isAtEnd || !previous.hasNext)
      && old.offset + old.length > old.axis.last - 1;
    const {width, height} = tree.contentSize;
    const axis = this.#axis = axisOfTree(tree);
    const {isX, isMirrored} = axis;
    this.style.overflowX = isX ? "" : "clip";
    this.#findScroller();
    const [only] = tree.sections;
    const copies = only?.paging && !only.scroll ? only.paging.copies - 1 : 0;
    const rest = copies && copies * Carousel.of(only, tree).copyLength;
    const {start, end, last} = rangeOf(tree, axis, (isX ? width : height) - rest);
    const shift = isMirrored ? width - end : start;
    Object.assign(axis, {start, end, last, shift});
    style(this.#content, {
      width: `${isX ? end - start : width}px`, height: `${isX ? height : end - start}px`,
      overflow: rest || tree.window ? "clip" : "visible", direction: tree.viewport.direction,
      left: "0px", top: "0px",
    });
    this.#tree = tree;
    this.#keys = keysOf(tree);
    this.#sign();
    if (this.#isAtEnd) anchor = {offset: old.offset + end - old.axis.end};
    if (anchor) {
      this.#scrollBy(anchor.offset - this.#place().offset);
    } else if (anchor === undefined && tree.window?.item) {
      this.#scrollBy(this.#isForEnd ? -1e9 : 1e9);
      this.reveal(tree.window.section, tree.window.item, {focus: false});
    }
    this.#leaving = old?.rects;
    this.#draw();
    this.#leaving = null;
    if (anchor) this.#settle(anchor);
    if (old) this.#move(old, changes, anchor);
    this.#checkNames();
    if (tree.page !== this.#page) {
      this.#page = tree.page;
      this.#send("pageDidAppear", {page: tree.page});
    }
  }

  #snapshot(changes) {
    const axis = this.#axis;
    const isMoving = changes && !isReduced();
    const {edge, length, offset} = this.#place();
    const rects = new Map();
    for (const element of isMoving ? this.#moving() : []) {
      const rect = element.getBoundingClientRect();
      const start = this.#startIn(rect) - edge;
      if (overlaps(start, lengthOf(rect, axis), 0, length)) rects.set(element, rect);
    }
    return {offset, length, axis, rects, isMoving};
  }

  #moving() {
    return [...this.#views.values()].flatMap(({parts, items}) => [...parts.values(), ...items.values()])
      .filter(({part}) => part !== "decoration").map(({element}) => element);
  }

  #anchor(tree, {offset, length, axis}) {
    if (offset <= 0 && !this.#tree.hasPrevious && !tree.hasPrevious) return null;
    const keys = keysOf(tree);
    const next = axisOfTree(tree);
    const candidates = [];
    const focused = this.#focused();
    for (const index of overlapping(this.#tree.sections, axis, offset, offset + length)) {
      const section = this.#tree.sections[index];
      const key = this.#keys[index];
      const other = tree.sections[keys.indexOf(key)];
      if (!other) continue;
      const add = (rank, start, end, id) =>
        candidates.push({rank, key, id, start, offset: offset + end - start});
      const rankOf = (start) => start <= offset - 1 ? 2 : 1;
      const top = startOf(section.frame, axis);
      const otherTop = startOf(other.frame, next);
      add(section.scroll ? rankOf(top) : 3, top, otherTop);
      if (section.scroll) continue;
      const own = this.#own(section);
      const others = new Map(other.items.map((item) => [item.id, item]));
      for (const place of overlapping(section.items, own, offset - top, offset + length - top)) {
        const item = section.items[place];
        const match = others.get(item.id);
        if (!match) continue;
        const start = top + startOf(item.frame, own);
        add(focused?.item === item ? 0 : rankOf(start), start,
          otherTop + startOf(match.frame, {...next, total: other.frame.width}), item.id);
      }
    }
    candidates.sort((one, other) => one.rank - other.rank || one.start - other.start);
    const [best] = candidates;
    if (best) best.before = this.#still(best);
    return best;
  }

  #elementOf({key, id}) {
    const view = this.#views.get(key);
    return id === undefined ? view?.element : view?.items.get(id)?.element;
  }

  #still(anchor) {
    const element = this.#elementOf(anchor);
    if (!element) return NaN;
    const {e, f} = new DOMMatrix(getComputedStyle(element).transform);
    return this.#startIn(element.getBoundingClientRect()) - this.#place().edge
      - this.#startIn({left: e, right: e, top: f});
  }

  // A scroller has whole pixels.
  #settle(anchor) {
    const distance = this.#still(anchor) - anchor.before;
    if (!distance || Math.abs(distance) >= 1) return;
    const name = this.#axis.isX ? "left" : "top";
    this.#content.style[name] = `${this.#axis.isMirrored ? distance : -distance}px`;
  }

  #move({rects, isMoving}, changes, anchor) {
    if (!isMoving) return;
    const still = anchor && this.#elementOf(anchor);
    const born = new Set(changes.stages.flatMap(({insertItems = [], insertSections = []}) => [
      ...insertItems.map(({value}) => value), ...insertSections.flatMap(({value}) => value.items)]));
    const drawn = new Set(this.#moving());
    for (const element of drawn) {
      const before = rects.get(element);
      if (element === still) continue;
      if (before) {
        element.getAnimations().forEach((one) => one.cancel());
        const after = element.getBoundingClientRect();
        const [x, y] = [before.left - after.left, before.top - after.top];
        if (Math.abs(x) + Math.abs(y) < 0.5) continue;
        element.animate([{transform: `translate(${x}px, ${y}px)`}, {transform: "none"}], motion);
      } else if (born.has(element.broadsheet?.item)) {
        element.animate([{opacity: 0}, {opacity: 1}], motion);
      }
    }
    const base = this.#content.getBoundingClientRect();
    for (const [element, {left, top, width, height}] of rects) {
      const {item, view} = element.broadsheet;
      const section = this.#tree.sections[this.#keys.indexOf(view?.key)];
      if (drawn.has(element) || section?.items.some(({id}) => id === item.id)) continue;
      element.inert = true;
      style(element, {position: "absolute", margin: "0px"});
      attribute(element, "aria-hidden", "true");
      place(element, {x: left - base.left, y: top - base.top, width, height});
      this.#content.append(element);
      element.animate([{opacity: 1}, {opacity: 0}], motion).onfinish = () => element.remove();
    }
  }

  get #active() { return this.getRootNode().activeElement; }

  #focused() {
    const bound = boundAt(this.#active);
    return bound && this.#views.get(bound.view?.key)?.items.get(bound.item?.id) === bound ? bound : null;
  }

  #draw() {
    const tree = this.#tree;
    if (!tree || !this.#end && !this.isConnected) return;
    const {offset, length} = this.#place();
    const {start, end, shift} = this.#axis;
    if (offset <= start) style(this.#content, {left: "0px", top: "0px"});
    const low = offset - length;
    const high = offset + 2 * length;
    const focused = this.#focused();
    const indexes = including(
      this.#keys.indexOf(focused?.view.key), overlapping(tree.sections, this.#axis, low, high));
    const keep = new Set(indexes.map((index) => this.#keys[index]));
    for (const [key, view] of this.#views) if (!keep.has(key)) this.#removeSection(view);
    const shown = new Map();
    const views = indexes.map((index) => {
      const view = this.#views.get(this.#keys[index]) ?? this.#addSection(this.#keys[index]);
      view.isNew = view.section !== tree.sections[index] || view.shift !== shift;
      // A list that is moved loses its offset.
      if (view.isNew && view.axis) view.places = this.#placesOf(view);
      return view;
    });
    arrange(this.#content, views.map(({element}) => element), this.#active);
    views.forEach((view, place) => {
      const section = tree.sections[indexes[place]];
      const top = startOf(section.frame, this.#axis);
      view.isLast = section === tree.sections.at(-1) && tree.hasNext;
      this.#drawSection(view, section, low - top, high - top, focused);
      this.#note(view, offset - top, length, shown);
    });
    this.#reportShown(shown);
    this.#screen.scrolled(offset - start, tree.window && end - start);
  }

  #addSection(key) {
    const element = make("section");
    attribute(element, "role", "group");
    const list = make("list");
    style(list, {left: "0px", top: "0px", width: "100%", height: "100%"});
    element.append(list);
    const view = {key, element, list, items: new Map(), parts: new Map(), snaps: new Map(),
      places: this.#offsets.get(key)};
    this.#views.set(key, view);
    return view;
  }

  #removeSection(view) {
    clearTimeout(view.restTimer);
    clearTimeout(view.rollTimer);
    if (view.axis) this.#offsets.set(view.key, this.#placesOf(view));
    for (const bounds of [view.items, view.parts]) {
      for (const key of bounds.keys()) this.#remove(bounds, key);
    }
    view.element.remove();
    this.#views.delete(view.key);
  }

  #drawSection(view, section, low, high, focused) {
    const {element, list, isNew} = view;
    const {isX, shift} = this.#axis;
    Object.assign(view, {section, shift});
    const {frame} = section;
    if (isNew) {
      place(element, isX ? {...frame, x: frame.x - shift} : {...frame, y: frame.y - shift});
      attribute(element, "data-id", section.id);
      this.#drawParts(view);
      const header = view.parts.get("header");
      attribute(element, "aria-label",
        header?.given?.words || header?.element.textContent.trim() || section.id);
      this.#prepareList(view);
    }
    const {axis, step} = view;
    const own = this.#own(section);
    if (axis) {
      if (isNew) this.#keepPlaces(view);
      low = this.#listOffset(view) - frame.width;
      high = low + 3 * frame.width;
      this.#drawSnaps(view, low, high);
    }
    this.#drawPause(view);
    const {item, index, copy: its = 0} = focused?.view === view ? focused : {};
    const held = !item || section.items[index]?.id === item.id
      ? index : section.items.findIndex(({id}) => id === item.id);
    const wanted = Array.from({length: view.copies}, (_, copy) => including(
      copy === its ? held : -1,
      overlapping(section.items, axis ?? own, low - copy * step, high - copy * step),
    ).map((index) => [index, copy])).flat().sort(([one], [other]) => one - other);
    const keep = new Set(wanted.map(([index, copy]) => this.#itemKey(section.items[index], copy)));
    for (const id of view.items.keys()) if (!keep.has(id)) this.#remove(view.items, id);
    arrange(list, wanted.flatMap(([index, copy]) => {
      const {element, separator} = this.#drawItem(view, section, index, copy);
      return separator ? [element, separator] : [element];
    }), this.#active);
    attribute(list, "role", section.items.length ? "list" : null);
    this.#setTabStop(view);
  }

  #itemKey({id}, copy) { return copy ? `${copy}\n${id}` : id; }

  #drawItem(view, section, index, copy) {
    const item = section.items[index];
    const key = this.#itemKey(item, copy);
    const size = view.isLast ? -1 : section.itemCount ?? section.items.length;
    let bound = view.items.get(key);
    if (bound?.item === item && bound.section === section && bound.size === size
      && bound.signature === this.#signature) return bound;
    bound = this.#take(view.items, key, item);
    const {element} = bound;
    Object.assign(bound, {view, copy, index, size});
    attribute(element, "data-id", item.id);
    attribute(element, "aria-posinset", (section.firstItem ?? 0) + index + 1);
    attribute(element, "aria-setsize", size);
    const shift = copy * view.step * (view.axis?.isMirrored ? -1 : 1);
    this.#bind(bound, item, section, shift);
    if (item.separator) {
      bound.separator ??= make("separator", true);
      place(bound.separator, {...item.separator, x: item.separator.x + shift});
    } else {
      bound.separator?.remove();
      bound.separator = null;
    }
    return bound;
  }

  #take(bounds, key, item, part) {
    const type = item.type ?? item.kind;
    let bound = bounds.get(key);
    if (bound?.type === type) return bound;
    if (bound) this.#remove(bounds, key);
    const pool = `${part} ${type}`;
    bound = this.#pools.get(pool)?.pop();
    if (!bound) {
      const element = make(part ?? "item", part === "decoration");
      const own = bound = element.broadsheet = {
        element, type, part, pool, drawParts: (item) => this.#drawBoxes(own, item),
      };
      attribute(element, "data-type", type);
      const isHeader = part === "header";
      attribute(element, "role", isHeader ? "heading" : part ? null : "listitem");
      attribute(element, "aria-level", isHeader ? 2 : null);
      if (part === "decoration") attribute(element, "data-kind", type);
    }
    bounds.set(key, bound);
    return bound;
  }

  #remove(bounds, key) {
    const bound = bounds.get(key);
    const {element, pool} = bound;
    bounds.delete(key);
    element.remove();
    bound.separator?.remove();
    bound.separator = null;
    if (this.#leaving?.has(element)) return;
    // What was typed is not for another item.
    bound.known?.forEach((one) => one.element.remove());
    bound.item = bound.known = null;
    attribute(element, "tabindex", null);
    hide(bound, false);
    const kept = this.#pools.get(pool) ?? [];
    this.#pools.set(pool, kept);
    if (kept.length < maxPooled) kept.push(bound);
  }

  #bind(bound, item, section, shift = 0) {
    const {element, part, item: before} = bound;
    const isDrawn = before && bound.signature === this.#signature
      && (before === item || content(before) === content(item));
    Object.assign(bound, {item, section, signature: this.#signature});
    const {frame, zIndex, pinned} = item;
    element.style.zIndex = zIndex ?? (part === "decoration" ? -1 : part ? 1 : 0);
    if (pinned) this.#pin(bound, section);
    else {
      style(element, {position: "absolute", margin: "0px"});
      place(element, {...frame, x: frame.x + shift});
    }
    if (!isDrawn) this.#render(bound);
  }

  // So a footer stays below a pinned header.
  #pin({element, part, item: {frame}}, {header, frame: outer}) {
    const {isX, isMirrored} = this.#axis;
    const isFooter = part === "footer";
    const isEnd = isFooter !== (isX && isMirrored);
    const space = isFooter && header?.pinned ? lengthOf(header.frame, this.#axis) : 0;
    const before = isX ? frame.x : frame.y;
    const after = isX ? outer.width - before - frame.width : outer.height - before - frame.height;
    const [start, end] = isEnd ? [space, after] : [before, space];
    const side = isEnd ? "end" : "start";
    style(element, {
      position: "sticky", gridArea: "1 / 1", width: `${frame.width}px`, height: `${frame.height}px`,
      alignSelf: isX ? "start" : side, justifySelf: isX && isEnd ? "right" : "left",
      margin: isX ? `${frame.y}px ${end}px 0px ${start}px` : `${start}px 0px ${end}px ${frame.x}px`,
      inset: "auto", [isX ? isEnd ? "right" : "left" : isEnd ? "bottom" : "top"]: "0px",
    });
  }

  #drawParts({element, section, parts, list, pause}) {
    const {header, footer, decorations = []} = section;
    style(element, header?.pinned || footer?.pinned
      ? {display: "grid", gridTemplate: "minmax(0px, 1fr) / minmax(0px, 1fr)"} : {display: "block"});
    const wanted = {...decorations, header, footer};
    for (const name of parts.keys()) if (!wanted[name]) this.#remove(parts, name);
    const draw = (name, part = name) => {
      const item = wanted[name];
      if (!item) return [];
      const bound = this.#take(parts, name, item, part);
      this.#bind(bound, item, section);
      return [bound.element];
    };
    const backdrops = decorations.flatMap((_, index) => draw(`${index}`, "decoration"));
    arrange(element, [...backdrops, ...draw("header"), ...pause ? [pause] : [], list,
      ...draw("footer")], this.#active);
  }

  #canRoll({isRolling}) { return isRolling && !this.hasAttribute("passive") && !isReduced(); }

  #drawPause(view) {
    const name = this.getAttribute("pause") ?? "Pause";
    const isPaused = this.hasAttribute("paused");
    let {pause} = view;
    if (name === "none" || !this.#canRoll(view)) {
      pause?.remove();
      pause = null;
    } else {
      if (!pause) view.list.before(pause = make("pause", false, "button"));
      style(pause, {inset: "var(--pause-inset, auto 8px 8px auto)", zIndex: "2", minHeight: "24px",
        minWidth: "24px"});
      Object.assign(pause, {
        type: "button", ariaLabel: name, ariaPressed: isPaused,
        textContent: isPaused ? "\u25b6" : "\u2016",
        onclick: () => this.toggleAttribute("paused"),
      });
    }
    view.pause = pause;
  }

  #render(bound) {
    const {element, item, section, type, part} = bound;
    if (item.parts) this.#loadLibrary(true);
    bound.given = null;
    this.#catalog?.dress(element, type);
    const draw = cells[type] ?? cells["*"]
      ?? (part !== "decoration" && (() => this.#renderDefault(bound)));
    if (draw && run(draw, element, item, section)) {
      bound.known = bound.plain = null;
      this.#send("failed", this.#placeOf(bound));
    }
  }

  #describe({part}, item) {
    return this.#catalog?.describe(item, part, this.#tree.viewport);
  }

  #renderDefault(bound) {
    const {element, item, type} = bound;
    const {title, name, text, label} = item.data ?? {};
    const words = [title, name, text, label].find((one) => typeof one === "string") ?? type;
    const given = item.parts && this.#describe(bound, item);
    style(element, {overflow: given ? "" : "hidden"});
    if (given) {
      bound.plain?.element.remove();
      bound.plain = null;
      this.#drawBoxes(bound, item, given);
    } else {
      bound.plain ??= {element: element.appendChild(document.createElement("bdi"))};
      write(bound.plain, words);
    }
  }

  #drawBoxes(bound, item, given = this.#describe(bound, item)) {
    const {element, known: old} = bound;
    if (given) this.#catalog.show(element, bound.given = given);
    const known = bound.known = new Map();
    this.#drawInside(bound, item, element, given?.parts ?? Object.entries(item.parts ?? {}).map(
      ([name, {frame}]) => ({name, frame})), old);
    old?.forEach((one, name) => known.get(name) === one || one.element.remove());
    return Object.fromEntries(Array.from(known, ([name, one]) => [name, one.element]));
  }

  #drawInside(bound, item, parent, boxes, old) {
    arrange(parent, boxes.map((box) => this.#drawPart(bound, item, box, old)), this.#active);
  }

  #drawPart(bound, item, box, old) {
    const {name, tag = "div", text} = box;
    const before = old?.get(name);
    const part = before?.element.localName === tag && !before.words === (text === undefined)
      ? before : {element: make("part", false, tag)};
    const {element} = part;
    bound.known.set(name, part);
    place(element, box.frame);
    if (!this.#catalog) element.dataset.name = name;
    this.#catalog?.show(element, box, () => {
      if (bound.known?.get(name) === part) this.#drawBoxes(bound, item);
    });
    if (text !== undefined) write(part, text);
    if (box.parts) this.#drawInside(bound, item, element, box.parts, old);
    for (const draw of [box.isBroken && states.image, parts[`${bound.type}.${name}`]]) {
      if (!draw || !run(draw, element, item, bound.section)) continue;
      part.words = null;
      this.#send("failed", this.#placeOf(bound));
    }
    return element;
  }

  async #loadLibrary(isNeeded) {
    if (this.#library) return;
    const screen = this.#library = this.#screen;
    try {
      const catalog = await this.#use("load", cells);
      if (this.#screen !== screen) return;
      this.#catalog = catalog;
      this.#redraw();
      this.#checkNames();
    } catch (problem) {
      if (!this.#sizes || this.#screen !== screen || problem.status === 404) return;
      if (isNeeded) {
        this.#emit("problem", problem instanceof Problem ? problem : new Problem({detail: `${problem}`}));
      }
      clearTimeout(this.#libraryTimer);
      this.#libraryTimer = setTimeout(() => {
        this.#library = null;
        if (isNeeded) this.#redraw();
      }, 10_000);
    }
  }

  #sign() { this.#signature = `${this.#tree?.viewport.textScale} ${this.#version}`; }

  #redraw() {
    this.#version++;
    this.#sign();
    for (const view of this.#views.values()) view.section = null;
    this.#draw();
  }

  #checkNames() {
    if (!Object.keys({...cells, ...parts}).some((name) => name !== "*")) return;
    if (this.#catalog) this.#tell("checkFunctions", cells, parts, this.#tree);
    else this.#loadLibrary();
  }

  async reload() {
    this.#library = null;
    this.#redraw();
    return await this.#screen?.reload?.() ?? false;
  }

  #prepareList(view) {
    const {section, list} = view;
    const {scroll, frame} = section;
    view.carousel = scroll ? Carousel.of(section, this.#tree) : null;
    view.isRolling = view.carousel && section.paging.isEnabled && section.paging.isAutoRolling;
    view.copies = view.carousel?.copies ?? 1;
    view.step = view.carousel?.copyLength ?? 0;
    view.axis = scroll ? axisOf(true, this.#tree.viewport.direction === "rtl", frame.width) : null;
    attribute(list, "dir", view.axis?.isMirrored ? "rtl" : null);
    const rests = view.carousel || (scroll && !/^(none|continuous)$/.test(scroll.behavior));
    style(list, {
      overflow: scroll ? "auto hidden" : "visible", scrollSnapType: rests ? "x mandatory" : "none",
      overscrollBehaviorX: "contain", scrollbarWidth: "none",
    });
    view.offsets = rests ? this.#restingOffsets(view) : [];
    if (scroll) {
      const first = (view.carousel ?? scroll).initialOffset;
      view.first = view.carousel?.remap(first) ?? first;
      view.end ??= make("end", true);
      const width = view.length = view.carousel?.contentLength ?? scroll.contentSize.width;
      place(view.end, {x: view.axis.isMirrored ? frame.width - width : 0, y: 0, width, height: 1});
      style(view.end, {visibility: "hidden"});
      list.append(view.end);
    } else {
      view.end?.remove();
    }
    this.#roll(view, 3);
  }

  #restingOffsets({carousel, section}) {
    if (!carousel) return section.scroll.snapOffsets;
    const first = carousel.isAlignCenter ? carousel.sectionInset[0] - carousel.slack : 0;
    const {copies, maxOffset} = carousel;
    return Array.from({length: carousel.pageCount * copies}, (_, page) =>
      first + page * carousel.pageLength
    ).filter((one) => copies < 2 || (one >= 0 && one <= maxOffset)).map((one) => carousel.release(one, 0));
  }

  // The far ones are two long ones.
  #drawSnaps(view, low, high) {
    const {offsets, snaps, list, axis, length} = view;
    const [start, end] = [firstAbove(offsets, low), firstAbove(offsets, high)];
    const wanted = new Map(offsets.slice(start, end).map((offset) => [offset, [offset, 1]]));
    if (start) wanted.set(`<${start}`, [0, offsets[start - 1] + axis.total]);
    if (end < offsets.length) wanted.set(`>${end}`, [offsets[end], length - offsets[end]]);
    for (const [key, snap] of snaps) {
      if (wanted.has(key)) continue;
      snap.remove();
      snaps.delete(key);
    }
    for (const [key, [offset, width]] of wanted) {
      const snap = snaps.get(key) ?? list.appendChild(make("snap", true));
      const x = axis.isMirrored ? axis.total - offset - width : offset;
      place(snap, {x, y: 0, width, height: 1});
      style(snap, {scrollSnapAlign: "start", visibility: "hidden"});
      snaps.set(key, snap);
    }
  }

  // A list has whole pixels.
  #listOffset({list, exact}) {
    const offset = Math.abs(list.scrollLeft);
    return Math.abs(exact - offset) < 1 ? exact : offset;
  }

  #scrollList(view, offset, behavior = "instant") {
    const {list, axis} = view;
    this.#drawSnaps(view, offset - axis.total, offset + 2 * axis.total);
    list.scrollTo({left: axis.isMirrored ? -offset : offset, behavior});
    view.exact = offset;
  }

  // First the focus, then the view.
  #ordered(view) {
    const {items, step, copies} = view;
    const at = this.#listOffset(view);
    const axis = view.axis ?? this.#own(view.section);
    return [...items.values()].map((bound) => {
      const {item: {id, frame}, copy, element} = bound;
      const start = startOf(frame, axis) + copy * step - at;
      const isIn = overlaps(start, frame.width, 0, axis.total);
      const rank = element.contains(this.#active) ? 0 : !isIn ? 3 : start > -1.5 ? 1 : 2;
      return {bound, id, copy, start, isIn, rank, total: axis.total, middle: (copies - 1) / 2};
    }).sort((one, other) => one.rank - other.rank || Math.abs(one.start) - Math.abs(other.start));
  }

  #placesOf(view) {
    const isAtStart = view.copies < 2 && this.#listOffset(view) < view.first + 1;
    return isAtStart ? [] : this.#ordered(view).filter(({isIn}) => isIn);
  }

  // Keeps the first item that is left.
  #keepPlaces(view) {
    const {section, axis, copies, step, places = []} = view;
    const at = this.#listOffset(view);
    const items = new Map(section.items.map((item) => [item.id, item.frame]));
    const match = places.find(({id}) => items.has(id));
    let offset = view.first;
    if (match) {
      const frame = items.get(match.id);
      const copy = (match.copy - match.middle + (copies - 1) / 2 + copies) % copies;
      const from = startOf(frame, axis) + copy * step;
      offset = from - match.start;
      if (match.total !== axis.total || Math.abs(offset - at) >= 0.5) {
        offset = this.#restNear(view, offset, from, frame.width);
      }
    }
    if (Math.abs(offset - at) >= 0.5) this.#scrollList(view, offset);
    view.exact = offset;
  }

  // If possible with a whole item in view.
  #restNear({offsets, axis: {total}}, to, from, width) {
    const away = (rest) => {
      const isIn = rest <= from + 0.5 && rest + total >= from + width - 0.5;
      const distance = Math.abs(rest - to);
      return isIn || distance < 1 ? distance : distance + 1e9;
    };
    return offsets.reduce((best, rest) => away(rest) < away(best) ? rest : best, offsets[0] ?? to);
  }

  #listScrolled(view) {
    this.#draw();
    clearTimeout(view.restTimer);
    view.restTimer = setTimeout(() => {
      const [{rank, isIn} = {}] = this.#ordered(view);
      const target = isIn && !rank ? null : view.carousel?.remap(this.#listOffset(view)) ?? null;
      if (target !== null) {
        this.#scrollList(view, target);
        this.#draw();
      }
      this.#roll(view, view.section.paging?.autoRollingTimeInterval);
    }, 120);
  }

  #roll(view, seconds) {
    clearTimeout(view.rollTimer);
    if (!view.isRolling) return;
    const interval = seconds > 0 && seconds <= maxInterval ? seconds : 3;
    view.rollTimer = setTimeout(() => {
      const {element, pause, carousel, section} = view;
      const isHeld = this.hasAttribute("paused") || document.hidden || !this.#canRoll(view)
        || element.matches(":hover") || (element.matches(":focus-within") && this.#active !== pause);
      const target = isHeld ? null : carousel.step(1, this.#listOffset(view));
      if (target !== null) this.#scrollList(view, target, "smooth");
      this.#roll(view, section.paging.autoRollingTimeInterval);
    }, interval * 1_000);
  }

  #setTabStop(view) {
    const {key, copies} = view;
    const isPassive = this.hasAttribute("passive");
    const places = this.#ordered(view);
    const reached = new Map(places.map((place) => [place.id, place]).reverse());
    const own = places.filter((place) => reached.get(place.id) === place);
    const stop = own.find(({rank, id, isIn}) =>
      !rank || (id === this.#current.get(key) && (isIn || copies < 2))) ?? own[0];
    for (const place of places) {
      const isHidden = reached.get(place.id) !== place;
      const isStop = place === stop && !isPassive;
      hide(place.bound, isHidden);
      attribute(place.bound.element, "tabindex", isPassive || isHidden ? null : isStop ? 0 : -1);
      setStops(place.bound, isStop);
    }
    for (const bound of view.parts.values()) setStops(bound, !isPassive);
  }

  reveal(section, item, {focus = true} = {}) {
    const found = this.#tree?.sections.find(({id, items}) =>
      id === section && items.some(({id}) => id === item));
    if (found) this.#reveal(found, found.items.find(({id}) => id === item), focus);
    return Boolean(found);
  }

  #reveal(section, item, focus) {
    const {offset, length} = this.#place();
    const own = this.#own(section);
    const top = startOf(section.frame, this.#axis);
    const box = section.scroll ? section : item;
    const start = section.scroll ? top : top + startOf(item.frame, own);
    const distance = (from, span, at, size) => from < at ? from - at
      : Math.max(0, Math.min(from - at, from + span - at - size));
    const header = section.header?.pinned && !section.scroll ? lengthOf(section.header.frame, own) : 0;
    this.#scrollBy(
      distance(start - header, lengthOf(box.frame, own) + header, offset, length));
    this.#draw();
    const view = this.#views.get(this.#keys[section.index]);
    if (!view) return;
    const copy = this.#ordered(view).find(({id}) => id === item.id)?.copy ?? (view.copies - 1) / 2;
    if (view.axis) {
      const {width} = section.frame;
      const at = this.#listOffset(view);
      const start = startOf(item.frame, view.axis) + copy * view.step;
      const to = at + distance(start, item.frame.width, at, width);
      if (to !== at) this.#scrollList(view, this.#restNear(view, to, start, item.frame.width));
      this.#draw();
    }
    this.#current.set(view.key, item.id);
    this.#setTabStop(view);
    const element = view.items.get(this.#itemKey(item, copy))?.element;
    if (focus && element) {
      if (!element.hasAttribute("tabindex")) element.tabIndex = -1;
      element.focus({preventScroll: true});
    }
  }

  #target(key, {index, view}, section) {
    const {items} = section;
    const isMirrored = this.#tree.viewport.direction === "rtl";
    const {frame} = items[index];
    const step = {ArrowRight: isMirrored ? -1 : 1, ArrowLeft: isMirrored ? 1 : -1}[key];
    if (key === "Home") return items[0];
    if (key === "End") return items.at(-1);
    if (step) return items[index + step] ?? (view.copies > 1 ? items.at((step - 1) / 2) : undefined);
    const down = {ArrowDown: 1, ArrowUp: -1}[key];
    if (!down || section.scroll) return;
    const away = ({frame: {x, width}}) => Math.abs(x + width / 2 - frame.x - frame.width / 2);
    let best;
    for (let place = index + down; items[place]; place += down) {
      const item = items[place];
      const {y, height} = item.frame;
      if (down > 0 ? y < frame.y + frame.height - 0.5 : y + height > frame.y + 0.5) continue;
      if (best && Math.abs(y - best.frame.y) > height) break;
      if (!best || away(item) < away(best)) best = item;
    }
    return best;
  }

  handleEvent(event) {
    const bound = boundAt(event.target);
    if (event.type === "scroll") {
      const view = [...this.#views.values()].find(({list}) => list === event.target);
      if (view) this.#listScrolled(view);
      else if ([this.#scroller, document].includes(event.target)) this.#draw();
    } else if (event.type === "resize") {
      if (this.#end) this.#measure();
    } else if (!bound?.item) {
      return;
    } else if (event.type === "focusin") {
      this.#current.set(bound.view?.key, bound.item.id);
      if (bound.view) this.#setTabStop(bound.view);
    } else if (event.type === "keydown") {
      this.#keyPressed(event, bound);
    } else {
      this.#clicked(event, bound);
    }
  }

  #keyPressed(event, bound) {
    if (event.target !== bound.element || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.hasAttribute("passive")) return;
    const {section, view} = bound;
    const isSelecting = event.key === "Enter" || event.key === " ";
    const item = isSelecting ? bound.item : view && this.#target(event.key, bound, section);
    if (!item) return;
    event.preventDefault();
    if (isSelecting) this.#select(bound);
    else this.#reveal(section, item, true);
  }

  #clicked(event, bound) {
    const action = event.target.closest("[data-action], a.part");
    const url = action?.matches("a.part") && action.getAttribute("href");
    if (url) {
      if (!this.#ask("link", bound, {url})) event.preventDefault();
    } else if (action && bound.element.contains(action)) {
      const {action: name, input} = action.dataset;
      const sent = {type: "action", name, ...this.#placeOf(bound)};
      try {
        if (input) sent.input = JSON.parse(input);
      } catch {
        return this.#tell("report", "INVALID_INPUT", `data-input of "${name}" is not JSON: ${input}`);
      }
      this.#screen.send(sent).then(({diagnostics = []}) => {
        for (const {code, detail} of diagnostics) {
          if (code === "UNKNOWN_ACTION") this.#tell("report", code, detail);
        }
      }).catch((problem) => this.#emit("problem", problem));
    } else if (bound.part !== "decoration" && !bound.element.contains(event.target.closest(controls))) {
      this.#select(bound);
    }
  }

  #select(bound) {
    const {item} = bound;
    if (item.can && !item.can.includes("select")) return;
    const place = this.#placeOf(bound);
    const screen = this.#screen;
    if (this.#ask("itemselect", bound)) this.#send("select", place, screen);
  }

  #ask(name, {item, section, element, part: view}, more) {
    const detail = {item, section, element, view, ...more};
    return element.dispatchEvent(new CustomEvent(name, {detail, bubbles: true, cancelable: true}));
  }

  #placeOf({section: {id, index}, item, part}) {
    return {
      section: id ?? index + (this.#tree.window?.firstSection ?? 0), item: item.id,
      view: part === "decoration" ? undefined : part,
    };
  }

  #send(type, members, screen = this.#screen) {
    if (this.matches(`[report~="${type}"]`)) screen.send({type, ...members});
  }

  #note(view, low, length, shown) {
    if (!this.hasAttribute("report")) return;
    const own = this.#own(view.section);
    for (const {bound, id, isIn} of this.#ordered(view)) {
      const {frame} = bound.item;
      const isShown = overlaps(startOf(frame, own), lengthOf(frame, own), low, low + length);
      if (isShown && (isIn || !view.axis)) shown.set(JSON.stringify([view.key, id]), this.#placeOf(bound));
    }
  }

  #reportShown(shown) {
    for (const [key, place] of shown) if (!this.#shown.has(key)) this.#send("willDisplay", place);
    for (const [key, place] of this.#shown) if (!shown.has(key)) this.#send("didEndDisplaying", place);
    this.#shown = shown;
  }
}

if (globalThis.customElements && !customElements.get("broadsheet-screen")) {
  customElements.define("broadsheet-screen", BroadsheetScreen);
}
