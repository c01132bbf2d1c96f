/// A resolved section: its cells, header, footer and layout.
///
/// Sections with the same identifier, in one page or in several, become one in a merged screen.
public struct SectionInfo: Sendable {
    /// The section's identifier; a section without one never merges.
    public let identifier: String?
    /// A Boolean value that indicates whether the section is not there for the page's audience.
    ///
    /// It keeps its place, so that the indexes of the others are those that were posted.
    public let isHidden: Bool
    /// A Boolean value that indicates whether items are hidden; `nil` if the page does not specify
    /// it.
    public let collapsed: Bool?
    /// The section's header.
    public let header: ReusableViewInfo?
    /// The section's footer.
    public let footer: ReusableViewInfo?
    /// The section's items in order, collapsed or not.
    public let cells: ArraySlice<CellInfo>
    /// The kind of all items; `nil` if they differ, or there are none.
    let uniformKind: Int?
    /// A Boolean value that indicates whether all items are identified by distinct positions.
    let hasDistinctPositions: Bool
    let hasContents: Bool
    /// The types of the units, and of the section's own header and footer.
    let unitTypes: UnitTypeSet
    /// The range in the page's bytes of the section's data for the client, if it has any.
    package let dataRange: Range<Int>?
    /// A Boolean value that indicates whether the page posts a header or a footer of the section's
    /// own, made or not.
    let hasOwnViews: Bool
    /// A Boolean value that indicates whether the page posts a layout of the section, even one
    /// without members.
    let hasOwnLayout: Bool
    private let layoutBox: LayoutBox?
    let unitLayout: LayoutBox?

    /// The layout members that the page or a configuration sets, if any.
    public var layout: SectionLayout? { layoutBox?.layout }

    /// `withContents` says whether each kind has a content; empty if none has.
    fileprivate init(
        _ draft: SectionDraft, cells: ArraySlice<CellInfo>, withContents: [Bool]
    ) {
        identifier = draft.identifier
        isHidden = draft.isHidden
        collapsed = draft.collapsed
        layoutBox = draft.layout.map(LayoutBox.init)
        unitLayout = draft.unitLayout
        unitTypes = draft.unitTypes
        dataRange = draft.dataRange
        hasOwnViews = draft.hasOwnViews
        hasOwnLayout = draft.hasOwnLayout
        header = draft.header
        footer = draft.footer
        self.cells = cells
        let kind = cells.first?.kind
        uniformKind = cells.allSatisfy { $0.kind == kind } ? kind : nil
        hasDistinctPositions = cells.haveAscendingPositions
        hasContents =
            !withContents.isEmpty
            && (cells.contains { withContents[$0.kind] }
                || [header, footer].contains { $0.map { withContents[$0.kind] } == true })
    }
}

extension ArraySlice<CellInfo> {
    fileprivate var haveAscendingPositions: Bool {
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

/// A resolved section whose page is not complete, so that the storage of its items still moves.
struct SectionDraft: Sendable {
    let identifier: String?
    fileprivate let collapsed: Bool?
    fileprivate let layout: SectionLayout?
    fileprivate let unitLayout: LayoutBox?
    fileprivate let unitTypes: UnitTypeSet
    fileprivate let dataRange: Range<Int>?
    fileprivate let header: ReusableViewInfo?
    fileprivate let footer: ReusableViewInfo?
    /// A Boolean value that indicates whether the section is not there for the page's audience.
    let isHidden: Bool
    var hasOwnViews = false
    var hasOwnLayout = false
    let cells: Range<Int>

    init(hidden identifier: String?, cells: Range<Int>) {
        self.identifier = identifier
        isHidden = true
        collapsed = nil
        layout = nil
        unitLayout = nil
        unitTypes = UnitTypeSet()
        dataRange = nil
        header = nil
        footer = nil
        self.cells = cells
    }

    init(
        identifier: String?, collapsed: Bool?, _ builder: borrowing SectionBuilder,
        cells: Range<Int>
    ) {
        self.identifier = identifier
        isHidden = false
        self.collapsed = collapsed
        layout = builder.layout == SectionLayout() ? nil : builder.layout
        unitLayout = builder.unitLayout
        unitTypes = builder.unitTypes
        dataRange = builder.dataRange
        header = builder.header
        footer = builder.footer
        self.cells = cells
    }

    func info(of cells: [CellInfo], withContents: [Bool]) -> SectionInfo {
        SectionInfo(self, cells: cells[self.cells], withContents: withContents)
    }
}
