/// A line while it is being filled (rules F9 and F14).
struct FlowLine: Sendable {
    /// The index of its first item.
    let first: Int
    /// The items in it.
    private(set) var count = 0
    /// What its items take across, the least gaps between them included, in points.
    private(set) var used = 0.0
    /// Its largest item's length along main, in points.
    private(set) var thickness = 0.0

    /// A line that will begin with the item at `first`.
    init(first: Int = 0) {
        self.first = first
    }

    /// Whether nothing has gone in yet.
    var isEmpty: Bool { count == 0 }

    /// Takes one more item in.
    @inline(__always)
    mutating func append(length: Double, thickness: Double, spacing: Double) {
        used += count == 0 ? length : spacing + length
        self.thickness = max(self.thickness, thickness)
        count += 1
    }
}
