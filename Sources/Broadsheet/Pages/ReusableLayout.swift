/// A merged screen with its layout, from which those of later versions of the screen are made.
package struct ReusableLayout: Sendable {
    package let screen: MergedScreen
    private let sections: LaidOutSections<MergedSection>

    package var frames: ScreenFrames { sections.frames }

    /// Lays out a merged screen.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the layout.
    ///   - earlier: The layout of an earlier version of the screen.
    package init(
        _ screen: MergedScreen, _ parameters: LayoutParameters, reusing earlier: Self? = nil
    ) {
        self.screen = screen
        sections = LaidOutSections(
            screen.sections, in: screen.environment(parameters), reusing: earlier?.sections)
    }
}

extension MergedScreen {
    /// Lays out the sections and their items once.
    ///
    /// - Complexity: O(sections + items).
    package func laidOut(by parameters: LayoutParameters) -> ScreenFrames {
        // Other modules would call the generic function, which is slower.
        ScreenFrames.layOut(sections: sections, in: environment(parameters))
    }

    fileprivate func environment(_ parameters: LayoutParameters) -> LayoutEnvironment {
        var environment = LayoutEnvironment(
            viewport: parameters.viewport, screen: layout, rounding: parameters.rounding,
            lints: parameters.lint)
        if parameters.lint { environment.openSections = openSections }
        return environment
    }

    /// Returns the lint of the sections.
    ///
    /// - Complexity: O(sections + items).
    func lint(for parameters: LayoutParameters) -> [LayoutDiagnostic] {
        var parameters = parameters
        parameters.lint = true
        return LayoutLint.diagnose(sections: sections, in: environment(parameters))
    }
}
