import BroadsheetClient

/// A search of one section, scrolled as it is (rules V1-V4).
struct SectionSearch {
    private let screen: ScreenFrames
    private let section: SectionFrames
    private let index: Int
    private let position: ScrollPosition?
    /// How far the section's own scroller moves its items to the right, in points (V2).
    private let itemShift: Double

    /// The search of the section at `index` of `screen`.
    init(_ screen: ScreenFrames, _ index: Int, _ state: ScrollState) {
        self.screen = screen
        section = screen.sections[index]
        self.index = index
        position = state.position
        let offset = (state.orthogonalOffsets[index] ?? 0).finiteLength
        // Scrolling on moves items against the reading direction.
        itemShift = section.scroll == nil ? 0 : screen.direction == .rtl ? offset : -offset
    }

    /// What V3 puts before the items.
    func addDecorationsAndHeader(in query: QueryRectangle, to found: inout [LaidOutElement]) {
        for (number, decoration) in section.decorations.enumerated() {
            add(.decoration(number), decoration.frame, in: query, to: &found)
        }
        add(.header, screen.headerFrame(ofSection: index, at: position), in: query, to: &found)
    }

    /// The items, ascending; only those that `items` names are looked at.
    func addItems(
        in query: QueryRectangle, of items: FrameIndex, to found: inout [LaidOutElement]
    ) {
        let query = query.shifted(byX: -itemShift)
        for item in items.candidates(query) where query.overlaps(section.items[item]) {
            found.append(element(item))
        }
    }

    /// What V3 puts after the items.
    func addFooter(in query: QueryRectangle, to found: inout [LaidOutElement]) {
        add(.footer, screen.footerFrame(ofSection: index, at: position), in: query, to: &found)
    }

    /// The item with the highest index of those at a point (V4).
    func lastItem(at query: QueryRectangle, of items: FrameIndex) -> LaidOutElement? {
        let query = query.shifted(byX: -itemShift)
        return items.candidates(query).last { query.isWithin(section.items[$0]) }.map(element)
    }

    private func add(
        _ part: LaidOutElement.Part, _ frame: Frame?, in query: QueryRectangle,
        to found: inout [LaidOutElement]
    ) {
        guard let frame, query.overlaps(frame) else { return }
        found.append(LaidOutElement(section: index, part: part, frame: frame))
    }

    private func element(_ item: Int) -> LaidOutElement {
        var frame = section.items[item]
        frame.x += itemShift
        return LaidOutElement(section: index, part: .item(item), frame: frame)
    }
}
