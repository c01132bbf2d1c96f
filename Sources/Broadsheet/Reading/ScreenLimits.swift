/// The limits of one page and of one screen of pages.
///
/// A page beyond `maxSections` or `maxItems` breaks its contract. A page that takes its screen
/// beyond a limit is rejected by the view model, and the screen does not change.
public struct ScreenLimits: Sendable, Hashable {
    /// The largest depth of nested containers of a page; the document's own is 1 (`--max-depth`).
    public var maxDepth: Int
    /// The largest number of posted sections of a screen's pages together (`--max-sections`).
    public var maxSections: Int
    /// The largest number of items of a screen's pages together (`--max-items`).
    public var maxItems: Int
    /// The largest number of pages of one screen (`--max-pages`).
    public var maxPages: Int
    /// The largest number of diagnostics kept of one page; one more contains the number of others.
    public var maxDiagnostics: Int

    /// Creates limits; the defaults are those of the `serve` command (docs/cli.md).
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
