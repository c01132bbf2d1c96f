/// The place of a window in the tree of all pages (docs/api.md, "Windows").
public struct TreeWindow: Sendable, Hashable {
    /// The id of the anchor's section; `nil` for a section without one, and for the null anchor.
    public var section: String?
    /// The id of the anchor; `nil` for the null anchor, the content's start.
    public var item: String?
    /// The content coordinate of the anchor's frame along the screen, in points.
    public var origin: Double
    /// The index in the tree of all pages of the window's first section.
    public var firstSection: Int
    /// The length of the window before its anchor, in points.
    public var before: Double
    /// The length of the window after its anchor, in points.
    public var after: Double

    /// Creates the place that a member `window` describes; `nil` if it is not one.
    public init?(_ value: TreeValue) {
        guard let origin = value["origin"]?.number, let first = value["firstSection"]?.integer,
            let before = value["before"]?.number, let after = value["after"]?.number
        else { return nil }
        section = value["section"]?.text
        item = value["item"]?.text
        self.origin = origin
        firstSection = first
        self.before = before
        self.after = after
    }
}

extension Tree {
    /// The place of the tree in that of all pages, if it is a window.
    public var window: TreeWindow? { members["window"].flatMap(TreeWindow.init) }

    /// A Boolean value that indicates whether there is something before the tree.
    public var hasPrevious: Bool { members["hasPrevious"]?.bool ?? false }

    /// The token of the window before this one; `nil` without one.
    public var previousPageToken: String? { members["previousPageToken"]?.text }
}

extension TreeSection {
    /// The index in the whole tree of the first item in a window; `nil` in any other tree.
    public var firstItem: Int? { members["firstItem"]?.integer }

    /// The number of items in the whole tree; `nil` in any other tree.
    public var itemCount: Int? { members["itemCount"]?.integer }
}
