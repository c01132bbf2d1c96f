/// A whole screen's finished frames: mirrored, rounded, in content coordinates (rule G7).
public struct ScreenFrames: Sendable, Hashable {
    /// How far the content reaches, in points; never rounded (R3).
    public var contentSize: Size
    /// One for each section, in order.
    public var sections: [SectionFrames]
    /// What could not be done as it was asked, by section.
    public var diagnostics: [LayoutDiagnostic]
    /// The axis the screen scrolls along.
    public var axis: Axis
    /// The way the reader reads; frames are mirrored already when it is right to left (R4).
    public var direction: LayoutDirection

    /// Makes a screen of finished sections.
    public init(
        contentSize: Size = .zero, sections: [SectionFrames] = [],
        diagnostics: [LayoutDiagnostic] = [], axis: Axis = .vertical,
        direction: LayoutDirection = .ltr
    ) {
        self.contentSize = contentSize
        self.sections = sections
        self.diagnostics = diagnostics
        self.axis = axis
        self.direction = direction
    }
}
