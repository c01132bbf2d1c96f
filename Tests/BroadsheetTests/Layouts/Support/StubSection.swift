import Synchronization

@testable import Broadsheet

/// The size that a test's cell specifies: both lengths, one, or none.
struct StubSize: Sendable {
    var width: Double?
    var height: Double?
    /// The columns that the cell spans.
    var span: CellSpan

    init(_ width: Double? = nil, _ height: Double? = nil, span: CellSpan = .columns(1)) {
        self.width = width
        self.height = height
        self.span = span
    }

    /// A type without a size.
    static let none = StubSize()

    /// Returns the size that a catalog's cell type with these lengths returns.
    func size(_ request: SizeRequest) -> Size {
        guard width != nil || height != nil else { return fixed(request.fallback, request) }
        let size = Size(
            width: width ?? request.absent.width, height: height ?? request.absent.height)
        return fixed(size, request)
    }

    private func fixed(_ size: Size, _ request: SizeRequest) -> Size {
        var size = size
        if let cross = request.fixedCross { size[request.container.axis.cross] = cross }
        return size
    }
}

/// A section that consists of sizes only.
struct StubSection: SectionContent {
    var layout = SectionLayout()
    var items: [StubSize] = []
    var header: StubSize?
    var footer: StubSize?
    /// A Boolean value that indicates whether the section knows the common size of its items.
    var knowsUniform = false
    var isCollapsed = false

    init(
        _ items: [StubSize] = [], header: StubSize? = nil, footer: StubSize? = nil,
        _ configure: (inout SectionLayout) -> Void = { _ in }
    ) {
        self.items = items
        self.header = header
        self.footer = footer
        configure(&layout)
    }

    /// Creates a section of `count` items of one size.
    init(
        count: Int, _ width: Double? = nil, _ height: Double? = nil, header: StubSize? = nil,
        footer: StubSize? = nil, _ configure: (inout SectionLayout) -> Void = { _ in }
    ) {
        self.init(
            Array(repeating: StubSize(width, height), count: count), header: header, footer: footer,
            configure)
    }

    var itemCount: Int { items.count }
    var hasHeader: Bool { header != nil }
    var hasFooter: Bool { footer != nil }
    func measure(_ range: Range<Int>, _ request: SizeRequest, into items: inout MeasuredItems) {
        items.sizes += self.items[range].map { $0.size(request) }
    }
    func itemSpans(from first: Int) -> [ItemSpan] {
        let spans = items.dropFirst(first).map { ItemSpan($0.span) }
        return spans.allSatisfy { $0 == .one } ? [] : spans
    }
    func uniformItemSize(_ request: SizeRequest) -> Size? {
        knowsUniform ? items.first?.size(request) : nil
    }
    func headerSize(_ request: SizeRequest) -> Size { header?.size(request) ?? .zero }
    func footerSize(_ request: SizeRequest) -> Size { footer?.size(request) ?? .zero }
}

/// A section of known sizes that counts the items that it measures.
final class CountedSection: SectionContent {
    let sizes: [Size]
    let layout: SectionLayout
    private let count = Mutex(0)

    init(_ sizes: [Size], _ layout: SectionLayout) {
        self.sizes = sizes
        self.layout = layout
    }

    /// The number of items measured, each as often as it was.
    var measuredCount: Int { count.withLock { $0 } }
    var itemCount: Int { sizes.count }

    func measure(_ range: Range<Int>, _ request: SizeRequest, into items: inout MeasuredItems) {
        count.withLock { $0 += range.count }
        items.sizes += sizes[range]
    }

    /// Returns the frames of the section, made from those of an earlier version of it.
    func frames(
        after earlier: CountedSection, _ known: ArrangedScreen, in environment: LayoutEnvironment
    ) -> ScreenFrames {
        let unchanged = zip(sizes, earlier.sizes).prefix { $0 == $1 }.count
        return ArrangedScreen([self], in: environment, after: known) { _ in (0, unchanged) }.frames
    }
}

/// The members that sections of sizes only do not have.
extension SectionContent {
    var isCollapsed: Bool { false }
    var itemsWithoutIDs: (first: Int, count: Int) { (0, 0) }
    var hasHeader: Bool { false }
    var hasFooter: Bool { false }
    var hasContents: Bool { false }

    func itemSpans(from first: Int) -> [ItemSpan] { [] }
    func measuredItem(
        _ request: SizeRequest, at index: Int
    ) -> (size: Size, lines: ItemLines) {
        var items = MeasuredItems()
        measure(index..<index + 1, request, into: &items)
        return (items.sizes.first ?? .zero, items.lines.first ?? .none)
    }
    func uniformItemSize(_ request: SizeRequest) -> Size? { nil }
    func headerSize(_ request: SizeRequest) -> Size { .zero }
    func footerSize(_ request: SizeRequest) -> Size { .zero }
    func contentLint(
        of frames: SectionFrames, comparedWith plain: SectionFrames?,
        _ conditions: ContentLintConditions
    ) -> ContentLint { ContentLint() }
    func comparesTexts(all: Bool) -> Bool { false }
}

extension SectionContent {
    /// Returns the sizes of all items, in points.
    func itemSizes(_ request: SizeRequest) -> [Size] {
        var items = MeasuredItems()
        measure(0..<itemCount, request, into: &items)
        return items.sizes
    }
}
