/// The finished frames of a screen: mirrored and rounded, sections in the content and elements in
/// their sections (rules G7 and R5).
public struct ScreenFrames: Sendable, Hashable {
    /// The size of the content, in points; never rounded (R3).
    public var contentSize: Size
    /// The frames of each section, in order.
    public var sections: [SectionFrames]
    /// The diagnostics, by section.
    public var diagnostics: [LayoutDiagnostic]
    /// The axis along which the screen scrolls.
    public var axis: Axis
    /// The reading direction; the frames of a right-to-left screen are already mirrored (R4).
    public var direction: LayoutDirection

    /// Creates a screen of finished sections.
    ///
    /// - Parameters:
    ///   - contentSize: The size of the content, in points.
    ///   - sections: The frames of each section, in order.
    ///   - diagnostics: The diagnostics, by section.
    ///   - axis: The axis along which the screen scrolls.
    ///   - direction: The reading direction.
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
