// Follows a screen of a Broadsheet daemon: docs/web.md. Without a DOM; imports nothing.

/** The version of this file, which is that of the daemon that serves it. */
export const version: string;

/**
 * A rectangle in points, in the coordinates of its parent: of the content for a section, of the
 * section for what is in it, and of the item, header or footer for a part.
 */
export interface Frame {
  /** The distance of the left edge from that of the parent. */
  x: number;
  /** The distance of the top edge from that of the parent. */
  y: number;
  /** The width. */
  width: number;
  /** The height. */
  height: number;
}

/** A size in points. */
export interface Size {
  /** The width. */
  width: number;
  /** The height. */
  height: number;
}

/** A part of a cell whose type has a content (docs/catalog.md, "Contents"). */
export interface Part {
  /** The frame, in the coordinates of the item, header or footer. */
  frame: Frame;
  /** The number of lines, if the part is a text. */
  lines?: number;
  /** Whether the type's maximum of lines cuts the text; absent means false. */
  truncated?: boolean;
  /** The URL of an image with a template, for the pixels of its frame. */
  url?: string;
}

/** A header or a footer of a section. */
export interface View {
  /** The cell type. */
  type: string;
  /** The frame at which it is before it is pinned. */
  frame: Frame;
  /** The place above or below what overlaps it (G8); absent means 1. */
  zIndex?: number;
  /** Whether it stays in view as long as its section is (D5, D6); absent means false. */
  pinned?: boolean;
  /** The parts by their names, in the order of drawing, if the type has a content. */
  parts?: Record<string, Part>;
  /** The data that was posted; absent with `fields=frames`. */
  data?: any;
}

/** An item of a section. */
export interface Item {
  /** The id, which is unique in the section. */
  id: string;
  /** The cell type. */
  type: string;
  /** The gestures that the item takes, such as `select`; absent means any. */
  can?: string[];
  /** The frame. */
  frame: Frame;
  /** The place above or below what overlaps it (G8); absent means 0. */
  zIndex?: number;
  /** The frame of the line that separates a row of a list from the next one (L6), if it has one. */
  separator?: Frame;
  /** The number of lines of the text that the size depends on, if there is such a text. */
  lines?: number;
  /** Whether the type's maximum of lines cuts that text; absent means false. */
  truncated?: boolean;
  /** The parts by their names, in the order of drawing, if the type has a content. */
  parts?: Record<string, Part>;
  /** The data that was posted; absent with `fields=frames`. */
  data?: any;
}

/** A decoration of a section. */
export interface Decoration {
  /** The kind, by which a client draws it. */
  kind: string;
  /** The frame. */
  frame: Frame;
  /** The place above or below what overlaps it (G8); absent means -1. */
  zIndex?: number;
  /** The data of the layout, if it has some. */
  data?: any;
}

/** The configuration and the lengths of a section that turns pages (docs/layout.md, "P. Carousel paging"). */
export interface Paging {
  /** Whether the section turns pages at all; true unless the layout says otherwise. */
  isEnabled: boolean;
  /** Whether a page at rest is centred in the viewport; false unless the layout says otherwise. */
  isAlignCenter: boolean;
  /**
   * Whether a step past an end continues at the other (P9); false unless the layout says otherwise.
   */
  isLooping: boolean;
  /**
   * Whether the items are repeated, so that scrolling never reaches an end (P1, P10); false unless
   * the layout says otherwise.
   */
  isInfinitePage: boolean;
  /** Whether the pages turn automatically (P11); false unless the layout says otherwise. */
  isAutoRolling: boolean;
  /**
   * The seconds between two automatic turns (P11), above 0 and at most 600; 3 unless the layout says
   * otherwise.
   */
  autoRollingTimeInterval: number;
  /** The distance from the start of one page to the start of the next (P3). */
  pageLength: number;
  /** The number of pages, without copies. */
  pageCount: number;
  /** The least offset (P6). */
  minOffset: number;
  /** The greatest offset (P6). */
  maxOffset: number;
  /** The offset at which the carousel starts (P7). */
  initialOffset: number;
  /** The offset at which the last page rests (P7). */
  finalOffset: number;
  /**
   * The number of times that a client shows the items, which are listed once (P1): 1, or an odd
   * number from 3 to 33.
   */
  copies: number;
}

/** The scroller of a section that scrolls sideways (C10). */
export interface Scroll {
  /** The axis. */
  axis: "horizontal";
  /** The behavior at rest, as the layout names it, such as `continuous` or `groupPaging`. */
  behavior: string;
  /** The size of the scroller's content. */
  contentSize: Size;
  /** The offsets at which it may rest, ascending, from the edge at which reading starts (R6). */
  snapOffsets: number[];
  /** The offset at which it starts, from the same edge. */
  initialOffset: number;
}

/** A section of a tree. */
export interface Section {
  /** The id; null without one. */
  id: string | null;
  /** The index among the sections of this tree. */
  index: number;
  /** In a window, the index in the whole tree of the section's first item here. */
  firstItem?: number;
  /** In a window, the number of the section's items in the whole tree. */
  itemCount?: number;
  /** The frame, in the coordinates of the content. */
  frame: Frame;
  /** Whether the section is shown without its items. */
  collapsed: boolean;
  /** The header, if the section has one. */
  header?: View;
  /** The items, in reading order; in a window, those that it has. */
  items: Item[];
  /** The footer, if the section has one. */
  footer?: View;
  /** The decorations, if the section has some. */
  decorations?: Decoration[];
  /** The scroller, if the section scrolls sideways. */
  scroll?: Scroll;
  /** The configuration and the lengths of its pages, if the section turns pages. */
  paging?: Paging;
  /** The data that was posted with the section, if there is some. */
  data?: any;
}

/** The place of a window in the tree of all pages (docs/api.md, "Windows"). */
export interface WindowPlace {
  /** The id of the anchor's section; null without one, and without an anchor. */
  section: string | null;
  /** The id of the anchor; null in a tree without items. */
  item: string | null;
  /** The x or y of the anchor's frame in the content; 0 without an anchor. */
  origin: number;
  /** The index in the whole tree of the first section here. */
  firstSection: number;
  /** The length of the window before the anchor's start. */
  before: number;
  /** The length of the window after the anchor's end. */
  after: number;
}

/** The distances in points that the device covers (G9). */
export interface SafeArea {
  /** The distance at the top. */
  top: number;
  /** The distance at the left. */
  left: number;
  /** The distance at the bottom. */
  bottom: number;
  /** The distance at the right. */
  right: number;
}

/** The viewport of a layout. */
export interface Viewport {
  /** The width in points. */
  width: number;
  /** The height in points. */
  height: number;
  /** The number of pixels of a point. */
  scale: number;
  /** The direction of reading. */
  direction: "ltr" | "rtl";
  /** The scale of texts; absent means 1. */
  textScale?: number;
  /** The safe area, if the request has one. */
  safeArea?: SafeArea;
}

/** A diagnostic: what was dropped or is unusual, and where (docs/api.md, "The tree"). */
export interface Diagnostic {
  /** The code. */
  code: string;
  /** The number of the page; null if it is of no page. */
  page: number | null;
  /** The JSON Pointer into that page. */
  pointer: string;
  /** The explanation. */
  detail: string;
}

/** A tree, as `GET …/layout` returns it (docs/api.md). It may have members that are not here. */
export interface Tree {
  /** The name of the screen; absent in a composition without a screen. */
  screen?: string;
  /** The revision of this tree; absent in a composition without a screen. */
  revision?: number;
  /** The number of the highest page in the tree. */
  page: number;
  /** The number of pages in the tree. */
  pageCount: number;
  /** Whether something follows: a higher page, or in a window an item or a section. */
  hasNext: boolean;
  /** The token of the next page, if and only if `hasNext` is true; never in a composition. */
  nextPageToken?: string;
  /** Whether something precedes. It is always there in a window; absent means false. */
  hasPrevious?: boolean;
  /** The token of the previous page, in a window with `hasPrevious`. */
  previousPageToken?: string;
  /** The place of a window; absent in any other tree. */
  window?: WindowPlace;
  /** The viewport of the layout. */
  viewport: Viewport;
  /** The size of the content; in a window that of the whole tree. */
  contentSize: Size;
  /** The sections, in reading order; in a window, those that it has. */
  sections: Section[];
  /** The diagnostics; empty in a window. */
  diagnostics?: Diagnostic[];
  [member: string]: any;
}

/** A document of changes (docs/changes.md). */
export interface Changes {
  /** The name of the screen; absent in a comparison of posted pages. */
  screen?: string;
  /** The revision of the request, and the highest page of the tree that the client has. */
  from: { revision?: number; page?: number };
  /** The revision, the highest page and the entity tag of the new tree. */
  to: { revision?: number; page?: number; tag?: string };
  /** Whether `tree` is the whole new tree, and all that follows it is absent. */
  reset: boolean;
  /** All members of the new tree before its sections, and its diagnostics if they differ. */
  tree: any;
  /** The batch updates, at most three. */
  stages?: any[];
  /** The index of each section with other members than before, and these members. */
  sections?: any[];
  /** The runs of items with other frames than before. */
  frames?: any[];
}

/** A violation of a contract, in a problem. */
export interface Violation {
  /** The JSON Pointer into the content of the request. */
  pointer: string;
  /** The explanation. */
  detail: string;
}

/** A problem: an HTTP error response (docs/api.md, "Errors"), or none at all. */
export class Problem extends Error {
  /**
   * Creates a problem from its document, of which it has all members. `message` is the `detail` of
   * the document; empty without one.
   *
   * @param retryAfter The seconds of `Retry-After`.
   */
  constructor(document: object, retryAfter?: number);
  /** The status; 0 without a response. */
  status: number;
  /** The code of the document, else `HTTP_` and the status, `NETWORK` for 0. */
  code: string;
  /** The violations; none by default. */
  errors: Violation[];
  /** The seconds after which the same request may succeed, if the response has them. */
  retryAfter?: number;
  [member: string]: any;
}

/**
 * Returns the tree that changes lead to. Both arguments stay as they are, and each section and item
 * that did not change is the same object as before, so that views compare by identity. It takes a
 * time proportional to the changes and the number of items in the sections that they touch.
 *
 * @throws RangeError if an index does not fit the tree: request the whole tree.
 */
export function applyChanges(tree: Tree, changes: Changes): Tree;

/** An event of a stream. */
export interface StreamEvent {
  /** The type; `message` without a field `event`. */
  type: string;
  /** The last id up to the event; empty without one. */
  id: string;
  /** The data: lines, separated by line feeds. */
  data: string;
}

/** A decoder of Server-Sent Events, as the HTML standard interprets a stream. */
export class EventDecoder {
  /** The id of the last complete event; empty before. */
  lastEventId: string;
  /** The time after which to connect again, in milliseconds; null until the stream has one. */
  retry: number | null;
  /**
   * Returns the events that these bytes complete.
   *
   * @throws RangeError for an event of more than 268,435,456 characters.
   */
  push(bytes: Uint8Array): StreamEvent[];
}

/** The configuration and the lengths of a carousel, in points along its axis. */
export interface CarouselLengths {
  /** Whether a page at rest is centred in the viewport; false by default. */
  isAlignCenter?: boolean;
  /** Whether a step past an end continues at the other (P9); false by default. */
  isLooping?: boolean;
  /** The number of pages, without copies; 0 by default. */
  pageCount?: number;
  /** The number of times that the items are shown (P1); 1 by default. */
  copies?: number;
  /** The length of the viewport; 0 by default. */
  viewportLength?: number;
  /** The length of the scroller's content, with all copies; 0 by default. */
  contentLength?: number;
  /** The length of an item; 0 by default. */
  itemLength?: number;
  /** The space between two items; 0 by default. */
  lineSpacing?: number;
  /** The insets of the client's own scroller at the start and the end; 0 by default. */
  contentInset?: [number, number];
  /** The insets of the section at the start and the end; 0 by default. */
  sectionInset?: [number, number];
}

/** The movement of a carousel: rules P3 to P10 of docs/layout.md. Every result is finite. */
export class Carousel {
  /** Creates a carousel. Numbers that are not finite count as 0. */
  constructor(lengths?: CarouselLengths);
  /**
   * Returns the carousel of a section, by the table of docs/client.md; null without `paging` or
   * without items. Frames are in section coordinates, the default.
   */
  static of(section: Section, tree: Tree): Carousel | null;
  /** Whether a page at rest is centred in the viewport. */
  readonly isAlignCenter: boolean;
  /** Whether a step past an end continues at the other (P9). */
  readonly isLooping: boolean;
  /** The number of pages, without copies; not below 0. */
  readonly pageCount: number;
  /** The number of times that the items are shown (P1); not below 1. */
  readonly copies: number;
  /** The length of the viewport. */
  readonly viewportLength: number;
  /** The length of the scroller's content, with all copies. */
  readonly contentLength: number;
  /** The length of an item. */
  readonly itemLength: number;
  /** The space between two items. */
  readonly lineSpacing: number;
  /** The insets of the client's own scroller at the start and the end. */
  readonly contentInset: [number, number];
  /** The insets of the section at the start and the end. */
  readonly sectionInset: [number, number];
  /** The distance from the start of one page to the start of the next (P3). */
  readonly pageLength: number;
  /** The length of the pages, without the section's insets (P3). */
  readonly sectionLength: number;
  /** The space on either side of a centred page (P3). */
  readonly slack: number;
  /** The index of the last page, perhaps with a fraction (P4). */
  readonly lastPage: number;
  /** The least offset (P6). */
  readonly minOffset: number;
  /** The greatest offset (P6). */
  readonly maxOffset: number;
  /** The offset at which the carousel starts (P7). */
  readonly initialOffset: number;
  /** The offset at which the last page rests (P7). */
  readonly finalOffset: number;
  /** The distance from an item in one copy to the same item in the next (P10). */
  readonly copyLength: number;
  /** Returns the index of the page at an offset (P5). */
  pageIndex(offset: number): number;
  /**
   * Returns the offset that a drag leads to, from `initialOffset` to `finalOffset`; the velocity is
   * in points per millisecond (P8).
   */
  release(offset: number, velocity: number): number;
  /** Returns the offset of a step; null if the carousel stays where it is (P9). */
  step(pages: number, offset: number): number | null;
  /** Returns the same place in the middle copy; null if the carousel stays where it is (P10). */
  remap(offset: number): number | null;
}

/** The state of a screen: not followed, without a tree yet, up to date, after a problem that may
 * pass, after one that does not. */
export type Status = "closed" | "connecting" | "live" | "waiting" | "failed";

/** A change of the tree, the status or the problem of a screen. */
export interface Update {
  /** The tree after the update; null without one. */
  tree: Tree | null;
  /** The tree before the update: the same one, if only the status or the problem changed. */
  previous: Tree | null;
  /** The changes from `previous` to `tree`; null if the tree is another one, or the same. */
  changes: Changes | null;
  /** The status after the update. */
  status: Status;
  /** The last problem; null once live. */
  problem: Problem | null;
}

/**
 * A function that gets a reader's token (docs/web.md, "Keys and tokens"), which is sent as
 * `Authorization: Bearer`. Screens with the same function share its token. It is called before the
 * first request, after a 401 with its problem, and early, so that a stream goes on with the next
 * token before the one it has expires.
 */
export type RequestToken = (problem?: Problem) => string | Promise<string>;

/** The fields of requests, or a function that returns them. It is called before every request, and
 * once more with the problem after a 401; then the request is sent again at once. */
export type RequestHeaders = HeadersInit
  | ((problem?: Problem) => HeadersInit | Promise<HeadersInit>);

/** An event that a client reports (docs/api.md, "Events of clients"). */
export interface ClientEvent {
  /** The type, such as `select`, `willDisplay`, `pageDidAppear` or `action`. */
  type: string;
  /** The id of the section, or its index; required beside `item` and `view`. */
  section?: string | number;
  /** The id of the item, or its index; required for events of items. */
  item?: string | number;
  /** The header or the footer of the section, in place of an item. */
  view?: "header" | "footer";
  /** The number of the page; required for events of pages. */
  page?: number;
  /** The name of the action; required for `action`. */
  name?: string;
  /** The values for the action: any JSON of at most 4,096 bytes. */
  input?: any;
  /** The revision of the tree that the client has; that of `tree` by default. */
  revision?: number;
  /** The time of the event, in seconds since 1970; the time of `send` by default. */
  at?: number;
}

/** The response to an action. */
export interface Accepted {
  /** The number of events that were sent together. */
  accepted: number;
  /** The revision of the screen after them. */
  revision: number;
  /** The events of these that mean nothing, if there are any, such as `UNKNOWN_ACTION`. */
  diagnostics?: { code: string; pointer: string; detail: string }[];
}

/** The options of a screen. */
export interface ScreenOptions {
  /** The fields of its requests; none by default. */
  headers?: RequestHeaders;
  /** The function that gets the token of the reader; none by default. */
  token?: RequestToken;
  /** The function that sends requests; the global `fetch` by default. */
  fetch?: typeof globalThis.fetch;
  /** The signal that closes the screen when it is aborted; none by default. */
  signal?: AbortSignal;
}

/** One screen, followed. */
export class Screen {
  /**
   * Creates a screen, which makes no request before the first subscriber.
   *
   * @param url The URL of the screen, such as `https://host/v1/screens/home?client=web/5.2`. Its
   *   query has the parameters of every layout. With `item`, `section` or `edge` the screen follows
   *   a window: these, `before` and `after` go with the first request only, and again if the daemon
   *   does not know the window any more.
   * @param options The options of the screen; each has a default.
   */
  constructor(url: string, options?: ScreenOptions);
  /** The URL as it was given. */
  readonly url: string;
  /** The tree, which is replaced and never changed; null until there is one. */
  readonly tree: Tree | null;
  /** The status. */
  readonly status: Status;
  /** The last problem; null once live. */
  readonly problem: Problem | null;
  /**
   * Calls a function with all that is new from now on, and returns the function that ends this.
   * The first subscriber starts following, and without one the screen is closed. The tree and its
   * place in the stream stay, so that the next subscriber resumes.
   */
  subscribe(listener: (update: Update) => void): () => void;
  /**
   * Sets parameters of the layout; null takes one back to that of the url, an array repeats one.
   * The tree is requested again up to the page that it has, and stays until then; a window around
   * the anchor that it has, unless `item`, `section` or `edge` are others. Equal values do nothing.
   */
  set(parameters: Record<string, string | number | boolean | (string | number)[] | null>): void;
  /**
   * Notes the offset along the main axis: x if the content is wider than the viewport, else y. The
   * next page is loaded when it is due (P12), also again after each page.
   *
   * In a window the offset is measured from the start of what the window has, and `length` is the
   * length of that; without it no page is loaded. The previous page is due if the offset is below
   * three lengths of the viewport, and at most a quarter of `before` and `after` together; so is the
   * next one that near the end. After each tree of a window call it again.
   *
   * @param length The length of the content; by default that of `contentSize`.
   */
  scrolled(offset: number, length?: number): void;
  /** Loads the next page, and resolves to whether a page came. */
  loadNextPage(): Promise<boolean>;
  /**
   * Loads the previous page of a window, and resolves to whether a page came. While the next page
   * is loading it does nothing, and resolves with that one; `loadNextPage` does the same.
   */
  loadPreviousPage(): Promise<boolean>;
  /**
   * Loads the tree again, up to the page that it has: pages on demand are requested from their origin
   * again. What has changed comes as changes, and the tree stays meanwhile; without a tree, waiting
   * ends. While a page is loading it comes after that.
   *
   * @returns Whether it was loaded; false without a subscriber. A problem is also that of an update.
   */
  reload(): Promise<boolean>;
  /**
   * Sends an event; `revision` and `at` are filled in. An action is sent in the same microtask with
   * all others of it, once: the promise resolves to the response, or rejects with the Problem. All
   * else is collected for a second and sent again after problems that may pass, at most 1,000 events
   * of which the oldest are dropped first; the promise resolves at once.
   */
  send(event: ClientEvent): Promise<Accepted | void>;
  /** Sends the collected events now. */
  flush(): Promise<void>;
  /**
   * Requests a path of the same daemon, such as `/v1/catalog/cells`, with the headers of the screen.
   *
   * @throws Problem
   */
  request(path: string): Promise<Response>;
  /** Ends any waiting; a connection that was silent for 20 s is made again. */
  wake(): void;
  /** Ends everything, and all subscriptions; events are sent first. */
  close(): void;
}
