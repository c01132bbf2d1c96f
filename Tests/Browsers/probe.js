// What the tests measure in the page: imported as a module by each page.

import {BroadsheetScreen} from "/element.js";

const element = () => document.querySelector("broadsheet-screen");
const isNear = (one, other) => Math.abs(one - other) < 0.05;

// Waits until a condition holds, for a minute at most.
window.until = async (condition, what = condition) => {
  const end = performance.now() + 60_000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`never: ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
};

window.frame = () => new Promise((done) => requestAnimationFrame(() => done()));

// Returns the scroller, and the part of the page that it shows.
const port = () => {
  let scroller = element();
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) {
    scroller = scroller.parentElement;
  }
  const isDocument = !scroller || scroller === document.documentElement || scroller === document.body;
  return isDocument
    ? {scroller: document.scrollingElement, top: 0, height: document.documentElement.clientHeight}
    : {scroller, top: scroller.getBoundingClientRect().top, height: scroller.clientHeight};
};
window.port = port;

// Returns the y in the content at which the first frame of a tree begins.
const startOf = ({window, hasPrevious, sections: [first]}) => !window || !hasPrevious ? 0
  : first.frame.y + (first.firstItem ? Math.min(...first.items.map(({frame}) => frame.y)) : 0);

// Checks the whole DOM against the tree, by brute force, and returns what is wrong.
window.differences = () => {
  const {tree} = element().screen;
  const wrong = [];
  const {top, height} = port();
  const content = element().querySelector(".content").getBoundingClientRect();
  const origin = startOf(tree);
  const offset = top - content.top + origin;
  const near = (start, length) => start < offset + 2 * height && start + length > offset - height;
  const isIn = (box, frame, name) => {
    const fits = isNear(box.left, frame.x) && isNear(box.top, frame.y)
      && isNear(box.width, frame.width) && isNear(box.height, frame.height);
    if (!fits) wrong.push(`${name}: ${JSON.stringify(box)}, not ${JSON.stringify(frame)}`);
  };
  const relative = (child, parent) => {
    const [inner, outer] = [child.getBoundingClientRect(), parent.getBoundingClientRect()];
    return {left: inner.left - outer.left, top: inner.top - outer.top, width: inner.width, height: inner.height};
  };
  const active = document.activeElement;
  const sections = [...element().querySelectorAll(".section")];
  const expected = tree.sections.filter(({frame}) => near(frame.y, frame.height));
  const found = sections.filter((one) => !one.contains(active) || near(
    relative(one, one.parentNode).top, one.getBoundingClientRect().height));
  const ids = (list) => JSON.stringify(list);
  if (ids(found.map((one) => one.dataset.id ?? null)) !== ids(expected.map(({id}) => id))) {
    wrong.push(`sections ${ids(found.map((one) => one.dataset.id))}, not ${ids(expected.map(({id}) => id))}`);
  }
  for (const section of expected) {
    const view = found[expected.indexOf(section)];
    if (!view) continue;
    const {frame} = section;
    isIn(relative(view, view.parentNode), {...frame, y: frame.y - origin}, `section ${section.id}`);
    if (section.scroll) continue;
    const items = section.items.filter(({frame}) => near(section.frame.y + frame.y, frame.height));
    const cells = [...view.querySelectorAll(".item:not([inert])")].filter((one) => one !== active
      || items.some(({id}) => id === one.dataset.id));
    if (ids(cells.map((one) => one.dataset.id)) !== ids(items.map(({id}) => id))) {
      wrong.push(`items ${ids(cells.map((one) => one.dataset.id))}, not ${ids(items.map(({id}) => id))}`);
      continue;
    }
    items.forEach((item, index) => {
      const cell = cells[index];
      isIn(relative(cell, view), item.frame, `item ${item.id}`);
      const position = (section.firstItem ?? 0) + section.items.indexOf(item) + 1;
      if (+cell.getAttribute("aria-posinset") !== position) {
        wrong.push(`item ${item.id} is ${cell.getAttribute("aria-posinset")}`);
      }
      const {title, name, text, label} = item.data ?? {};
      const words = [title, name, text, label].find((one) => typeof one === "string") ?? item.type;
      if (!item.parts && !window.hasOwnCells && cell.textContent !== words) {
        wrong.push(`item ${item.id}: ${cell.textContent}, not ${words}`);
      }
    });
  }
  return wrong.slice(0, 5);
};

// Notes the place of an element, by default the first item whose start is in view, in each painted
// frame until `stop`; `distance` is how far it moved.
window.watchAnchor = (selector) => {
  const {top} = port();
  const first = selector ? element().querySelector(selector)
    : [...element().querySelectorAll(".item")].filter(
      (one) => one.getBoundingClientRect().top >= top && !one.closest("[dir], [inert]"))[0];
  const id = first.dataset.id;
  const wanted = selector ?? `.item[data-id="${CSS.escape(id)}"]`;
  const places = [];
  let isOver = false;
  const note = () => {
    const item = element().querySelector(`${wanted}:not([inert])`);
    places.push(item ? item.getBoundingClientRect().top : null);
    if (!isOver) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
  return {id, distance: () => places.at(-1) - places[0], stop: () => {
    isOver = true;
    return places;
  }};
};

// What reads the layout or the styles of an element.
const readers = [
  [window, "getComputedStyle"],
  ...["getBoundingClientRect", "getClientRects", "clientWidth", "clientHeight", "clientLeft",
    "clientTop", "scrollLeft", "scrollTop", "scrollWidth", "scrollHeight"].map(
    (name) => [Element.prototype, name]),
  ...["offsetLeft", "offsetTop", "offsetWidth", "offsetHeight"].map(
    (name) => [HTMLElement.prototype, name]),
];

// Calls a function before each read, and returns the function that ends this.
const watchReads = (note) => {
  const ends = readers.map(([owner, name]) => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    const key = before.get ? "get" : "value";
    Object.defineProperty(owner, name, {...before, [key](...words) {
      note();
      return before[key].apply(this, words);
    }});
    return () => Object.defineProperty(owner, name, before);
  });
  return () => ends.forEach((end) => end());
};

// Counts the elements, and the reads and changes of the DOM while something is done.
window.counted = async (body) => {
  let changes = 0;
  let reads = 0;
  const end = watchReads(() => { reads++; });
  const observer = new MutationObserver((records) => { changes += records.length; });
  observer.observe(element(), {subtree: true, childList: true, attributes: true, characterData: true});
  await body();
  await frame();
  await frame();
  changes += observer.takeRecords().length;
  observer.disconnect();
  end();
  return {changes, reads, elements: element().querySelectorAll("*").length};
};

window.ready = true;
void BroadsheetScreen;
