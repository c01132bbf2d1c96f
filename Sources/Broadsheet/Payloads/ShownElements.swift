/// Which of a section's elements a tree shows.
struct ShownElements {
    /// The backgrounds, ascending.
    var decorations: [Int]
    /// Whether the header is among them, if there is one.
    var header: Bool
    /// The items, as runs of neighbours that ascend.
    var items: [Range<Int>]
    /// Whether the footer is among them, if there is one.
    var footer: Bool

    /// Every element that `frames` has placed.
    init(allOf frames: SectionFrames) {
        decorations = Array(frames.decorations.indices)
        header = true
        items = [frames.items.indices]
        footer = true
    }

    /// The elements of one section that a query has found, in V3's order.
    ///
    /// O(found).
    init(_ found: ArraySlice<LaidOutElement>) {
        decorations = []
        header = false
        items = []
        footer = false
        for element in found {
            switch element.part {
            case .decoration(let index): decorations.append(index)
            case .header: header = true
            case .item(let index): add(item: index)
            case .footer: footer = true
            }
        }
    }

    private mutating func add(item index: Int) {
        if let last = items.indices.last, items[last].upperBound == index {
            items[last] = items[last].lowerBound..<index + 1
        } else {
            items.append(index..<index + 1)
        }
    }
}
