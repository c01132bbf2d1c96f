// Draws a screen: docs/web.md. Imports ./client.js and nothing else.

import type { Item, Screen, Section } from "./client.js";

/**
 * Draws an item, a header, a footer or a decoration into its element. It is called when one is bound
 * to the element, and when its members other than `separator` and the `x` and `y` of its frame
 * differ. The element may have shown another one of the same type: set everything that is shown.
 */
export type Cell = (element: HTMLElement, item: any, section: Section) => void;

/**
 * The functions that draw cells, by the types of items, headers and footers and the kinds of
 * decorations; `"*"` draws what has none. Without `"*"` an item with `parts` is drawn by the content
 * and the fonts of its type, and any other by the first string among `title`, `name`, `text` and
 * `label` of its data, or else by its type. If one throws, the cell is empty, the error is reported
 * by `reportError`, and the others are drawn.
 */
export const cells: Record<string, Cell>;

/** The detail of the event `select`. */
export interface Selection {
  /** The item. */
  item: Item;
  /** Its section. */
  section: Section;
  /** The element that shows the item. */
  element: HTMLElement;
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
 * Events: `update` (`detail`: an `Update` of client.js, after drawing), `select` (`detail`: a `Selection`; it
 * bubbles and can be cancelled, and then is not reported), `problem` (`detail`: a `Problem`).
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
}

declare global {
  interface HTMLElementTagNameMap { "broadsheet-screen": BroadsheetScreen }
}
