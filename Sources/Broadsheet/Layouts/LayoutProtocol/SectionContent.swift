/// The content of a section as layouts use it: the number of its items, its header and footer,
/// and their sizes.
///
/// Sizes are returned as the cells specify them; the layout sanitises them (rule G2).
package protocol SectionContent: Sendable {
    /// The number of items to lay out; 0 if the section is collapsed (F17).
    var itemCount: Int { get }
    /// A Boolean value that indicates whether the section has items that it does not show; used by
    /// lint only.
    var isCollapsed: Bool { get }
    /// A Boolean value that indicates whether the section has a header.
    var hasHeader: Bool { get }
    /// A Boolean value that indicates whether the section has a footer.
    var hasFooter: Bool { get }
    /// The section's layout.
    var layout: SectionLayout { get }

    /// Returns the size of each item in order, in points: exactly `itemCount` sizes.
    ///
    /// - Complexity: O(items).
    func itemSizes(_ request: SizeRequest) -> [Size]
    /// Returns the size in points that all items are known to have, or `nil` if it is not known
    /// without measuring each item.
    func uniformItemSize(_ request: SizeRequest) -> Size?
    /// Returns the header's size in points; called only if there is a header.
    func headerSize(_ request: SizeRequest) -> Size
    /// Returns the footer's size in points; called only if there is a footer.
    func footerSize(_ request: SizeRequest) -> Size
}

extension SectionContent {
    /// The section shows all its items.
    package var isCollapsed: Bool { false }
    /// Each item is measured.
    package func uniformItemSize(_ request: SizeRequest) -> Size? { nil }
}

/// The sizes of a section's items, sanitised (rule G2): one for each item, or one for all.
struct ItemSizes: Sendable {
    /// The number of items.
    let count: Int
    /// The size of every item in points, if all are equal.
    let common: Size
    /// The size of each item in points, in order; empty if all are equal.
    let each: [Size]

    /// Creates the sizes of items that all have one size, already sanitised.
    init(_ size: Size, count: Int) {
        self.count = count
        common = size
        each = []
    }

    /// Measures every item, or the section if it knows that all items have one size.
    ///
    /// - Complexity: O(items).
    init<Content: SectionContent>(of content: Content, _ request: SizeRequest) {
        let count = content.itemCount
        if count == 0 {
            self.init(.zero, count: 0)
        } else if let size = content.uniformItemSize(request) {
            self.init(Self.usable(size, request), count: count)
        } else {
            self.init(content.itemSizes(request), request)
        }
    }

    /// Consumes `given`, so that its storage is sanitised in place.
    private init(_ given: consuming [Size], _ request: SizeRequest) {
        var sizes = given
        let first = sizes.first.map { Self.usable($0, request) } ?? .zero
        var isUniform = true
        for index in sizes.indices {
            let size = Self.usable(sizes[index], request)
            sizes[index] = size
            isUniform = isUniform && size == first
        }
        count = sizes.count
        common = first
        each = isUniform ? [] : sizes
    }

    /// A Boolean value that indicates whether all sizes are equal; always true for at most one item
    /// (F10).
    var isUniform: Bool { each.isEmpty }

    /// The size of the item at `index`, in points.
    @inline(__always)
    subscript(index: Int) -> Size { each.isEmpty ? common : each[index] }

    /// Returns a cell's size sanitised, with the requested cross length.
    @inline(__always)
    private static func usable(_ size: Size, _ request: SizeRequest) -> Size {
        var size = Sanitation.size(size)
        if let cross = request.fixedCross { size[request.container.axis.cross] = cross }
        return size
    }
}
