/// The hairlines between a list's rows (rule L6).
struct Separators: Sendable {
    private let metrics: ListMetrics
    private let thickness: Double

    /// The hairlines of a list on a device of so many pixels per point; without a usable number of
    /// them (R1) a hairline is a point.
    init(_ metrics: ListMetrics, scale: Double) {
        self.metrics = metrics
        let hairline = Sanitation.size(1 / scale)
        thickness = hairline > 0 ? hairline : 1
    }

    /// The hairline inside each row's bottom edge, index by index; empty when the list shows none.
    func below(_ rows: [Frame]) -> [Frame?] {
        guard metrics.showsSeparators else { return [] }
        return rows.indices.map { index in
            leadingInset(index, of: rows.count).flatMap { line(in: rows[index], inset: $0) }
        }
    }

    /// From the row's leading edge to its hairline, in points; nil when it has none.
    private func leadingInset(_ index: Int, of count: Int) -> Double? {
        if index == 0 && metrics.headerMode == .firstItemInSection { return nil }
        guard index == count - 1 else { return metrics.margin }
        return switch metrics.appearance {
        case .insetGrouped, .sidebar: nil
        case .grouped: 0
        case .plain, .sidebarPlain: metrics.margin
        }
    }

    private func line(in row: Frame, inset: Double) -> Frame? {
        guard row.width > inset else { return nil }
        return Frame(
            x: row.x + inset, y: row.maxY - thickness, width: row.width - inset, height: thickness)
    }
}
