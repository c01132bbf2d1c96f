extension LayoutDiagnostic {
    /// What happened; the raw value is what a tree's `diagnostics` show.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A flow header whose main length is 0 is no element (F15).
        case headerHasNoSize = "HEADER_HAS_NO_SIZE"
        /// A flow footer whose main length is 0 is no element (F15).
        case footerHasNoSize = "FOOTER_HAS_NO_SIZE"
        /// A list whose header mode is not `supplementary` does not show its header (L5).
        case headerNotShown = "HEADER_NOT_SHOWN"
        /// A list whose footer mode is not `supplementary` does not show its footer (L5).
        case footerNotShown = "FOOTER_NOT_SHOWN"
        /// Compositional and list sections in a horizontal screen are laid out as flow (J).
        case needsVerticalScreen = "NEEDS_VERTICAL_SCREEN"
        /// Custom paging switches itself off with more than one section, and outside flow (P1).
        case pagingSwitchedOff = "PAGING_SWITCHED_OFF"
        /// A viewport without area shows nothing of the section (G4).
        case emptyViewport = "EMPTY_VIEWPORT"
        /// A scroller with more resting offsets than a tree lists; the first are listed (C10).
        case snapOffsetsTruncated = "SNAP_OFFSETS_TRUNCATED"

        /// Lint: an item is longer across than its line.
        case itemWiderThanLine = "ITEM_WIDER_THAN_LINE"
        /// Lint: an item has no width or no height, so nobody will see it.
        case itemHasNoSize = "ITEM_HAS_NO_SIZE"
        /// Lint: a grid's last row is not full.
        case raggedLastRow = "RAGGED_LAST_ROW"
        /// Lint: a section has no items, though it is not collapsed.
        case emptySection = "EMPTY_SECTION"
        /// Lint: a negative spacing puts items over each other.
        case overlappingItems = "OVERLAPPING_ITEMS"
        /// Lint: something reaches beyond the viewport's side, where it cannot be scrolled to.
        case overflowsSideways = "OVERFLOWS_SIDEWAYS"
    }
}

extension LayoutDiagnostic.Code {
    /// A sentence that says what happened and what to mend.
    public var explanation: String {
        switch self {
        case .headerHasNoSize:
            "the header has no length along the screen, so it is not shown; give its type a size"
        case .footerHasNoSize:
            "the footer has no length along the screen, so it is not shown; give its type a size"
        case .headerNotShown:
            "the section has a header, but its list's headerMode is not supplementary"
        case .footerNotShown:
            "the section has a footer, but its list's footerMode is not supplementary"
        case .needsVerticalScreen:
            "compositional and list sections need a vertical screen; this one is laid out as flow"
        case .pagingSwitchedOff:
            "paging needs a screen of exactly one flow section; it is switched off"
        case .emptyViewport:
            "the viewport has no area, so the section is not laid out"
        case .snapOffsetsTruncated:
            "the scroller has more resting offsets than are listed"
        case .itemWiderThanLine:
            "the item is longer across the screen than the line it stands in"
        case .itemHasNoSize:
            "the item has no width or no height, so it cannot be seen"
        case .raggedLastRow:
            "the last row of the grid is not full"
        case .emptySection:
            "the section has no items"
        case .overlappingItems:
            "a negative spacing puts items over each other"
        case .overflowsSideways:
            "content reaches beyond the side of the viewport, where it cannot be scrolled to"
        }
    }
}
