/// A background where it is drawn (rules D1-D4).
public struct DecorationFrame: Sendable, Hashable {
    /// The name by which the client knows how to draw it.
    public var kind: String
    /// In content coordinates, in points.
    public var frame: Frame
    /// Its place in depth (G8).
    public var zIndex: Int
    /// The raw JSON bytes to hand to the client, as they were posted.
    public var data: [UInt8]?
}
