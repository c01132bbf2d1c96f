/// What a layout kind knows besides the section itself: all of it sanitised (rule G2).
package struct LayoutContext: Sendable {
    /// The axis the screen scrolls along: main.
    package let axis: Axis
    /// The viewport's lengths in points, neither negative nor above 1e9.
    package let viewport: Size
    /// Device pixels per point as they were given; possibly not a usable scale (R1).
    package let scale: Double
    /// What sections fall back on.
    package let screen: ScreenLayout
    /// The index in the screen of the section at hand.
    package var sectionIndex = 0

    /// Sanitises what an environment says.
    package init(_ environment: LayoutEnvironment) {
        axis = environment.screen.direction ?? .vertical
        viewport = Sanitation.size(environment.viewport.size)
        scale = environment.viewport.scale
        screen = environment.screen
    }

    /// The viewport's length along the scroll axis, in points.
    package var mainViewport: Double { viewport[axis] }
    /// The viewport's length across the scroll axis, in points.
    package var crossViewport: Double { viewport[axis.cross] }

    /// What a cell is told about the room it has: `cross` across the screen, the viewport along it.
    package func container(cross: Double) -> Container {
        var available = viewport
        available[axis.cross] = cross
        return Container(viewport: viewport, available: available, axis: axis)
    }
}
