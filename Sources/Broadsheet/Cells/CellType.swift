/// A cell, header or footer type that a Swift program sizes by code.
///
/// It corresponds to an entry of a catalog's `cellTypes`; items of both are treated alike.
public protocol CellType: Sendable {
    /// The name that the client knows the type by; the Swift type's own name by default.
    static var typeName: String { get }

    /// The pointer from an item's data to the string or number that identifies it in its section.
    ///
    /// With `nil`, or a pointer that finds neither a string nor a number, an item is identified by
    /// its position.
    static var id: JSONPointer? { get }

    /// Returns the size in points for `data` in a container, or `nil` for the layout's default.
    ///
    /// The function is called for each item at each layout, on any thread. NaN, infinite and
    /// negative lengths are sanitised (rule G2).
    static func size(with data: JSONValue, constrainedTo container: Container) -> Size?
}

extension CellType {
    /// The Swift type's own name.
    public static var typeName: String { String(describing: Self.self) }

    /// No pointer: items are identified by their position.
    public static var id: JSONPointer? { nil }
}

/// The space that a layout leaves for a cell (docs/catalog.md, "Containers").
public struct Container: Sendable, Hashable {
    /// The whole viewport in points.
    public var viewport: Size
    /// The space for the cell in points: along the cross axis the length inside the section's
    /// insets (or a column, or a content box), along the main axis the viewport's length.
    public var available: Size
    /// The axis that the screen scrolls along; the other one is the cross axis.
    public var axis: Axis

    /// Creates a container from its lengths in points.
    public init(viewport: Size, available: Size, axis: Axis = .vertical) {
        self.viewport = viewport
        self.available = available
        self.axis = axis
    }
}
