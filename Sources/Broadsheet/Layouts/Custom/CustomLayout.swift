/// A layout of a Swift program: the public part of the layout protocol (rules X).
///
/// `SectionLayout.custom` makes the layout of a section of it. It places the items; header, footer,
/// insets, decorations, pinning, mirroring and rounding are those of the engine.
/// docs/custom-layouts.md has an example.
public protocol CustomLayout: Sendable, Hashable {
    /// Places the items of a section.
    ///
    /// The function is called for each section that has items, at each layout, on any thread. The
    /// frames may depend on the arguments and on the value itself only, since a section that has
    /// not changed keeps its frames.
    ///
    /// - Parameters:
    ///   - items: The items, which can be measured and placed.
    ///   - space: The lengths of the section.
    func place(_ items: inout CustomLayoutItems, in space: CustomLayoutSpace)
}

/// The lengths of a section that a custom layout places the items of, sanitised (rules X1 and X5).
public struct CustomLayoutSpace: Sendable, Hashable {
    /// The axis along which the screen scrolls: the main axis.
    public let axis: ScreenAxis
    /// The length between the insets across the screen, in points; never negative.
    public let crossLength: Double
    /// The size of the viewport, in points.
    public let viewport: Size
    /// The section's space between lines, in points (F2); possibly negative.
    public let lineSpacing: Double
    /// The section's space between the items of a line, in points (F2); possibly negative.
    public let interitemSpacing: Double
    /// The section's `gridColumnCount` in this viewport, in 1...``maxColumns``, or `nil` if it has
    /// none.
    public let columns: Int?

    /// The largest number of columns; fixed, so that a layout can have a value for each.
    public static let maxColumns = 1000

    init(_ metrics: FlowMetrics, _ context: LayoutContext) {
        axis = metrics.axis
        crossLength = metrics.available
        viewport = context.viewport
        lineSpacing = metrics.lineSpacing
        interitemSpacing = metrics.interitemSpacing
        columns = metrics.columns.map { min(max(1, $0), Self.maxColumns) }
    }
}

/// The items of a section as a custom layout measures and places them (rules X2 to X4).
///
/// Frames are in the section's content box: (0, 0) is the corner behind the header and the leading
/// insets, at which reading begins. No call stops the program, whatever the arguments.
public struct CustomLayoutItems {
    /// The number of items, at least 1.
    public let count: Int

    private let content: any SectionContent
    private let metrics: FlowMetrics
    private let context: LayoutContext
    /// The frames, in the section's content box.
    private var frames: [Frame]
    private var states: [State]
    /// The lines of the items measured last; empty if no size depends on a text.
    private var lines: [ItemLines] = []
    /// A Boolean value that indicates whether an item was placed that the section does not have.
    private var hasStrayFrames = false

    /// The outcome for an item.
    private enum State: UInt8 {
        case notPlaced, placed, unusable
    }

    init(_ content: any SectionContent, _ metrics: FlowMetrics, _ context: LayoutContext) {
        self.content = content
        self.metrics = metrics
        self.context = context
        count = content.itemCount
        frames = Array(repeating: .zero, count: count)
        states = Array(repeating: .notPlaced, count: count)
    }

    /// The indexes of the items.
    public var indices: Range<Int> { 0..<count }

    /// Returns the sizes of all items in points, in order: finite and not negative.
    ///
    /// - Parameter crossLength: The length across the screen that the items get, or `nil` for the
    ///   one that their cells specify.
    /// - Complexity: O(items).
    public mutating func sizes(across crossLength: Double? = nil) -> [Size] {
        let sizes = ItemSizes(of: content, request(crossLength))
        lines = sizes.lines
        return sizes.isUniform ? Array(repeating: sizes.common, count: count) : sizes.each
    }

    /// Returns the size of an item in points, finite and not negative; 0 by 0 if there is no such
    /// item.
    ///
    /// - Parameters:
    ///   - item: The index of the item.
    ///   - crossLength: The length across the screen that the item gets, or `nil` for the one that
    ///     its cell specifies.
    /// - Complexity: O(log pages).
    public mutating func size(of item: Int, across crossLength: Double? = nil) -> Size {
        guard indices ~= item else { return .zero }
        let request = request(crossLength)
        let (size, lines) = content.measuredItem(request, at: item)
        setLines(lines, ofItem: item)
        return ItemSizes.usable(size, request)
    }

    /// Places an item; of several frames of an item, the last one counts.
    ///
    /// - Parameters:
    ///   - item: The index of the item. A frame of an item that there is not is a diagnostic
    ///     `FRAME_WITHOUT_ITEM`.
    ///   - frame: The frame in the content box, in points. NaN, infinite and negative lengths are
    ///     sanitised (G2), with a diagnostic `UNUSABLE_FRAME`.
    public mutating func place(_ item: Int, at frame: Frame) {
        guard indices ~= item else { return hasStrayFrames = true }
        frames[item] = Sanitation.frame(frame)
        states[item] = frames[item] == frame ? .placed : .unusable
    }

    /// The request to each cell: its size as in a flow section (F3), or in a column (F5).
    private func request(_ crossLength: Double?) -> SizeRequest {
        let cross = crossLength.map { Sanitation.size($0) }
        let container = context.container(cross: cross ?? metrics.available)
        var absent = metrics.itemSize
        absent[metrics.axis.cross] = container.available[metrics.axis.cross]
        return SizeRequest(
            container: container, fixedCross: cross, absent: absent, fallback: metrics.itemSize)
    }

    private mutating func setLines(_ measured: ItemLines, ofItem item: Int) {
        if lines.isEmpty {
            guard measured != .none else { return }
            lines = Array(repeating: .none, count: count)
        }
        lines[item] = measured
    }

    /// Adds the items to a section whose content box begins at `main`, and returns their length
    /// along the main axis, in points (X3).
    ///
    /// - Complexity: O(items).
    func add(to section: inout SectionArrangement, at main: Double) -> Double {
        let origin = Frame(
            axis: metrics.axis, main: main, cross: metrics.crossLeading, mainLength: 0,
            crossLength: 0)
        section.items.reserveCapacity(count)
        var end = 0.0
        for var frame in frames {
            end = max(end, frame.end(metrics.axis))
            frame.x += origin.x
            frame.y += origin.y
            section.items.append(frame)
        }
        for line in lines { section.lines.append(line) }
        section.diagnostics += [
            diagnostic(.itemNotPlaced, of: .notPlaced), diagnostic(.unusableFrame, of: .unusable),
            hasStrayFrames ? SectionDiagnostic(.frameWithoutItem) : nil,
        ].compactMap(\.self)
        return end
    }

    /// Returns a diagnostic at the first of the items with an outcome, if there are any.
    private func diagnostic(_ code: LayoutDiagnostic.Code, of state: State) -> SectionDiagnostic? {
        states.firstIndex(of: state).map { first in
            SectionDiagnostic(code, item: first, count: states.count { $0 == state })
        }
    }
}
