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

    static func parts(of value: TreeValue?) -> [String: TreePart] {
        (value?.members ?? [:]).compactMapValues(TreePart.init)
    }
}
