/// A list's numbers (rules L1-L5).
///
/// UIKit publishes almost none of them; these are the engine's own and claim no parity.
struct ListMetrics: Sendable {
    /// The look of the list.
    let appearance: ListOptions.Appearance
    /// The viewport's width in points.
    let viewportWidth: Double
    /// Whether rows are told apart by hairlines.
    let showsSeparators: Bool
    /// Where the header comes from.
    let headerMode: ListOptions.HeaderMode
    /// Where the footer comes from.
    let footerMode: ListOptions.FooterMode
    /// Above a supplementary header, in points (L5).
    let headerTopPadding: Double

    /// Resolves what `options` leaves out (L1, L5).
    init(_ options: ListOptions, in context: LayoutContext) {
        let appearance = options.appearance ?? .plain
        self.appearance = appearance
        viewportWidth = context.viewport.width
        showsSeparators = options.showsSeparators ?? true
        headerMode = options.headerMode ?? .none
        footerMode = options.footerMode ?? .none
        headerTopPadding =
            options.headerTopPadding.map { Length.sanitised($0) }
            ?? (appearance == .plain ? 22 : 0)
    }

    /// The height of a row, header or footer that has none of its own, in points (L3, L5).
    static let estimate = 44.0

    /// The system's layout margin at this width, in points (L2).
    var margin: Double { viewportWidth >= 414 ? 20 : 16 }

    /// From either side of the viewport to a row, in points (L2).
    var rowInset: Double {
        switch appearance {
        case .plain, .grouped, .sidebarPlain: 0
        case .insetGrouped, .sidebar: margin
        }
    }

    /// The width of a row, a header or a footer, in points (L2).
    var rowWidth: Double { max(0, viewportWidth - 2 * rowInset) }

    /// Whether the sections of this look keep a distance from each other (L4).
    private var isGrouped: Bool { appearance == .grouped || appearance == .insetGrouped }

    /// Above a section without a supplementary header, in points (L4).
    func topPadding(sectionIndex: Int) -> Double {
        guard isGrouped else { return 0 }
        return sectionIndex == 0 ? 35 : 17.5
    }

    /// Below a section without a supplementary footer, in points (L4).
    var bottomPadding: Double { isGrouped ? 17.5 : 0 }
}
