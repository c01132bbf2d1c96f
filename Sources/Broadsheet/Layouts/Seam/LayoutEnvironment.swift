/// How finished frames meet the device's pixels (layout.md, J "Rounding in the tree").
public enum Rounding: String, Sendable, Hashable, CaseIterable {
    /// To the nearest device pixel, by the viewport's scale (rules R1-R3).
    case pixel
    /// Not at all: the canonical frames, for storage and comparison.
    case none
}

/// Everything besides its sections that a screen's frames depend on.
public struct LayoutEnvironment: Sendable, Hashable {
    /// What the asking device shows at a time.
    public var viewport: Viewport
    /// What holds for the whole screen.
    public var screen: ScreenLayout
    /// How frames meet pixels.
    public var rounding: Rounding

    /// Whether the diagnostics also name what a designer would want to know, which costs a second
    /// layout (`LayoutLint`).
    public var lints: Bool

    /// Makes an environment.
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
