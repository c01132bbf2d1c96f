/// The lint of a layout: diagnostics of legal layouts that are probably unintended.
///
/// Lint uses the frames before mirroring and rounding, so that a device's pixels and the reading
/// direction neither cause nor hide a diagnostic.
package enum LayoutLint {
    /// Returns the diagnostics of every section in order, at most one of each code per section.
    ///
    /// Lays the screen out once, and twice at a text size above 1 at which texts are compared.
    ///
    /// - Complexity: O(items · log items + sections); items that overlap late in a section cost
    ///   another factor of log items.
    package static func diagnose(
        sections: [any SectionContent], in environment: LayoutEnvironment
    ) -> [LayoutDiagnostic] {
        var plain = environment
        let scale = environment.viewport.scale
        plain.viewport.direction = .ltr
        if environment.viewport.direction == .rtl, var sides = plain.viewport.safeArea {
            // The areas before mirroring (G9).
            swap(&sides.left, &sides.right)
            plain.viewport.safeArea = sides
        }
        plain.rounding = .none
        plain.lints = false
        let pixel = pixel(of: scale)
        plain.textMargin = fragileFraction * pixel
        let screen = ScreenFrames.layOut(sections: sections, in: plain)
        let smaller = smallerScreen(of: sections, in: plain)
        let context = LayoutContext(plain)
        var container = context.container(cross: context.crossViewport)
        container.lintMargin = 0
        let contents = ContentLintConditions(
            parts: plain.conditions, container: container, pixel: pixel,
            textMargin: plain.textMargin, comparesAllTexts: plain.comparesAllTexts)
        return zip(sections, screen.sections).enumerated().flatMap { index, section in
            let lint = section.0.contentLint(
                of: section.1, comparedWith: smaller?.sections[index], contents)
            return SectionLint(
                index, section.0, section.1, lint, context,
                isOpen: plain.openSections.contains(index)
            ).diagnostics
        }
    }

    /// Returns the frames at the text size 1, if the screen has texts that are compared with those.
    private static func smallerScreen(
        of sections: [any SectionContent], in environment: LayoutEnvironment
    ) -> ScreenFrames? {
        let all = environment.comparesAllTexts
        guard environment.viewport.textScale > 1,
            sections.contains(where: { $0.comparesTexts(all: all) })
        else { return nil }
        var smaller = environment
        smaller.viewport.textScale = 1
        return ScreenFrames.layOut(sections: sections, in: smaller)
    }
}

extension LayoutLint {
    /// The greatest length of an item, a header or a footer that lint does not report, in points;
    /// fixed.
    static let maxLength = 100_000.0

    /// The part of a device pixel by which a width may differ without another number of lines.
    private static let fragileFraction = 0.25

    /// Returns the length of a device pixel in points; 1 for a scale that R1 ignores.
    private static func pixel(of scale: Double) -> Double {
        let scale = PixelGrid.textScale(scale, .pixel)
        return scale > 0 ? min(1 / scale, Length.limit) : 1
    }
}

/// The geometry of a section that lint compares its frames with.
package struct LintGeometry: Sendable {
    /// The greatest cross length of an item in points, or `nil` if lines do not limit it.
    var lineLength: Double?
    /// The number of columns, or `nil` if the section is not a grid.
    var columns: Int?
    var hasSpans = false
    /// The height of a row that does not depend on its items, in points (C7).
    var rowHeight: Double?
    /// A Boolean value that indicates whether items may lie beyond the viewport's side.
    var scrollsSideways = false
}

/// The lint of one section.
private struct SectionLint {
    private let index: Int
    private let itemCount: Int
    private let isCollapsed: Bool
    private let itemsWithoutIDs: (first: Int, count: Int)
    /// A Boolean value that indicates whether the next page can add items.
    private let isOpen: Bool
    private let spans: GridSpans
    private let frames: SectionFrames
    private let geometry: LintGeometry
    private let contents: ContentLint
    private let context: LayoutContext

    /// Creates the lint of a section and its frames, which are neither mirrored nor rounded.
    init(
        _ index: Int, _ content: any SectionContent, _ frames: SectionFrames,
        _ contents: ContentLint,
        _ context: LayoutContext, isOpen: Bool
    ) {
        self.contents = contents
        self.index = index
        itemCount = content.itemCount
        isCollapsed = content.isCollapsed
        itemsWithoutIDs = content.itemsWithoutIDs
        self.frames = frames
        self.context = context
        self.isOpen = isOpen
        let kind = content.layout.kind(along: context.axis)
        geometry = kind.layout.lintGeometry(
            of: content.layout, in: context.inArea(of: content.layout))
        spans = GridSpans(
            geometry.hasSpans ? content.itemSpans(from: 0) : [], columns: geometry.columns ?? 0)
    }

    /// The diagnostics, in the order of their codes.
    var diagnostics: [LayoutDiagnostic] {
        [
            items(.itemWiderThanLine, where: isWiderThanLine),
            items(.itemHasNoSize) { $0.width <= 0 || $0.height <= 0 },
            anywhere(.itemHasHugeSize, where: isHuge),
            rowTallerThanItems,
            rowNotFull,
            hasRaggedLastRow ? LayoutDiagnostic(.raggedLastRow, section: index) : nil,
            itemCount == 0 && !isCollapsed ? LayoutDiagnostic(.emptySection, section: index) : nil,
            OverlapSearch(frames.items, axis: context.axis).first.map {
                LayoutDiagnostic(.overlappingItems, section: index, item: $0)
            },
            anywhere(
                .overflowsSideways, amongItems: !geometry.scrollsSideways, where: reachesBeyondSide),
            longChanges,
            fragileText,
            part(.outside, .partOutsideItem),
            part(.empty, .partHasNoSize),
            part(.clipped, .textClipped),
            part(.smallTarget, .targetTooSmall),
            part(.unlabelled, .labelMissing),
            part(.outOfOrder, .readingOrder),
            part(.cutWhenLarger, .textCutWhenLarger),
        ].compactMap(\.self)
    }

    private func part(
        _ problem: ContentLint.Problem, _ code: LayoutDiagnostic.Code
    ) -> LayoutDiagnostic? {
        contents[problem].map {
            LayoutDiagnostic(
                code, section: index, item: $0.firstItem, count: $0.count, part: $0.part)
        }
    }

    /// Returns one diagnostic for all items that fulfil `predicate`, at the first of them.
    private func items(
        _ code: LayoutDiagnostic.Code, where predicate: (Frame) -> Bool
    ) -> LayoutDiagnostic? {
        var (first, count): (Int?, Int) = (nil, 0)
        for (item, frame) in frames.items.enumerated() where predicate(frame) {
            first = first ?? item
            count += 1
        }
        return first.map { LayoutDiagnostic(code, section: index, item: $0, count: count) }
    }

    /// The diagnostic of the items whose texts are close to another number of lines (T7).
    private var fragileText: LayoutDiagnostic? {
        let items = frames.lines.indices.filter { frames.lines[$0].isFragile }
        let parts = contents[.fragile]
        guard !items.isEmpty || parts != nil else { return nil }
        let first = [items.first, parts?.firstItem].compactMap(\.self).min()
        return LayoutDiagnostic(
            .fragileText, section: index, item: first, count: items.count + (parts?.count ?? 0),
            part: first == parts?.firstItem ? parts?.part : nil)
    }

    private func isWiderThanLine(_ item: Frame) -> Bool {
        guard let length = geometry.lineLength else { return false }
        return item.length(context.axis.cross) > length + FitTest.tolerance
    }

    private var hasRaggedLastRow: Bool {
        guard let columns = geometry.columns, columns > 1, !isOpen, !frames.items.isEmpty else {
            return false
        }
        return spans.isEmpty ? !itemCount.isMultiple(of: columns) : rows.last < columns
    }

    /// The rows of a grid with spans: the columns of the last one that items span, the number of
    /// those before it that have empty columns, and the first item behind such a row.
    private var rows: (last: Int, notFull: Int, item: Int?) {
        var (last, notFull, item) = (0, 0, nil as Int?)
        for index in 0..<frames.items.count {
            if spans[index] > spans.columns - last {
                if last < spans.columns {
                    notFull += 1
                    item = item ?? index
                }
                last = 0
            }
            last += spans[index]
        }
        return (last, notFull, item)
    }

    /// The diagnostic of rows with empty columns before an item that spans more (F20).
    private var rowNotFull: LayoutDiagnostic? {
        guard !spans.isEmpty else { return nil }
        let (_, count, item) = rows
        return item.map {
            LayoutDiagnostic(.rowNotFull, section: index, item: $0, count: count)
        }
    }

    /// The diagnostic of a dynamic group that is much taller than its items (C7).
    private var rowTallerThanItems: LayoutDiagnostic? {
        guard let height = geometry.rowHeight else { return nil }
        let tallest = frames.items.reduce(0) { max($0, $1.height) }
        guard tallest > 0, height > 2 * tallest else { return nil }
        return LayoutDiagnostic(
            .rowTallerThanItems, section: index, item: 0, count: frames.items.count)
    }

    /// The diagnostic of items without ids; a single one has none beside it whose place moves.
    private var longChanges: LayoutDiagnostic? {
        let (first, count) = itemsWithoutIDs
        guard count > 1 else { return nil }
        return LayoutDiagnostic(.itemsWithoutIDs, section: index, item: first, count: count)
    }

    /// Returns one diagnostic for all items that fulfil `predicate`, else one of the section if its
    /// header or footer does.
    private func anywhere(
        _ code: LayoutDiagnostic.Code, amongItems: Bool = true, where predicate: (Frame) -> Bool
    ) -> LayoutDiagnostic? {
        if amongItems, let found = items(code, where: predicate) { return found }
        return [frames.header, frames.footer].contains { $0.map(predicate) ?? false }
            ? LayoutDiagnostic(code, section: index) : nil
    }

    private func isHuge(_ frame: Frame) -> Bool {
        max(frame.width, frame.height) > LayoutLint.maxLength
    }

    /// Returns whether a frame is beyond a side of the viewport, as a header's may be, too (C13).
    private func reachesBeyondSide(_ frame: Frame) -> Bool {
        let cross = context.axis.cross
        return frame.start(cross) < -FitTest.tolerance
            || frame.end(cross) > context.crossViewport + FitTest.tolerance
    }
}
