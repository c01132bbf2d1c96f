// Follows a screen of a Broadsheet daemon: docs/web.md. Without a DOM; imports nothing.

/** The version of this file, which is that of the daemon that serves it. */
export const version: string;

/** A rectangle in points. */
export interface Frame { x: number; y: number; width: number; height: number }

/** A part of a cell whose type has a content. */
export interface Part { frame: Frame; lines?: number; truncated?: boolean }

/** A header or a footer of a section. */
export interface View {
  type: string;
  frame: Frame;
  zIndex?: number;
  pinned?: boolean;
  parts?: Record<string, Part>;
  data?: any;
}

/** An item of a section. */
export interface Item {
  id: string;
  type: string;
  /** The gestures that the item takes; any if it is absent. */
  can?: string[];
  frame: Frame;
  zIndex?: number;
  separator?: Frame;
  lines?: number;
  truncated?: boolean;
  parts?: Record<string, Part>;
  data?: any;
}

/** A decoration of a section. */
export interface Decoration { kind: string; frame: Frame; zIndex?: number; data?: any }

/** The configuration and the lengths of a section that turns pages. */
export interface Paging {
  isEnabled: boolean;
  isAlignCenter: boolean;
  isLooping: boolean;
  isInfinitePage: boolean;
  isAutoRolling: boolean;
  autoRollingTimeInterval: number;
  pageLength: number;
  pageCount: number;
  minOffset: number;
  maxOffset: number;
  initialOffset: number;
  finalOffset: number;
  copies: number;
}

/** The scroller of a section that scrolls sideways. */
export interface Scroll {
  axis: "horizontal";
  behavior: string;
  contentSize: { width: number; height: number };
  snapOffsets: number[];
  initialOffset: number;
}

/** A section of a tree. */
export interface Section {
  id: string | null;
  index: number;
  /** In a window, the index in the whole tree of the section's first item here. */
  firstItem?: number;
  /** In a window, the number of the section's items in the whole tree. */
  itemCount?: number;
  frame: Frame;
  collapsed: boolean;
  header?: View;
  items: Item[];
  footer?: View;
  decorations?: Decoration[];
  scroll?: Scroll;
  paging?: Paging;
  data?: any;
}

/** The place of a window in the tree of all pages (docs/api.md, "Windows"). */
export interface WindowPlace {
  section: string | null;
  item: string | null;
  origin: number;
  firstSection: number;
  before: number;
  after: number;
}

/** A tree, as `GET …/layout` returns it (docs/api.md). It may have members that are not here. */
export interface Tree {
  screen?: string;
  revision?: number;
  page: number;
  pageCount: number;
  hasNext: boolean;
  nextPageToken?: string;
  hasPrevious?: boolean;
  previousPageToken?: string;
  /** The place of a window; absent in any other tree. */
  window?: WindowPlace;
  viewport: {
    width: number; height: number; scale: number; direction: "ltr" | "rtl"; textScale?: number;
    safeArea?: { top: number; left: number; bottom: number; right: number };
  };
  contentSize: { width: number; height: number };
  sections: Section[];
  diagnostics?: { code: string; page: number | null; pointer: string; detail: string }[];
  [member: string]: any;
}

/** A document of changes (docs/changes.md). */
export interface Changes {
  screen?: string;
  from: { revision?: number; page?: number };
  to: { revision?: number; page?: number; tag?: string };
  reset: boolean;
  tree: any;
  stages?: any[];
  sections?: any[];
  frames?: any[];
}

/** A problem: an HTTP error response (docs/api.md, "Errors"), or none at all. */
export class Problem extends Error {
  /**
   * Creates a problem from its document, of which it has all members.
   *
   * @param retryAfter The seconds of `Retry-After`.
   */
  constructor(document: object, retryAfter?: number);
  /** The status; 0 without a response. */
  status: number;
  /** The code of the document, else `HTTP_` and the status, `NETWORK` for 0. */
  code: string;
  /** The violations; none by default. */
  errors: { pointer: string; detail: string }[];
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
export interface StreamEvent { type: string; id: string; data: string }

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

/** The lengths of a carousel, in points: 0 by default, `pageCount` too, `copies` 1, flags false. */
export interface CarouselLengths {
  isAlignCenter?: boolean;
  isLooping?: boolean;
  pageCount?: number;
  copies?: number;
  viewportLength?: number;
  contentLength?: number;
  itemLength?: number;
  lineSpacing?: number;
  contentInset?: [number, number];
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
  readonly isAlignCenter: boolean;
  readonly isLooping: boolean;
  readonly pageCount: number;
  readonly copies: number;
  readonly viewportLength: number;
  readonly contentLength: number;
  readonly itemLength: number;
  readonly lineSpacing: number;
  readonly contentInset: [number, number];
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
  /** Returns the offset that a drag leads to; the velocity is in points per millisecond (P8). */
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
  tree: Tree | null;
  previous: Tree | null;
  /** The changes from `previous` to `tree`; null if the tree is another one, or the same. */
  changes: Changes | null;
  status: Status;
  problem: Problem | null;
}

/** The fields of requests, or a function that returns them. It is called before every request, and
 * once more with the problem after a 401; then the request is sent again at once. */
export type RequestHeaders = HeadersInit
  | ((problem?: Problem) => HeadersInit | Promise<HeadersInit>);

/** An event that a client reports (docs/api.md, "Events of clients"). */
export interface ClientEvent {
  type: string;
  section?: string | number;
  item?: string | number;
  view?: "header" | "footer";
  page?: number;
  name?: string;
  input?: any;
  revision?: number;
  at?: number;
}

/** One screen, followed. */
export class Screen {
  /**
   * Creates a screen, which makes no request before the first subscriber.
   *
   * @param url The URL of the screen, such as `https://host/v1/screens/home?client=web/5.2`. Its
   *   query has the parameters of every layout. With `item`, `section` or `edge` the screen follows
   *   a window: these, `before` and `after` go with the first request only.
   * @param options `headers`: none by default; `fetch`: the function to call instead of the global
   *   one; `signal`: aborted, it closes the screen.
   */
  constructor(url: string, options?: {
    headers?: RequestHeaders; fetch?: typeof globalThis.fetch; signal?: AbortSignal;
  });
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
   * Sends an event; `revision` and `at` are filled in. An action is sent in the same microtask with
   * all others of it, once: the promise resolves to the response, or rejects with the Problem. All
   * else is collected for a second and sent again after problems that may pass, at most 1,000 events
   * of which the oldest are dropped first; the promise resolves at once.
   */
  send(event: ClientEvent): Promise<{ accepted: number; revision: number } | void>;
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
