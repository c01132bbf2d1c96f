/// Groups as they pile up: below each other, or beside each other in a scroller (rules C8 and C9).
struct GroupStack {
    /// Every item placed so far.
    var items: [Frame] = []
    /// How many groups there are.
    private(set) var count = 0
    /// The width of each group in points; groups of one section are equally wide.
    private(set) var groupWidth = 0.0
    /// All groups with what is between them, or the tallest in a scroller, in points.
    private(set) var contentHeight = 0.0
    /// Where the first group starts, from the section's start, in points.
    let top: Double

    private let metrics: CompositionalMetrics
    private var height = PreciseSum()

    /// No group yet; the first will stand in the content box's corner.
    init(_ metrics: CompositionalMetrics, top: Double) {
        self.metrics = metrics
        self.top = top
    }

    /// Takes one more group in, and returns where its items start.
    mutating func append(width: Double, height: Double) -> (x: Double, y: Double) {
        defer { count += 1 }
        groupWidth = width
        return metrics.isOrthogonal ? beside(height) : below(height)
    }

    /// From the section's leading edge to the group at `index` in the scroller, in points (C9).
    func start(ofGroup index: Int) -> Double {
        metrics.inset.left + Double(index) * (groupWidth + metrics.lineSpacing)
    }

    /// C9: every group at the same height, and the tallest counts.
    private mutating func beside(_ height: Double) -> (x: Double, y: Double) {
        contentHeight = max(contentHeight, height)
        return (start(ofGroup: count), top)
    }

    /// C8: each group below the one before.
    private mutating func below(_ height: Double) -> (x: Double, y: Double) {
        if count > 0 { self.height += metrics.lineSpacing }
        let y = top + self.height.value
        self.height += height
        contentHeight = self.height.value
        return (metrics.inset.left, y)
    }
}
