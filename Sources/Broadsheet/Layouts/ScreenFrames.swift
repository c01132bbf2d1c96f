/// A whole screen's finished frames: mirrored, rounded, in content coordinates (rule G7).
public struct ScreenFrames: Sendable, Hashable {
    /// How far the content reaches, in points; never rounded (R3).
    public var contentSize: Size
    /// One for each section, in order.
    public var sections: [SectionFrames]
    /// What could not be done as it was asked, by section.
    public var diagnostics: [LayoutDiagnostic]

    /// Makes a screen of finished sections.
    public init(
        contentSize: Size = .zero, sections: [SectionFrames] = [],
        diagnostics: [LayoutDiagnostic] = []
    ) {
        self.contentSize = contentSize
        self.sections = sections
        self.diagnostics = diagnostics
    }

    /// Lays out `sections`, one after another along the screen's main axis.
    ///
    /// Total: whatever the sizes, counts and viewport, every number in the answer is finite.
    /// O(items + sections) (rule G5).
    package static func layOut<Content: SectionContent>(
        sections: [Content], in environment: LayoutEnvironment
    ) -> ScreenFrames {
        ScreenFrames(sections: sections.map { _ in SectionFrames() })
    }
}
