// Draws a screen. The types, with all documentation, are in element.d.ts.

import {Carousel, Screen} from "./client.js";

export const cells = Object.create(null);

const maxPooled = 50;
const motion = {duration: 250, easing: "ease-out"};
const controls = "a[href], button, input, select, textarea, label, summary, [contenteditable]";
const extents = new WeakMap();

const make = (name, hidden) => {
  const element = document.createElement("div");
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
const lengthOf = (box, {isX}) => isX ? box.width : box.height;
const startOf = (box, {isX, isMirrored, total}) =>
  isMirrored ? total - box.x - box.width : isX ? box.x : box.y;

// The greatest end up to each box and the least start from it on, both ascending: boxes are nearly
// always in order, but need not be.
function extentOf(list, axis) {
  const name = axis.isMirrored ? axis.total : axis.isX;
  const known = extents.get(list) ?? new Map();
  extents.set(list, known);
  if (!known.has(name)) {
    const ends = new Float64Array(list.length);
    const starts = new Float64Array(list.length);
    list.forEach(({frame}, index) => {
      const end = startOf(frame, axis) + lengthOf(frame, axis);
      ends[index] = Math.max(end, ends[index - 1] ?? end);
    });
    for (let index = list.length - 1; index >= 0; index--) {
      const start = startOf(list[index].frame, axis);
      starts[index] = Math.min(start, starts[index + 1] ?? start);
    }
    known.set(name, {ends, starts});
  }
  return known.get(name);
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
    const start = startOf(list[index].frame, axis);
    if (start < high && start + lengthOf(list[index].frame, axis) > low) found.push(index);
  }
  return found;
}

function keysOf(tree) {
  let count = 0;
  return tree.sections.map(({id}) => id === null ? count++ : `"${id}`);
}

const content = ({frame, separator, ...item}) => JSON.stringify([item, frame.width, frame.height]);

// Puts children in an order without moving the one with the focus, which would lose it.
function arrange(parent, children, active) {
  let next = parent.firstChild;
  for (const child of children) {
    const hasFocus = child !== next && child.parentNode === parent && child.contains(active);
    if (hasFocus || child === next) next = child.nextSibling;
    else parent.insertBefore(child, next);
  }
}

const boundAt = (node) => {
  while (node && !node.broadsheet) node = node.parentNode;
  return node?.broadsheet;
};

const valueAt = (data, pointer) => pointer.split("/").slice(1).reduce((value, part) => {
  const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
  return value !== null && typeof value === "object" && Object.hasOwn(value, name)
    ? value[name] : undefined;
}, data);

function textAt(data, source) {
  if (typeof source === "string") return valueAt(data, source) ?? "";
  return source.join.map((pointer) => valueAt(data, pointer))
    .filter((part) => part !== undefined && part !== null).join(source.by ?? "");
}

function namedBoxes(box, found = new Map()) {
  if (typeof box !== "object" || box === null) return found;
  if (typeof box.name === "string") found.set(box.name, box);
  const {column, row, overlay, cases, default: other} = box;
  for (const child of [column, row, overlay, Object.values(cases ?? {}), other].flat()) {
    namedBoxes(child, found);
  }
  return found;
}

function isAddress(value) {
  try {
    return /^https?:$/.test(new URL(value, document.baseURI).protocol);
  } catch {
    return false;
  }
}

const Base = globalThis.HTMLElement ?? class {};

export class BroadsheetScreen extends Base {
  static observedAttributes = ["src", "passive"];
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
  #root;
  #offsets = new Map();
  #width = 0;
  #sizeTimer;
  #library;
  #fonts = {};
  #types = {};
  #shown = new Map();
  #current = new Map();
  #problem = null;
  #page;
  #signature;
  #leaving;

  get screen() { return this.#screen; }

  set screen(screen) {
    this.#disconnect();
    this.#screen = screen;
    this.#tree = this.#library = this.#page = null;
    if (this.isConnected) this.#connect();
  }

  attributeChangedCallback(name, _, value) {
    if (name === "src") this.screen = value === null ? null : new Screen(value);
    else if (this.#tree) this.#draw();
  }

  connectedCallback() { this.#connect(); }

  disconnectedCallback() { this.#disconnect(); }

  #connect() {
    if (!this.#screen || this.#sizes) return;
    if (getComputedStyle(this).display === "inline") this.style.display = "block";
    if (getComputedStyle(this).position === "static") this.style.position = "relative";
    style(this, {isolation: "isolate", overflowAnchor: "none"});
    this.#content ??= make("content");
    style(this.#content, {position: "relative", top: "0px"});
    this.append(this.#content);
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
    for (const root of [document, this.#root]) root.addEventListener("scroll", this, true);
  }

  #disconnect() {
    this.#end?.();
    this.#end = null;
    if (!this.#sizes) return;
    this.#sizes.disconnect();
    this.#sizes = null;
    clearTimeout(this.#sizeTimer);
    globalThis.removeEventListener("resize", this);
    for (const root of [document, this.#root]) root.removeEventListener("scroll", this, true);
    this.#clear();
    this.#tree = null;
    this.#content.remove();
  }

  #clear() {
    for (const view of this.#views.values()) this.#removeSection(view);
    this.#views.clear();
    this.#shown.clear();
    this.#content?.replaceChildren();
  }

  #measure() {
    const width = this.#width;
    this.#findScroller();
    const height = this.#scroller.clientHeight;
    if (!(width > 0 && height > 0)) return;
    const scale = Math.min(8, Math.max(0.5, Math.round(devicePixelRatio * 1_000) / 1_000));
    const all = {
      width: Math.round(width * 1_000) / 1_000, height, scale, direction: getComputedStyle(this).direction,
    };
    const own = Object.entries(all)
      .filter(([name]) => !new RegExp(`[?&]${name}=`).test(this.#screen.url));
    this.#screen.set({...Object.fromEntries(own), coordinates: "section"});
    if (this.#end) return this.#draw();
    this.#end = this.#screen.subscribe((update) => this.#receive(update));
    const {tree, status, problem} = this.#screen;
    if (tree) this.#receive({tree, previous: null, changes: null, status, problem});
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

  #port() {
    const {isX, isMirrored} = this.#axis;
    const scroller = this.#scroller;
    const {left, top} = scroller === document.scrollingElement
      ? {left: 0, top: 0} : scroller.getBoundingClientRect();
    const length = isX ? scroller.clientWidth : scroller.clientHeight;
    const start = isX ? left + scroller.clientLeft : top + scroller.clientTop;
    return {start: isMirrored ? -start - length : start, length};
  }

  #own({frame}) { return axisOf(this.#axis.isX, this.#axis.isMirrored, frame.width); }

  #startIn(rect) {
    return this.#axis.isMirrored ? -rect.right : this.#axis.isX ? rect.left : rect.top;
  }

  #place() {
    const port = this.#port();
    return {
      offset: port.start - this.#startIn(this.#content.getBoundingClientRect()), length: port.length,
    };
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
    this.#emit("update", update);
    if (problem && problem !== this.#problem) this.#emit("problem", problem);
    this.#problem = problem;
  }

  #emit(name, detail) { this.dispatchEvent(new CustomEvent(name, {detail})); }

  #show(tree, changes) {
    const previous = this.#tree;
    const old = previous && this.#snapshot(changes);
    const anchor = old && this.#anchor(tree, old);
    const isX = tree.contentSize.width > tree.viewport.width;
    const isMirrored = tree.viewport.direction === "rtl";
    this.#axis = axisOf(isX, isMirrored, tree.contentSize.width);
    this.style.overflowX = isX ? "" : "clip";
    this.#findScroller();
    const [only] = tree.sections;
    const copies = only?.paging && !only.scroll ? only.paging.copies - 1 : 0;
    const rest = copies && copies * Carousel.of(only, tree).copyLength;
    style(this.#content, {
      width: `${tree.contentSize.width - (isX ? rest : 0)}px`,
      height: `${tree.contentSize.height - (isX ? 0 : rest)}px`,
      overflow: rest ? "clip" : "visible", direction: tree.viewport.direction,
    });
    this.#axis.shift = isX && isMirrored ? rest : 0;
    this.#tree = tree;
    this.#keys = keysOf(tree);
    this.#signature = `${tree.viewport.textScale}`;
    if (anchor) {
      const {offset} = this.#place();
      this.#scrollBy(anchor.offset - offset);
    }
    this.#leaving = old?.rects;
    this.#draw();
    this.#leaving = null;
    if (anchor) this.#settle(anchor);
    if (old) this.#move(old, changes, anchor);
    if (tree.page !== this.#page) {
      this.#page = tree.page;
      this.#send("pageDidAppear", {page: tree.page});
    }
  }

  #snapshot(changes) {
    const {offset, length} = this.#place();
    const isMoving = changes && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const port = this.#port();
    const rects = new Map();
    if (isMoving) {
      for (const element of this.#moving()) {
        const rect = element.getBoundingClientRect();
        const start = this.#startIn(rect);
        if (start < port.start + length && start + lengthOf(rect, this.#axis) > port.start) {
          rects.set(element, rect);
        }
      }
    }
    return {offset, length, tree: this.#tree, axis: this.#axis, rects, isMoving};
  }

  * #moving() {
    for (const view of this.#views.values()) {
      if (view.header) yield view.header;
      if (view.footer) yield view.footer;
      for (const {element} of view.items.values()) yield element;
    }
  }

  #anchor(tree, {offset, length, axis}) {
    if (offset <= 0) return null;
    const sections = new Map(keysOf(tree).map((key, index) => [key, tree.sections[index]]));
    const next = axisOf(
      tree.contentSize.width > tree.viewport.width, tree.viewport.direction === "rtl",
      tree.contentSize.width);
    const candidates = [];
    let items;
    const add = (rank, key, section, start, item) => {
      const other = sections.get(key);
      if (!other) return;
      let end = startOf(other.frame, next);
      if (item) {
        items = items?.section === other ? items : {
          section: other, byId: new Map(other.items.map((one) => [one.id, one])),
        };
        const match = items.byId.get(item.id);
        if (!match) return;
        end += startOf(match.frame, axisOf(next.isX, next.isMirrored, other.frame.width));
      }
      candidates.push({rank, key, id: item?.id, start, offset: offset + end - start});
    };
    const focused = this.#focused();
    for (const index of overlapping(this.#tree.sections, axis, offset, offset + length)) {
      const section = this.#tree.sections[index];
      const key = this.#keys[index];
      const top = startOf(section.frame, axis);
      add(section.scroll ? top >= offset ? 1 : 2 : 3, key, section, top);
      if (section.scroll) continue;
      const own = this.#own(section);
      for (const place of overlapping(section.items, own, offset - top, offset + length - top)) {
        const item = section.items[place];
        const start = top + startOf(item.frame, own);
        const isFocused = focused?.item === item;
        add(isFocused ? 0 : start >= offset ? 1 : 2, key, section, start, item);
      }
    }
    candidates.sort((one, other) => one.rank - other.rank || one.start - other.start);
    const [best] = candidates;
    if (!best) return null;
    const view = this.#views.get(best.key);
    best.element = best.id === undefined ? view?.element : view?.items.get(best.id)?.element;
    best.before = best.element && this.#still(best.element) - this.#port().start;
    return best;
  }

  #still(element) {
    const shift = new DOMMatrix(getComputedStyle(element).transform);
    return this.#startIn(element.getBoundingClientRect())
      - (this.#axis.isX ? (this.#axis.isMirrored ? -shift.e : shift.e) : shift.f);
  }

  #settle({key, id, before}) {
    const view = this.#views.get(key);
    const element = id === undefined ? view?.element : view?.items.get(id)?.element;
    if (!element || before === undefined) return;
    const distance = this.#still(element) - this.#port().start - before;
    if (!distance || Math.abs(distance) >= 2) return;
    const name = this.#axis.isX ? "left" : "top";
    const sign = this.#axis.isMirrored ? 1 : -1;
    this.#content.style[name] = `${(parseFloat(this.#content.style[name]) || 0) + sign * distance}px`;
  }

  #move({rects, isMoving}, changes, anchor) {
    if (!isMoving) return;
    const still = anchor && this.#views.get(anchor.key)?.items.get(anchor.id)?.element;
    const {stages} = changes;
    const tree = this.#tree;
    const born = new Set(stages.flatMap(({insertItems = [], insertSections = []}) => [
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
    for (const [element, rect] of rects) {
      const {item, view} = element.broadsheet;
      const section = tree.sections[this.#keys.indexOf(view?.key)];
      if (drawn.has(element) || section?.items.some(({id}) => id === item.id)) continue;
      element.inert = true;
      style(element, {position: "absolute", margin: "0px"});
      attribute(element, "aria-hidden", "true");
      place(element, {
        x: rect.left - base.left, y: rect.top - base.top, width: rect.width, height: rect.height,
      });
      this.#content.append(element);
      element.animate([{opacity: 1}, {opacity: 0}], motion).finished.catch(() => {}).then(() => {
        element.remove();
      });
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
    if (offset <= 0 && parseFloat(this.#content.style.top)) this.#content.style.top = "0px";
    const low = offset - length;
    const high = offset + 2 * length;
    const near = new Set(overlapping(tree.sections, this.#axis, low, high));
    const focused = this.#focused();
    if (focused) {
      const index = this.#keys.indexOf(focused.view.key);
      if (index >= 0) near.add(index);
    }
    const indexes = [...near].sort((one, other) => one - other);
    const keep = new Set(indexes.map((index) => this.#keys[index]));
    for (const [key, view] of this.#views) {
      if (keep.has(key)) continue;
      this.#removeSection(view);
      view.element.remove();
      this.#views.delete(key);
    }
    const shown = new Map();
    arrange(this.#content, indexes.map((index) => {
      const view = this.#views.get(this.#keys[index]) ?? this.#addSection(this.#keys[index]);
      const section = tree.sections[index];
      const start = startOf(section.frame, this.#axis);
      view.isLast = index === tree.sections.length - 1 && tree.hasNext;
      this.#drawSection(view, section, low - start, high - start, focused);
      this.#note(view, offset - start, length, shown);
      return view.element;
    }), this.#active);
    this.#reportShown(shown);
    this.#screen.scrolled(offset);
  }

  #addSection(key) {
    const element = make("section");
    attribute(element, "role", "group");
    const list = make("list");
    style(list, {left: "0px", top: "0px", width: "100%", height: "100%"});
    element.append(list);
    this.#content.append(element);
    const view = {key, element, list, items: new Map(), snaps: new Map(), decorations: []};
    this.#views.set(key, view);
    return view;
  }

  #removeSection(view) {
    clearTimeout(view.restTimer);
    clearTimeout(view.rollTimer);
    if (view.axis) this.#offsets.set(view.key, this.#listOffset(view));
    for (const id of [...view.items.keys()]) this.#removeItem(view, id);
    for (const name of ["header", "footer", ...view.decorations.keys()]) this.#removePart(view, name);
  }

  #drawSection(view, section, low, high, focused) {
    const {element, list} = view;
    const isNew = view.section !== section;
    view.section = section;
    const {frame} = section;
    if (isNew) {
      place(element, {...frame, x: frame.x - (this.#axis.shift ?? 0)});
      attribute(element, "data-id", section.id);
      this.#drawParts(view);
      attribute(element, "aria-label", view.header?.textContent.trim() || section.id);
    }
    const wasScrolling = view.axis;
    if (isNew) this.#prepareList(view);
    const {axis} = view;
    const own = this.#own(section);
    let spans = [[low, high, 0]];
    if (axis) {
      if (!wasScrolling) {
        const first = (view.carousel ?? section.scroll).initialOffset;
        this.#scrollList(
          view, this.#offsets.get(view.key) ?? view.carousel?.remap(first) ?? first);
      }
      const at = this.#listOffset(view);
      const step = view.carousel?.copyLength ?? 0;
      spans = Array.from({length: view.copies}, (_, copy) => [
        at - frame.width - copy * step, at + 2 * frame.width - copy * step, copy]);
      this.#drawSnaps(view, at - frame.width, at + 2 * frame.width);
    }
    const wanted = [];
    for (const [from, to, copy] of spans) {
      for (const index of overlapping(section.items, axis ?? own, from, to)) wanted.push([index, copy]);
    }
    if (focused?.view === view) {
      const {id} = focused.item;
      const held = section.items[focused.index]?.id === id
        ? focused.index : section.items.findIndex((item) => item.id === id);
      if (held >= 0 && !wanted.some(([index, copy]) => index === held && !copy)) {
        wanted.push([held, 0]);
        wanted.sort(([one, copy], [other, second]) => copy - second || one - other);
      }
    }
    const keep = new Set(wanted.map(([index, copy]) => this.#itemKey(section.items[index], copy)));
    for (const id of view.items.keys()) if (!keep.has(id)) this.#removeItem(view, id);
    const children = [];
    for (const [index, copy] of wanted) {
      const bound = this.#drawItem(view, section, index, copy);
      children.push(bound.element);
      if (bound.separator) children.push(bound.separator);
    }
    arrange(list, children, this.#active);
    attribute(list, "role", section.items.length ? "list" : null);
    this.#setTabStop(view);
  }

  #itemKey({id}, copy) { return copy ? `${copy}\n${id}` : id; }

  #drawItem(view, section, index, copy) {
    const item = section.items[index];
    const key = this.#itemKey(item, copy);
    const size = view.isLast ? -1 : section.items.length;
    let bound = view.items.get(key);
    if (bound?.item === item && bound.section === section && bound.index === index
      && bound.size === size && bound.signature === this.#signature) return bound;
    if (bound && bound.item.type !== item.type) {
      this.#removeItem(view, key);
      bound = null;
    }
    if (!bound) {
      bound = this.#take(item.type, "item");
      Object.assign(bound, {view, copy});
      attribute(bound.element, "role", "listitem");
      attribute(bound.element, "data-id", item.id);
      attribute(bound.element, "aria-hidden", copy ? "true" : null);
      attribute(bound.element, "tabindex", null);
      view.items.set(key, bound);
    }
    const shift = copy * (view.carousel?.copyLength ?? 0) * (view.axis?.isMirrored ? -1 : 1);
    this.#bind(bound, item, section, shift);
    Object.assign(bound, {index, size});
    attribute(bound.element, "aria-posinset", index + 1);
    attribute(bound.element, "aria-setsize", size);
    if (item.separator) {
      bound.separator ??= make("separator", true);
      place(bound.separator, {...item.separator, x: item.separator.x + shift});
    } else {
      bound.separator?.remove();
      bound.separator = null;
    }
    return bound;
  }

  #take(type, name) {
    const pool = this.#pools.get(`${name} ${type}`);
    if (pool?.length) return pool.pop();
    const bound = {element: make(name), pool: `${name} ${type}`};
    bound.element.broadsheet = bound;
    attribute(bound.element, "data-type", type);
    return bound;
  }

  #release(bound) {
    bound.element.remove();
    bound.separator?.remove();
    bound.separator = null;
    if (this.#leaving?.has(bound.element)) return;
    bound.item = null;
    if (!this.#pools.has(bound.pool)) this.#pools.set(bound.pool, []);
    const pool = this.#pools.get(bound.pool);
    if (pool.length < maxPooled) pool.push(bound);
  }

  #removeItem(view, key) {
    const bound = view.items.get(key);
    view.items.delete(key);
    this.#release(bound);
  }

  #removePart(view, name) {
    const bound = view.parts?.get(name);
    if (!bound) return;
    view.parts.delete(name);
    this.#release(bound);
    if (name === "header" || name === "footer") view[name] = null;
  }

  #bind(bound, item, section, shift = 0) {
    const {element} = bound;
    const isSame = bound.item === item && bound.shift === shift && bound.signature === this.#signature;
    if (isSame) return;
    const before = bound.item && bound.signature === this.#signature && bound.section !== undefined
      ? content(bound.item) : null;
    Object.assign(bound, {item, section, shift, signature: this.#signature});
    const {frame, zIndex, pinned} = item;
    element.style.zIndex = zIndex ?? (item.kind !== undefined ? -1 : bound.part ? 1 : 0);
    if (pinned) this.#pin(bound, section);
    else {
      style(element, {position: "absolute", margin: "0px"});
      place(element, {...frame, x: frame.x + shift});
    }
    if (before !== content(item)) this.#render(bound);
  }

  // A sticky box, with its margin, stays in its section: so a footer stays below a pinned header.
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
      left: "auto", right: "auto", top: "auto", bottom: "auto",
      [isX ? isEnd ? "right" : "left" : isEnd ? "bottom" : "top"]: "0px",
    });
  }

  #drawParts(view) {
    const {section} = view;
    const {header, footer, decorations = []} = section;
    view.parts ??= new Map();
    style(view.element, header?.pinned || footer?.pinned
      ? {display: "grid", gridTemplate: "minmax(0px, 1fr) / minmax(0px, 1fr)"} : {display: "block"});
    const draw = (name, item, type) => {
      let bound = view.parts.get(name);
      const kind = typeof name === "number" ? "decoration" : name;
      if (bound && (!item || bound.pool !== `${kind} ${type}`)) {
        this.#removePart(view, name);
        bound = null;
      }
      if (!item) return null;
      if (!bound) {
        bound = this.#take(type, kind);
        bound.part = kind;
        view.parts.set(name, bound);
        view.element.append(bound.element);
      }
      if (kind === "decoration") {
        attribute(bound.element, "data-kind", type);
        attribute(bound.element, "aria-hidden", "true");
      } else if (kind === "header") {
        attribute(bound.element, "role", "heading");
        attribute(bound.element, "aria-level", 2);
      }
      this.#bind(bound, item, section);
      return bound.element;
    };
    for (let place = decorations.length; place < view.decorations.length; place++) draw(place, null);
    view.decorations = decorations;
    const backdrops = decorations.map((one, place) => draw(place, one, one.kind));
    view.header = draw("header", header, header?.type);
    view.footer = draw("footer", footer, footer?.type);
    arrange(view.element, [...backdrops, view.header, view.list, view.footer].filter(Boolean), this.#active);
  }

  #render(bound) {
    const {element, item, section} = bound;
    const type = item.type ?? item.kind;
    const draw = cells[type] ?? cells["*"];
    try {
      if (draw) draw(element, item, section);
      else if (item.kind === undefined) this.#renderDefault(element, item);
    } catch (error) {
      element.replaceChildren();
      reportError(error);
      this.#send("failed", {section: section.id ?? section.index, item: item.id});
    }
  }

  #renderDefault(element, item) {
    const {type, parts, data} = item;
    if (parts) this.#loadLibrary();
    const boxes = parts && this.#types[type];
    if (!boxes) {
      const {title, name, text, label} = data ?? {};
      element.style.overflow = "hidden";
      element.textContent =
        [title, name, text, label].find((one) => typeof one === "string") ?? type;
      return;
    }
    element.replaceChildren(...Object.entries(parts).flatMap(([name, part]) => {
      const box = boxes.get(name);
      return box && !box.column && !box.row && !box.overlay
        ? [this.#part(box, part, data)] : [];
    }));
  }

  #part(box, {frame, lines, truncated}, data) {
    const value = box.image !== undefined && valueAt(data, box.image);
    const isImage = typeof value === "string" && isAddress(value);
    const element = isImage ? document.createElement("img") : make("part");
    element.className = "part";
    element.dataset.name = box.name;
    style(element, {position: "absolute"});
    place(element, frame);
    if (isImage) {
      Object.assign(element, {loading: "lazy", alt: "", src: value});
      style(element, {objectFit: "cover"});
      element.onerror = () => style(element, {visibility: "hidden"});
    } else if (box.text !== undefined) {
      element.textContent = textAt(data, box.text);
      const font = this.#fonts[box.font];
      const scale = font?.scales ? this.#tree.viewport.textScale ?? 1 : 1;
      style(element, {
        overflow: "hidden", whiteSpace: "pre-line", fontKerning: "normal", fontSynthesis: "none",
        overflowWrap: box.overflow === "clip" ? "normal" : "anywhere",
        wordBreak: box.hangul === "word" ? "keep-all" : "normal",
      });
      if (truncated) {
        style(element, {display: "-webkit-box", webkitLineClamp: lines, webkitBoxOrient: "vertical"});
      }
      if (font) {
        const [{weight, italic} = {}] = font.families;
        style(element, {
          fontFamily: font.families.map(({family}) => JSON.stringify(family)).join(", "),
          fontSize: `${font.size * scale}px`, lineHeight: `${font.lineHeight * scale}px`,
          letterSpacing: `${font.letterSpacing * scale}px`, fontWeight: weight ?? "",
          fontStyle: italic ? "italic" : "normal",
          fontFeatureSettings: (font.features ?? []).map((one) => {
            const [tag, value = 1] = one.split("=");
            return `"${tag}" ${value}`;
          }).join(", "),
        });
      }
    }
    return element;
  }

  async #loadLibrary() {
    if (this.#library) return;
    const screen = this.#screen;
    this.#library = screen;
    try {
      const {cellTypes, fonts} = await (await screen.request("/v1/catalog/cells")).json();
      if (this.#screen !== screen) return;
      for (const {families} of Object.values(fonts)) {
        for (const {family, weight, italic, file} of families.filter((one) => one.file)) {
          const bytes = await (await screen.request(file)).arrayBuffer();
          const face = new FontFace(family, bytes, {
            weight: `${weight ?? "normal"}`, style: italic ? "italic" : "normal",
          });
          document.fonts.add(await face.load());
        }
      }
      this.#fonts = fonts;
      this.#types = Object.assign(Object.create(null), Object.fromEntries(
        Object.entries(cellTypes).map(([type, one]) => [type, namedBoxes(one.content)])));
      this.#signature += " ";
      for (const view of this.#views.values()) view.section = null;
      this.#draw();
    } catch (problem) {
      if (problem.status !== 404) this.#emit("problem", problem);
    }
  }

  #prepareList(view) {
    const {section, list} = view;
    const {scroll, frame} = section;
    view.carousel = scroll ? Carousel.of(section, this.#tree) : null;
    view.copies = view.carousel?.copies ?? 1;
    view.axis = scroll ? axisOf(true, this.#tree.viewport.direction === "rtl", frame.width) : null;
    attribute(list, "dir", view.axis?.isMirrored ? "rtl" : null);
    const rests = view.carousel || (scroll && !/^(none|continuous)$/.test(scroll.behavior));
    style(list, scroll ? {
      overflowX: "auto", overflowY: "hidden", scrollSnapType: rests ? "x mandatory" : "none",
      overscrollBehaviorX: "contain", scrollbarWidth: "none",
    } : {overflowX: "visible", overflowY: "visible", scrollSnapType: "none"});
    view.offsets = rests ? this.#restingOffsets(view) : [];
    if (scroll) {
      view.end ??= make("end", true);
      const width = view.carousel?.contentLength ?? scroll.contentSize.width;
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
    return Array.from({length: carousel.pageCount * carousel.copies}, (_, page) =>
      carousel.release(first + page * carousel.pageLength, 0));
  }

  #drawSnaps(view, low, high) {
    const {offsets, snaps, list, axis} = view;
    const wanted = new Set();
    for (let place = firstAbove(offsets, low); place < offsets.length && offsets[place] < high; place++) {
      wanted.add(offsets[place]);
    }
    for (const [offset, snap] of snaps) {
      if (wanted.has(offset)) continue;
      snap.remove();
      snaps.delete(offset);
    }
    for (const offset of wanted) {
      if (snaps.has(offset)) continue;
      const snap = make("snap", true);
      const x = axis.isMirrored ? axis.total - offset - 1 : offset;
      place(snap, {x, y: 0, width: 1, height: 1});
      style(snap, {scrollSnapAlign: "start", visibility: "hidden"});
      snaps.set(offset, snap);
      list.append(snap);
    }
  }

  #listOffset({list}) { return Math.abs(list.scrollLeft); }

  #scrollList(view, offset, behavior = "instant") {
    const {list, axis} = view;
    this.#drawSnaps(view, offset - axis.total, offset + 2 * axis.total);
    list.scrollTo({left: axis.isMirrored ? -offset : offset, behavior});
  }

  #listScrolled(view) {
    this.#draw();
    clearTimeout(view.restTimer);
    view.restTimer = setTimeout(() => {
      const target = view.element.contains(document.activeElement)
        ? null : view.carousel?.remap(this.#listOffset(view)) ?? null;
      if (target !== null) {
        this.#scrollList(view, target);
        this.#draw();
      }
      this.#roll(view, view.section.paging?.autoRollingTimeInterval);
    }, 120);
  }

  #roll(view, seconds) {
    clearTimeout(view.rollTimer);
    const {paging} = view.section;
    if (!view.carousel || !paging.isEnabled || !paging.isAutoRolling) return;
    const interval = seconds > 0 ? seconds : 3;
    view.rollTimer = setTimeout(() => {
      const isHeld = this.hasAttribute("passive") || document.hidden
        || view.element.matches(":hover, :focus-within")
        || matchMedia("(prefers-reduced-motion: reduce)").matches;
      const target = isHeld ? null : view.carousel.step(1, this.#listOffset(view));
      if (target !== null) this.#scrollList(view, target, "smooth");
      this.#roll(view, paging.autoRollingTimeInterval);
    }, interval * 1_000);
  }

  #setTabStop(view) {
    const {items, key} = view;
    const own = [...items.values()].filter(({copy}) => !copy);
    const isPassive = this.hasAttribute("passive");
    const stop = own.find(({element}) => element.contains(document.activeElement))
      ?? own.find(({item}) => item.id === this.#current.get(key)) ?? own[0];
    for (const bound of own) {
      attribute(bound.element, "tabindex", isPassive ? null : bound === stop ? 0 : -1);
    }
  }

  reveal(section, item, {focus = true} = {}) {
    const index = this.#tree?.sections.findIndex(({id}) => id === section) ?? -1;
    const place = this.#tree?.sections[index]?.items.findIndex(({id}) => id === item) ?? -1;
    if (place < 0) return false;
    this.#revealAt(index, place, focus);
    return true;
  }

  #revealAt(index, place, focus) {
    const section = this.#tree.sections[index];
    const item = section.items[place];
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
    const view = this.#views.get(this.#keys[index]);
    if (!view) return;
    if (view.axis) {
      const {width} = section.frame;
      const at = this.#listOffset(view);
      const from = startOf(item.frame, view.axis);
      const to = at + distance(from, item.frame.width, at, width);
      const rests = view.offsets.filter((rest) =>
        rest <= from + 0.5 && rest + width >= from + item.frame.width - 0.5);
      const away = (rest) => Math.abs(rest - to);
      if (to !== at) {
        this.#scrollList(view, rests.sort((one, other) => away(one) - away(other))[0] ?? to);
      }
      this.#draw();
    }
    this.#current.set(view.key, item.id);
    this.#setTabStop(view);
    const element = view.items.get(item.id)?.element;
    if (focus && element) {
      if (!element.hasAttribute("tabindex")) element.tabIndex = -1;
      element.focus({preventScroll: true});
    }
  }

  #target(key, {index}, section) {
    const {items} = section;
    const isMirrored = this.#tree.viewport.direction === "rtl";
    const {frame} = items[index];
    const step = {ArrowRight: isMirrored ? -1 : 1, ArrowLeft: isMirrored ? 1 : -1}[key];
    if (key === "Home") return 0;
    if (key === "End") return items.length - 1;
    if (step) return items[index + step] ? index + step : null;
    const down = {ArrowDown: 1, ArrowUp: -1}[key];
    if (!down || section.scroll) return null;
    const away = (place) => {
      const {x, width} = items[place].frame;
      return Math.abs(x + width / 2 - frame.x - frame.width / 2);
    };
    let best = null;
    for (let place = index + down; items[place]; place += down) {
      const {y, height} = items[place].frame;
      if (down > 0 ? y < frame.y + frame.height - 0.5 : y + height > frame.y + 0.5) continue;
      if (best !== null && Math.abs(y - items[best].frame.y) > height) break;
      if (best === null || away(place) < away(best)) best = place;
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
    if (this.hasAttribute("passive") || !bound.view) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#select(bound);
      return;
    }
    const place = this.#target(event.key, bound, bound.view.section);
    if (place === null) return;
    event.preventDefault();
    this.#revealAt(this.#keys.indexOf(bound.view.key), place, true);
  }

  #clicked(event, bound) {
    const action = event.target.closest("[data-action]");
    if (action && bound.element.contains(action)) {
      const {section, item} = bound;
      const sent = {type: "action", name: action.dataset.action, section: section.id ?? section.index};
      if (item.id !== undefined) sent.item = item.id;
      if (action.dataset.input !== undefined) sent.input = JSON.parse(action.dataset.input);
      this.#screen.send(sent).catch((problem) => this.#emit("problem", problem));
    } else if (bound.view && !bound.element.contains(event.target.closest(controls))) {
      this.#select(bound);
    }
  }

  #select({item, section, element}) {
    if (item.can && !item.can.includes("select")) return;
    const detail = {item, section, element};
    const event = new CustomEvent("select", {detail, bubbles: true, cancelable: true});
    if (element.dispatchEvent(event)) {
      this.#send("select", {section: section.id ?? section.index, item: item.id});
    }
  }

  #send(type, members) {
    const names = this.getAttribute("report")?.split(/\s+/) ?? [];
    if (names.includes(type)) this.#screen.send({type, ...members});
  }

  #note(view, low, length, shown) {
    if (!this.hasAttribute("report")) return;
    const {section, axis} = view;
    const own = this.#own(section);
    const at = axis && this.#listOffset(view);
    const isIn = (from, span, start, size) => from < start + size && from + span > start;
    for (const {item, copy} of view.items.values()) {
      const {frame} = item;
      const x = axis && startOf(frame, axis) + copy * (view.carousel?.copyLength ?? 0);
      if (isIn(startOf(frame, own), lengthOf(frame, own), low, length)
        && (!axis || isIn(x, frame.width, at, section.frame.width))) {
        shown.set(JSON.stringify([view.key, item.id]), {
          section: section.id ?? section.index, item: item.id,
        });
      }
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
