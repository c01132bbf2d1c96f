/// Lines that wrap, as UICollectionViewFlowLayout has them (rules F).
package struct FlowLayout: LayoutKind {
    /// The layout; all that varies is in the section and the screen.
    package init() {}

    /// R2: lengths stay fractional.
    package var roundedParts: RoundedParts { .origins }

    /// G4: without a cross length there is no line; a main length is not needed.
    package func hasRoom(in context: LayoutContext) -> Bool { context.crossViewport > 0 }

    /// Header, leading inset, lines, trailing inset, footer (F15, F17).
    ///
    /// O(items).
    package func arrange<Content: SectionContent>(
        _ content: Content, in context: LayoutContext
    ) -> SectionArrangement {
        let metrics = FlowMetrics(content.layout.flow, in: context)
        let sizes = FlowItemSizes.sizes(of: content, metrics, in: context)
        var section = SectionArrangement()
        var main = placeHeader(of: content, in: &section, context)
        main += metrics.main.leading
        main += placeLines(sizes, at: main, in: &section.items, metrics)
        main += metrics.main.trailing
        main += placeFooter(of: content, at: main, in: &section, context)
        section.length = max(0, main)
        return section
    }

    /// F10: a section of equal items is a grid; any other has lines of their own.
    ///
    /// - Returns: The lines' length along main, in points.
    private func placeLines(
        _ sizes: ItemSizes, at main: Double, in items: inout [Frame], _ metrics: FlowMetrics
    ) -> Double {
        sizes.isUniform
            ? UniformLines(size: sizes.common, metrics).place(sizes.count, at: main, in: &items)
            : FittedLines(sizes.each, metrics).place(at: main, in: &items)
    }
}
