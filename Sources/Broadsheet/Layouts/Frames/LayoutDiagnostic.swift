/// A request that a layout could not fulfil, or an observation of lint.
public struct LayoutDiagnostic: Sendable, Hashable {
    /// The kind of diagnostic.
    public var code: Code
    /// The section's index in the screen.
    public var section: Int
    /// The index of the first item that the diagnostic concerns, or `nil` if it concerns the
    /// section.
    public var item: Int?
    /// The number of items, or of rows, that the diagnostic concerns; 1 if it concerns the section.
    public var count: Int
    /// The text, image or box of a content that the diagnostic concerns first, in words; `nil` if
    /// it is not about one.
    var part: String?
    /// The reason why paging is switched off; `nil` for other kinds.
    var obstacle: PagingObstacle?

    /// Creates a diagnostic of a section, or of items in it.
    ///
    /// - Parameters:
    ///   - code: The kind of diagnostic.
    ///   - section: The section's index in the screen.
    ///   - item: The index of the first item, or `nil` for the section.
    ///   - count: The number of items.
    public init(_ code: Code, section: Int, item: Int? = nil, count: Int = 1) {
        self.code = code
        self.section = section
        self.item = item
        self.count = count
    }

    init(_ code: Code, section: Int, item: Int?, count: Int, part: String?) {
        self.init(code, section: section, item: item, count: count)
        self.part = part
    }

    init(_ diagnostic: SectionDiagnostic, section: Int) {
        self.init(
            diagnostic.code, section: section, item: diagnostic.item, count: diagnostic.count)
        obstacle = diagnostic.obstacle
    }

    /// A sentence for the author of the page or the catalog.
    public var detail: String { detail(ofItem: nil) }

    func detail(ofItem id: String?) -> String {
        let counted =
            code == .rowNotFull
            ? "rows, this is behind"
            : item == nil ? "headers and footers, this is" : "items, this is"
        let number = count > 1 ? " (\(count) \(counted) the first)" : ""
        let place = [part, id.map { "the item \"\($0)\"" }].compactMap(\.self)
        return (obstacle?.explanation ?? code.explanation) + number
            + (place.isEmpty ? "" : ": \(place.joined(separator: " in "))")
    }
}

/// A diagnostic of a section, wherever that is in a screen.
package struct SectionDiagnostic: Sendable {
    let code: LayoutDiagnostic.Code
    /// The index of the first item that it concerns, or `nil` if it concerns the section.
    let item: Int?
    /// The number of items that it concerns; 1 if it concerns the section.
    let count: Int
    private(set) var obstacle: PagingObstacle?

    /// Creates the diagnostic of a section that does not turn pages, or is not repeated (P1).
    init(_ obstacle: PagingObstacle) {
        self.init(.pagingSwitchedOff)
        self.obstacle = obstacle
    }

    init(_ code: LayoutDiagnostic.Code, item: Int? = nil, count: Int = 1) {
        self.code = code
        self.item = item
        self.count = count
    }
}

extension LayoutDiagnostic {
    /// The kind of a diagnostic; the raw value is the `code` in a tree's `diagnostics`.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A flow header without a main length is not an element (F15).
        case headerHasNoSize = "HEADER_HAS_NO_SIZE"
        /// A flow footer without a main length is not an element (F15).
        case footerHasNoSize = "FOOTER_HAS_NO_SIZE"
        /// A list whose header mode is not `supplementary` does not show its header (L5).
        case headerNotShown = "HEADER_NOT_SHOWN"
        /// A list whose footer mode is not `supplementary` does not show its footer (L5).
        case footerNotShown = "FOOTER_NOT_SHOWN"
        /// Sections of kinds other than flow in a horizontal screen are laid out as flow (J).
        case needsVerticalScreen = "NEEDS_VERTICAL_SCREEN"
        /// Paging is off in flow sections among others or with several items a line, and in
        /// sections that are neither flow nor cards; or an infinite carousel is not repeated (P1,
        /// P13).
        case pagingSwitchedOff = "PAGING_SWITCHED_OFF"
        /// A section is not laid out in a viewport without area (G4).
        case emptyViewport = "EMPTY_VIEWPORT"
        /// A tree lists only the first of a scroller's many resting offsets (C10).
        case snapOffsetsTruncated = "SNAP_OFFSETS_TRUNCATED"
        /// A custom layout has not placed an item (X4).
        case itemNotPlaced = "ITEM_NOT_PLACED"
        /// A custom layout has placed an item at a frame with NaN, infinite or negative lengths
        /// (X4).
        case unusableFrame = "UNUSABLE_FRAME"
        /// A custom layout has placed an item that the section does not have (X4).
        case frameWithoutItem = "FRAME_WITHOUT_ITEM"

        /// Lint: an item is longer across than its line.
        case itemWiderThanLine = "ITEM_WIDER_THAN_LINE"
        /// Lint: an item has no width or no height.
        case itemHasNoSize = "ITEM_HAS_NO_SIZE"
        /// Lint: an item, a header or a footer is longer than any that is meant.
        case itemHasHugeSize = "ITEM_HAS_HUGE_SIZE"
        /// Lint: a row of dynamic items is much taller than they are (C7).
        case rowTallerThanItems = "ROW_TALLER_THAN_ITEMS"
        /// Lint: a row before the last one has empty columns, because of an item that spans several
        /// (F20).
        case rowNotFull = "ROW_NOT_FULL"
        /// Lint: the last row of a grid is not full.
        case raggedLastRow = "RAGGED_LAST_ROW"
        /// Lint: a section has no items and is not collapsed.
        case emptySection = "EMPTY_SECTION"
        /// Lint: a negative spacing makes items overlap.
        case overlappingItems = "OVERLAPPING_ITEMS"
        /// Lint: an element extends beyond the viewport's side, where scrolling cannot show it.
        case overflowsSideways = "OVERFLOWS_SIDEWAYS"
        /// Lint: several items of a section have no id of their own, so changes amid them are long.
        case itemsWithoutIDs = "ITEMS_WITHOUT_IDS"
        /// Lint: a text has other lines in a width that differs by a quarter of a pixel (T7).
        case fragileText = "FRAGILE_TEXT"
        /// Lint: a part of a content is outside of its item.
        case partOutsideItem = "PART_OUTSIDE_ITEM"
        /// Lint: an image or a view of a content has no width or no height.
        case partHasNoSize = "PART_HAS_NO_SIZE"
        /// Lint: a text is higher than its frame, or ends below its item.
        case textClipped = "TEXT_CLIPPED"
        /// Lint: a control of a content is narrower or lower than a finger needs.
        case targetTooSmall = "TARGET_TOO_SMALL"
        /// Lint: assistive technology has nothing to say for a control, an image or a view.
        case labelMissing = "LABEL_MISSING"
        /// Lint: a box of an overlay comes first on the screen, and later in the content.
        case readingOrder = "READING_ORDER"
        /// Lint: a text is cut at the reader's text size, and not at 1.
        case textCutWhenLarger = "TEXT_CUT_WHEN_LARGER"
    }
}

extension LayoutDiagnostic.Code {
    /// A sentence that describes the diagnostic and its remedy.
    public var explanation: String {
        switch self {
        case .headerHasNoSize:
            "the header has no length along the screen, so it is not shown; give its type a size, "
                + "or a content with a height"
        case .footerHasNoSize:
            "the footer has no length along the screen, so it is not shown; give its type a size, "
                + "or a content with a height"
        case .headerNotShown:
            "the section has a header, but its list's headerMode is not supplementary"
        case .footerNotShown:
            "the section has a footer, but its list's footerMode is not supplementary"
        case .needsVerticalScreen:
            "compositional and list sections need a vertical screen; this one is laid out as flow"
        case .pagingSwitchedOff:
            PagingObstacle.place.explanation
        case .emptyViewport:
            "the viewport has no area, so the section is not laid out"
        case .snapOffsetsTruncated:
            "the scroller has more resting offsets than are listed"
        case .itemNotPlaced:
            "the section's custom layout has not placed the item, so it has no size"
        case .unusableFrame:
            "the section's custom layout has placed the item at a frame that is not finite, or "
                + "whose size is negative; the closest usable one is used"
        case .frameWithoutItem:
            "the section's custom layout has placed an item that the section does not have"
        case .itemWiderThanLine:
            "the item is longer across the screen than its line"
        case .itemHasNoSize:
            "the item has no width or no height, so it cannot be seen"
        case .itemHasHugeSize:
            "the item is longer than \(Int(LayoutLint.maxLength)) points; correct the number in "
                + "its data, or limit the rule with \"max\""
        case .rowTallerThanItems:
            "the row of dynamic items is as tall as the viewport, more than twice as tall as the "
                + "tallest of them; with \"itemAlignment\" it is as tall as that"
        case .rowNotFull:
            "the row before the item has empty columns, because the item spans more than are left"
        case .raggedLastRow:
            "the last row of the grid is not full"
        case .emptySection:
            "the section has no items"
        case .overlappingItems:
            "a negative spacing puts items over each other"
        case .overflowsSideways:
            "content reaches beyond the side of the viewport, where it cannot be scrolled to"
        case .itemsWithoutIDs:
            "the item is identified by its place, which moves with every change before it; give "
                + "its type an id, and its data a value there"
        case .fragileText:
            "a text has another number of lines in a width that differs by a quarter of a pixel"
        case .partOutsideItem:
            "a text, an image or a box of its content is more than a pixel outside of the item"
        case .partHasNoSize:
            "an image or a box of its content has no width or no height, so it cannot be seen; give "
                + "it a size, or fill"
        case .textClipped:
            "a text has more lines than its frame, or its item, has space for"
        case .targetTooSmall:
            "a control of its content is less than \(Int(ContentLint.leastTarget)) points wide or "
                + "high; give it a minWidth and a minHeight"
        case .labelMissing:
            "assistive technology has nothing to say for a control, an image or a box of its "
                + "content; give it a label, or the role \"none\" if it is decoration"
        case .readingOrder:
            "a box of an overlay comes on the screen before one that is earlier in the content, "
                + "whose order is that of reading"
        case .textCutWhenLarger:
            "at the reader's text size a text has more lines than are shown, or than its frame has "
                + "space for, which at the size 1 it has not"
        }
    }
}
