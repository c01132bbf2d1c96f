/// The places in depth that elements have unless something moves them (rule G8).
public enum ZIndex {
    /// An item.
    public static let item = 0
    /// An item of a section that has a background.
    public static let itemOverDecoration = 1
    /// A header or a footer.
    public static let supplementary = 1
    /// The least of a pinned header or footer.
    public static let pinned = 10
    /// A background in a compositional section.
    public static let compositionalDecoration = 0
    /// A background in any other section; also what a tree leaves unsaid (layout.md, J).
    public static let decoration = -1
}
