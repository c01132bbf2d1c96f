/// Something that a layout could not do as it was asked, and did otherwise or left out.
public struct LayoutDiagnostic: Sendable, Hashable {
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
    }

    /// What happened.
    public var code: Code
    /// The section's index in the screen.
    public var section: Int
    /// A sentence for the person who wrote the page or the catalog.
    public var detail: String { code.detail }

    /// Makes a diagnostic about the section at `section`.
    public init(_ code: Code, section: Int) {
        self.code = code
        self.section = section
    }
}

extension LayoutDiagnostic.Code {
    /// A sentence that says what happened and what to mend.
    public var detail: String {
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
            "compositional and list sections need a vertical screen; laid out as flow"
        case .pagingSwitchedOff:
            "paging works in a screen of exactly one flow section; it is switched off"
        case .emptyViewport:
            "the viewport has no area, so the section is not laid out"
        case .snapOffsetsTruncated:
            "the scroller has more resting offsets than are listed"
        }
    }
}
