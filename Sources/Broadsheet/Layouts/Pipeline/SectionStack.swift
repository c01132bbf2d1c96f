import BroadsheetClient

/// The sections of a screen, each after the one before along the screen's main axis (F16, C16).
struct SectionStack {
    private var context: LayoutContext
    /// What a section without room leaves is nil (G4).
    private var sections: [StackedSection?] = []
    private var diagnostics: [LayoutDiagnostic] = []
    private var lastKind: SectionLayout.Kind?
    private var end = 0.0

    /// An empty screen.
    init(_ context: LayoutContext) {
        self.context = context
    }

    /// Arranges one more section after those before it.
    ///
    /// O(items).
    ///
    /// - Parameter isOnly: whether the screen has no other section, which paging asks for (P1).
    mutating func append<Content: SectionContent>(_ content: Content, isOnly: Bool) {
        context.sectionIndex = sections.count
        let layout = content.layout
        let kind = layout.kind(along: context.axis)
        noteRefusals(layout, laidOutAs: kind, isOnly: isOnly)
        guard kind.engine.hasRoom(in: context) else {
            note(.emptyViewport)
            sections.append(nil)
            return
        }
        if kind == .flow, isOnly, let options = layout.flow.paging, options.isEnabled {
            let pages = Carousel.pages(content, options)
            let arrangement = kind.engine.arrange(pages, in: context)
            let carousel = Carousel(pages, options, laidOutAs: arrangement, in: context)
            push(arrangement, layout, kind: kind, carousel: carousel)
        } else {
            push(kind.engine.arrange(content, in: context), layout, kind: kind, carousel: nil)
        }
    }

    /// Everything decorated, mirrored, rounded and marked (G7).
    ///
    /// O(items + sections).
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

    /// F16, C16: the viewport across, to the last section's end along; nothing when there was no
    /// room for any section (G4).
    private var contentSize: Size {
        let isRoomless = !sections.isEmpty && sections.allSatisfy { $0 == nil }
        guard context.crossViewport > 0, !isRoomless else { return .zero }
        var size = context.viewport
        size[context.axis] = max(0, end)
        return size
    }

    private mutating func push(
        _ arrangement: SectionArrangement, _ layout: SectionLayout, kind: SectionLayout.Kind,
        carousel: Carousel?
    ) {
        arrangement.diagnostics.forEach { note($0) }
        let section = StackedSection(
            kind: kind.engine, layout: layout, arrangement: arrangement,
            start: end + spacing(before: kind), carousel: carousel)
        end = section.end
        lastKind = kind
        sections.append(section)
    }

    /// C16: only between two compositional sections that follow each other.
    private func spacing(before kind: SectionLayout.Kind) -> Double {
        guard kind == .compositional, lastKind == .compositional else { return 0 }
        return Length.sanitised(context.screen.interSectionSpacing ?? 0)
    }

    /// What the section asked for and cannot have in this screen (J, P1).
    private mutating func noteRefusals(
        _ layout: SectionLayout, laidOutAs kind: SectionLayout.Kind, isOnly: Bool
    ) {
        if let wanted = layout.kind, wanted != kind { note(.needsVerticalScreen) }
        if layout.flow.paging?.isEnabled == true, !isOnly || kind != .flow {
            note(.pagingSwitchedOff)
        }
    }

    private mutating func note(_ code: LayoutDiagnostic.Code) {
        diagnostics.append(LayoutDiagnostic(code, section: context.sectionIndex))
    }
}
