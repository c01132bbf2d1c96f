/// What a tree says about where it comes from and what follows it.
public struct TreeEnvelope: Hashable, Sendable {
    /// The stored screen's name; nil when the tree was composed without storing.
    public var screen: String?
    /// The stored screen's revision; nil likewise.
    public var revision: UInt64?
    /// What the next page is fetched with; nil when there is none.
    public var nextPageToken: String?
    /// Whether there is a next page.
    public var hasNext: Bool

    /// Makes an envelope; without arguments, that of a lone page composed without storing.
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
