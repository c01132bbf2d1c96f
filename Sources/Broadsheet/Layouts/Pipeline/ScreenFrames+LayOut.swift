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
    ///     paging requires (P1).
    /// - Complexity: O(items).
    mutating func append<Content: SectionContent>(_ content: Content, isOnly: Bool) {
        context.sectionIndex = sections.count
        let layout = content.layout
        let kind = layout.kind(along: context.axis)
        let paging = layout.enabledPaging
        let pageGeometry =
            paging != nil && isOnly ? kind.layout.pageGeometry(of: layout, in: context) : nil
        if let requested = layout.kind, requested != kind { note(.needsVerticalScreen) }
        if paging != nil, pageGeometry == nil { note(.pagingSwitchedOff) }
        guard kind.layout.canLayOut(in: context) else {
            note(.emptyViewport)
            sections.append(nil)
            return
        }
        if let paging, let pageGeometry {
            let pages = RepeatedContent(pagesOf: content, paging)
            let arrangement = kind.layout.arrange(pages, in: context)
            let carousel = Carousel(
                pages, paging, laidOutAs: arrangement, pageGeometry, in: context)
            push(arrangement, layout, kind: kind, carousel: carousel)
        } else {
            push(kind.layout.arrange(content, in: context), layout, kind: kind, carousel: nil)
        }
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
