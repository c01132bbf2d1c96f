/// The relation of finished frames to device pixels (docs/layout.md, section J).
public enum Rounding: String, Sendable, Hashable, CaseIterable {
    /// Frames are rounded to the nearest device pixel, by the viewport's scale (rules R1-R3).
    case pixel
    /// Frames are not rounded: the canonical frames, for storage and comparison.
    case none
}

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

/// The values that a layout needs besides the section itself, sanitised (rule G2).
package struct LayoutContext: Sendable {
    /// The axis along which the screen scrolls: the main axis.
    package let axis: Axis
    /// The viewport's lengths in points, in 0...1e9.
    package let viewport: Size
    /// The posted number of device pixels per point; possibly not a usable scale (R1).
    package let scale: Double
    /// The layout of the screen as a whole.
    package let screen: ScreenLayout
    /// The index of the current section in the screen.
    package var sectionIndex = 0

    /// Creates the context of a screen from its environment, sanitised.
    package init(_ environment: LayoutEnvironment) {
        axis = environment.screen.direction ?? .vertical
        viewport = Sanitation.size(environment.viewport.size)
        scale = environment.viewport.scale
        screen = environment.screen
    }

    /// The viewport's length along the main axis, in points.
    package var mainViewport: Double { viewport[axis] }
    /// The viewport's length along the cross axis, in points.
    package var crossViewport: Double { viewport[axis.cross] }

    /// Returns the container of a cell: `cross` points across the screen, and the viewport's length
    /// along the main axis.
    package func container(cross: Double) -> Container {
        var available = viewport
        available[axis.cross] = cross
        return Container(viewport: viewport, available: available, axis: axis)
    }
}
