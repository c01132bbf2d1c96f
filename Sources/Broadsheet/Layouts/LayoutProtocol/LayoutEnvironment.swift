/// Everything that a screen's frames depend on besides its sections.
public struct LayoutEnvironment: Sendable, Hashable {
    /// The viewport of the requesting device.
    public var viewport: Viewport
    /// The layout of the screen as a whole.
    public var screen: ScreenLayout
    /// The relation of frames to device pixels.
    public var rounding: Rounding

    /// A Boolean value that indicates whether the diagnostics include those of lint, which costs a
    /// second layout (`LayoutLint`).
    public var lints: Bool

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - viewport: The viewport of the requesting device.
    ///   - screen: The layout of the screen as a whole.
    ///   - rounding: The relation of frames to device pixels.
    ///   - lints: A Boolean value that indicates whether the diagnostics include those of lint.
    public init(
        viewport: Viewport = Viewport(), screen: ScreenLayout = ScreenLayout(),
        rounding: Rounding = .pixel, lints: Bool = false
    ) {
        self.viewport = viewport
        self.screen = screen
        self.rounding = rounding
        self.lints = lints
    }
}
