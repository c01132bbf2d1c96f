public import BroadsheetClient

/// One section's finished frames, in content coordinates: mirrored and rounded (rule G7).
///
/// In section coordinates a child's origin is its own minus `frame`'s, both as they stand here, so
/// that both systems describe the same pixels (layout.md, J).
public struct SectionFrames: Sendable, Hashable {
    /// From the section's start to its end, the viewport across; its origin is rounded, its size
    /// never (R3).
    public var frame: Frame
    /// The header's frame; nil when there is no element.
    public var header: Frame?
    /// The footer's frame; nil when there is no element.
    public var footer: Frame?
    /// Every item's frame, in order; empty when nothing is laid out (G4, F17).
    ///
    /// Of an infinite carousel's three copies, the first (P1).
    public var items: [Frame]
    /// A list row's hairline, index by index with `items` (L6); empty when the section has none.
    public var separators: [Frame?]
    /// The section's backgrounds (D1-D4).
    public var decorations: [DecorationFrame]
    /// How the section scrolls sideways; nil when it does not (C10).
    public var scroll: OrthogonalScroll?
    /// How the section turns its pages; nil when it does not (P1-P7).
    public var paging: Carousel?
    /// Whether the header stays in view while its section does; its frame is where it rests (D5).
    public var isHeaderPinned: Bool
    /// Whether the footer stays in view while its section does; its frame is where it rests (D6).
    public var isFooterPinned: Bool
    /// The items' place in depth (G8).
    public var itemZIndex: Int
    /// The header's place in depth (G8).
    public var headerZIndex: Int
    /// The footer's place in depth (G8).
    public var footerZIndex: Int

    /// A section that shows nothing, at `frame`.
    public init(frame: Frame = .zero) {
        self.frame = frame
        items = []
        separators = []
        decorations = []
        isHeaderPinned = false
        isFooterPinned = false
        itemZIndex = ZIndex.item
        headerZIndex = ZIndex.supplementary
        footerZIndex = ZIndex.supplementary
    }
}
