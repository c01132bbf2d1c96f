/// The findings of one section.
struct SectionLint {
    private let index: Int
    private let itemCount: Int
    private let isCollapsed: Bool
    private let frames: SectionFrames
    private let geometry: LintedGeometry
    private let context: LayoutContext

    /// Lints a section and its frames, which are neither mirrored nor rounded.
    init<Content: SectionContent>(
        _ index: Int, _ content: Content, _ frames: SectionFrames, _ context: LayoutContext
    ) {
        self.index = index
        itemCount = content.itemCount
        isCollapsed = content.isCollapsed
        self.frames = frames
        self.context = context
        geometry = LintedGeometry(content.layout, in: context)
    }

    /// What there is to say, in the order of the codes.
    var findings: [LayoutDiagnostic] {
        [
            items(.itemWiderThanLine, where: isWiderThanLine),
            items(.itemHasNoSize) { $0.width <= 0 || $0.height <= 0 },
            hasRaggedLastRow ? LayoutDiagnostic(.raggedLastRow, section: index) : nil,
            itemCount == 0 && !isCollapsed ? LayoutDiagnostic(.emptySection, section: index) : nil,
            OverlapSearch(frames.items, axis: context.axis).first.map {
                LayoutDiagnostic(.overlappingItems, section: index, item: $0)
            },
            items(.overflowsSideways, where: isBeyondSide) ?? supplementaryOverflow,
        ].compactMap(\.self)
    }

    /// One finding for all items that `holds` of, at the first of them.
    private func items(
        _ code: LayoutDiagnostic.Code, where holds: (Frame) -> Bool
    ) -> LayoutDiagnostic? {
        var (first, count): (Int?, Int) = (nil, 0)
        for (item, frame) in frames.items.enumerated() where holds(frame) {
            first = first ?? item
            count += 1
        }
        return first.map { LayoutDiagnostic(code, section: index, item: $0, count: count) }
    }

    private func isWiderThanLine(_ item: Frame) -> Bool {
        guard let room = geometry.lineRoom else { return false }
        return item.length(context.axis.cross) > room + FitTest.tolerance
    }

    private var hasRaggedLastRow: Bool {
        guard let columns = geometry.columns else { return false }
        return !frames.items.isEmpty && !itemCount.isMultiple(of: columns)
    }

    /// A header or footer that is wider than the viewport (C13).
    private var supplementaryOverflow: LayoutDiagnostic? {
        [frames.header, frames.footer].contains { $0.map(reachesBeyondSide) ?? false }
            ? LayoutDiagnostic(.overflowsSideways, section: index) : nil
    }

    private func isBeyondSide(_ item: Frame) -> Bool {
        !geometry.scrollsSideways && reachesBeyondSide(item)
    }

    private func reachesBeyondSide(_ frame: Frame) -> Bool {
        let cross = context.axis.cross
        return frame.start(cross) < -FitTest.tolerance
            || frame.end(cross) > context.crossViewport + FitTest.tolerance
    }
}
