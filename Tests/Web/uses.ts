// A program that uses the modules as an app does: its types are checked, and it never runs.

import {
  applyChanges, Carousel, EventDecoder, Problem, Screen, version,
  type ClientEvent, type Item, type Section, type Status, type Tree, type Update,
} from "../../Sources/BroadsheetWeb/client.js";
import {
  BroadsheetScreen, cells, drawParts, parts, states, type Selection,
} from "../../Sources/BroadsheetWeb/element.js";

const release: string = version;

const screen = new Screen("https://host/v1/screens/home?client=web/5.2", {
  headers: async (problem) => ({"X-Release": problem?.status === 401 ? "new" : release}),
  token: async (problem) => problem?.code ?? "t",
  fetch: (input, init) => fetch(input, init),
  signal: new AbortController().signal,
});
// @ts-expect-error: a screen's tree is replaced by the screen alone.
screen.tree = null;
// @ts-expect-error: a URL is a text.
new Screen(new URL("https://host/v1/screens/home"));

const end: () => void = screen.subscribe((update: Update) => {
  const {tree, previous, changes, status, problem} = update;
  const known: Status = status;
  // @ts-expect-error: there may be no tree yet.
  tree.sections;
  if (previous && changes) applyChanges(previous, changes).sections.forEach(draw);
  if (known === "failed" && problem) {
    console.error(problem.code, problem.retryAfter ?? 0, problem.errors[0]?.pointer);
  }
  // @ts-expect-error: no such status.
  if (status === "open") end();
  console.log(tree?.contentSize.height, tree?.window?.origin, tree?.hasPrevious);
});

function draw(section: Section): void {
  const title: string | undefined = section.header?.data?.title;
  const items: Item[] = section.items;
  console.log(section.firstItem ?? 0, section.itemCount ?? items.length);
  for (const {id, frame, parts, truncated} of items) {
    console.log(id, frame.x + frame.width, parts?.title?.lines, parts?.title?.frame.y, truncated, title);
  }
}

screen.set({width: 800, flags: ["new", "dense"], textScale: null, pretty: false});
// @ts-expect-error: the value of a parameter is a text, a number or a flag.
screen.set({viewport: {width: 800}});
screen.scrolled(120.5);
screen.scrolled(120.5, 8_000);
const came: Promise<boolean> = screen.loadNextPage();
const cameBefore: Promise<boolean> = screen.loadPreviousPage();
const event: ClientEvent = {type: "action", name: "like", section: "Feed", item: "a", input: {count: 1}};
const sent: Promise<{accepted: number; revision: number} | void> = screen.send(event);
const catalog: Promise<unknown> = screen.request("/v1/catalog/cells").then((response) => response.json());
screen.wake();
const reloaded: Promise<boolean> = screen.reload();
void reloaded;
void Promise.all([came, sent, catalog, screen.flush()]).then(() => screen.close());

const decoder = new EventDecoder();
for (const {type, id, data} of decoder.push(new Uint8Array([58, 10]))) console.log(type, id, data);
const pause: number | null = decoder.retry;
console.log(decoder.lastEventId, pause);

declare const tree: Tree;
const carousel: Carousel = Carousel.of(tree.sections[0], tree)
  ?? new Carousel({pageCount: 3, contentInset: [0, 8]});
const offset: number = carousel.release(carousel.initialOffset, 0.5);
const next: number | null = carousel.step(1, offset) ?? carousel.remap(offset);
console.log(carousel.pageIndex(next ?? carousel.maxOffset), carousel.copyLength);

const failure: Error = new Problem({status: 404, code: "SCREEN_NOT_FOUND"}, 5);
console.error(failure.message);

cells.Restaurant = (element, item, section) => {
  element.textContent = `${item.data.name} (${section.id})`;
};
// @ts-expect-error: a cell is drawn by a function.
cells.Offer = "<b>";

cells.Product = (element, item) => {
  const {photo, like} = drawParts(element, item);
  photo.title = item.data.title;
  like?.setAttribute("aria-label", "Like");
};
parts["Product.like"] = (element, item, section) => {
  element.textContent = `${item.data.likes} in ${section.id}`;
};
// @ts-expect-error: a part is drawn by a function.
parts["Product.price"] = 1;
states.offline = (element, problem, screen) => {
  element.textContent = problem?.code ?? "";
  element.onclick = () => screen.wake();
};
states.image = (element, item) => { element.textContent = item.data.title[0]; };

const shown: BroadsheetScreen | null = document.querySelector("broadsheet-screen");
if (shown) {
  shown.screen = screen;
  const found: boolean = shown.reveal(null, "a", {focus: false});
  const fresh: Promise<boolean> = shown.reload();
  shown.addEventListener("itemselect", (event) => {
    const {item, section, element, view} = (event as CustomEvent<Selection>).detail;
    element.append(item.id ?? view ?? "", section.id ?? "", String(found), String(fresh));
  });
}
