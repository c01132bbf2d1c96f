/// The test for whether another item fits into a line (rule F9).
enum FitTest {
    /// The tolerance in points.
    ///
    /// UIKit seems to have none, so that thirds of a width wrap or not depending on the rounding
    /// errors of floating point.
    static let tolerance = 0.001
}

/// The lines of a section whose items all have one size: a grid (rules F10, F11 and F14).
struct UniformLines: Sendable {
    private let size: Size
    /// The number of items in a full line, whether there are enough items or not; possibly huge.
    private let itemsPerLine: Double
    /// The space between items of a line, in points.
    private let gap: Double
    /// The distance from the content's leading edge to the first item of a line, in points.
    private let offset: Double
    private let metrics: FlowMetrics

    /// Computes the number of items in a line (F10) and their spacing (F11).
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

    /// F10: infinity if items take no space, so that one line holds all of them.
    private static func itemsPerLine(
        _ length: Double, _ spacing: Double, _ available: Double
    ) -> Double {
        let step = length + spacing
        guard step > 1e-9 else { return .infinity }
        return max(1, ((available + spacing + FitTest.tolerance) / step).rounded(.down))
    }

    /// Appends items in lines that start at `main` until there are `count`, and returns the length
    /// of the lines in points.
    ///
    /// Each position is a product, not a sum, so that the millionth is as exact as the first, and
    /// depends on no other item.
    func place(_ count: Int, at main: Double, in section: inout SectionArrangement) -> Double {
        guard count > 0 else { return 0 }
        let perLine = itemsPerLine < Double(count) ? Int(itemsPerLine) : count
        let (axis, thickness, length) = (metrics.axis, size[metrics.axis], size[metrics.axis.cross])
        let (linePitch, itemPitch) = (thickness + metrics.lineSpacing, length + gap)
        let cross = metrics.crossLeading + offset
        section.items.reserveCapacity(count)
        var placed = section.takenCount
        var (line, item) = (Double(placed / perLine), placed % perLine)
        while placed < count {
            let end = min(perLine, item + count - placed)
            for item in item..<end {
                section.items.append(
                    Frame(
                        axis: axis, main: main + line * linePitch,
                        cross: cross + Double(item) * itemPitch, mainLength: thickness,
                        crossLength: length))
            }
            placed += end - item
            line += 1
            item = 0
        }
        noteStates(count, in: &section.states)
        section.noteLastLine(of: perLine, fitsFirst: false)
        return line * thickness + (line - 1) * metrics.lineSpacing
    }

    private func noteStates(_ count: Int, in states: inout ArrangementStates) {
        while states.nextItem < count { states.note(ArrangementState(item: states.nextItem)) }
        states.end(with: ArrangementState(item: count))
    }
}

/// The lines of a section whose items differ in size: each holds as many as fit (rules F9, F12 and
/// F13).
struct FittedLines: Sendable {
    private let sizes: [Size]
    private let metrics: FlowMetrics

    /// Creates lines for at least one item of sanitised size.
    init(_ sizes: ItemSizes, _ metrics: FlowMetrics) {
        self.sizes =
            sizes.isUniform ? Array(repeating: sizes.common, count: sizes.count) : sizes.each
        self.metrics = metrics
    }

    /// Appends every item in lines that start at `main`, and returns the length of the lines in
    /// points.
    ///
    /// One pass: a line is placed as soon as an item does not fit into it.
    ///
    /// - Parameter state: The state before the first of the items, which begins a line.
    func place(
        at main: Double, from state: ArrangementState, in section: inout SectionArrangement
    ) -> Double {
        section.items.reserveCapacity(state.item + sizes.count)
        var start = state.position
        var line = Line()
        var isEveryLineSingle = state.isEveryLineSingle
        var nextState = section.states.nextItem - state.item
        for (index, size) in sizes.enumerated() {
            let (length, thickness) = (size[metrics.axis.cross], size[metrics.axis])
            if !line.isEmpty && !fits(length, in: line) {
                placeCommon(line, at: start.value, in: &section.items)
                isEveryLineSingle = isEveryLineSingle && line.count == 1
                start += line.thickness + metrics.lineSpacing
                line = Line(first: index)
                if index >= nextState {
                    section.states.note(
                        ArrangementState(
                            item: state.item + index, position: start,
                            isEveryLineSingle: isEveryLineSingle))
                    nextState = section.states.nextItem - state.item
                }
            }
            line.append(length: length, thickness: thickness, spacing: metrics.interitemSpacing)
        }
        section.states.end(
            with: ArrangementState(
                item: state.item + line.first, position: start,
                isEveryLineSingle: isEveryLineSingle))
        placeLast(line, at: start.value, isEveryLineSingle: isEveryLineSingle, in: &section.items)
        if !isEveryLineSingle { section.sharedLines = .within }
        section.noteLastLine(
            of: line.count, fitsFirst: fits(sizes.first?[metrics.axis.cross] ?? 0, in: line))
        return start.value + line.thickness - main
    }

    /// F9: returns whether another item fits; the first item of a line always does.
    @inline(__always)
    private func fits(_ length: Double, in line: Line) -> Bool {
        line.used + metrics.interitemSpacing + length <= metrics.available + FitTest.tolerance
    }

    /// F12: justifies the line, or centres its only item.
    private func placeCommon(_ line: Line, at main: Double, in items: inout ChunkedList<Frame>) {
        if line.count == 1 {
            place(line, at: main, offset: (metrics.available - line.used) / 2, gap: 0, in: &items)
        } else {
            let slack = max(0, metrics.available - line.used)
            let gap = metrics.interitemSpacing + slack / Double(line.count - 1)
            place(line, at: main, offset: 0, gap: gap, in: &items)
        }
    }

    /// F13: aligns the line with the leading edge, unless all lines hold a single item.
    private func placeLast(
        _ line: Line, at main: Double, isEveryLineSingle: Bool, in items: inout ChunkedList<Frame>
    ) {
        if isEveryLineSingle && line.count == 1 {
            placeCommon(line, at: main, in: &items)
        } else {
            place(line, at: main, offset: 0, gap: metrics.interitemSpacing, in: &items)
        }
    }

    /// F14, F21: places items one after another, each aligned in the line's thickness.
    @inline(__always)
    private func place(
        _ line: Line, at main: Double, offset: Double, gap: Double,
        in items: inout ChunkedList<Frame>
    ) {
        var cross = metrics.crossLeading + offset
        for index in line.first..<(line.first + line.count) {
            items.append(
                metrics.frame(sizes[index], at: main, cross: cross, thickness: line.thickness))
            cross += sizes[index][metrics.axis.cross] + gap
        }
    }

    /// A line while it is being filled (rules F9 and F14).
    private struct Line {
        let first: Int
        private(set) var count = 0
        /// The cross length of the items with the least gaps between them, in points.
        private(set) var used = 0.0
        /// The greatest main length of the items, in points.
        private(set) var thickness = 0.0

        init(first: Int = 0) {
            self.first = first
        }

        var isEmpty: Bool { count == 0 }

        @inline(__always)
        mutating func append(length: Double, thickness: Double, spacing: Double) {
            used += count == 0 ? length : spacing + length
            self.thickness = max(self.thickness, thickness)
            count += 1
        }
    }
}

extension FlowMetrics {
    /// Returns the frame of an item of a line that begins at `main` (F14, F21).
    @inline(__always)
    func frame(_ size: Size, at main: Double, cross: Double, thickness: Double) -> Frame {
        let length = size[axis]
        return Frame(
            axis: axis, main: main + (thickness - length) * alignment.leadingFraction,
            cross: cross, mainLength: alignment == .stretch ? thickness : length,
            crossLength: size[axis.cross])
    }
}
