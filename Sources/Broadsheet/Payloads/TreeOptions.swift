/// What an answer's tree shows, and how (docs/api.md, "Query of every layout answer").
public struct TreeOptions: Hashable, Sendable {
    /// What the origin of a header's, an item's or a decoration's frame is measured from.
    public enum Coordinates: String, Hashable, Sendable, CaseIterable {
        /// Its section's origin, as a view's frame is.
        case section
        /// The content's origin: every frame is absolute.
        case content
    }

    /// How much of each element is shown.
    public enum Fields: String, Hashable, Sendable, CaseIterable {
        /// Everything.
        case all
        /// Everything but the posted data.
        case frames
    }

    /// What frames are measured from.
    public var coordinates: Coordinates
    /// How much of each element is shown.
    public var fields: Fields
    /// Whether the tree is indented for people; posted data stays as it was posted.
    public var pretty: Bool

    /// Makes options; the defaults are those of the HTTP API.
    public init(
        coordinates: Coordinates = .section, fields: Fields = .all, pretty: Bool = false
    ) {
        self.coordinates = coordinates
        self.fields = fields
        self.pretty = pretty
    }
}
