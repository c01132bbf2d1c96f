/// A part of an item, a header or a footer: a box of its content that has a name.
public struct TreePart: Sendable, Hashable {
    /// The frame, in the coordinates of the element.
    public var frame: TreeFrame
    /// The number of lines; `nil` if the part is not a text.
    public var lines: Int?
    /// A Boolean value that indicates whether a limit of lines cut the text.
    public var isTruncated: Bool

    /// Creates a part.
    public init(frame: TreeFrame, lines: Int? = nil, isTruncated: Bool = false) {
        self.frame = frame
        self.lines = lines
        self.isTruncated = isTruncated
    }

    /// Reads a part; `nil` if the value is not one.
    init?(_ value: TreeValue) {
        guard let frame = value["frame"].flatMap(TreeFrame.init(object:)) else { return nil }
        self.init(
            frame: frame, lines: value["lines"]?.integer,
            isTruncated: value["truncated"]?.bool == true)
    }

    /// Returns the parts that a member `parts` has.
    static func parts(of value: TreeValue?) -> [String: TreePart] {
        (value?.members ?? [:]).compactMapValues(TreePart.init)
    }
}

/// A header or a footer of a section of a tree.
public struct TreeView: Sendable, Hashable {
    /// All members but `frame`.
    public var members: [String: TreeValue]
    /// The frame.
    public var frame: TreeFrame

    /// Reads a header or a footer; `nil` if the value is not one.
    public init?(_ value: TreeValue) {
        guard var members = value.members,
            let frame = members.removeValue(forKey: "frame").flatMap(TreeFrame.init(object:))
        else { return nil }
        self.members = members
        self.frame = frame
    }

    /// The parts of the view by their names; empty if its type has no content.
    public var parts: [String: TreePart] { TreePart.parts(of: members["parts"]) }
}

extension TreeSection {
    /// The header, or `nil`.
    public var header: TreeView? { members["header"].flatMap(TreeView.init) }

    /// The footer, or `nil`.
    public var footer: TreeView? { members["footer"].flatMap(TreeView.init) }
}
