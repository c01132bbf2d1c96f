/// An index of a laid-out screen that finds the elements in a rectangle (rules V1-V5).
///
/// Its creation costs a pass over all frames, and a query costs in proportion to its result, so an
/// index is worth keeping beside the frames.
public struct VisibilityIndex: Sendable {
    /// The indexed screen.
    public let screen: ScreenFrames
    let sections: SectionIndex
    let items: [FrameIndex]

    /// Creates an index of a laid-out screen.
    ///
    /// - Complexity: O(items + sections).
    public init(_ screen: ScreenFrames) {
        self.screen = screen
        items = screen.sections.map { FrameIndex($0.items) }
        sections = SectionIndex(screen)
    }

    /// Returns every element that overlaps `rectangle`, in the order of V3.
    ///
    /// Touching edges do not count as an overlap, and an element without an area is never found
    /// (V1).
    ///
    /// - Parameters:
    ///   - rectangle: The rectangle in content coordinates. Negative lengths are flipped, infinite
    ///     ones are legal, and a rectangle with NaN finds nothing (V2).
    ///   - state: The scroll positions of the screen and its sections.
    /// - Complexity: O(log sections + found), for sections and lines that follow each other.
    public func elements(
        in rectangle: Frame, scrolled state: ScrollState = ScrollState()
    ) -> [LaidOutElement] {
        guard let query = QueryRectangle(rectangle) else { return [] }
        var found: [LaidOutElement] = []
        for section in sections.candidates(query) {
            let search = SectionSearch(screen, section, state)
            search.addDecorationsAndHeader(in: query, to: &found)
            search.addItems(in: query, of: items[section], to: &found)
            search.addFooter(in: query, to: &found)
        }
        return found
    }

    /// Returns the item at a point, or `nil` if there is none.
    ///
    /// Of several items, the one in front by z-index and then by order is returned (V4). The right
    /// and bottom edges of an item do not belong to it.
    ///
    /// - Parameters:
    ///   - x: The point's x in content coordinates.
    ///   - y: The point's y in content coordinates.
    ///   - state: The scroll positions of the screen and its sections.
    /// - Complexity: O(log sections + candidates), as for a rectangle.
    public func item(
        atX x: Double, y: Double, scrolled state: ScrollState = ScrollState()
    ) -> LaidOutElement? {
        guard let query = QueryRectangle(Frame(x: x, y: y, width: 0, height: 0)) else { return nil }
        var front: LaidOutElement?
        var depth = Int.min
        for section in sections.candidates(query) {
            let search = SectionSearch(screen, section, state)
            guard screen.sections[section].itemZIndex >= depth,
                let item = search.lastItem(at: query, of: items[section])
            else { continue }
            front = item
            depth = screen.sections[section].itemZIndex
        }
        return front
    }
}

/// An element of a screen, as a visibility query finds it (rules V1-V3).
public struct LaidOutElement: Sendable, Hashable {
    /// The part of a section that an element is; the cases are in the order of V3.
    public enum Part: Sendable, Hashable {
        /// The section's decoration at this index.
        case decoration(Int)
        /// The section's header.
        case header
        /// The section's item at this index.
        case item(Int)
        /// The section's footer.
        case footer
    }

    /// The section's index in the screen.
    public var section: Int
    /// The part of the section.
    public var part: Part
    /// The frame in content coordinates, pinned and moved by the section's own scroller.
    public var frame: Frame

    /// Creates an element.
    ///
    /// - Parameters:
    ///   - section: The section's index in the screen.
    ///   - part: The part of the section.
    ///   - frame: The frame in content coordinates.
    public init(section: Int, part: Part, frame: Frame) {
        self.section = section
        self.part = part
        self.frame = frame
    }
}

/// The scroll positions of a screen and of the sections that scroll by themselves (rule V2).
public struct ScrollState: Sendable, Hashable {
    /// The scroll position of the screen, which moves pinned elements; `nil` leaves them at rest.
    public var position: ScrollPosition?
    /// The offsets of sections' own scrollers from the edge at which reading starts, in points, by
    /// section index; absent ones are 0.
    public var orthogonalOffsets: [Int: Double]

    /// Creates a state, by default without any scrolling.
    ///
    /// - Parameters:
    ///   - position: The scroll position of the screen.
    ///   - orthogonalOffsets: The offsets of sections' own scrollers, by section index.
    public init(position: ScrollPosition? = nil, orthogonalOffsets: [Int: Double] = [:]) {
        self.position = position
        self.orthogonalOffsets = orthogonalOffsets
    }
}
