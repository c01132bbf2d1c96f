/// The sizes of a section's items as a layout sees them: usable numbers (rule G2), one for each
/// item or one for all.
struct ItemSizes: Sendable {
    /// How many items there are.
    let count: Int
    /// Every item's size in points, when all are equal.
    let common: Size
    /// Each item's size in points, in order; empty when all are equal.
    let each: [Size]

    /// Items that are all of one size, which is usable already.
    init(_ size: Size, count: Int) {
        self.count = count
        common = size
        each = []
    }

    /// Asks every item, or the section when it knows them to be alike.
    ///
    /// O(items).
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

    /// Consumes `given`, so that what the content made is made usable in place.
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

    /// Whether all sizes are equal; so are those of a single item, or of none (F10).
    var isUniform: Bool { each.isEmpty }

    /// The size in points of the item at `index`.
    @inline(__always)
    subscript(index: Int) -> Size { each.isEmpty ? common : each[index] }

    /// A size as the cell gave it, within bounds and as long across as it was told to be.
    @inline(__always)
    private static func usable(_ size: Size, _ request: SizeRequest) -> Size {
        var size = Sanitation.size(size)
        if let cross = request.fixedCross { size[request.container.axis.cross] = cross }
        return size
    }
}
