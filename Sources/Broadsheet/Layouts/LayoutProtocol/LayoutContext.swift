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
