// Draws a screen: docs/web.md. Imports ./client.js and nothing else.

import type { Item, Problem, Screen, Section, View } from "./client.js";

/**
 * Draws an item, a header, a footer or a decoration into its element. It is called when one is bound
 * to the element, and when its members other than `separator` and the `x` and `y` of its frame
 * differ. The element may have shown another one of the same type: set everything that is shown.
 */
export type Cell = (element: HTMLElement, item: any, section: Section) => void;

/**
 * The functions that draw cells, by the types of items, headers and footers and the kinds of
 * decorations; `"*"` draws what has none. Without `"*"` an item with `parts` is drawn by
 * `drawParts`, and any other by the first string among `title`, `name`, `text` and `label` of its
 * data, or else by its type. If one throws, the cell is empty, the error is reported by
 * `reportError`, and the others are drawn.
 */
export const cells: Record<string, Cell>;

/**
 * The functions that draw parts, by the cell type, a dot and the name: `parts["Product.like"]`. One
 * is called after the part has its frame and its own text or image, with the element of the part
 * (that of a control is a `button` or an `a`, to which no other control may be added),
 * whenever its cell is drawn. What it adds stays until the cell shows another item. If it throws, the
 * part is empty, the error is reported by `reportError`, and the others are drawn.
 */
export const parts: Record<string, Cell>;

/**
 * Draws the parts of an item, header or footer into its element, as without a function for its type:
 * an element for each name in `parts`, in their order, before what else the element has. Those that
 * are there already are kept, and only what differs changes. Before the catalog has arrived they have
 * their frames alone; then the cell is drawn again.
 *
 * @param element The element of a cell function.
 * @param item Its item.
 * @returns The elements by their names.
 */
export function drawParts(element: HTMLElement, item: any): Record<string, HTMLElement>;

/** Draws a state into the element that has it as its `data-state`, whenever its problem changes. */
export type State = (element: HTMLElement, problem: Problem | null, screen: Screen) => void;

/**
 * The functions that draw the states of screens: `loading` without a tree yet, `missing` (404),
 * `refused` (401 and 403), `offline` (no connection, or no response now), `failed` (another problem),
 * `empty` (a tree without items, headers and footers), `next` (a page follows that is not there yet).
 * `image` draws what stands for an image that could not be loaded, as a function of `parts` does.
 */
export const states: Record<string, State> & { image?: Cell };

/** The detail of the event `link`. */
export interface Following {
  /** The address of the control, as it is in the data. */
  url: string;
  /** The item, header or footer; only an item has an id. */
  item: (Item | View) & { id?: string };
  /** Its section. */
  section: Section;
  /** The element that shows it. */
  element: HTMLElement;
  /** The kind of view, unless it is an item. */
  view?: "header" | "footer";
}

/** The detail of the event `itemselect`. */
export interface Selection {
  /** The item, header or footer; only an item has an id. */
  item: (Item | View) & { id?: string };
  /** Its section. */
  section: Section;
  /** The element that shows it. */
  element: HTMLElement;
  /** The kind of view, unless it is an item. */
  view?: "header" | "footer";
}

/**
 * `<broadsheet-screen src="/v1/screens/home">`: one screen, drawn and followed.
 *
 * Attributes: `src`, the URL of a screen; `report`, what the daemon receives as well, of
 * `select willDisplay didEndDisplaying pageDidAppear failed` (none by default); `passive`, without
 * tab stops, keys and automatic turns of pages; `pause`, the name of the buttons that pause automatic
 * turns (`Pause` by default; `pause="none"` for no buttons); `paused`, which they set, without
 * automatic turns; `item`, `section` and `edge`, the anchor of a window, for a URL without them. A window opens with its anchor at the start of the view, with `edge="end"`
 * at its end; a reader within 1 px of that end stays there.
 *
 * Events: `update` (`detail`: an `Update` of client.js, after drawing), `itemselect` (`detail`: a
 * `Selection`; it bubbles and can be cancelled, and then is not reported), `link` (`detail`: a
 * `Following`, of a control that is a link; it bubbles, and if it is cancelled the browser does not
 * follow the address), `problem` (`detail`: a
 * `Problem`, also one of `UNKNOWN_NAME`, `UNKNOWN_ACTION`, `INVALID_INPUT` and `INVALID_SRC`: a mistake of
 * the page, once each). No element of HTML has events of these names.
 */
export class BroadsheetScreen extends HTMLElement {
  /** The screen; null without one. Setting it replaces that of `src`, and the other way round. */
  screen: Screen | null;
  /**
   * Scrolls as little as possible so that an item is in view, below a pinned header, and draws it.
   *
   * @param section The id of its section.
   * @param item Its id.
   * @param options `focus`: whether it receives the focus; true by default.
   * @returns false if there is no such item.
   */
  reveal(section: string | null, item: string, options?: { focus?: boolean }): boolean;
  /**
   * Loads the screen again (`Screen.reload`), and its catalog and the images that failed; what is
   * drawn stays until then. For pull to refresh.
   *
   * @returns Whether it could be loaded.
   */
  reload(): Promise<boolean>;
}

declare global {
  interface HTMLElementTagNameMap { "broadsheet-screen": BroadsheetScreen }
}
