/// The content of a section as layouts use it: the number of its items, its header and footer,
/// and their sizes.
///
/// Layouts do not know pages: they receive a section as a value of this protocol, and all sizes of
/// its items by one call.
/// Sizes are returned as the cells specify them; the layout sanitises them (rule G2).
package protocol SectionContent: Sendable {
    /// The number of items to lay out; 0 if the section is collapsed (F17).
    var itemCount: Int { get }
    /// A Boolean value that indicates whether the section has items that it does not show; used by
    /// lint only.
    var isCollapsed: Bool { get }
    /// The number of items that are identified by their places, and the first of them; used by
    /// lint only.
    var itemsWithoutIDs: (first: Int, count: Int) { get }
    var hasHeader: Bool { get }
    var hasFooter: Bool { get }
    /// A Boolean value that indicates whether an element has a content, whose parts depend on its
    /// size before rounding.
    var hasContents: Bool { get }
    var layout: SectionLayout { get }

    /// Appends the sizes of the items in a range, which exist, and the lines of texts that they
    /// depend on.
    ///
    /// - Complexity: O(items in the range).
    func measure(_ range: Range<Int>, _ request: SizeRequest, into items: inout MeasuredItems)
    /// Returns the columns that each item from an index on spans; empty if each spans one column.
    ///
    /// - Complexity: O(items from the index on).
    func itemSpans(from first: Int) -> [ItemSpan]
    func measuredItem(_ request: SizeRequest, at index: Int) -> (size: Size, lines: ItemLines)
    /// Returns the size in points that all items are known to have, or `nil` if it is not known
    /// without measuring each item.
    func uniformItemSize(_ request: SizeRequest) -> Size?
    /// Returns the header's size in points; called only if there is a header.
    func headerSize(_ request: SizeRequest) -> Size
    /// Returns the footer's size in points; called only if there is a footer.
    func footerSize(_ request: SizeRequest) -> Size

    /// Returns the lint of the contents of a section's elements, whose frames are neither mirrored
    /// nor rounded.
    ///
    /// - Parameters:
    ///   - frames: The frames.
    ///   - plain: The frames at the text size 1, with which texts are compared; `nil` if they are
    ///     not compared.
    ///   - conditions: The conditions of `frames`.
    /// - Complexity: O(items), and that of laying their contents out.
    func contentLint(
        of frames: SectionFrames, comparedWith plain: SectionFrames?,
        _ conditions: ContentLintConditions
    ) -> ContentLint
    /// Returns whether lint compares texts of contents with those at the text size 1.
    ///
    /// - Parameter all: A Boolean value that indicates whether texts of every content are.
    func comparesTexts(all: Bool) -> Bool
}

/// The sizes of items as their cells specify them, and the lines of texts.
package struct MeasuredItems: Sendable {
    package var sizes: [Size] = []
    /// The lines of each item, index by index with `sizes`; empty if no size depends on a text.
    package var lines: [ItemLines] = []

    /// Prepares for the lines of the next item: those before have none if no lines were added.
    mutating func beginLines() {
        if lines.isEmpty { lines.reserveCapacity(sizes.capacity) }
        padLines()
    }

    /// Adds items without lines until there are as many as sizes; none if no item has any.
    mutating func padLines() {
        lines.append(contentsOf: repeatElement(.none, count: sizes.count - lines.count))
    }
}

/// The sizes of a section's items, sanitised (rule G2): one for each item, or one for all.
struct ItemSizes: Sendable {
    let count: Int
    /// The size of every item in points, if all are equal.
    let common: Size
    /// The size of each item in points, in order; empty if all are equal.
    let each: [Size]
    /// The lines of each item's texts; empty if no size depends on a text.
    let lines: [ItemLines]
    /// The number of items at the beginning that have the size of the first one.
    let equalCount: Int

    /// Creates the sizes of items that all have one size, already sanitised.
    init(_ size: Size, count: Int) {
        self.count = count
        common = size
        each = []
        lines = []
        equalCount = count
    }

    /// Measures the items from an index on, or the section if it knows that all items have one
    /// size.
    ///
    /// - Complexity: O(items from the index on).
    init(of content: any SectionContent, _ request: SizeRequest, from first: Int = 0) {
        let count = content.itemCount - first
        if count <= 0 {
            self.init(.zero, count: 0)
        } else if let size = content.uniformItemSize(request) {
            self.init(Self.usable(size, request), count: count)
        } else {
            var items = MeasuredItems()
            items.sizes.reserveCapacity(count)
            content.measure(first..<first + count, request, into: &items)
            self.init(consume items, request)
        }
    }

    /// Measures the items from an index on, each in the columns that it spans (F20, M2).
    ///
    /// - Parameters:
    ///   - content: The section.
    ///   - spans: The numbers of columns.
    ///   - first: The index of the first item.
    ///   - request: Returns the request to items that span a number of columns.
    /// - Complexity: O(items from the index on).
    init(
        of content: any SectionContent, spanning spans: GridSpans, from first: Int,
        _ request: (Int) -> SizeRequest
    ) {
        guard !spans.isEmpty else {
            self.init(of: content, request(1), from: first)
            return
        }
        let count = content.itemCount - first
        var items = MeasuredItems()
        items.sizes.reserveCapacity(count)
        var start = 0
        while start < count {
            let span = spans[start]
            var end = start + 1
            while end < count, spans[end] == span { end += 1 }
            let request = request(span)
            content.measure(first + start..<first + end, request, into: &items)
            for index in start..<end {
                items.sizes[index] = Self.usable(items.sizes[index], request)
            }
            start = end
        }
        if !items.lines.isEmpty { items.padLines() }
        self.init(usable: items)
    }

    private init(usable items: MeasuredItems) {
        count = items.sizes.count
        common = items.sizes.first ?? .zero
        each = items.sizes
        lines = items.lines
        equalCount = 0
    }

    /// Consumes the items, so that their sizes are sanitised in place.
    private init(_ items: consuming MeasuredItems, _ request: SizeRequest) {
        if !items.lines.isEmpty { items.padLines() }
        lines = items.lines
        var sizes: [Size] = []
        swap(&sizes, &items.sizes)
        let first = sizes.first.map { Self.usable($0, request) } ?? .zero
        var equalCount = sizes.count
        for index in sizes.indices {
            let size = Self.usable(sizes[index], request)
            sizes[index] = size
            if equalCount == sizes.count, size != first { equalCount = index }
        }
        count = sizes.count
        common = first
        self.equalCount = equalCount
        each = equalCount == sizes.count ? [] : sizes
    }

    /// A Boolean value that indicates whether all sizes are equal; always true for at most one item
    /// (F10).
    var isUniform: Bool { each.isEmpty }

    @inline(__always)
    subscript(index: Int) -> Size { each.isEmpty ? common : each[index] }

    /// Returns a cell's size sanitised, with the requested cross length.
    @inline(__always)
    static func usable(_ size: Size, _ request: SizeRequest) -> Size {
        var size = Sanitation.size(size)
        if let cross = request.fixedCross { size[request.container.axis.cross] = cross }
        return size
    }
}

/// The result of a layout: one section's frames from its own start, neither rounded nor mirrored.
///
/// The section starts at 0 along the main axis; the viewport starts at 0 along the cross axis.
package struct SectionArrangement: Sendable {
    /// The section's length along the main axis, in points; never negative (G3).
    package var length = 0.0
    package var header: Frame?
    package var footer: Frame?
    /// The frame of each item, in order.
    ///
    /// The first ``takenCount`` are taken over from an earlier arrangement, and are finished.
    package var items: ChunkedList<Frame> = []
    /// The separator of each item, index by index with `items`; empty if there are none (L6).
    package var separators: ChunkedList<Frame?> = []
    /// The lines of each item's texts, index by index with `items`; empty if no size depends on a
    /// text (T5).
    package var lines: ChunkedList<ItemLines> = []
    /// The exact sizes of the items that are taken over; empty if rounding changes none, or without
    /// contents.
    var takenSizes: ChunkedList<Size> = []
    /// The section's own horizontal scroller (C10).
    package var scroll: OrthogonalScroll?
    var sharedLines = SharedLines.none
    /// The copies of the items of a carousel, of which `items` has the first (P1).
    var copies = CarouselCopies()
    package var diagnostics: [SectionDiagnostic] = []
    var states = ArrangementStates()
    /// The state after the items that are taken over.
    private var taken: ArrangementState?

    package init() {}

    /// The number of items at the beginning whose frames and separators are finished.
    var takenCount: Int { taken?.item ?? 0 }

    /// Returns the extent of the items along an axis, or `nil` if there are none (D1, D3).
    ///
    /// - Complexity: O(items that are not taken over).
    mutating func itemSpan(along axis: ScreenAxis) -> ClosedRange<Double>? {
        states.measure(items, after: taken, along: axis)
    }

    /// Adds the lines of the items behind those that are taken over.
    mutating func addLines(of sizes: ItemSizes) {
        if sizes.lines.isEmpty, !lines.contains(where: { $0 != .none }) {
            lines = []
            return
        }
        for _ in lines.count..<max(lines.count, takenCount) { lines.append(.none) }
        for line in sizes.lines { lines.append(line) }
        guard sizes.lines.isEmpty else { return }
        for _ in 0..<sizes.count { lines.append(.none) }
    }

    mutating func takeItems(of earlier: EarlierArrangement, before state: ArrangementState) {
        items = earlier.frames.items
        items.truncate(to: state.item)
        separators = earlier.frames.separators
        separators.truncate(to: state.item)
        lines = earlier.frames.lines
        lines.truncate(to: state.item)
        takenSizes = earlier.frames.exactSizes.items
        takenSizes.truncate(to: state.item)
        taken = state
        states = earlier.states
        states.truncate(after: state)
    }
}

extension Frame {
    @inline(__always)
    func start(_ axis: ScreenAxis) -> Double { axis == .vertical ? y : x }

    @inline(__always)
    func length(_ axis: ScreenAxis) -> Double { axis == .vertical ? height : width }

    @inline(__always)
    func end(_ axis: ScreenAxis) -> Double { start(axis) + length(axis) }
}

/// A running sum without accumulated rounding errors (Kahan summation).
///
/// A position far down a screen is the sum of a million fractional lengths. A plain sum drifts by
/// thousandths of a point, so that the frames would depend on the division of a page into sections.
struct PreciseSum: Sendable {
    private(set) var value: Double
    /// The part of the last number that `value` could not represent.
    private var lost = 0.0

    init(_ value: Double = 0) {
        self.value = value
    }

    @inline(__always)
    static func += (sum: inout PreciseSum, next: Double) {
        let corrected = next - sum.lost
        let total = sum.value + corrected
        sum.lost = (total - sum.value) - corrected
        sum.value = total
    }
}
