/// A background behind a section or behind its items (layout.md, J `decoration`, rules D1-D4).
public struct DecorationOptions: Sendable, Hashable {
    /// What the background spans (D1).
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// The whole section: header, insets and footer included.
        case section
        /// From the first item to the last, the viewport across.
        case items
    }

    /// The name by which the client knows how to draw it.
    public var kind: String
    /// What it spans; when nil, the section in a compositional section, else the items.
    public var mode: Mode?
    /// Shrinks the rectangle, or grows it where negative (D2).
    public var inset: Insets
    /// Its own place in depth (G8); the layout kind's default when nil.
    public var zIndex: Int?
    /// The raw JSON bytes to hand to the client, as they were posted.
    public var data: [UInt8]?

    /// Makes a background of the given kind.
    public init(
        kind: String, mode: Mode? = nil, inset: Insets = .zero, zIndex: Int? = nil,
        data: [UInt8]? = nil
    ) {
        self.kind = kind
        self.mode = mode
        self.inset = inset
        self.zIndex = zIndex
        self.data = data
    }
}
