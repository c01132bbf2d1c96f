/// One posted section, resolved: what its units have become.
///
/// Sections of the same identifier, in one page or in several, become one when a screen is merged.
public struct SectionInfo: Sendable {
    /// Keeps a rarely posted, large value out of line.
    private final class LayoutBox: Sendable {
        let layout: SectionLayout
        init(_ layout: SectionLayout) { self.layout = layout }
    }

    /// What names the section; nil when nothing does, and it never merges.
    public let identifier: String?
    /// Whether its items are hidden; nil when the page says nothing.
    public let collapsed: Bool?
    /// The section's header.
    public let header: ReusableViewInfo?
    /// The section's footer.
    public let footer: ReusableViewInfo?
    /// The section's items, in order, collapsed or not.
    public let cells: ArraySlice<CellInfo>
    /// The kind that all items are of; nil when they differ, or there are none.
    let uniformKind: Int?
    /// Whether all items are identified by their place, no two by the same.
    let hasDistinctPlaces: Bool
    private let layoutBox: LayoutBox?

    /// The layout members that the page, or a configuration, sets; nil when none.
    public var layout: SectionLayout? { layoutBox?.layout }

    init(
        identifier: String?, collapsed: Bool?, layout: SectionLayout?,
        header: ReusableViewInfo?, footer: ReusableViewInfo?, cells: ArraySlice<CellInfo>
    ) {
        self.identifier = identifier
        self.collapsed = collapsed
        layoutBox = layout.map(LayoutBox.init)
        self.header = header
        self.footer = footer
        self.cells = cells
        let kind = cells.first?.kind
        uniformKind = cells.allSatisfy { $0.kind == kind } ? kind : nil
        hasDistinctPlaces = cells.haveAscendingPlaces
    }
}

extension ArraySlice<CellInfo> {
    /// Whether all are identified by their place, each behind the one before it.
    fileprivate var haveAscendingPlaces: Bool {
        var last = (unit: -1, element: -1)
        for cell in self {
            guard case .position(let unit, let element) = cell.id, last < (unit, element) else {
                return false
            }
            last = (unit, element)
        }
        return true
    }
}
