/// What a layout has left for a cell (catalog.md, "The container is …").
public struct Container: Sendable, Hashable {
    /// The whole viewport in points, whatever the section keeps for itself.
    public var viewport: Size
    /// The room for the cell in points: across the screen what the section's insets leave (or a
    /// column, or a content box), along it the viewport's length.
    public var available: Size
    /// The axis that the screen scrolls along; the other is the cross axis.
    public var axis: Axis

    /// Makes a container from its lengths in points.
    public init(viewport: Size, available: Size, axis: Axis = .vertical) {
        self.viewport = viewport
        self.available = available
        self.axis = axis
    }
}
