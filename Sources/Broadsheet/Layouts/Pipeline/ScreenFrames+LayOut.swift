extension ScreenFrames {
    /// Lays out `sections`, one after another along the screen's main axis (rule G7).
    ///
    /// Total: whatever the sizes, counts and viewport, every number in the answer is finite.
    /// O(items + sections) (rule G5).
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
