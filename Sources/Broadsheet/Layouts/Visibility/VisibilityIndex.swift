/// A laid-out screen that can be asked what is where (rules V1-V5).
///
/// Making one costs a pass over all frames; asking it costs in proportion to the answer, so it is
/// worth keeping beside the frames.
public struct VisibilityIndex: Sendable {
    /// The screen that is asked.
    public let screen: ScreenFrames
    private let sections: SectionIndex
    private let items: [FrameIndex]

    /// Indexes a laid-out screen.
    ///
    /// O(items + sections).
    public init(_ screen: ScreenFrames) {
        self.screen = screen
        items = screen.sections.map { FrameIndex($0.items) }
        sections = SectionIndex(screen)
    }

    /// Every element with an area in common with `rectangle`, in V3's order.
    ///
    /// Touching edges do not count, and an element without an area is never found (V1). Negative
    /// lengths of `rectangle` are flipped, infinite ones are allowed, and one that is not a number
    /// finds nothing (V2).
    ///
    /// O(log sections + found), for sections and lines that follow each other.
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

    /// The item at a point: the one in front where several overlap, by depth and then by order
    /// (V4); nil when there is none.
    ///
    /// An item's right and bottom edges do not belong to it.
    ///
    /// O(log sections + candidates), as for a rectangle.
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
