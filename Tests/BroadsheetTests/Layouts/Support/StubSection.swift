@testable import Broadsheet

/// What a cell of a test says of its own size: on both axes, one, or none.
struct StubSize: Sendable {
    var width: Double?
    var height: Double?

    init(_ width: Double? = nil, _ height: Double? = nil) {
        self.width = width
        self.height = height
    }

    /// A type without any size of its own.
    static let none = StubSize()

    /// The answer that a catalog's cell type of these rules gives.
    func answer(_ request: SizeRequest) -> Size {
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

/// A section made of sizes alone.
struct StubSection: SectionContent {
    var layout = SectionLayout()
    var items: [StubSize] = []
    var header: StubSize?
    var footer: StubSize?
    /// Whether the section knows that its items are alike without asking each.
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

    /// `count` items of one size.
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
    func itemSizes(_ request: SizeRequest) -> [Size] { items.map { $0.answer(request) } }
    func uniformItemSize(_ request: SizeRequest) -> Size? {
        knowsUniform ? items.first?.answer(request) : nil
    }
    func headerSize(_ request: SizeRequest) -> Size { header?.answer(request) ?? .zero }
    func footerSize(_ request: SizeRequest) -> Size { footer?.answer(request) ?? .zero }
}
