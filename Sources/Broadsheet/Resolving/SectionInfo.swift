/// A resolved section: its cells, header, footer and layout.
///
/// Sections with the same identifier, in one page or in several, become one in a merged screen.
public struct SectionInfo: Sendable {
    /// A box that keeps a large, rarely posted value out of line.
    private final class LayoutBox: Sendable {
        let layout: SectionLayout
        init(_ layout: SectionLayout) { self.layout = layout }
    }

    /// The section's identifier; a section without one never merges.
    public let identifier: String?
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
    private let layoutBox: LayoutBox?

    /// The layout members that the page or a configuration sets, if any.
    public var layout: SectionLayout? { layoutBox?.layout }

    /// Creates a section.
    fileprivate init(
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
        hasDistinctPositions = cells.haveAscendingPositions
    }
}

extension ArraySlice<CellInfo> {
    /// A Boolean value that indicates whether all are identified by ascending positions.
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
    private let identifier: String?
    private let collapsed: Bool?
    private let layout: SectionLayout?
    private let header: ReusableViewInfo?
    private let footer: ReusableViewInfo?
    private let cells: Range<Int>

    /// Creates a draft of the section that `builder` has built.
    ///
    /// - Parameters:
    ///   - identifier: The section's identifier.
    ///   - collapsed: The page's `collapsed`.
    ///   - posted: The page's layout members, which override the builder's.
    ///   - builder: The builder of the section.
    ///   - cells: The range of the section's items in the page.
    init(
        identifier: String?, collapsed: Bool?, posted: SectionLayout?, _ builder: SectionBuilder,
        cells: Range<Int>
    ) {
        self.identifier = identifier
        self.collapsed = collapsed
        let configured = builder.layout == SectionLayout() ? nil : builder.layout
        layout = posted.map { configured?.overridden(by: $0) ?? $0 } ?? configured
        header = builder.header
        footer = builder.footer
        self.cells = cells
    }

    /// Returns the section, with its part of all items of the page.
    func info(of cells: [CellInfo]) -> SectionInfo {
        SectionInfo(
            identifier: identifier, collapsed: collapsed, layout: layout, header: header,
            footer: footer, cells: cells[self.cells])
    }
}
