import BroadsheetClient

extension ScreenFrames {
    /// Lays out `sections`, one after another along the screen's main axis (rule G7).
    ///
    /// Total: every number in the result is finite, whatever the sizes, counts and viewport (G5).
    ///
    /// - Complexity: O(items + sections).
    package static func layOut(
        sections: [any SectionContent], in environment: LayoutEnvironment
    ) -> ScreenFrames {
        var stack = SectionStack(environment)
        for section in sections { stack.append(section, isOnly: sections.count == 1) }
        var screen = stack.finished()
        if environment.lints {
            screen.diagnostics += LayoutLint.diagnose(sections: sections, in: environment)
        }
        return screen
    }
}

/// The sections of a screen, one after another along the screen's main axis (F16, C16).
struct SectionStack {
    private let environment: LayoutEnvironment
    private var context: LayoutContext
    /// The sections after those that are taken over from an earlier layout.
    private var sections: [StackedSection] = []
    private var diagnostics: [LayoutDiagnostic] = []
    /// The kind of the last section that has an area (G4).
    private(set) var lastKind: SectionLayout.Kind?
    private(set) var end = 0.0
    /// The frames of the sections at the beginning, taken over from an earlier layout.
    private var taken: ChunkedList<SectionFrames> = []

    init(_ environment: LayoutEnvironment) {
        self.environment = environment
        context = LayoutContext(environment)
    }

    private var count: Int { taken.count + sections.count }

    /// Takes the first sections of an earlier layout over, of which at least one has an area.
    mutating func take(
        _ count: Int, of earlier: ScreenFrames, end: Double, lastKind: SectionLayout.Kind
    ) {
        taken = earlier.sections
        taken.truncate(to: count)
        diagnostics = Array(earlier.diagnostics.prefix { $0.section < count })
        self.end = end
        self.lastKind = lastKind
    }

    /// Arranges a section after the existing ones.
    ///
    /// - Parameters:
    ///   - content: The section.
    ///   - isOnly: A Boolean value that indicates whether the screen has no other section, which
    ///     paging of the screen requires (P1).
    ///   - earlier: An earlier arrangement of the section, if there is one.
    /// - Complexity: O(items).
    mutating func append(
        _ content: any SectionContent, isOnly: Bool, reusing earlier: EarlierArrangement? = nil
    ) {
        var context = context
        context.sectionIndex = count
        context.earlier = earlier
        let layout = content.layout
        push(ArrangedSection(content, layout, isOnly: isOnly, in: context), layout)
    }

    mutating func push(_ section: consuming ArrangedSection, _ layout: SectionLayout) {
        section.diagnostics.forEach {
            diagnostics.append(LayoutDiagnostic($0, section: count))
        }
        guard let kind = section.kind else {
            return sections.append(StackedSection(section, layout, start: 0))
        }
        let spacing = kind == lastKind ? kind.layout.sectionSpacing(in: context.screen) : 0
        let start = end + spacing
        lastKind = kind
        end = start + section.arrangement.length
        sections.append(StackedSection(section, layout, start: start))
    }

    /// Returns the screen decorated, mirrored, rounded and pinned (G7), and removes the sections.
    ///
    /// - Parameter body: Called with the index of each section that is not taken over, and the
    ///   section without its items.
    /// - Complexity: O(items + sections).
    mutating func finished(
        _ body: (Int, ArrangedSection) -> Void = { _, _ in }
    ) -> ScreenFrames {
        let (contentSize, direction) = (contentSize, environment.viewport.direction)
        let grid = PixelGrid(scale: environment.viewport.scale, rounding: environment.rounding)
        let mirrorWidth = direction == .rtl ? contentSize.width : nil
        // The sections have no other reference, so that their items are finished in place.
        var (frames, sections) = (taken, [StackedSection]())
        swap(&sections, &self.sections)
        for index in sections.indices {
            frames.append(sections[index].finish(context, mirrorWidth: mirrorWidth, grid: grid))
            body(frames.count - 1, sections[index].section)
        }
        return ScreenFrames(
            contentSize: contentSize, sections: frames, diagnostics: diagnostics,
            axis: context.axis, conditions: environment.conditions)
    }

    /// F16, C16: the viewport's cross length and the end of the last section; zero if no section
    /// was laid out (G4).
    private var contentSize: Size {
        guard context.crossViewport > 0, lastKind != nil || count == 0 else { return .zero }
        var size = context.viewport
        size[context.axis] = max(0, end)
        return size
    }
}

/// A section that a layout has arranged, wherever it is in a screen.
struct ArrangedSection: Sendable {
    /// The kind of layout; `nil` if the viewport has no area for it (G4).
    let kind: SectionLayout.Kind?
    /// The section's frames, from its own start.
    var arrangement: SectionArrangement
    /// The section's carousel, or `nil` if it does not turn pages (P1).
    let carousel: Carousel?
    let diagnostics: [SectionDiagnostic]
    let hasContents: Bool
    /// The finished frames, if the section is taken over as a whole.
    var finished: SectionFrames?

    /// Arranges a section.
    ///
    /// - Parameters:
    ///   - content: The section.
    ///   - layout: The section's layout.
    ///   - isOnly: A Boolean value that indicates whether the screen has no other section.
    ///   - context: The values of the screen.
    /// - Complexity: O(items).
    init(
        _ content: any SectionContent, _ layout: SectionLayout, isOnly: Bool,
        in context: LayoutContext
    ) {
        var context = context.inArea(of: layout)
        let kind = layout.kind(along: context.axis)
        hasContents = content.hasContents
        let paging = layout.enabledPaging
        var geometry = paging.flatMap { _ in kind.layout.pageGeometry(of: layout, in: context) }
        if geometry?.scroller == .screen, !isOnly { geometry = nil }
        var obstacle = paging != nil && geometry == nil ? PagingObstacle.place : nil
        var diagnostics: [SectionDiagnostic] = []
        if let requested = layout.kind, requested != kind {
            diagnostics.append(SectionDiagnostic(.needsVerticalScreen))
        }
        if kind.layout.canLayOut(in: context) {
            self.kind = kind
            context.paging = geometry?.scroller == .screen ? paging : nil
            arrangement = kind.layout.arrange(content, in: context)
        } else {
            self.kind = nil
            geometry = nil
            arrangement = SectionArrangement()
            arrangement.diagnostics = [SectionDiagnostic(.emptyViewport)]
        }
        if context.paging != nil, arrangement.sharedLines == .within {
            geometry = nil
            obstacle = .sharedLine
        }
        if let paging, let geometry {
            carousel = Carousel(
                of: content.itemCount, paging, laidOutAs: &arrangement, geometry, in: context)
            obstacle = arrangement.copies.obstacle
        } else {
            carousel = nil
        }
        if let obstacle { diagnostics.append(SectionDiagnostic(obstacle)) }
        self.diagnostics = diagnostics + arrangement.diagnostics
    }

    /// Returns the arrangement from which that of a later version of the section can go on, or
    /// `nil`.
    ///
    /// - Parameters:
    ///   - frames: The finished frames of the section.
    ///   - unchangedCount: The number of items at the beginning that have not changed.
    ///   - layout: The layout of both versions.
    ///   - environment: The environment of both versions.
    func earlier(
        _ frames: SectionFrames, unchangedCount: @autoclosure () -> Int, _ layout: SectionLayout,
        in environment: LayoutEnvironment
    ) -> EarlierArrangement? {
        guard kind != nil, layout.enabledPaging == nil, !environment.isMirroredAlong else {
            return nil
        }
        let count = unchangedCount()
        guard count > 0 else { return nil }
        return EarlierArrangement(frames, arrangement.states, unchangedCount: count)
    }
}

extension LayoutEnvironment {
    /// A Boolean value that indicates whether the screen scrolls to the left, so that its sections
    /// are mirrored in its whole length (R4).
    var isMirroredAlong: Bool {
        screen.direction == .horizontal && viewport.direction == .rtl
    }
}

extension SectionLayout {
    var enabledPaging: PagingOptions? {
        flow.paging.flatMap { $0.isEnabled ? $0 : nil }
    }
}

/// An arranged section at its position in the screen, not yet finished.
struct StackedSection {
    var section: ArrangedSection
    /// The section's layout as requested.
    let layout: SectionLayout
    /// The distance from the content's start to the section's along the main axis, in points.
    let start: Double

    init(_ section: consuming ArrangedSection, _ layout: SectionLayout, start: Double) {
        self.section = section
        self.layout = layout
        self.start = start
    }

    /// Returns the section decorated, mirrored, rounded and pinned (the last steps of G7).
    mutating func finish(
        _ context: LayoutContext, mirrorWidth: Double?, grid: PixelGrid
    ) -> SectionFrames {
        guard let kind = section.kind?.layout else { return SectionFrames() }
        let extent = Frame(
            axis: context.axis, main: start, cross: 0, mainLength: section.arrangement.length,
            crossLength: context.crossViewport)
        let placeSection = FramePlacement(
            mirrorWidth: mirrorWidth, grid: grid, parts: kind.roundedParts)
        if var finished = section.finished {
            finished.frame = placeSection.extent(extent)
            return finished
        }
        var frames = SectionFrames(frame: placeSection.extent(extent))
        // R5: elements are mirrored and rounded in their section.
        let place = FramePlacement(
            mirrorWidth: mirrorWidth.map { _ in extent.width }, grid: grid,
            parts: kind.roundedParts)
        decorate(&frames, kind, place, context)
        if section.hasContents, kind.roundedParts == .originsAndSizes, grid.roundsFrames {
            frames.exactSizes = section.arrangement.exactSizes
        }
        // D1: a decoration does not lie in the area.
        var shift = Size.zero
        shift[context.axis.cross] = context.area(of: layout).start
        placeElements(
            in: &frames,
            FramePlacement(
                mirrorWidth: mirrorWidth.map { _ in extent.width }, grid: grid,
                parts: kind.roundedParts, shiftedBy: shift))
        markPinned(&frames, kind, context.screen)
        return frames
    }

    /// D1-D3, D7 and G8: adds the decorations, and puts the items in front of them.
    private mutating func decorate(
        _ frames: inout SectionFrames, _ kind: any LayoutKind.Type, _ place: FramePlacement,
        _ context: LayoutContext
    ) {
        guard let decorations = layout.decorations, !decorations.isEmpty else { return }
        let modes = decorations.map { $0.mode ?? kind.decorationMode }
        let length = section.arrangement.length
        let items =
            modes.contains(.items) ? section.arrangement.itemSpan(along: context.axis) : nil
        // The copies of cards are in their scroller.
        let copies = section.arrangement.scroll == nil ? section.arrangement.copies : nil
        for (options, mode) in zip(decorations, modes) {
            guard let span = mode == .items ? items?.extended(by: copies) : 0...length,
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

    /// Adds the elements, mirrored and rounded, without a copy of the items; those that are taken
    /// over are finished.
    private mutating func placeElements(in frames: inout SectionFrames, _ place: FramePlacement) {
        frames.header = section.arrangement.header.map { place($0) }
        frames.footer = section.arrangement.footer.map { place($0) }
        let takenCount = section.arrangement.takenCount
        swap(&frames.items, &section.arrangement.items)
        place(all: &frames.items, from: takenCount)
        swap(&frames.lines, &section.arrangement.lines)
        swap(&frames.separators, &section.arrangement.separators)
        place(all: &frames.separators, from: takenCount)
        frames.scroll = section.arrangement.scroll
        if let scroll = frames.scroll { frames.scroll?.frame = place.extent(scroll.frame) }
        frames.paging = section.carousel
    }

    /// D5, D6, L7 and G8: marks pinned elements, and raises them to their z-index.
    private func markPinned(
        _ frames: inout SectionFrames, _ kind: any LayoutKind.Type, _ screen: ScreenLayout
    ) {
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

extension ClosedRange<Double> {
    fileprivate func extended(by copies: CarouselCopies?) -> Self {
        lowerBound...upperBound + (copies?.addedLength ?? 0)
    }
}

/// The frame of a decoration (rules D1-D3).
extension DecorationOptions {
    /// The frame in the section's own coordinates, or `nil` if it is not an element (D3).
    fileprivate func frame(
        across span: ClosedRange<Double>, axis: ScreenAxis, crossViewport: Double
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
