/// How much one page, and one screen of pages, may hold.
///
/// Crossing `maxSections` or `maxItems` within a page is a violation of that page; crossing any of
/// them across a screen's pages is refused by the view model and changes nothing.
public struct ScreenLimits: Sendable, Hashable {
    /// Nested containers of a page's JSON, the document's own being 1 (`--max-depth`).
    public var maxDepth: Int
    /// Sections as posted, a screen's pages together (`--max-sections`).
    public var maxSections: Int
    /// Items, a screen's pages together (`--max-items`).
    public var maxItems: Int
    /// Pages of one screen (`--max-pages`).
    public var maxPages: Int
    /// Diagnostics kept of one page; one more line then says how many there were besides.
    public var maxDiagnostics: Int

    /// Makes limits; the defaults are those of the `serve` command (docs/cli.md).
    public init(
        maxDepth: Int = 128, maxSections: Int = 10_000, maxItems: Int = 1_000_000,
        maxPages: Int = 10_000, maxDiagnostics: Int = 1_000
    ) {
        self.maxDepth = maxDepth
        self.maxSections = maxSections
        self.maxItems = maxItems
        self.maxPages = maxPages
        self.maxDiagnostics = maxDiagnostics
    }
}
