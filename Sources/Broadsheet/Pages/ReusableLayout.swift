/// A merged screen with its layout, from which those of later versions of the screen are made.
package struct ReusableLayout: Sendable {
    /// The merged screen.
    package let screen: MergedScreen
    private let sections: LaidOutSections<MergedSection>

    /// The frames of the screen.
    package var frames: ScreenFrames { sections.frames }

    /// Lays out a merged screen.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - parameters: The parameters of the layout.
    ///   - earlier: The layout of an earlier version of the screen.
    package init(
        _ screen: MergedScreen, _ parameters: LayoutParameters, reusing earlier: Self? = nil
    ) {
        self.screen = screen
        sections = LaidOutSections(
            screen.sections,
            in: LayoutEnvironment(
                viewport: parameters.viewport, screen: screen.layout,
                rounding: parameters.rounding, lints: parameters.lint),
            reusing: earlier?.sections)
    }
}
