/// The lines of a section whose items differ: as many to a line as fit (rules F9, F12 and F13).
struct FittedLines: Sendable {
    private let sizes: [Size]
    private let metrics: FlowMetrics

    /// Lines for items of these sizes; there is at least one, all sanitised.
    init(_ sizes: [Size], _ metrics: FlowMetrics) {
        self.sizes = sizes
        self.metrics = metrics
    }

    /// Appends every item in lines from `main` on, and returns the lines' length in points.
    ///
    /// One pass: a line is placed as soon as the item is known that does not fit into it.
    func place(at main: Double, in items: inout [Frame]) -> Double {
        items.reserveCapacity(sizes.count)
        var start = PreciseSum(main)
        var line = FlowLine()
        var isEveryLineSingle = true
        for (index, size) in sizes.enumerated() {
            let (length, thickness) = (size[metrics.axis.cross], size[metrics.axis])
            if !line.isEmpty && !fits(length, in: line) {
                placeCommon(line, at: start.value, in: &items)
                isEveryLineSingle = isEveryLineSingle && line.count == 1
                start += line.thickness + metrics.lineSpacing
                line = FlowLine(first: index)
            }
            line.append(length: length, thickness: thickness, spacing: metrics.interitemSpacing)
        }
        placeLast(line, at: start.value, isEveryLineSingle: isEveryLineSingle, in: &items)
        return start.value + line.thickness - main
    }

    /// F9: the first item of a line always goes in, so this is asked from the second on.
    @inline(__always)
    private func fits(_ length: Double, in line: FlowLine) -> Bool {
        line.used + metrics.interitemSpacing + length <= metrics.available + FitTest.tolerance
    }

    /// F12: justified, or centred when it holds a single item.
    private func placeCommon(_ line: FlowLine, at main: Double, in items: inout [Frame]) {
        if line.count == 1 {
            place(line, at: main, offset: (metrics.available - line.used) / 2, gap: 0, in: &items)
        } else {
            let slack = max(0, metrics.available - line.used)
            let gap = metrics.interitemSpacing + slack / Double(line.count - 1)
            place(line, at: main, offset: 0, gap: gap, in: &items)
        }
    }

    /// F13: leading and unjustified, unless no line of the section holds a second item.
    private func placeLast(
        _ line: FlowLine, at main: Double, isEveryLineSingle: Bool, in items: inout [Frame]
    ) {
        if isEveryLineSingle && line.count == 1 {
            placeCommon(line, at: main, in: &items)
        } else {
            place(line, at: main, offset: 0, gap: metrics.interitemSpacing, in: &items)
        }
    }

    /// F14: one item after another across, each centred along main on the line's thickness.
    @inline(__always)
    private func place(
        _ line: FlowLine, at main: Double, offset: Double, gap: Double, in items: inout [Frame]
    ) {
        let axis = metrics.axis
        var cross = metrics.crossLeading + offset
        for index in line.first..<(line.first + line.count) {
            let (length, thickness) = (sizes[index][axis.cross], sizes[index][axis])
            items.append(
                Frame(
                    axis: axis, main: main + (line.thickness - thickness) / 2, cross: cross,
                    mainLength: thickness, crossLength: length))
            cross += length + gap
        }
    }
}
