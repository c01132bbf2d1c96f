/// A cell, header or footer that a Swift program lays out by code.
///
/// It is the counterpart of an entry of a catalog's `cellTypes`; nothing downstream can tell which
/// of the two made an item.
public protocol CellType: Sendable {
    /// The name by which the client knows it; the Swift type's own by default.
    static var typeName: String { get }

    /// Where in the data a string or a number identifies the item within its section; nil, or a
    /// pointer that finds neither, leaves the item to be identified by its place.
    static var id: JSONPointer? { get }

    /// The size in points for `data` in what the layout has left, or nil for the layout's default.
    ///
    /// Called for each item at each layout, from any thread; NaN, infinite and negative lengths are
    /// sanitised (rule G2).
    static func size(with data: JSONValue, constrainedTo container: Container) -> Size?
}

extension CellType {
    /// The Swift type's own name.
    public static var typeName: String { String(describing: Self.self) }

    /// No pointer: items are identified by their place.
    public static var id: JSONPointer? { nil }
}
