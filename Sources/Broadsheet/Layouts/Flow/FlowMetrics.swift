/// A flow section's numbers, resolved and sanitised (rules F1, F2, F6, F8 and G2).
struct FlowMetrics: Sendable {
    /// The axis the screen scrolls along.
    let axis: Axis
    /// The viewport's length across, in points; above 0.
    let crossViewport: Double
    /// Before the first line and after the last, in points.
    let main: (leading: Double, trailing: Double)
    /// Before the first column, in points; what follows the last is in `available`.
    let crossLeading: Double
    /// Between successive lines, in points (F4).
    let lineSpacing: Double
    /// At least between the items of one line, in points (F4).
    let interitemSpacing: Double
    /// The size of items that have none of their own, in points (F1).
    let itemSize: Size
    /// The grid's columns; nil when the section is no grid.
    let columns: Int?
    /// What the cross insets leave of the viewport, in points; negative where they overlap (F5).
    let room: Double
    /// What lines may fill of the viewport, in points: F8.
    var available: Double { max(0, room) }

    /// Resolves what `options` leaves out from the screen's values, then from UIKit's (F2, F1).
    init(_ options: FlowOptions, in context: LayoutContext) {
        let screen = context.screen
        let inset = Sanitation.insets(options.inset ?? screen.inset ?? .zero)
        let cross = context.axis.cross
        // F6: a grid of 0 columns spans the viewport, and keeps only its main insets.
        let spansViewport = options.gridColumnCount == 0
        let crossTrailing = spansViewport ? 0 : inset.trailing(cross)
        axis = context.axis
        crossViewport = context.crossViewport
        main = (inset.leading(context.axis), inset.trailing(context.axis))
        crossLeading = spansViewport ? 0 : inset.leading(cross)
        lineSpacing = Length.sanitised(
            options.minimumLineSpacing ?? screen.minimumLineSpacing ?? Self.defaultSpacing)
        interitemSpacing = Length.sanitised(
            options.minimumInteritemSpacing ?? screen.minimumInteritemSpacing
                ?? Self.defaultSpacing)
        itemSize = Sanitation.size(screen.itemSize ?? Self.defaultItemSize)
        columns = options.gridColumnCount
        room = crossViewport - crossLeading - crossTrailing
    }

    /// F1: UIKit's line and interitem spacing, in points.
    static let defaultSpacing = 10.0
    /// F1: UIKit's item size, in points.
    static let defaultItemSize = Size(width: 50, height: 50)
}
