/// The content and the format of a tree (docs/api.md, "Parameters of every layout").
public struct TreeOptions: Hashable, Sendable {
    /// The coordinate system of the frames of headers, items, footers and decorations.
    public enum Coordinates: String, Hashable, Sendable, CaseIterable {
        /// Relative to the section's origin, as the frame of a subview is.
        case section
        /// Relative to the content's origin: every frame is absolute.
        case content
    }

    /// The members of each element.
    public enum Fields: String, Hashable, Sendable, CaseIterable {
        /// All members.
        case all
        /// All members except for the posted data.
        case frames
    }

    /// The coordinate system of frames.
    public var coordinates: Coordinates
    /// The members of each element.
    public var fields: Fields
    /// A Boolean value that indicates whether the tree is indented; posted data is copied
    /// unchanged.
    public var pretty: Bool

    /// Creates options; the defaults are those of the HTTP API.
    public init(
        coordinates: Coordinates = .section, fields: Fields = .all, pretty: Bool = false
    ) {
        self.coordinates = coordinates
        self.fields = fields
        self.pretty = pretty
    }
}

/// The source of a tree, and the reference to its next page.
public struct TreeEnvelope: Hashable, Sendable {
    /// The stored screen's name; `nil` when the tree was composed without storing.
    public var screen: String?
    /// The stored screen's revision; `nil` when the tree was composed without storing.
    public var revision: UInt64?
    /// The token of the next page; `nil` when there is none.
    public var nextPageToken: String?
    /// A Boolean value that indicates whether there is a next page.
    public var hasNext: Bool

    /// Creates an envelope; without arguments, that of a single page composed without storing.
    public init(
        screen: String? = nil, revision: UInt64? = nil, nextPageToken: String? = nil,
        hasNext: Bool = false
    ) {
        self.screen = screen
        self.revision = revision
        self.nextPageToken = nextPageToken
        self.hasNext = hasNext
    }
}
