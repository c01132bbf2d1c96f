/// Full-width rows below each other, as UICollectionLayoutListConfiguration has them (rules L).
///
/// It lives in vertical screens only: main is y.
package struct ListLayout: LayoutKind {
    /// The layout; all that varies is in the section and the screen.
    package init() {}

    /// R3: lengths are rounded too.
    package var roundedParts: RoundedParts { .originsAndSizes }

    /// G4: as in compositional sections, which UIKit makes lists of.
    package func hasRoom(in context: LayoutContext) -> Bool {
        context.viewport.width > 0 && context.viewport.height > 0
    }

    /// L7: a plain list's headers stay in view.
    package func pinsHeaders(_ layout: SectionLayout) -> Bool {
        layout.list.appearance ?? .plain == .plain
    }

    /// Padding or header, rows, footer or padding (L3-L5).
    ///
    /// O(items).
    package func arrange<Content: SectionContent>(
        _ content: Content, in context: LayoutContext
    ) -> SectionArrangement {
        let metrics = ListMetrics(content.layout.list, in: context)
        let rows = ListRows(metrics, context)
        var section = SectionArrangement()
        var y = placeHeader(of: content, in: &section, rows)
        y = rows.place(content, at: y, in: &section.items)
        y = placeFooter(of: content, at: y, in: &section, rows)
        section.separators = Separators(metrics, scale: context.scale).below(section.items)
        section.length = max(0, y)
        return section
    }

    /// L4, L5: the header below its padding, or the padding of a section without one.
    ///
    /// - Returns: Where the rows start, in points.
    private func placeHeader<Content: SectionContent>(
        of content: Content, in section: inout SectionArrangement, _ rows: ListRows
    ) -> Double {
        let metrics = rows.metrics
        guard content.hasHeader, metrics.headerMode == .supplementary else {
            if content.hasHeader { section.diagnostics.append(.headerNotShown) }
            return metrics.topPadding(sectionIndex: rows.context.sectionIndex)
        }
        let header = rows.supplementary(
            content.headerSize(rows.request), at: metrics.headerTopPadding)
        section.header = header
        return header.maxY
    }

    /// L4, L5: the footer, or the padding of a section without one.
    ///
    /// - Returns: Where the section ends, in points.
    private func placeFooter<Content: SectionContent>(
        of content: Content, at y: Double, in section: inout SectionArrangement, _ rows: ListRows
    ) -> Double {
        let metrics = rows.metrics
        guard content.hasFooter, metrics.footerMode == .supplementary else {
            if content.hasFooter { section.diagnostics.append(.footerNotShown) }
            return y + metrics.bottomPadding
        }
        let footer = rows.supplementary(content.footerSize(rows.request), at: y)
        section.footer = footer
        return footer.maxY
    }
}
