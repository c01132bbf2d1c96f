/// The lines of a section whose items are all of one size: a grid (rules F10, F11 and F14).
struct UniformLines: Sendable {
    /// The size of every item, in points.
    let size: Size
    /// The items that a full line holds; counted as if there were enough, hence possibly huge.
    let itemsPerLine: Double
    /// Between the items of a line, in points.
    let gap: Double
    /// From the content's leading edge to a line's first item, in points.
    let offset: Double

    private let metrics: FlowMetrics

    /// Counts the items of a line (F10) and spreads them (F11).
    init(size: Size, _ metrics: FlowMetrics) {
        let length = size[metrics.axis.cross]
        let spacing = metrics.interitemSpacing
        let available = metrics.available
        self.size = size
        self.metrics = metrics
        itemsPerLine = Self.itemsPerLine(length, spacing, available)
        if itemsPerLine >= 2 {
            let used = itemsPerLine * length + (itemsPerLine - 1) * spacing
            gap =
                itemsPerLine.isFinite
                ? spacing + max(0, available - used) / (itemsPerLine - 1) : spacing
            offset = 0
        } else {
            gap = spacing
            offset = (available - length) / 2
        }
    }

    /// F10: infinity when items take no room at all, so that one line holds every one of them.
    private static func itemsPerLine(
        _ length: Double, _ spacing: Double, _ available: Double
    ) -> Double {
        let step = length + spacing
        guard step > 1e-9 else { return .infinity }
        return max(1, ((available + spacing + FitTest.tolerance) / step).rounded(.down))
    }

    /// Appends `count` items in lines from `main` on, and returns the lines' length in points.
    ///
    /// Every position is a product, not a sum, so that the millionth is as exact as the first.
    func place(_ count: Int, at main: Double, in items: inout [Frame]) -> Double {
        guard count > 0 else { return 0 }
        let perLine = itemsPerLine < Double(count) ? Int(itemsPerLine) : count
        let (axis, thickness, length) = (metrics.axis, size[metrics.axis], size[metrics.axis.cross])
        let (linePitch, itemPitch) = (thickness + metrics.lineSpacing, length + gap)
        let cross = metrics.crossLeading + offset
        items.reserveCapacity(count)
        var (line, placed) = (0.0, 0)
        while placed < count {
            let itemsHere = min(perLine, count - placed)
            for item in 0..<itemsHere {
                items.append(
                    Frame(
                        axis: axis, main: main + line * linePitch,
                        cross: cross + Double(item) * itemPitch, mainLength: thickness,
                        crossLength: length))
            }
            placed += itemsHere
            line += 1
        }
        return line * thickness + (line - 1) * metrics.lineSpacing
    }
}
