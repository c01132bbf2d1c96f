public import BroadsheetClient

/// The finished frames of a screen: mirrored and rounded, sections in the content and elements in
/// their sections (rules G7 and R5).
public struct ScreenFrames: Sendable, Hashable {
    /// The size of the content, in points; never rounded (R3).
    public var contentSize: Size
    /// The frames of each section, in order.
    public var sections: ChunkedList<SectionFrames>
    /// The diagnostics, by section.
    public var diagnostics: [LayoutDiagnostic]
    /// The axis along which the screen scrolls.
    public var axis: ScreenAxis
    /// The reading direction; the frames of a right-to-left screen are already mirrored (R4).
    public var direction: LayoutDirection
    package var conditions = ContentConditions()

    /// Creates a screen of finished sections.
    ///
    /// - Parameters:
    ///   - contentSize: The size of the content, in points.
    ///   - sections: The frames of each section, in order.
    ///   - diagnostics: The diagnostics, by section.
    ///   - axis: The axis along which the screen scrolls.
    ///   - direction: The reading direction.
    public init(
        contentSize: Size = .zero, sections: ChunkedList<SectionFrames> = [],
        diagnostics: [LayoutDiagnostic] = [], axis: ScreenAxis = .vertical,
        direction: LayoutDirection = .ltr
    ) {
        self.contentSize = contentSize
        self.sections = sections
        self.diagnostics = diagnostics
        self.axis = axis
        self.direction = direction
        conditions.isMirrored = direction == .rtl
    }

    init(
        contentSize: Size, sections: ChunkedList<SectionFrames>, diagnostics: [LayoutDiagnostic],
        axis: ScreenAxis, conditions: ContentConditions
    ) {
        self.init(
            contentSize: contentSize, sections: sections, diagnostics: diagnostics, axis: axis,
            direction: conditions.isMirrored ? .rtl : .ltr)
        self.conditions = conditions
    }
}

/// The finished frames of a section: mirrored and rounded (rule G7).
///
/// `frame` is in content coordinates; every other frame is in section coordinates, measured from
/// the origin of `frame`. Each is rounded by itself, and ``contentFrame(of:)`` adds the two, so
/// that both coordinate systems describe the same pixels, and a section that moves changes no frame
/// inside it (R5; docs/layout.md, section J).
public struct SectionFrames: Sendable, Hashable {
    /// The section in content coordinates, from its start to its end and across the whole viewport;
    /// its origin is rounded, its size never is (R3).
    public var frame: Frame
    /// The header's frame, or `nil` if the header is not an element.
    public var header: Frame?
    /// The footer's frame, or `nil` if the footer is not an element.
    public var footer: Frame?
    /// The frame of each item, in order; empty if nothing is laid out (G4, F17).
    ///
    /// Of the copies in an infinite carousel, the first (P1).
    public var items: ChunkedList<Frame>
    /// The separator of each list row, index by index with `items`; empty without separators (L6).
    public var separators: ChunkedList<Frame?>
    /// The lines of each item's texts, index by index with `items`; empty if no size depends on a
    /// text (T5).
    package var lines: ChunkedList<ItemLines>
    /// The sizes before rounding of elements with contents.
    var exactSizes = ExactSizes()
    /// The section's decorations, in the order of its layout (D1-D4 and D7).
    public var decorations: [DecorationFrame]
    /// The section's own horizontal scroller, or `nil` if it has none (C10).
    public var scroll: OrthogonalScroll?
    /// The section's carousel, or `nil` if it does not turn pages (P1-P7, P13).
    public var paging: Carousel?
    /// A Boolean value that indicates whether the header is pinned; `header` is its frame at rest
    /// (D5).
    public var isHeaderPinned: Bool
    /// A Boolean value that indicates whether the footer is pinned; `footer` is its frame at rest
    /// (D6).
    public var isFooterPinned: Bool
    /// The z-index of the items (G8).
    public var itemZIndex: Int
    /// The z-index of the header (G8).
    public var headerZIndex: Int
    /// The z-index of the footer (G8).
    public var footerZIndex: Int

    /// Creates a section without elements.
    ///
    /// - Parameter frame: The section from its start to its end.
    public init(frame: Frame = .zero) {
        self.frame = frame
        items = []
        separators = []
        lines = []
        decorations = []
        isHeaderPinned = false
        isFooterPinned = false
        itemZIndex = ZIndex.item
        headerZIndex = ZIndex.supplementary
        footerZIndex = ZIndex.supplementary
    }

    @inline(__always)
    package func lines(ofItem index: Int) -> ItemLines {
        lines.indices ~= index ? lines[index] : .none
    }

    @inline(__always)
    func exactSize(ofItem index: Int) -> Size {
        exactSizes.items.isEmpty ? items[index].size : exactSizes.items[index]
    }

    /// Returns whether the decoration at one index is behind the one at another: by z-index, and of
    /// equals by order (G8).
    func isDecoration(_ index: Int, behind other: Int) -> Bool {
        (decorations[index].zIndex, index) < (decorations[other].zIndex, other)
    }

    /// Returns the frame in content coordinates of an element of the section: the section's origin
    /// plus the element's (R5).
    @inline(__always)
    public func contentFrame(of element: Frame) -> Frame {
        Frame(
            x: frame.x + element.x, y: frame.y + element.y, width: element.width,
            height: element.height)
    }
}

/// The z-indexes of elements by default (rule G8).
public enum ZIndex {
    /// An item.
    public static let item = 0
    /// An item of a section that has a decoration.
    public static let itemOverDecoration = 1
    /// A header or a footer.
    public static let supplementary = 1
    /// The least z-index of a pinned header or footer.
    public static let pinned = 10
    /// A decoration in a compositional section.
    public static let compositionalDecoration = 0
    /// A decoration in any other section; a tree omits this value (docs/layout.md, section J).
    public static let decoration = -1
}

/// The frame of a decoration (rules D1-D4).
public struct DecorationFrame: Sendable, Hashable {
    /// The name by which the client knows the decoration.
    public var kind: String
    /// The frame in section coordinates, in points.
    public var frame: Frame
    /// The z-index (G8).
    public var zIndex: Int
    /// The posted JSON for the client, byte for byte.
    public var data: [UInt8]?
}

/// The horizontal scroller of a section (rules C9 and C10).
///
/// Offsets are measured from the edge at which reading starts: the left edge in a left-to-right
/// viewport, the right edge in a right-to-left one (R6). Item frames are those of offset 0.
public struct OrthogonalScroll: Sendable, Hashable {
    /// The axis along which the section scrolls.
    public var axis: ScreenAxis
    /// The behaviour at rest.
    public var behavior: CompositionalOptions.Scrolling
    /// The frame in section coordinates: across the viewport, as tall as its content.
    public var frame: Frame
    /// The size of the scrolling content, in points; never rounded.
    ///
    /// That of one copy if a carousel repeats it (P13).
    public var contentSize: Size
    /// The offsets at which the scroller rests, which take no memory of their own.
    var restingOffsets: RestingOffsets
    /// The offset at which the scroller starts, in points.
    public var initialOffset: Double
    /// Settings for the client's scroller, passed through.
    public var properties: CompositionalOptions.ScrollProperties?

    /// The offsets at which the scroller rests, in points; empty if it rests anywhere.
    ///
    /// - Complexity: O(offsets), of which there are at most 10,000.
    public var snapOffsets: [Double] { Array(restingOffsets) }
}
