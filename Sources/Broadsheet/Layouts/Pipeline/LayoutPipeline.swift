import BroadsheetClient

extension ScreenFrames {
    /// Lays out `sections`, one after another along the screen's main axis (rule G7).
    ///
    /// Total: every number in the result is finite, whatever the sizes, counts and viewport (G5).
    ///
    /// - Complexity: O(items + sections).
    package static func layOut<Content: SectionContent>(
        sections: [Content], in environment: LayoutEnvironment
    ) -> ScreenFrames {
        var stack = SectionStack(LayoutContext(environment))
        for section in sections {
            stack.append(section, isOnly: sections.count == 1)
        }
        var screen = stack.finished(
            direction: environment.viewport.direction,
            grid: PixelGrid(scale: environment.viewport.scale, rounding: environment.rounding))
        if environment.lints {
            screen.diagnostics += LayoutLint.diagnose(sections: sections, in: environment)
        }
        return screen
    }
}

/// The sections of a screen, one after another along the screen's main axis (F16, C16).
private struct SectionStack {
    private var context: LayoutContext
    /// The arranged sections; `nil` for a section that the viewport has no area for (G4).
    private var sections: [StackedSection?] = []
    private var diagnostics: [LayoutDiagnostic] = []
    private var lastKind: SectionLayout.Kind?
    private var end = 0.0

    /// Creates a screen without sections.
    init(_ context: LayoutContext) {
        self.context = context
    }

    /// Arranges a section after the existing ones.
    ///
    /// - Parameters:
    ///   - content: The section.
    ///   - isOnly: A Boolean value that indicates whether the screen has no other section, which
    ///     paging of the screen requires (P1).
    /// - Complexity: O(items).
    mutating func append<Content: SectionContent>(_ content: Content, isOnly: Bool) {
        context.sectionIndex = sections.count
        let layout = content.layout
        let kind = layout.kind(along: context.axis)
        let paging = layout.enabledPaging
        var geometry = paging.flatMap { _ in kind.layout.pageGeometry(of: layout, in: context) }
        if geometry?.scroller == .screen, !isOnly { geometry = nil }
        if let requested = layout.kind, requested != kind { note(.needsVerticalScreen) }
        if paging != nil, geometry == nil { note(.pagingSwitchedOff) }
        guard kind.layout.canLayOut(in: context) else {
            note(.emptyViewport)
            sections.append(nil)
            return
        }
        let pages = RepeatedContent(
            pagesOf: content, geometry?.scroller == .screen ? paging : nil)
        let arrangement =
            pages.copies > 1
            ? kind.layout.arrange(pages, in: context) : kind.layout.arrange(content, in: context)
        var carousel: Carousel?
        if let paging, let geometry {
            carousel = Carousel(
                of: content.itemCount, paging, laidOutAs: arrangement, geometry, in: context)
        }
        push(arrangement, layout, kind: kind, carousel: carousel)
    }

    /// Returns the screen decorated, mirrored, rounded and pinned (G7).
    ///
    /// - Complexity: O(items + sections).
    consuming func finished(direction: LayoutDirection, grid: PixelGrid) -> ScreenFrames {
        let contentSize = contentSize
        let mirrorWidth = direction == .rtl ? contentSize.width : nil
        var frames: [SectionFrames] = []
        frames.reserveCapacity(sections.count)
        let context = context
        for index in sections.indices {
            let section = sections[index]?.finish(context, mirrorWidth: mirrorWidth, grid: grid)
            frames.append(section ?? SectionFrames())
        }
        return ScreenFrames(
            contentSize: contentSize, sections: frames, diagnostics: diagnostics,
            axis: context.axis, direction: direction)
    }

    /// F16, C16: the viewport's cross length and the end of the last section; zero if no section
    /// was laid out (G4).
    private var contentSize: Size {
        let isEmpty = !sections.isEmpty && sections.allSatisfy { $0 == nil }
        guard context.crossViewport > 0, !isEmpty else { return .zero }
        var size = context.viewport
        size[context.axis] = max(0, end)
        return size
    }

    private mutating func push(
        _ arrangement: SectionArrangement, _ layout: SectionLayout, kind: SectionLayout.Kind,
        carousel: Carousel?
    ) {
        arrangement.diagnostics.forEach { note($0) }
        let spacing = kind == lastKind ? kind.layout.sectionSpacing(in: context.screen) : 0
        let section = StackedSection(
            kind: kind.layout, layout: layout, arrangement: arrangement, start: end + spacing,
            carousel: carousel)
        end = section.end
        lastKind = kind
        sections.append(section)
    }

    private mutating func note(_ code: LayoutDiagnostic.Code) {
        diagnostics.append(LayoutDiagnostic(code, section: context.sectionIndex))
    }
}

extension SectionLayout {
    /// The configuration of the section's carousel, or `nil` if paging is not requested.
    fileprivate var enabledPaging: PagingOptions? {
        flow.paging.flatMap { $0.isEnabled ? $0 : nil }
    }
}

/// An arranged section at its position in the screen, not yet finished.
struct StackedSection {
    /// The layout that arranged the section.
    let kind: any LayoutKind.Type
    /// The section's layout as requested.
    let layout: SectionLayout
    /// The section's frames, from its own start.
    var arrangement: SectionArrangement
    /// The distance from the content's start to the section's along the main axis, in points.
    let start: Double
    /// The section's carousel, or `nil` if it does not turn pages (P1).
    let carousel: Carousel?

    /// The end of the section along the main axis, in points.
    var end: Double { start + arrangement.length }

    /// Returns the section decorated, mirrored, rounded and pinned (the last steps of G7).
    ///
    /// - Parameters:
    ///   - context: The values of the screen.
    ///   - mirrorWidth: The content's width if frames are mirrored (R4), in points.
    ///   - grid: The device's pixels.
    mutating func finish(
        _ context: LayoutContext, mirrorWidth: Double?, grid: PixelGrid
    ) -> SectionFrames {
        let section = Frame(
            axis: context.axis, main: start, cross: 0, mainLength: arrangement.length,
            crossLength: context.crossViewport)
        let placeSection = FramePlacement(
            mirrorWidth: mirrorWidth, grid: grid, parts: kind.roundedParts)
        var frames = SectionFrames(frame: placeSection.extent(section))
        // R5: elements are mirrored and rounded in their section.
        let place = FramePlacement(
            mirrorWidth: mirrorWidth.map { _ in section.width }, grid: grid,
            parts: kind.roundedParts)
        decorate(&frames, place, context)
        placeElements(in: &frames, place)
        markPinned(&frames, context.screen)
        return frames
    }

    /// D1-D3, D7 and G8: adds the decorations, and puts the items in front of them.
    private func decorate(
        _ frames: inout SectionFrames, _ place: FramePlacement, _ context: LayoutContext
    ) {
        guard let decorations = layout.decorations, !decorations.isEmpty else { return }
        let modes = decorations.map { $0.mode ?? kind.decorationMode }
        let items = modes.contains(.items) ? arrangement.itemSpan(along: context.axis) : nil
        for (options, mode) in zip(decorations, modes) {
            guard let span = mode == .items ? items : 0...arrangement.length,
                let frame = options.frame(
                    across: span, axis: context.axis, crossViewport: context.crossViewport)
            else { continue }
            frames.decorations.append(
                DecorationFrame(
                    kind: options.kind, frame: place(frame),
                    zIndex: options.zIndex ?? kind.decorationZIndex, data: options.data))
        }
        if !frames.decorations.isEmpty { frames.itemZIndex = ZIndex.itemOverDecoration }
    }

    /// Adds the elements, mirrored and rounded, without a copy of the items.
    private mutating func placeElements(in frames: inout SectionFrames, _ place: FramePlacement) {
        frames.header = arrangement.header.map { place($0) }
        frames.footer = arrangement.footer.map { place($0) }
        if let carousel, carousel.copies > 1 {
            // The copies take part in the layout; a tree lists the first one only (J).
            arrangement.items.removeLast(max(0, arrangement.items.count - carousel.pageCount))
        }
        swap(&frames.items, &arrangement.items)
        place(all: &frames.items)
        swap(&frames.lines, &arrangement.lines)
        frames.separators = arrangement.separators.map { $0.map { place($0) } }
        frames.scroll = arrangement.scroll
        if let scroll = frames.scroll { frames.scroll?.frame = place.extent(scroll.frame) }
        frames.paging = carousel
    }

    /// D5, D6, L7 and G8: marks pinned elements, and raises them to their z-index.
    private func markPinned(_ frames: inout SectionFrames, _ screen: ScreenLayout) {
        if frames.header != nil,
            layout.pinHeader ?? screen.pinHeaders ?? kind.pinsHeaders(layout)
        {
            frames.isHeaderPinned = true
            frames.headerZIndex = max(frames.headerZIndex, ZIndex.pinned)
        }
        if frames.footer != nil, layout.pinFooter ?? screen.pinFooters ?? false {
            frames.isFooterPinned = true
            frames.footerZIndex = max(frames.footerZIndex, ZIndex.pinned)
        }
    }
}

/// The frame of a decoration (rules D1-D3).
extension DecorationOptions {
    /// Returns the decoration's frame in the section's own coordinates, or `nil` if it is not an
    /// element (D3).
    ///
    /// - Parameters:
    ///   - span: The extent along the main axis.
    ///   - axis: The axis along which the screen scrolls.
    ///   - crossViewport: The viewport's cross length, in points.
    fileprivate func frame(
        across span: ClosedRange<Double>, axis: Axis, crossViewport: Double
    ) -> Frame? {
        let base = Frame(
            axis: axis, main: span.lowerBound, cross: 0,
            mainLength: span.upperBound - span.lowerBound, crossLength: crossViewport)
        let insets = Sanitation.insets(inset)
        // D2: negative insets enlarge the rectangle.
        let frame = Frame(
            x: base.x + insets.left, y: base.y + insets.top,
            width: base.width - insets.left - insets.right,
            height: base.height - insets.top - insets.bottom)
        return frame.width > 0 && frame.height > 0 ? frame : nil
    }
}

extension SectionArrangement {
    /// D1: returns the extent of the items along an axis, or `nil` if there are none (D3).
    ///
    /// - Complexity: O(items).
    fileprivate func itemSpan(along axis: Axis) -> ClosedRange<Double>? {
        guard let first = items.first else { return nil }
        var (low, high) = (first.start(axis), first.end(axis))
        for item in items {
            low = min(low, item.start(axis))
            high = max(high, item.end(axis))
        }
        return low...high
    }
}

/// The sanitation of sizes and insets before a layout uses them (rule G2; `Length` sanitises single
/// lengths).
///
/// UIKit raises or is undefined for invalid numbers. Here every number has a meaning, so that later
/// steps add and multiply without checks.
enum Sanitation {
    /// Returns the length of a size: as any length, and never negative.
    @inline(__always)
    static func size(_ value: Double) -> Double {
        value >= 0 && value <= Length.limit ? value : max(0, Length.sanitised(value))
    }

    /// Returns a size with both lengths sanitised.
    @inline(__always)
    static func size(_ value: Size) -> Size {
        Size(width: size(value.width), height: size(value.height))
    }

    /// Returns insets with all four lengths sanitised; negative ones are legal (G3).
    static func insets(_ value: Insets) -> Insets {
        Insets(
            top: Length.sanitised(value.top), left: Length.sanitised(value.left),
            bottom: Length.sanitised(value.bottom), right: Length.sanitised(value.right))
    }
}
